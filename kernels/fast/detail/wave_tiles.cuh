// The tiles of fast/detail/scan_one_wave, and a warp's chunk of a tile: rows of 32 words, in registers.
//
//     row 0     | lane 0 | lane 1 | .. | lane 31 |        a word: 16 bytes, or the elements that fit in them
//     row 1     | lane 0 | lane 1 | .. | lane 31 |        loads and stores are coalesced
//
//     sums of words, through shared memory:               | lane 0: WORDS | lane 1: WORDS | ..
//
// Each lane adds up and scans WORDS consecutive sums, so one warp scan serves all rows; a warp scan a row
// would take WORDS of them. Work of a warp: CHUNK - 32 WORDS for the sums of words, 2 * 32 WORDS and a
// Kogge-Stone scan for the exclusive prefix of each word, at most 2 CHUNK for the scan.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/fast/detail/scan_problem.cuh"
#include "kernels/fast/detail/scan_warp.cuh"
#include "kernels/prefix.cuh"
#include "kernels/shuffle.cuh"

namespace trial {

/// Tiles of THREADS threads with WORDS words each; a word is 16 bytes, or the elements that fit in them.
template <class T, int WORDS_, int THREADS_>
struct WaveTiles {
    static constexpr int WORDS = WORDS_, THREADS = THREADS_, WARPS = THREADS / 32;
    static constexpr int PER_WORD = 16 / sizeof(T);
    static constexpr int ROW = 32 * PER_WORD, CHUNK = WORDS * ROW, TILE = WARPS * CHUNK;
    static constexpr int GROUPS = 2 * WARPS, MAX_TILES = 32 * GROUPS;  ///< of 32 tiles; of a grid
    static constexpr bool FILLED = PER_WORD * sizeof(T) == 16;
    struct Items {
        T item[PER_WORD];
    };
    using Word = std::conditional_t<FILLED, uint4, Items>;
    static_assert(WARPS <= 32 && (WARPS & (WARPS - 1)) == 0, "a warp scans the sums of the warps");
};

/// A plain store of one word. Spelled `*to = word`, nvcc 13 splits it into stores of elements if another
/// branch stores the same elements one by one.
template <class Word>
__device__ void store_word(Word* to, const Word& word) {
    if constexpr (std::is_same_v<Word, uint4>)
        asm("st.global.wb.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(word.x), "r"(word.y), "r"(word.z),
            "r"(word.w)
            : "memory");
    else
        *to = word;
}

/// A lane's words in the vector, one for each row of its warp's chunk: word k at `first` + k * ROW.
template <class Tiles, class T>
struct WavePlace {
    using Word = typename Tiles::Word;
    long long first;
    int last;   ///< last element of the vector, relative to `first`; TILE if not in this tile
    bool full;  ///< all places of the tile hold elements

    __device__ WavePlace(long long tile, int warp, long long n)
        : first(tile * Tiles::TILE + warp * Tiles::CHUNK + threadIdx.x % 32 * Tiles::PER_WORD),
          last(static_cast<int>(min(n - 1 - first, static_cast<long long>(Tiles::TILE)))),
          full((tile + 1) * Tiles::TILE <= n) {}

    __device__ static bool is_aligned(const T* vector) {
        return reinterpret_cast<std::uintptr_t>(vector) % alignof(Word) == 0;
    }
    /// Whether place j of row k holds an element.
    __device__ bool has(int k, int j) const { return k * Tiles::ROW + j <= last; }
    /// Words of the warp's chunk that have elements.
    __device__ int words() const {
        const int elements = last + 1 + static_cast<int>(threadIdx.x % 32) * Tiles::PER_WORD;
        return min(max(elements + Tiles::PER_WORD - 1, 0) / Tiles::PER_WORD, 32 * Tiles::WORDS);
    }
    /// Whether row k may be read or written as words of an aligned vector.
    __device__ bool is_whole(int k) const { return k * Tiles::ROW + Tiles::PER_WORD - 1 <= last; }

    /// The word of row k. Places after the vector repeat its last element; their results are not stored.
    __device__ Word read(const T* vector, int k) const {
        const T* const from = vector + first;
        if (is_aligned(vector) && is_whole(k)) return *reinterpret_cast<const Word*>(from + k * Tiles::ROW);
        typename Tiles::Items items;
#pragma unroll
        for (int j = 0; j < Tiles::PER_WORD; ++j) items.item[j] = from[min(k * Tiles::ROW + j, last)];
        Word word;
        memcpy(&word, &items, sizeof(items));
        return word;
    }

    __device__ void write(T* vector, int k, const typename Tiles::Items& items) const {
        T* const to = vector + first;
        if (is_aligned(vector) && is_whole(k)) {
            Word word;
            memcpy(&word, &items, sizeof(items));
            store_word(reinterpret_cast<Word*>(to + k * Tiles::ROW), word);
            return;
        }
#pragma unroll
        for (int j = 0; j < Tiles::PER_WORD; ++j) {
            if (k * Tiles::ROW + j <= last) to[k * Tiles::ROW + j] = items.item[j];
        }
    }
};

/// The elements of a word added up: ALL, or the first `count`.
template <class Tiles, class T, bool ALL, class Op>
__device__ T reduce_word(const typename Tiles::Word& word, int count, Op op) {
    typename Tiles::Items items;
    memcpy(&items, &word, sizeof(items));
    T sum = items.item[0];
#pragma unroll
    for (int j = 1; j < Tiles::PER_WORD; ++j)
        if (ALL || j < count) sum = op(sum, items.item[j]);
    return sum;
}

/// One warp's chunk of a tile. Rows of words serve loads and stores. For the sums, a lane takes WORDS
/// consecutive words, whose sums it receives through shared memory: one warp scan then serves all rows.
template <class Tiles, class T>
class WaveChunk {
   public:
    static constexpr int WORDS = Tiles::WORDS;
    using Place = WavePlace<Tiles, T>;
    using Offsets = T[WORDS * 33];  ///< of a warp; rows of 33: no bank conflicts by row or by lane

    /// Load. offsets: for this warp only.
    __device__ WaveChunk(const T* in, const Place& place, Offsets& offsets) : offsets_(offsets) {
        if (place.full && Place::is_aligned(in)) {  // one branch, then all loads are in flight together
            const auto* const from = reinterpret_cast<const typename Tiles::Word*>(in + place.first);
#pragma unroll
            for (int k = 0; k < WORDS; ++k) words_[k] = from[32 * k];
        } else {
#pragma unroll
            for (int k = 0; k < WORDS; ++k) words_[k] = place.read(in, k);
        }
    }

    /// Called once, before all that follows. ALL: combine all places; else those that hold elements.
    template <bool ALL, class Op>
    __device__ void add_up(const Place& place, Op op) {
        const int words = ALL ? 32 * WORDS : place.words();
        const int mine = ALL ? WORDS : words - static_cast<int>(threadIdx.x % 32) * WORDS;
#pragma unroll
        for (int k = 0; k < WORDS; ++k)
            offsets_[of_row(k)] = reduce_word<Tiles, T, ALL>(
                words_[k], ALL ? Tiles::PER_WORD : place.last + 1 - k * Tiles::ROW, op);
        __syncwarp();
        T sums[WORDS];
        Prefix<T> own = {{}, false};
#pragma unroll
        for (int j = 0; j < WORDS; ++j) {
            sums[j] = offsets_[of_lane(j)];
            if (ALL || j < mine) own = {combine(own, sums[j], op), true};
        }
        const T inclusive = scan_warp(own.value, ALL || mine > 0, op);
        sum_ = shuffle_from(inclusive, ALL ? 31 : max(words - 1, 0) / WORDS);

        Prefix<T> prefix = {shuffle_up(inclusive, 1), threadIdx.x % 32 > 0};
#pragma unroll
        for (int j = 0; j < WORDS; ++j) {
            offsets_[of_lane(j)] = prefix.value;  // meaningless for the first word, where it is not used
            if (ALL || j < mine) prefix = {combine(prefix, sums[j], op), true};
        }
        __syncwarp();
    }

    __device__ T sum() const { return sum_; }

    /// Scan and store. ALL: as above. prefix: the chunk's exclusive prefix.
    template <bool ALL, Form FORM, class Op>
    __device__ void scan(T* out, const Place& place, Prefix<T> prefix, Op op) const {
#pragma unroll
        for (int k = 0; k < WORDS; ++k) {
            if (!ALL && !place.has(k, 0)) continue;
            const Prefix<T> within = {offsets_[of_row(k)], k > 0 || threadIdx.x % 32 > 0};
            Prefix<T> value = combine(prefix, within, op);
            typename Tiles::Items items;
            memcpy(&items, &words_[k], sizeof(items));
#pragma unroll
            for (int j = 0; j < Tiles::PER_WORD; ++j) {
                if (!ALL && !place.has(k, j)) continue;
                const T inclusive = combine(value, items.item[j], op);
                items.item[j] = FORM == Form::inclusive ? inclusive : value_or_identity(value, op);
                value = {inclusive, true};
            }
            place.write(out, k, items);
        }
    }

    /// sum: the inclusive prefix of the vector's last element, set by the lane that holds this element.
    /// prefix: the chunk's exclusive prefix.
    template <class Op>
    __device__ void sum_up_to_last(const Place& place, Prefix<T> prefix, T& sum, Op op) const {
#pragma unroll
        for (int k = 0; k < WORDS; ++k) {
            const int last = place.last - k * Tiles::ROW;
            if (last < 0 || last >= Tiles::PER_WORD) continue;
            const Prefix<T> within = {offsets_[of_row(k)], k > 0 || threadIdx.x % 32 > 0};
            Prefix<T> value = combine(prefix, within, op);
            typename Tiles::Items items;
            memcpy(&items, &words_[k], sizeof(items));
#pragma unroll
            for (int j = 0; j < Tiles::PER_WORD; ++j)
                if (j <= last) value = {combine(value, items.item[j], op), true};
            sum = value.value;
        }
    }

   private:
    __device__ static int of_row(int row) { return row * 33 + threadIdx.x % 32; }
    __device__ static int of_lane(int j) {
        const int word = threadIdx.x % 32 * WORDS + j;
        return word / 32 * 33 + word % 32;
    }

    T* offsets_;
    typename Tiles::Word words_[WORDS];
    T sum_;
};

}  // namespace trial
