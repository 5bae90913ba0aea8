// The tiles of device/scan_ring, and what one thread does with its share of one.
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
    static constexpr int PER_WORD = IN_WORDS ? 16 / sizeof(T) : 1;
    static constexpr int MOST_WORDS = BYTES / (IN_WORDS ? 16 : static_cast<int>(sizeof(T)));
    static constexpr int WORDS = ODD ? (MOST_WORDS - 1) / 2 * 2 + 1 : MOST_WORDS;
    static constexpr int ITEMS = WORDS * PER_WORD;
    static constexpr int TILE = ITEMS * THREADS;
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
    __host__ __device__ long long count() const { return tiles(n + lead, TILE); }

    /// The element of the vector at the tile's first place; below 0 if there is a lead.
    __device__ long long first(long long tile) const { return tile * TILE - lead; }
    /// Places of the tile that hold elements: begin(tile) .. end(tile) - 1.
    __device__ int begin(long long tile) const { return tile == 0 ? lead : 0; }
    __device__ int end(long long tile) const {
        return static_cast<int>(min(static_cast<long long>(TILE), n - first(tile)));
    }
    __device__ bool is_full(long long tile) const { return begin(tile) == 0 && end(tile) == TILE; }
};

/// The share of one thread of a tile in shared memory. FULL: all of its places hold elements. Else those from
/// `begin` to `end` do; to others the operator is applied with an element in place, and nobody reads what
/// comes of it. As the lead is less than a word, every share that is read holds an element.
template <class Tiles, class T, bool FULL>
class Share {
   public:
    using Word = typename Tiles::Word;

    /// space: of the tile. tid: of the thread among those that share the tile.
    __device__ Share(const Tiles& tiles, long long tile, char* space, int tid)
        : words_(reinterpret_cast<Word*>(space + tiles.shift) + tid * Tiles::WORDS) {
        if (!FULL) {
            begin_ = tiles.begin(tile) - tid * Tiles::ITEMS;
            end_ = tiles.end(tile) - tid * Tiles::ITEMS;
            filler_ = reinterpret_cast<const T*>(space + tiles.shift)[tiles.begin(tile)];
        }
    }

    template <class Op>
    __device__ T reduce(Op op) const {
        Word words[Tiles::WORDS];
        read_ahead(words);
        Prefix<T> sum = {{}, false};
#pragma unroll UNROLL
        for (int k = 0; k < Tiles::WORDS; ++k) {
            T items[Tiles::PER_WORD];
            unpack(FULL ? words[k] : words_[k], items);
            Prefix<T> of_word = {{}, false};  // words are added up side by side
#pragma unroll
            for (int j = 0; j < Tiles::PER_WORD; ++j) {
                if (is_before(k, j)) continue;
                of_word = {append(of_word, item(items[j], k, j), op), true};
            }
            sum = {append(sum, of_word.value, op), true};
        }
        return sum.value;
    }

    /// Put the scan in place of the elements. before: all that comes before the first one.
    template <Form FORM, class Op>
    __device__ void scan(Prefix<T> before, Op op) const {
        Word words[Tiles::WORDS];
        read_ahead(words);
#pragma unroll UNROLL
        for (int k = 0; k < Tiles::WORDS; ++k) {
            T items[Tiles::PER_WORD];
            unpack(FULL ? words[k] : words_[k], items);
#pragma unroll
            for (int j = 0; j < Tiles::PER_WORD; ++j) {
                if (is_before(k, j)) continue;
                const T with = append(before, item(items[j], k, j), op);
                items[j] = FORM == Form::inclusive ? with : value_or_identity(before, op);
                before = {with, true};
            }
            Word scanned;
            memcpy(&scanned, items, sizeof(items));
            words_[k] = scanned;
        }
    }

   private:
    /// All words at a time, so that none waits for another one; the few tiles that are not full save
    /// registers.
    static constexpr int UNROLL = FULL ? Tiles::WORDS : 1;
    __device__ void read_ahead(Word (&words)[Tiles::WORDS]) const {
#pragma unroll
        for (int k = 0; FULL && k < Tiles::WORDS; ++k) words[k] = words_[k];
    }
    __device__ static void unpack(const Word& word, T (&items)[Tiles::PER_WORD]) {
        memcpy(items, &word, sizeof(items));
    }
    __device__ bool is_before(int k, int j) const { return !FULL && k == 0 && j < begin_; }
    __device__ T item(T own, int k, int j) const {
        return FULL || k * Tiles::PER_WORD + j < end_ ? own : filler_;
    }

    Word* words_;
    int begin_ = 0, end_ = 0;
    T filler_ = {};
};
