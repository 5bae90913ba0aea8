// The GPU: cases share buffers, are checked once, then timed with events, in a cold and in a warm cache.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <stdexcept>

#include "experiments/harness/cub.h"
#include "experiments/harness/cuda_check.h"
#include "experiments/harness/data.h"
#include "experiments/harness/gpu_timer.h"
#include "experiments/harness/machine.h"
#include "kernels/launch.cuh"

namespace harness {
namespace {

// Bytes of device memory left for block sums, CUB and the runtime.
constexpr long long WORKSPACES = 256LL << 20;
// Nanoseconds, longer than the CPU takes to queue any of the work.
constexpr long long SPIN = 100 * 1000;

/// Keep the GPU busy for a while, so that what is queued behind it waits for nothing but the GPU.
__global__ void spin(long long nanoseconds) {
    long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - start < nanoseconds);
}

/// Fill the L2 cache with lines of `data` that nobody wants. They are read, not written: written ones would
/// have to go back to memory during the sample, and the work would pay for it.
__global__ void read_all(const int4* data, long long count, int* never) {
    int sum = 0;
    for (long long i = blockIdx.x * 256LL + threadIdx.x; i < count; i += gridDim.x * 256LL) {
        const int4 word = data[i];
        sum |= word.x | word.y | word.z | word.w;
    }
    if (sum != 0) *never = sum;  // the data are zeros; the compiler does not know
}

int attribute(cudaDeviceAttr which) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, 0), "cudaDeviceGetAttribute");
    return value;
}

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// A buffer in any of the three kinds of memory; throws if there is no room.
class Buffer {
   public:
    Buffer(Memory memory, long long bytes) : memory_(memory) {
        switch (memory) {
            case Memory::device:
                check(cudaMalloc(&data_, bytes), "cudaMalloc");
                break;
            case Memory::pinned:
                check(cudaMallocHost(&data_, bytes), "cudaMallocHost");
                break;
            case Memory::pageable:
                data_ = ::operator new(bytes);
                break;
        }
    }
    ~Buffer() {
        switch (memory_) {
            case Memory::device:
                (void)cudaFree(data_);
                break;
            case Memory::pinned:
                (void)cudaFreeHost(data_);
                break;
            case Memory::pageable:
                ::operator delete(data_);
                break;
        }
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    void* data() const { return data_; }

   private:
    Memory memory_;
    void* data_ = nullptr;
};

/// The vectors that all cases of one kind of memory and element share.
struct Shared {
    long long in_bytes = 0, out_bytes = 0;  // of the largest case
    std::unique_ptr<Buffer> in, out;

    void grow_for(const Case& c) {
        in_bytes = std::max(in_bytes, c.in_bytes());
        out_bytes = std::max(out_bytes, c.out_bytes());
    }
};
using SharedVectors = std::map<std::pair<Memory, Element>, Shared>;

long long device_bytes(const SharedVectors& vectors) {
    long long bytes = 0;
    for (const auto& [kind, shared] : vectors)
        if (kind.first == Memory::device) bytes += shared.in_bytes + shared.out_bytes;
    return bytes;
}

std::string in_gib(long long bytes) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.1f GiB", double(bytes) / (1LL << 30));
    return text;
}

}  // namespace

struct Machine::State {
    std::uint64_t seed = 0;
    cudaStream_t stream = nullptr;
    long long room = 0;  // bytes of device memory for vectors
    long long flush_bytes = 0;
    std::unique_ptr<Buffer> flush;
    SharedVectors vectors;
    std::map<const Case*, Work> works;
    bool awake = false;

    Shared& on_device(const Case& c) { return vectors.at({Memory::device, c.element}); }
    Shared& at_home(const Case& c) { return vectors.at({c.vector, c.element}); }

    std::string admit(const Case& c);
    void allocate();
    Work prepare(const Case& c);
    void wake();
};

std::vector<std::string> cache_states() { return {"cold", "warm"}; }

Machine::Machine(std::uint64_t seed) : state_(new State) {
    check(cudaSetDevice(0), "no GPU");
    state_->seed = seed;
    check(cudaStreamCreateWithFlags(&state_->stream, cudaStreamNonBlocking), "cudaStreamCreate");
    state_->flush_bytes = 2LL * attribute(cudaDevAttrL2CacheSize);
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    state_->room = static_cast<long long>(free) - state_->flush_bytes - WORKSPACES;
}

Machine::~Machine() {
    state_->works.clear();
    (void)cudaStreamDestroy(state_->stream);
}

std::vector<Skipped> Machine::make_room(std::vector<Case*>& cases) {
    std::vector<Skipped> skipped;
    std::vector<Case*> admitted;
    for (Case* c : cases) {
        const std::string reason = state_->admit(*c);
        if (reason.empty()) {
            admitted.push_back(c);
        } else {
            skipped.push_back({c->stem + "/n:" + std::to_string(c->n), reason});
        }
    }
    cases = std::move(admitted);
    state_->allocate();
    return skipped;
}

/// Reserve room for a case; returns why there is none.
std::string Machine::State::admit(const Case& c) {
    SharedVectors grown;
    for (const auto& [kind, shared] : vectors)
        grown[kind] = {shared.in_bytes, shared.out_bytes, nullptr, nullptr};
    grown[{Memory::device, c.element}].grow_for(c);
    grown[{c.vector, c.element}].grow_for(c);
    if (device_bytes(grown) > room)
        return "needs " + in_gib(device_bytes(grown)) + " of GPU memory, " + in_gib(room) + " are free";
    vectors = std::move(grown);
    return "";
}

void Machine::State::allocate() {
    flush = std::make_unique<Buffer>(Memory::device, flush_bytes);
    check(cudaMemset(flush->data(), 0, flush_bytes), "cudaMemset");
    for (auto& [kind, shared] : vectors) {
        shared.in = std::make_unique<Buffer>(kind.first, shared.in_bytes);
        shared.out = std::make_unique<Buffer>(kind.first, shared.out_bytes);
    }
    // The device's vectors come first in the map; those of the host are copied from them.
    for (auto& [kind, shared] : vectors) {
        if (kind.first == Memory::device) {
            fill(kind.second, shared.in->data(), shared.in_bytes / size_of(kind.second), seed);
        } else {
            const void* source = vectors.at({Memory::device, kind.second}).in->data();
            check(cudaMemcpy(shared.in->data(), source, shared.in_bytes, cudaMemcpyDeviceToHost),
                  "cudaMemcpy");
        }
    }
}

/// The case's work, with the way to the GPU and back if its vector lies on the host.
Work Machine::State::prepare(const Case& c) {
    void* in = on_device(c).in->data();
    void* out = on_device(c).out->data();
    Work on_gpu_work = c.prepare(in, out, stream);
    if (c.vector == Memory::device) return on_gpu_work;

    const void* host_in = at_home(c).in->data();
    void* host_out = at_home(c).out->data();
    const long long in_bytes = c.in_bytes(), out_bytes = c.out_bytes();
    const cudaStream_t queue = stream;
    return [=] {
        (void)cudaMemcpyAsync(in, host_in, in_bytes, cudaMemcpyHostToDevice, queue);
        on_gpu_work();
        (void)cudaMemcpyAsync(host_out, out, out_bytes, cudaMemcpyDeviceToHost, queue);
    };
}

void Machine::check_case(const Case& c) {
    Work& work = state_->works[&c];
    work = state_->prepare(c);
    Shared& device = state_->on_device(c);
    Shared& home = state_->at_home(c);
    check(cudaMemset(device.out->data(), POISON, c.out_bytes()), "cudaMemset");
    if (c.vector != Memory::device) {
        check(cudaMemset(device.in->data(), POISON, c.in_bytes()), "cudaMemset");
        std::memset(home.out->data(), POISON, c.out_bytes());
    }
    check(cudaDeviceSynchronize(), "before the run");

    work();
    check(cudaGetLastError(), "launch");
    check(cudaStreamSynchronize(state_->stream), "run");
    const std::string error = find_error(c, state_->seed, home.out->data());
    if (!error.empty()) throw std::runtime_error(error);
}

/// An idle GPU runs at a low clock: make it work before the first sample.
void Machine::State::wake() {
    if (!awake) launch(spin, 1, 1, stream, 300 * 1000 * 1000LL);
    awake = true;
}

void Machine::measure(benchmark::State& state, const Case& c, const std::string& cache_state) {
    const cudaStream_t stream = state_->stream;
    const Work& work = state_->works.at(&c);
    state_->wake();
    for (auto _ : state) {
        if (cache_state == "cold") {
            const auto words = static_cast<const int4*>(state_->flush->data());
            const long long count = state_->flush_bytes / sizeof(int4);
            launch(read_all, 2048, 256, stream, words, count, static_cast<int*>(state_->flush->data()));
        } else {
            work();
        }
        if (c.vector == Memory::device) {
            launch(spin, 1, 1, stream, SPIN);
        } else {
            // The work begins on the host: nothing of it may happen before the clock starts.
            (void)cudaStreamSynchronize(stream);
        }
        GpuTimer timer(state, stream);
        work();
    }
    state.counters["bytes"] = double(c.in_bytes() + c.out_bytes());
    state.counters["elements"] = double(c.n);
}

JsonObject Machine::describe() const {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    int driver = 0;
    check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    return JsonObject()
        .set("kind", "gpu")
        .set("name", properties.name)
        .set("driver", "for CUDA " + version_text(driver))
        .set("cuda", version_text(CUDART_VERSION))
        .set("cub", cub_version())
        .set("compute_capability", std::to_string(properties.major) + "." + std::to_string(properties.minor))
        .set("sm_count", properties.multiProcessorCount)
        .set("sm_clock_mhz", attribute(cudaDevAttrClockRate) / 1000)
        .set("memory_clock_mhz", attribute(cudaDevAttrMemoryClockRate) / 1000)
        .set("memory_bytes", static_cast<long long>(properties.totalGlobalMem))
        .set("l2_bytes", properties.l2CacheSize);
}

std::string Machine::compiler() {
    return "nvcc " + std::to_string(__CUDACC_VER_MAJOR__) + "." + std::to_string(__CUDACC_VER_MINOR__) + "." +
           std::to_string(__CUDACC_VER_BUILD__) + ", g++ " + __VERSION__;
}

std::vector<std::pair<std::string, std::string>> Machine::files() const { return {}; }

}  // namespace harness
