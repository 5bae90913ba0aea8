// Mutants, one of which MUTANT in the environment chooses: run.py puts this file before kernels.
//
//     __syncthreads();       { if (!mutants::chosen(7)) __syncthreads(); }
//     i < n                  i < mutants::Less<8>{} > n        i <= n if mutant 8 is chosen
//     i <= n                 i < mutants::LessEqual<9>{} > n   i < n if mutant 9 is chosen
//
// The comparison is an operator with the precedence of `<`. In constant expressions it is what it was.
// With MUTANTS_REACHED in the environment none is chosen: the numbers of those that the program reaches go to
// that file when it ends. Marks are stores of many threads, so no check may look then.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace mutants {

constexpr int NUMBERS = 1 << 16;

/// number: of the chosen mutant, NONE, or MARKING. reached: marks, in memory that host and device share.
struct Choice {
    int number;
    unsigned char* reached;
};
constexpr int NONE = -1, MARKING = -2;

inline Choice chosen_from_environment() {
    const char *const number = std::getenv("MUTANT"), *const file = std::getenv("MUTANTS_REACHED");
    if (file == nullptr) return {number == nullptr ? NONE : std::atoi(number), nullptr};
    static unsigned char* reached = nullptr;
    if (cudaMallocHost(&reached, NUMBERS) != cudaSuccess) std::abort();
    std::memset(reached, 0, NUMBERS);
    std::atexit([] {
        std::FILE* const to = std::fopen(std::getenv("MUTANTS_REACHED"), "w");
        if (to == nullptr) return;
        for (int i = 0; i < NUMBERS; ++i)
            if (reached[i]) std::fprintf(to, "%d\n", i);
        std::fclose(to);
    });
    return {MARKING, reached};
}

inline const volatile Choice& choice_of_host() {
    static const Choice choice = chosen_from_environment();
    return choice;
}

#ifdef __CUDACC__
// Constant memory, at which no check looks. Volatile, so that the compiler makes no loop or branch of it.
static __constant__ volatile Choice choice_of_device = {NONE, nullptr};
static const cudaError_t is_passed_on =
    cudaMemcpyToSymbol(choice_of_device, const_cast<const Choice*>(&choice_of_host()), sizeof(Choice));
#endif

/// Whether this mutant is the chosen one.
inline __host__ __device__ bool chosen(int number) {
#ifdef __CUDA_ARCH__
    const volatile Choice& choice = choice_of_device;
#else
    const volatile Choice& choice = choice_of_host();
#endif
    const int now = choice.number;
    if (now == MARKING) choice.reached[number] = 1;
    return now == number;
}

template <int NUMBER>
struct Less {};
template <int NUMBER>
struct LessEqual {};

template <class T, class Operator>
struct Left {
    T value;
};

template <class T, int NUMBER>
__host__ __device__ constexpr Left<T, Less<NUMBER>> operator<(T value, Less<NUMBER>) {
    return {value};
}
template <class T, int NUMBER>
__host__ __device__ constexpr Left<T, LessEqual<NUMBER>> operator<(T value, LessEqual<NUMBER>) {
    return {value};
}

template <class T, int NUMBER, class U>
__host__ __device__ constexpr bool operator>(Left<T, Less<NUMBER>> left, U right) {
    if (!__builtin_is_constant_evaluated() && chosen(NUMBER)) return left.value <= right;
    return left.value < right;
}
template <class T, int NUMBER, class U>
__host__ __device__ constexpr bool operator>(Left<T, LessEqual<NUMBER>> left, U right) {
    if (!__builtin_is_constant_evaluated() && chosen(NUMBER)) return left.value < right;
    return left.value <= right;
}

}  // namespace mutants
