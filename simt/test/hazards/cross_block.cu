// Accesses of different blocks to one vector. Within a launch only atomics, or fences and flags, make them
// safe; a launch comes after all that earlier launches did.
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

constexpr int THREADS = 32, BLOCKS = 4;
enum class Add { plain, atomic };

/// One thread of each block adds to one sum.
template <Add ADD>
__global__ void accumulate(int* sum) {
    if (threadIdx.x != 0) return;
    if (ADD == Add::plain) *sum += 1;
    if (ADD == Add::atomic) atomicAdd(sum, 1);
}

template <Add ADD>
std::string run_accumulate() {
    return result_of(accumulate<ADD>, BLOCKS, THREADS, {BLOCKS}, zeros(1));
}

/// Each block writes its own element, of 1, 2 or 4 bytes, or all write element 0.
template <class T>
__global__ void write_elements(T* out, int distance) {
    if (threadIdx.x == 0) out[blockIdx.x * distance] = T(blockIdx.x + 1);
}

template <class T, int DISTANCE>
std::string run_write_elements() {
    return result_of(write_elements<T>, BLOCKS, THREADS, std::vector<T>{T(1), T(2), T(3), T(4)},
                     zeros<T>(BLOCKS), DISTANCE);
}

/// Block b writes byte b of a word, and the last block reads the whole word: in the same launch, or another.
template <bool READ>
__global__ void write_bytes(unsigned* word, unsigned* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x < 3) reinterpret_cast<unsigned char*>(word)[blockIdx.x] = 7;
    if (READ && blockIdx.x == 3) *out = *word;
}

template <class T>
__global__ void copy_one(const T* in, T* out) {
    if (threadIdx.x == 0) *out = *in;
}

template <bool SAME_LAUNCH>
std::string run_write_bytes() {
    Device<unsigned> word(zeros<unsigned>(1)), out(zeros<unsigned>(1));
    run(write_bytes<SAME_LAUNCH>, BLOCKS, THREADS, word.data(), out.data());
    if (!SAME_LAUNCH) run(copy_one<unsigned>, 1, THREADS, word.data(), out.data());
    return difference(out.read(), {0x070707u});
}

/// All blocks write the same value.
__global__ void write_one_value(int* out) {
    if (threadIdx.x == 0) *out = 1;
}

std::string run_write_one_value() { return result_of(write_one_value, BLOCKS, THREADS, {1}, zeros(1)); }

/// Each block doubles its part, and after a barrier of the block reads the part of the next block.
__global__ void read_next_block(int* parts, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    parts[i] = 2 * parts[i];
    __syncthreads();
    out[i] = parts[(i + blockDim.x) % n];
}

std::string run_read_next_block() {
    return result_of(read_next_block, BLOCKS, THREADS, repeated(BLOCKS * THREADS, 2),
                     repeated(BLOCKS * THREADS, 1), zeros(BLOCKS * THREADS));
}

/// The same in two launches.
__global__ void double_all(int* parts) { parts[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }
__global__ void copy_next_block(const int* parts, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = parts[(i + blockDim.x) % (gridDim.x * blockDim.x)];
}

std::string run_two_launches() {
    Device<int> parts(repeated(BLOCKS * THREADS, 1)), out(zeros(BLOCKS * THREADS));
    run(double_all, BLOCKS, THREADS, parts.data());
    run(copy_next_block, BLOCKS, THREADS, parts.data(), out.data());
    return difference(out.read(), repeated(BLOCKS * THREADS, 2));
}

/// Each block adds to a sum and then reads how far it has come.
enum class Read { plain, is_volatile };

template <Read READ>
__global__ void add_and_read(int* sum, int* out) {
    if (threadIdx.x != 0) return;
    atomicAdd(sum, 1);
    int now = 0;
    if (READ == Read::plain)
        now = *sum;
    else
        now = *static_cast<volatile int*>(sum);
    out[blockIdx.x] = now >= 1 && now <= BLOCKS;
}

template <Read READ>
std::string run_add_and_read() {
    return result_of(add_and_read<READ>, BLOCKS, THREADS, repeated(BLOCKS, 1), zeros(1), zeros(BLOCKS));
}

const Bench cross_block(
    "across blocks",
    {
        {"sum_plain", Expected::race, "blocks read and write one word", run_accumulate<Add::plain>},
        {"sum_atomic", Expected::clean, "atomics do not race", run_accumulate<Add::atomic>},
        {"neighbouring_bytes", Expected::clean, "bytes of one word are different memory locations",
         run_write_elements<unsigned char, 1>},
        {"neighbouring_halfwords", Expected::clean, "halfwords of one word are different memory locations",
         run_write_elements<unsigned short, 1>},
        {"one_byte", Expected::race, "blocks write the same byte", run_write_elements<unsigned char, 0>},
        {"bytes_then_word", Expected::clean, "the word is read in a later launch", run_write_bytes<false>},
        {"bytes_and_word", Expected::race, "a block reads the word whose bytes others write",
         run_write_bytes<true>},
        {"one_value", Expected::same_value, "blocks write a word plainly, even if the same value",
         run_write_one_value},
        {"barrier_across_blocks", Expected::race, "a barrier orders the threads of one block only",
         run_read_next_block},
        {"two_launches", Expected::clean, "a launch comes after all of the launch before it",
         run_two_launches},
        {"progress_plain", Expected::race, "a plain read races with the atomics of other blocks",
         run_add_and_read<Read::plain>},
        {"progress_volatile", Expected::clean, "a volatile read is strong, as atomics are",
         run_add_and_read<Read::is_volatile>},
    });

}  // namespace
