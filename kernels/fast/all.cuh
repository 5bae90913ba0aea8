// All calls, and how much memory any of them needs.
#pragma once
#include "kernels/fast/by_key.cuh"
#include "kernels/fast/memory.cuh"
#include "kernels/fast/reduce.cuh"
#include "kernels/fast/reduce_part.cuh"
#include "kernels/fast/scan.cuh"
#include "kernels/fast/scan_columns.cuh"
#include "kernels/fast/segmented.cuh"
#include "kernels/fast/select.cuh"
#include "kernels/operators.cuh"

namespace trial {

/// Bytes that suffice for any call on up to n elements, n >= 0, whose elements, and what they are combined
/// to, have at most the size of T, 16 bytes at most; keys of up to 16 bytes; matrices of any shape.
template <class T>
std::size_t bytes_needed(long long n) {
    struct Widest {
        unsigned word[8];
    };
    using Policy = SegmentPass<Widest>;                             // no other has shorter tiles
    const auto words_of_pass = [](long long elements, int bytes) {  // bytes: of an element
        const int items = Policy::BYTES_OF_SEVERAL / bytes;
        return SumsOfTiles<Widest, Widest>::words(ceil_div(elements, Policy::THREADS * items));
    };
    const long long tiles = ceil_div(n, Policy::THREADS * (Policy::BYTES / 16));  // of segments
    const long long of_totals =
        words_of_pass(tiles, sizeof(Widest)) + 2 * Versioned<Widest>::WORDS * tiles + 1;
    const std::size_t of_passes =
        CONTROL_BYTES + std::max(words_of_pass(n, 16), of_totals) * sizeof(VersionedWords::Word);
    return std::max({scan_bytes<T>(n), reduce_bytes<Widest>(), select_bytes<T>(n), of_passes,
                     Strips<StripsPass, T>::bytes_of_any(n)});
}

}  // namespace trial
