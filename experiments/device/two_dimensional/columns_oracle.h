// What a scan of every column must be, for the harness's check in place of that of rows.
#pragma once
#include <string>

#include "experiments/harness/oracle.h"

namespace harness {

/// Compare elements [begin, end) of a row-major matrix, whose rows have c.expected.segment elements. Each
/// must be the element above it in the result, which is compared too, combined with the input; in the first
/// row the input. By induction down the rows the whole column is right.
template <class T, class Op>
std::string find_error_in_columns_between(const Case& c, std::uint64_t seed, const void* result,
                                          long long begin, long long end) {
    const Op op{};
    const long long columns = c.expected.segment;
    Reader<T> found(result, c.n, c.vector, begin);
    Reader<T> above(result, c.n, c.vector, begin < columns ? 0 : begin - columns);
    for (long long i = begin; i < end; ++i) {
        const T value = Input<T>::at(seed, i);
        const T expected = i < columns ? value : op(above[i - columns], value);
        const std::string error = difference(i, expected, found[i]);
        if (!error.empty()) return error;
    }
    return "";
}

/// As find_error(), of a scan along the columns.
template <class T, class Op>
std::string find_error_in_columns(const Case& c, std::uint64_t seed, const void* result) {
    return first_error(find_error_in_columns_between<T, Op>, c, seed, result, c.n, PIECE<T>);
}

}  // namespace harness
