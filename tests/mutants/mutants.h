// Mutants, chosen when the program starts: scripts/mutants.py compiles kernels with this file in front.
//
//     __syncthreads();       { if (!mutants_chosen(7)) __syncthreads(); }
//     i < n                  i < mutants::Less<8>{} > n        i <= n if mutant 8 is chosen
//     i <= n                 i < mutants::LessEqual<9>{} > n   i < n if mutant 9 is chosen
//
// The comparison is an operator with the precedence of `<`. In constant expressions it is what it was.
#pragma once

extern "C" {
/// Whether this mutant, a number of 24 bits, is the one that MUTANT in the environment chooses. It is also
/// marked as reached. The compiler need not respect any effect: the code around a call stays as it was.
__attribute__((const, nothrow)) int mutants_chosen(int number);
}

namespace mutants {

template <int NUMBER>
struct Less {};
template <int NUMBER>
struct LessEqual {};

template <class T, class Operator>
struct Left {
    T value;
};

template <class T, int NUMBER>
__attribute__((always_inline)) constexpr Left<T, Less<NUMBER>> operator<(T value, Less<NUMBER>) {
    return {value};
}
template <class T, int NUMBER>
__attribute__((always_inline)) constexpr Left<T, LessEqual<NUMBER>> operator<(T value, LessEqual<NUMBER>) {
    return {value};
}

template <class T, int NUMBER, class U>
__attribute__((always_inline)) constexpr bool operator>(Left<T, Less<NUMBER>> left, U right) {
    if (!__builtin_is_constant_evaluated() && mutants_chosen(NUMBER)) return left.value <= right;
    return left.value < right;
}
template <class T, int NUMBER, class U>
__attribute__((always_inline)) constexpr bool operator>(Left<T, LessEqual<NUMBER>> left, U right) {
    if (!__builtin_is_constant_evaluated() && mutants_chosen(NUMBER)) return left.value < right;
    return left.value <= right;
}

}  // namespace mutants
