// Tagged words: how blocks leave values for one another, call after call, with nothing to clear.
//
//     control      | calls | tickets |               64 bits; tag of a call: calls before it, and 1
//     slot 0       | tag | bytes 0 .. 3 |            as many words as the value needs
//                  | tag | bytes 4 .. 7 |
//     slot 1       ..
//
// A slot holds a value of this call if all its words carry the tag of this call. A word is read and written
// in one go, so a piece is as new as its tag: no fence is needed, as no word speaks for another. The last
// ticket of a call is known by its number, and whoever takes it begins the next call's tickets. Tags have 32
// bits; a slot that a call leaves unused is renewed in turn, one a call, so that none gets old enough to be
// mistaken when tags start over.
// Source: Merrill and Garland, NVR-2016-002, 2016, section 4.4, with a state in place of the tag; the rest is
// ours.
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/detail/tagged_value.cuh"

/// Taken in turn by the blocks of a call. Takes no step until it is asked: who takes one and looks at it
/// later does not wait for memory.
struct Ticket {
    unsigned long long word;
    __device__ unsigned number() const { return static_cast<unsigned>(word); }
    __device__ unsigned tag() const { return static_cast<unsigned>(word >> 32) + 1; }
};

template <class T>
class TaggedWords {
   public:
    using Word = typename TaggedValue<T>::Word;
    static constexpr int WORDS = TaggedValue<T>::WORDS;  ///< of a slot

    /// memory: size(slots) words on the device, all 0 before the first call. slots >= 1.
    __host__ __device__ TaggedWords(Word* memory, unsigned slots) : memory_(memory), slots_(slots) {}
    static constexpr long long size(long long slots) { return CONTROL + (slots + 32 * MOST_ROWS) * WORDS; }

    __device__ Ticket take_ticket() const { return {atomicAdd(memory_, Word{1})}; }

    /// Called by one thread when all tickets of the call are taken. used: slots that the call writes.
    __device__ void end_call(unsigned tag, unsigned used) const {
        const unsigned renewed = tag % slots_;
        if (renewed >= used) write(renewed, tag, T{});
        *static_cast<volatile Word*>(memory_) = static_cast<Word>(tag) << 32;
    }

    /// Called by one thread, once a slot and call.
    __device__ void write(unsigned number, unsigned tag, T value) const {
        TaggedValue<T>::write(slot(number), tag, value);
    }

    /// values[k] = slot first + 32 k + lane up to slot `last`, and anything behind it: all are read at a
    /// time, and again until all are there. If each lane polled for itself, lanes would take turns. Called by
    /// a whole warp.
    template <int ROWS>
    __device__ void await(T (&values)[ROWS], unsigned first, unsigned last, unsigned tag) const {
        static_assert(ROWS <= MOST_ROWS, "so far behind its last slot may be read");
        const volatile Word* const words = slot(first + threadIdx.x % 32);
        const int left = static_cast<int>(last - first) - static_cast<int>(threadIdx.x % 32);
        bool here = true;
        do {
            here = true;
#pragma unroll
            for (int k = 0; k < ROWS; ++k)
                here =
                    here & (TaggedValue<T>::read(words + 32 * k * WORDS, tag, values[k]) | (left < 32 * k));
        } while (!__all_sync(~0u, here));
    }

   private:
    static constexpr int CONTROL = 16;    ///< words; a line of its own
    static constexpr int MOST_ROWS = 32;  ///< of slots that are read at a time

    __device__ volatile Word* slot(unsigned number) const { return memory_ + CONTROL + 1LL * number * WORDS; }

    Word* memory_;
    unsigned slots_;
};

/// The memory of tagged words, on the current device.
template <class T>
class TaggedMemory {
   public:
    /// Make room for so many slots, 1 at least. Throws nothing; see status().
    explicit TaggedMemory(long long slots) : slots_(static_cast<unsigned>(slots > 1 ? slots : 1)) {
        const std::size_t bytes = TaggedWords<T>::size(slots_) * sizeof(*words_);
        status_ = cudaMalloc(&words_, bytes);
        if (status_ == cudaSuccess) status_ = cudaMemset(words_, 0, bytes);
        if (status_ == cudaSuccess) status_ = cudaDeviceSynchronize();  // before calls on any stream
    }
    ~TaggedMemory() { (void)cudaFree(words_); }
    TaggedMemory(const TaggedMemory&) = delete;
    TaggedMemory& operator=(const TaggedMemory&) = delete;

    cudaError_t status() const { return status_; }
    TaggedWords<T> words() const { return {words_, slots_}; }

   private:
    unsigned slots_;
    cudaError_t status_ = cudaSuccess;
    typename TaggedWords<T>::Word* words_ = nullptr;
};
