// The tiles of fast/detail/scan_ring, and what one thread does with its share of one.
//
//     elements     . . 0 1 2 .. | ..          | ..          | .. n-1 .    . of the grid of tiles, not of the
//     vector tile              0       |      1      |     ..      |  last thread       | 7 words | 7 words |
//     7 words | ..                     of 16 bytes each, in its own order
//
// The grid of tiles begins at a multiple of 16 bytes, `lead` elements before the vector, so that words and
// bulk copies of it are aligned. Threads own an odd number of words: neighbours read them from different
// banks. Elements that do not fit so (of 12 bytes, or of 8 bytes 4 bytes off) are their own words; tiles then
// begin with the vector, and lie in shared memory as far off 16 bytes as it does.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/prefix.cuh"
#include "kernels/tile.cuh"

/// Elements of T in words of 16 bytes, or each by itself; THREADS threads own about BYTES bytes each, an odd
/// number of words unless ODD is false.
template <class T, bool IN_WORDS, int THREADS_, int BYTES, bool ODD = true>
struct RingTiles {
    static constexpr int THREADS = THREADS_;
    static constexpr bool IS_IN_WORDS = IN_WORDS;
    static constexpr int PER_WORD = IN_WORDS ? 16 / sizeof(T) : 1;
    static constexpr int MOST_WORDS = BYTES / (IN_WORDS ? 16 : static_cast<int>(sizeof(T)));
    static constexpr int WORDS = ODD ? (MOST_WORDS - 1) / 2 * 2 + 1 : MOST_WORDS;
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

    /// The element of the vector at the tile's first place; below 0 if there is a lead.
    __device__ long long first(long long tile) const { return tile * TILE - lead; }
    /// Places of the tile that hold elements: begin(tile) .. end(tile) - 1.
    __device__ int begin(long long tile) const { return tile == 0 ? lead : 0; }
    __device__ int end(long long tile) const {
        return static_cast<int>(min(static_cast<long long>(TILE), n - first(tile)));
    }
};

/// The share of one thread of a tile in shared memory. The lead is less than a word, so only the first word
/// of the tile has places before the vector. Places behind the vector are filled beforehand.
template <class Tiles, class T>
class Chunk {
   public:
    using Word = typename Tiles::Word;
    struct Words {
        Word word[Tiles::WORDS];
    };

    /// space: of the tile. tid: of the thread among those that share the tile.
    __device__ Chunk(const Tiles& tiles, long long tile, char* space, int tid)
        : words_(reinterpret_cast<Word*>(space + tiles.shift) + tid * Tiles::WORDS),
          lead_(tid == 0 ? tiles.begin(tile) : 0) {}

    /// Fill the warp's share from place `end` of it on, so that the operator meets nothing but elements;
    /// nobody reads what comes of these. Called by all lanes of a warp.
    __device__ void fill_behind(int end, T element) const {
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

    /// Read all words at a time, so that none waits for another one.
    __device__ Words read() const {
        Words words;
#pragma unroll
        for (int k = 0; k < Tiles::WORDS; ++k) words.word[k] = words_[k];
        return words;
    }

    template <class Op>
    __device__ T reduce(Op op) const {
        const Words words = read();
        Prefix<T> sum = {{}, false};
#pragma unroll
        for (int k = 0; k < Tiles::WORDS; ++k) {
            T items[Tiles::PER_WORD];
            unpack(words.word[k], items);
            Prefix<T> of_word = {{}, false};  // words are added up side by side
#pragma unroll
            for (int j = 0; j < Tiles::PER_WORD; ++j) {
                if (is_before(k, j)) continue;
                of_word = {combine(of_word, items[j], op), true};
            }
            sum = {combine(sum, of_word.value, op), true};
        }
        return sum.value;
    }

    /// Put the scan in place of the elements. words: as read. before: all that comes before the first one.
    template <Form FORM, class Op>
    __device__ void scan(const Words& words, Prefix<T> before, Op op) const {
#pragma unroll
        for (int k = 0; k < Tiles::WORDS; ++k) {
            T items[Tiles::PER_WORD];
            unpack(words.word[k], items);
#pragma unroll
            for (int j = 0; j < Tiles::PER_WORD; ++j) {
                if (is_before(k, j)) continue;
                const T inclusive = combine(before, items[j], op);
                items[j] = FORM == Form::inclusive ? inclusive : value_or_identity(before, op);
                before = {inclusive, true};
            }
            Word scanned;
            memcpy(&scanned, items, sizeof(items));
            words_[k] = scanned;
        }
    }

   private:
    __device__ static void unpack(const Word& word, T (&items)[Tiles::PER_WORD]) {
        memcpy(items, &word, sizeof(items));
    }
    __device__ bool is_before(int k, int j) const { return k == 0 && j < Tiles::PER_WORD - 1 && j < lead_; }

    Word* words_;
    int lead_;
};
