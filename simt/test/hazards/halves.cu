// Atomics of 2 bytes: the machine has none, so the compiler makes them of compare-and-swap on whole words.
// They are atomics of their 2 bytes nevertheless, and leave the other two alone. And 8 bytes read where only
// 4 are used: of these the compiler makes a read of 4.
#include <cuda_fp16.h>

#include "simt/test/hazards/fences.h"
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

constexpr int THREADS = 64;
using Short = unsigned short;

/// Block 0 adds to one half of a word; block 1 does the same, or reads or writes a half plainly.
enum class Other { adds, reads, writes_neighbour };

template <Other OTHER>
__global__ void add_halves(__half* sum, __half* out) {
    if (blockIdx.x == 0 || OTHER == Other::adds)
        atomicAdd(sum + 1, __half(1));
    else if (threadIdx.x == 0 && OTHER == Other::reads)
        *out = sum[1];
    else if (threadIdx.x == 0)
        sum[0] = __half(7);
}

template <Other OTHER>
std::string run_add_halves() {
    Device<__half> sum(std::vector<__half>(2, __half(0))), out(std::vector<__half>(1, __half(0)));
    run(add_halves<OTHER>, 2, THREADS, sum.data(), out.data());
    const float expected[] = {OTHER == Other::writes_neighbour ? 7.f : 0.f,
                              OTHER == Other::adds ? 2.f * THREADS : 1.f * THREADS};
    const std::vector<__half> found = sum.read();
    return difference(std::vector<float>{float(found[0]), float(found[1])},
                      std::vector<float>(expected, expected + 2));
}

/// A lock of 2 bytes guards a counter.
template <Fence FENCE, bool IN_SHARED>
__global__ void count_locked(Short* locks, int* count) {
    __shared__ Short own[2];
    __shared__ int own_count;
    if (threadIdx.x < 2) own[threadIdx.x] = 0;
    if (threadIdx.x == 0) own_count = 0;
    __syncthreads();
    Short* const lock = (IN_SHARED ? own : locks) + 1;
    int* const counter = IN_SHARED ? &own_count : count;
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(lock, Short(0), Short(1)) != 0) {
        }
        fence<FENCE>();
        *counter += 1;
        fence<FENCE>();
        atomicCAS(lock, Short(1), Short(0));
    }
    __syncthreads();
    if (IN_SHARED && threadIdx.x == 0) count[blockIdx.x] = own_count;
}

template <Fence FENCE, bool IN_SHARED>
std::string run_count_locked() {
    return result_of(count_locked<FENCE, IN_SHARED>, 2, THREADS,
                     IN_SHARED ? std::vector<int>{2, 2} : std::vector<int>{4, 0}, std::vector<Short>(2),
                     zeros(2));
}

/// Block 0 adds to the upper half of a word by an atomic of all of it; block 1 uses the lower half.
template <bool RELAXED>
__global__ void use_lower_half(unsigned long long* word, int* out) {
    if (blockIdx.x == 0) {
        atomicAdd(word, 1ull << 32);
        return;
    }
    unsigned long long seen;
    if (RELAXED)
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(seen) : "l"(word) : "memory");
    else
        asm volatile("ld.global.u64 %0, [%1];" : "=l"(seen) : "l"(word) : "memory");
    if (threadIdx.x == 0) *out = int(unsigned(seen));
}

template <bool RELAXED>
std::string run_use_lower_half() {
    const std::vector<unsigned long long> five = {5};
    return result_of(use_lower_half<RELAXED>, 2, THREADS, std::vector<int>{5}, five, zeros(1));
}

/// An atomic of 2 bytes at the end of an odd number of them: the word that has it ends beyond.
template <int AT>
__global__ void add_to_last(__half* sums) {
    atomicAdd(sums + AT, __half(1));
}

template <int AT>
std::string run_add_to_last() {
    Device<__half> sums(std::vector<__half>(7, __half(0)));
    run(add_to_last<AT>, 1, THREADS, sums.data());
    return difference(std::vector<float>{float(sums.read()[6])}, {float(THREADS)});
}

/// Additions to pairs of halves in shared memory, after a compare-and-swap of 2 bytes.
template <bool PLAIN>
__global__ void add_pairs(float* out) {
    __shared__ Short lock;
    __shared__ __half2 sum;
    if (threadIdx.x == 0) lock = 0, sum = __half2(0.f, 0.f);
    __syncthreads();
    atomicCAS(&lock, Short(threadIdx.x), Short(threadIdx.x + 1));
    if (PLAIN && threadIdx.x == 0)
        sum = __half2(0.f, 0.f);
    else
        atomicAdd(&sum, __half2(0.f, 1.f));
    __syncthreads();
    if (threadIdx.x == 0) *out = PLAIN ? 0.f : float(__high2half(sum));
}

template <bool PLAIN>
std::string run_add_pairs() {
    return result_of(add_pairs<PLAIN>, 1, THREADS, std::vector<float>{PLAIN ? 0.f : THREADS},
                     zeros<float>(1));
}

const Bench halves(
    "halves",
    {
        {"half_atomics", Expected::clean, "atomics of one half do not race", run_add_halves<Other::adds>},
        {"half_atomics_and_read", Expected::race, "a plain read races with atomics of that half",
         run_add_halves<Other::reads>},
        {"half_atomics_and_neighbour", Expected::clean, "the other half of the word is left alone",
         run_add_halves<Other::writes_neighbour>},
        {"word_atomics_and_lower_half", Expected::clean,
         "a relaxed read of a word does not race, though only half of it is used", run_use_lower_half<true>},
        {"word_atomics_and_plain_lower_half", Expected::race, "a plain one does", run_use_lower_half<false>},
        {"half_atomic_at_end", Expected::clean, "it touches its 2 bytes only", run_add_to_last<6>},
        {"half_atomic_beyond_end", Expected::out_of_bounds, "one further", run_add_to_last<7>},
        {"pairs_of_halves_in_block", Expected::clean, "a load and compare-and-swap are one atomic",
         run_add_pairs<false>},
        {"pairs_of_halves_and_write", Expected::race, "a plain write races with them", run_add_pairs<true>},
        {"short_lock", Expected::clean, "a lock of 2 bytes orders as one of 4 does",
         run_count_locked<Fence::device, false>},
        {"short_lock_no_fences", Expected::race, "without fences it orders nothing",
         run_count_locked<Fence::none, false>},
        {"short_lock_in_block", Expected::clean, "the same in shared memory",
         run_count_locked<Fence::block, true>},
        {"short_lock_in_block_no_fences", Expected::race, "the same in shared memory",
         run_count_locked<Fence::none, true>},
    });

}  // namespace
