// Reads of memory that nothing wrote.
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

constexpr int THREADS = 32;

/// Add a tile up. Threads from `set` on do not write their element.
__global__ void sum_of_tile(int* out, int set) {
    __shared__ int tile[THREADS];
    if (int(threadIdx.x) < set) tile[threadIdx.x] = 1;
    __syncthreads();
    int sum = 0;
    if (threadIdx.x == 0)
        for (const int value : tile) sum += value;
    if (threadIdx.x == 0) *out = sum;
}

template <int SET>
std::string run_sum_of_tile() {
    return result_of(sum_of_tile, 1, THREADS, {THREADS}, zeros(1), SET);
}

/// Write `bytes` bytes of a word, then read all four.
__global__ void word_of_bytes(unsigned* out, int bytes) {
    __shared__ unsigned word;
    if (int(threadIdx.x) < bytes) reinterpret_cast<unsigned char*>(&word)[threadIdx.x] = threadIdx.x + 1;
    __syncthreads();
    if (threadIdx.x == 0) *out = word + 1;  // a copy alone would use no byte
}

template <int BYTES>
std::string run_word_of_bytes() {
    return result_of(word_of_bytes, 1, THREADS, std::vector<unsigned>{0x04030202u}, zeros<unsigned>(1),
                     BYTES);
}

/// A counter that is added to but never cleared.
template <bool CLEAR>
__global__ void count(int* out) {
    __shared__ int counter;
    if (CLEAR && threadIdx.x == 0) counter = 0;
    __syncthreads();
    atomicAdd(&counter, 1);
    __syncthreads();
    if (threadIdx.x == 0) *out = counter;
}

template <bool CLEAR>
std::string run_count() {
    return result_of(count<CLEAR>, 1, THREADS, {THREADS}, zeros(1));
}

__global__ void double_all(const int* in, int* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }

/// Double a vector of which cudaMemset cleared the first `cleared` elements.
template <int CLEARED>
std::string run_double_all() {
    Device<int> in(THREADS), out(zeros(THREADS));
    if (CLEARED > 0) check(cudaMemset(in.data(), 0, CLEARED * sizeof(int)));
    run(double_all, 1, THREADS, in.data(), out.data());
    return difference(out.read(), zeros(THREADS));
}

/// Three bytes of padding, which nothing writes and a copy of the whole reads.
struct Padded {
    char letter;
    int number;
};

__global__ void reverse_padded(int* out) {
    __shared__ Padded tile[THREADS];
    const int t = threadIdx.x;
    tile[t].letter = char(t);
    tile[t].number = 100 * t;
    __syncthreads();
    const Padded copy = tile[THREADS - 1 - t];
    out[t] = copy.letter + copy.number;
}

__global__ void fill_padded(Padded* out) {
    out[threadIdx.x].letter = char(threadIdx.x);
    out[threadIdx.x].number = 100 * threadIdx.x;
}
__global__ void copy_padded(const Padded* in, Padded* out) {
    out[threadIdx.x] = in[THREADS - 1 - threadIdx.x];
}
__global__ void add_padded(const Padded* in, int* out) {
    out[threadIdx.x] = in[threadIdx.x].letter + in[threadIdx.x].number;
}

enum class Memory { shared, global };

template <Memory MEMORY>
std::string run_padded() {
    Device<int> out(zeros(THREADS));
    if (MEMORY == Memory::shared) {
        run(reverse_padded, 1, THREADS, out.data());
    } else {
        Device<Padded> first(THREADS), second(THREADS);
        run(fill_padded, 1, THREADS, first.data());
        run(copy_padded, 1, THREADS, first.data(), second.data());
        run(add_padded, 1, THREADS, second.data(), out.data());
    }
    std::vector<int> expected;
    for (int t = 0; t < THREADS; ++t) expected.push_back(101 * (THREADS - 1 - t));
    return difference(out.read(), expected);
}

/// Structures whose padding nobody writes, and words with a hole between them, are copied.
struct WithHole {
    int first;
    double second;
    __device__ void set() { first = 1, second = 2; }
};
struct WithTwoHoles {
    float other;
    double second;
    float first;
    __device__ void set() { other = 0, second = 2, first = 1; }
};
/// The last one of those that are set is followed by what nobody has set.
struct WithHoleAfter {
    double second;
    unsigned first;
    __device__ void set() { second = 2, first = 1; }
};
struct alignas(32) OfHalfALine {
    double second;
    float first;
    __device__ void set() { second = 2, first = 1; }
};
struct AsOfCurand {
    unsigned others[8];
    float first;
    double second;
    __device__ void set() {
        for (unsigned& each : others) each = 0;
        first = 1, second = 2;
    }
};
template <class T>
__global__ void set(T* values) {
    values[threadIdx.x].set();
}
template <class T, bool IS_SET>
__global__ void copy_with_hole(T* values, int* out) {
    T& mine = values[threadIdx.x];
    if (!IS_SET) mine.set();
    const T copy = mine;
    values[threadIdx.x + 32] = copy;
    out[threadIdx.x] = int(copy.first) + int(copy.second);
}
/// The last member has two bytes; the lanes copy it between two barriers, and only some have set it.
struct WithEnd {
    long long first;
    short second;
};
__global__ void copy_with_end(int* out) {
    __shared__ WithEnd all[64];
    const unsigned half = __ballot_sync(0xffffffff, threadIdx.x % 2 == 0);
    if (threadIdx.x % 2 == 0) {
        const WithEnd mine = {threadIdx.x, 7};
        all[threadIdx.x] = mine;
        __syncwarp(half);
        const WithEnd copy = all[30 - threadIdx.x];
        __syncwarp(half);
        out[threadIdx.x] = int(copy.first) + copy.second;
    }
}
std::string run_copy_with_end() {
    Device<int> out(zeros(32));
    run(copy_with_end, 1, 32, out.data());
    std::vector<int> expected;
    for (int t = 0; t < 32; ++t) expected.push_back(t % 2 == 0 ? 37 - t : 0);
    return difference(out.read(), expected);
}
template <class T, bool IS_SET>
std::string run_copy_of() {
    Device<T> values(64);
    Device<int> out(32);
    if (IS_SET) run(set<T>, 1, 32, values.data());
    run(copy_with_hole<T, IS_SET>, 1, 32, values.data(), out.data());
    return difference(out.read(), repeated(32, 3));
}
std::string run_copy_with_hole() {
    for (const auto& copies :
         {run_copy_of<WithHole, false>, run_copy_of<WithHole, true>, run_copy_of<WithTwoHoles, true>,
          run_copy_of<WithHoleAfter, true>, run_copy_of<OfHalfALine, true>, run_copy_of<AsOfCurand, true>})
        if (const std::string wrong = copies(); !wrong.empty()) return wrong;
    return run_copy_with_end();
}
__global__ void use_hole(int* values, int* out) {
    if (threadIdx.x != 5) values[threadIdx.x] = 1;
    out[threadIdx.x] = values[threadIdx.x] + 1;
}
std::string run_use_hole() {
    Device<int> values(32), out(32);
    run(use_hole, 1, 32, values.data(), out.data());
    return "";
}

const Bench initialisation(
    "initialisation",
    {
        {"padding_copied", Expected::clean, "nothing but copies is made of a structure's padding",
         run_copy_with_hole},
        {"hole_used", Expected::uninitialised_read, "a word between others that are written is used",
         run_use_hole},
        {"shared_set", Expected::clean, "every element is written before it is read",
         run_sum_of_tile<THREADS>},
        {"shared_unset", Expected::uninitialised_read, "no element is written", run_sum_of_tile<0>},
        {"word_by_bytes", Expected::clean, "four bytes make a word", run_word_of_bytes<4>},
        {"word_of_three_bytes", Expected::uninitialised_read, "one byte of the word is not written",
         run_word_of_bytes<3>},
        {"counter_cleared", Expected::clean, "the counter is cleared before it counts", run_count<true>},
        {"counter_not_cleared", Expected::uninitialised_read, "an atomic addition reads, too",
         run_count<false>},
        {"global_cleared", Expected::clean, "cudaMemset wrote every element", run_double_all<THREADS>},
        {"global_unset", Expected::uninitialised_read, "cudaMalloc does not write", run_double_all<0>},
        {"padding_shared", Expected::clean, "to copy padding is to use none of its bytes",
         run_padded<Memory::shared>},
        {"padding_global", Expected::clean, "to copy padding is to use none of its bytes",
         run_padded<Memory::global>},
    });

}  // namespace
