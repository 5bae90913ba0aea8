// Matrices of 8 x 8 halves, a word of each lane: lane 4 r + k holds the k-th word of row r.
#pragma once
#include "simt/instructions/words.h"

namespace sass::tensor {

constexpr int SIDE = 8, ROW_BYTES = 16;

/// Whose rows are the columns of the other.
inline void transpose(const U (&from)[LANES], U* to) {
    for (int l = 0; l < LANES; ++l) {
        const auto half = [&](int row) { return from[row * 4 + l / 8] >> l / 4 % 2 * 16 & 0xffff; };
        const int row = l % 4 * 2;
        to[l] = half(row) | half(row + 1) << 16;
    }
}

/// Matrices as four words of each lane, a row of them, which lane 8 m + r holds of row r of matrix m; and as
/// the lanes hold them: a word of each matrix. `word(k, lane)` gives the k-th word of a row, and `set(m,
/// words)` gets those of a matrix.
template <class Word, class Set>
void from_rows(int matrices, bool transposed, Word word, Set set) {
    for (int m = 0; m < matrices; ++m) {
        U words[LANES], result[LANES];
        for (int l = 0; l < LANES; ++l) words[l] = word(l % 4, SIDE * m + l / 4);
        transpose(words, result);
        set(m, transposed ? result : words);
    }
}
/// The other way round: `word(m, lane)` gives a lane's word of a matrix; `set(k, lane, word)`.
template <class Word, class Set>
void to_rows(int matrices, bool transposed, Word word, Set set) {
    for (int m = 0; m < matrices; ++m) {
        U words[LANES], result[LANES];
        for (int l = 0; l < LANES; ++l) words[l] = word(m, l);
        transpose(words, result);
        for (int l = 0; l < LANES; ++l) set(l % 4, SIDE * m + l / 4, transposed ? result[l] : words[l]);
    }
}

}  // namespace sass::tensor
