// Operations of the machine, one kernel each, over inputs that all of them share.
//
// A program of this folder lists operations of one family. It applies each to CASES triples of words and
// prints a line: a digest of all its outputs, a byte for each of CHUNKS runs of cases, by which a difference
// is found, and its name. --outputs FILE writes the outputs themselves, in the order of the lines; --only
// TEXT selects names; --first N leaves out the first N; --list prints names alone, each after the bytes of
// one output, and needs no GPU. Operations that the GPU is too old for, see since.h, are left out. What a GPU
// printed is committed, in digests.nvidia-h200.txt.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "simt/test/opcodes/inputs.h"
#include "simt/test/opcodes/since.h"

namespace opcodes {

constexpr int CHUNKS = 64;
#ifdef __CUDA_ARCH__
constexpr int COMPILED_FOR = __CUDA_ARCH__ / 10;
#else
constexpr int COMPILED_FOR = 1000;  // the host
#endif

using Launch = std::function<void(const void* in, void* out)>;

struct Operation {
    const char* name;
    Set set;
    int bytes;  ///< of one output
    int since;  ///< the architecture that it needs at least
    Launch launch;
};

inline std::vector<Operation>& operations() {
    static std::vector<Operation> all;
    return all;
}

template <class F>
__global__ void apply(const typename F::In* in, typename F::Out* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if constexpr (COMPILED_FOR >= F::SINCE) out[i] = F::of(in[i], in[i + CASES], in[i + 2 * CASES]);
}

// What is no template here is none because of the host's compiler, which would make it of each of thousands
// of operations.

inline bool enter(const char* name, Set set, int bytes, int since, Launch launch) {
    operations().push_back({name, set, bytes, since, std::move(launch)});
    return true;
}

/// Launches of a kernel that takes in and out.
inline Launch launches(const void* kernel, dim3 blocks, dim3 threads) {
    return [=](const void* in, void* out) {
        void* arguments[] = {&in, &out};
        cudaLaunchKernel(kernel, blocks, threads, arguments, 0, nullptr);
    };
}

/// Enter an operation that every thread applies to its own triple.
template <class F>
bool add(const char* name, Set set) {
    const auto kernel = reinterpret_cast<const void*>(apply<F>);
    return enter(name, set, sizeof(typename F::Out), F::SINCE, launches(kernel, CASES / 128, 128));
}

template <class F>
__global__ void run_block(const typename F::In* in, typename F::Out* out) {
    if constexpr (COMPILED_FOR >= F::SINCE)
        F::run(in, out, (blockIdx.x * gridDim.y + blockIdx.y) * gridDim.z + blockIdx.z);
}

/// Enter an operation that threads of a block do together, or on memory: in blocks of 8 x 4 x 4 threads.
template <class F>
bool add_block(const char* name, Set set) {
    const auto kernel = reinterpret_cast<const void*>(run_block<F>);
    const dim3 blocks(CASES / 128 / 16, 4, 4), threads(8, 4, 4);
    return enter(name, set, sizeof(typename F::Out), F::SINCE, launches(kernel, blocks, threads));
}

inline std::uint64_t digest(const std::uint8_t* bytes, std::size_t count) {
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (std::size_t i = 0; i < count; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3;
    return hash;
}

/// One line: the name, or what went wrong; the digests.
inline void print(const Operation& operation, cudaError_t error, const std::vector<std::uint8_t>& out) {
    if (error != cudaSuccess) {
        std::printf("%s - %s\n", cudaGetErrorName(error), operation.name);
        return;
    }
    std::printf("%016llx ", static_cast<unsigned long long>(digest(out.data(), out.size())));
    const std::size_t chunk = out.size() / CHUNKS;
    for (int i = 0; i < CHUNKS; ++i) {
        const std::uint64_t hash = digest(out.data() + i * chunk, chunk);
        std::printf("%02x", static_cast<unsigned>((hash ^ hash >> 32) % 251));
    }
    std::printf(" %s\n", operation.name);
}

inline int list() {
    for (const Operation& operation : operations()) std::printf("%d %s\n", operation.bytes, operation.name);
    return 0;
}

/// The family's main function. The exit status is 1 if an operation failed.
inline int run(int argc, char** argv) {
    const char *only = "", *outputs = nullptr;
    std::size_t first = 0;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--list") == 0) return list();
        if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) only = argv[i + 1];
        if (std::strcmp(argv[i], "--first") == 0 && i + 1 < argc)
            first = std::strtoul(argv[i + 1], nullptr, 10);
        if (std::strcmp(argv[i], "--outputs") == 0 && i + 1 < argc) outputs = argv[i + 1];
    }
    std::FILE* file = outputs == nullptr ? nullptr : std::fopen(outputs, "wb");
    void *in[3], *out;
    for (int set = 0; set < 3; ++set) in[set] = inputs_of(static_cast<Set>(set));
    cudaMalloc(&out, CASES * 32);
    cudaDeviceProp gpu;
    cudaGetDeviceProperties(&gpu, 0);
    bool failed = false;
    for (std::size_t k = first; k < operations().size(); ++k) {
        const Operation& operation = operations()[k];
        if (std::strstr(operation.name, only) == nullptr) continue;
        if (operation.since > gpu.major * 10 + gpu.minor) continue;
        std::vector<std::uint8_t> host(std::size_t(CASES) * operation.bytes);
        cudaMemset(out, 0xa5, host.size());
        operation.launch(in[static_cast<int>(operation.set)], out);
        const cudaError_t launched = cudaGetLastError();
        const cudaError_t copied = cudaMemcpy(host.data(), out, host.size(), cudaMemcpyDeviceToHost);
        const cudaError_t error = launched != cudaSuccess ? launched : copied;
        failed |= error != cudaSuccess;
        print(operation, error, host);
        if (file != nullptr) std::fwrite(host.data(), 1, host.size(), file);
    }
    if (file != nullptr) std::fclose(file);
    return failed;
}

}  // namespace opcodes

// An operation: its inputs' set and type, its output's type, its name, and statements that compute d from a,
// b, c.
#define OPERATION(SET, IN, OUT, NAME, ...) OPERATION_AT(__COUNTER__, SET, IN, OUT, NAME, __VA_ARGS__)
#define OPERATION_AT(ID, ...) OPERATION_NUMBERED(ID, __VA_ARGS__)
#define OPERATION_NUMBERED(ID, SET, IN, OUT, NAME, ...)    \
    struct Operation##ID {                                 \
        static constexpr int SINCE = opcodes::since(NAME); \
        using In = IN;                                     \
        using Out = OUT;                                   \
        static __device__ Out of(In a, In b, In c) {       \
            Out d;                                         \
            __VA_ARGS__;                                   \
            return d;                                      \
        }                                                  \
    };                                                     \
    static const bool added##ID = opcodes::add<Operation##ID>(NAME, opcodes::Set::SET)

// The same, by statements that see the thread's rank t in its block of 128, its case i, and the arrays in and
// out.
#define BLOCK_OPERATION(SET, IN, OUT, NAME, ...) \
    BLOCK_OPERATION_AT(__COUNTER__, SET, IN, OUT, NAME, __VA_ARGS__)
#define BLOCK_OPERATION_AT(ID, ...) BLOCK_OPERATION_NUMBERED(ID, __VA_ARGS__)
#define BLOCK_OPERATION_NUMBERED(ID, SET, IN, OUT, NAME, ...)                                  \
    struct Operation##ID {                                                                     \
        static constexpr int SINCE = opcodes::since(NAME);                                     \
        using In = IN;                                                                         \
        using Out = OUT;                                                                       \
        static __device__ void run(const In* in, Out* out, int block) {                        \
            const int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; \
            const int i = block * 128 + t;                                                     \
            __VA_ARGS__;                                                                       \
        }                                                                                      \
    };                                                                                         \
    static const bool added##ID = opcodes::add_block<Operation##ID>(NAME, opcodes::Set::SET)

using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;

// One PTX instruction on words (W), longs (L), the halves of words as scalars (H) or packed (P), of 1 to 3
// sources.
#define W1(I) OPERATION(words, u32, u32, I, asm(I " %0, %1;" : "=r"(d) : "r"(a)))
#define W2(I) OPERATION(words, u32, u32, I, asm(I " %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)))
#define W3(I) OPERATION(words, u32, u32, I, asm(I " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)))
#define L1(I) OPERATION(longs, u64, u64, I, asm(I " %0, %1;" : "=l"(d) : "l"(a)))
#define L2(I) OPERATION(longs, u64, u64, I, asm(I " %0, %1, %2;" : "=l"(d) : "l"(a), "l"(b)))
#define L3(I) OPERATION(longs, u64, u64, I, asm(I " %0, %1, %2, %3;" : "=l"(d) : "l"(a), "l"(b), "l"(c)))
#define P1(I) OPERATION(halves, u32, u32, I, asm(I " %0, %1;" : "=r"(d) : "r"(a)))
#define P2(I) OPERATION(halves, u32, u32, I, asm(I " %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)))
#define P3(I) OPERATION(halves, u32, u32, I, asm(I " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)))
// The scalars are taken from either half of their words, as packed arithmetic can.
#define H1(I) OPERATION(halves, u32, u16, I, asm(I " %0, %1;" : "=h"(d) : "h"(u16(a))))
#define H2(I) OPERATION(halves, u32, u16, I, asm(I " %0, %1, %2;" : "=h"(d) : "h"(u16(a)), "h"(u16(b >> 16))))
#define H3(I)                      \
    OPERATION(halves, u32, u16, I, \
              asm(I " %0, %1, %2, %3;" : "=h"(d) : "h"(u16(a)), "h"(u16(b >> 16)), "h"(u16(c))))
