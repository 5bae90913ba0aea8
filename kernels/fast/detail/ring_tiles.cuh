// The tiles of fast/detail/scan_ring, and the work of one thread on its chunk of a tile.
//
//     elements     . . 0 1 2 .. | ..          | ..          | .. n-1 . .     . : in the grid of tiles only
//     thread              0     |      1      |     ..      | last
//     words             7       |      7      |     7       |  7             16 bytes each, read in sequence
//
// The grid of tiles begins at a multiple of 16 bytes, `lead` elements before the vector, so that words and
// bulk copies are aligned. A thread owns an odd number of words, so neighbouring threads read different
// banks. Elements that straddle words (of 12 bytes; or of 8 bytes, at 4 bytes modulo 8) are words of their
// own: tiles then begin with the vector, and have its alignment modulo 16 in shared memory.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/prefix.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// Elements of T in words of 16 bytes, or each as its own word. Each of THREADS threads owns about BYTES
/// bytes, in an odd number of words unless ODD is false.
template <class T, bool IN_WORDS, int THREADS_, int BYTES, bool ODD = true>
struct RingTiles {
    static constexpr int THREADS = THREADS_;
    static constexpr bool IS_IN_WORDS = IN_WORDS;
    static constexpr int PER_WORD = IN_WORDS ? 16 / sizeof(T) : 1;
    static constexpr int MAX_WORDS = BYTES / (IN_WORDS ? 16 : static_cast<int>(sizeof(T)));
    static constexpr int WORDS = ODD ? (MAX_WORDS - 1) / 2 * 2 + 1 : MAX_WORDS;
    static constexpr int ITEMS_PER_THREAD = WORDS * PER_WORD;
    static constexpr int TILE = ITEMS_PER_THREAD * THREADS;
    static constexpr int SPACE = TILE * static_cast<int>(sizeof(T)) + (IN_WORDS ? 0 : 16);  ///< bytes
    static_assert(!IN_WORDS || 16 % sizeof(T) == 0, "words hold whole elements");
    using Word = std::conditional_t<IN_WORDS, uint4, T>;

    long long n;
    int lead;   ///< elements of tile 0 before the vector
    int shift;  ///< bytes from a multiple of 16 to a tile's first element

    __host__ __device__ RingTiles(const T* in, long long n_) : n(n_) {
        const int off = static_cast<int>(reinterpret_cast<std::uintptr_t>(in) % 16);
        lead = IN_WORDS ? off / static_cast<int>(sizeof(T)) : 0;
        shift = IN_WORDS ? 0 : off;
    }
    __host__ __device__ long long count() const { return ceil_div(n + lead, TILE); }

    /// Index in the vector of the tile's first place; negative in tile 0 if there is a lead.
    __device__ long long first(long long tile) const { return tile * TILE - lead; }
    /// Places of the tile that hold elements: begin(tile) .. end(tile) - 1.
    __device__ int begin(long long tile) const { return tile == 0 ? lead : 0; }
    __device__ int end(long long tile) const {
        return static_cast<int>(min(static_cast<long long>(TILE), n - first(tile)));
    }
};

/// The chunk of one thread of a tile in shared memory. The lead is shorter than a word, so only the first
/// word of the tile has places before the vector. Places after the vector are filled beforehand.
template <class Tiles, class T>
class Chunk {
   public:
    using Word = typename Tiles::Word;
    struct Words {
        Word word[Tiles::WORDS];
    };

    /// space: the tile. tid: index among the threads that work on the tile.
    __device__ Chunk(const Tiles& tiles, long long tile, char* space, int tid)
        : words_(reinterpret_cast<Word*>(space + tiles.shift) + tid * Tiles::WORDS),
          lead_(tid == 0 ? tiles.begin(tile) : 0) {}

    /// Fill the warp's chunk from place `end` on with an element, for an operator that may be given any; the
    /// results there are not stored. Called by all lanes of a warp.
    __device__ void fill_after_end(int end, T element) const {
        constexpr int PLACES = 32 * Tiles::ITEMS_PER_THREAD;
        if (end >= PLACES) return;
        const int lane = threadIdx.x % 32, begin = max(end, 0);
        Word* const words = words_ - lane * Tiles::WORDS;
        T items[Tiles::PER_WORD];
        for (T& item : items) item = element;
        Word filled;
        memcpy(&filled, items, sizeof(items));
        const int whole = (begin + Tiles::PER_WORD - 1) / Tiles::PER_WORD, place = begin + lane;
        if (place < whole * Tiles::PER_WORD) reinterpret_cast<T*>(words)[place] = element;
        for (int k = whole + lane; k < PLACES / Tiles::PER_WORD; k += 32) words[k] = filled;
        __syncwarp();
    }

    /// Read all words; the loads are in flight together.
    __device__ Words read() const {
        Words words;
#pragma unroll
        for (int k = 0; k < Tiles::WORDS; ++k) words.word[k] = words_[k];
        return words;
    }

    /// The elements before place `end`, combined; all, if the operator may be given what lies after it.
    template <class Op>
    __device__ T reduce(int end, Op op) const {
        if constexpr (!IS_TOTAL<Op>)
            if (end < Tiles::ITEMS_PER_THREAD) return reduce_before(end, op);
        const Words words = read();
        Prefix<T> sum = {{}, false};
#pragma unroll
        for (int k = 0; k < Tiles::WORDS; ++k) {
            T items[Tiles::PER_WORD];
            unpack(words.word[k], items);
            Prefix<T> word_sum = {{}, false};  // the sums of words are independent
#pragma unroll
            for (int j = 0; j < Tiles::PER_WORD; ++j) {
                if (is_lead(k, j)) continue;
                word_sum = {combine(word_sum, items[j], op), true};
            }
            sum = {combine(sum, word_sum.value, op), true};
        }
        return sum.value;
    }

    /// Replace these by their scan. words: as read. prefix: the exclusive prefix of the chunk.
    template <Form FORM, class Op>
    __device__ void scan(const Words& words, Prefix<T> prefix, int end, Op op) const {
        if constexpr (!IS_TOTAL<Op>)
            if (end < Tiles::ITEMS_PER_THREAD) return scan_before<FORM>(end, prefix, op);
#pragma unroll
        for (int k = 0; k < Tiles::WORDS; ++k) {
            T items[Tiles::PER_WORD];
            unpack(words.word[k], items);
#pragma unroll
            for (int j = 0; j < Tiles::PER_WORD; ++j) {
                if (is_lead(k, j)) continue;
                const T inclusive = combine(prefix, items[j], op);
                items[j] = FORM == Form::inclusive ? inclusive : value_or_identity(prefix, op);
                prefix = {inclusive, true};
            }
            Word scanned;
            memcpy(&scanned, items, sizeof(items));
            words_[k] = scanned;
        }
    }

   private:
    // Of the one chunk in which the vector ends, element by element.
    __device__ T* places() const { return reinterpret_cast<T*>(words_); }
    template <class Op>
    __device__ T reduce_before(int end, Op op) const {
        Prefix<T> sum = {{}, false};
#pragma unroll 1
        for (int i = lead_; i < end; ++i) sum = {combine(sum, places()[i], op), true};
        return sum.value;
    }
    template <Form FORM, class Op>
    __device__ void scan_before(int end, Prefix<T> prefix, Op op) const {
#pragma unroll 1
        for (int i = lead_; i < end; ++i) {
            const T inclusive = combine(prefix, places()[i], op);
            places()[i] = FORM == Form::inclusive ? inclusive : value_or_identity(prefix, op);
            prefix = {inclusive, true};
        }
    }

    __device__ static void unpack(const Word& word, T (&items)[Tiles::PER_WORD]) {
        memcpy(items, &word, sizeof(items));
    }
    __device__ bool is_lead(int k, int j) const { return k == 0 && j < Tiles::PER_WORD - 1 && j < lead_; }

    Word* words_;
    int lead_;
};

}  // namespace trial
