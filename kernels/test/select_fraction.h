// A predicate on the bytes of elements of any type, for compactions.
#pragma once
#include <cuda_runtime.h>

#include <cstring>
#include <ostream>

/// Selects about `selected` of `of` elements, without a pattern; equal bytes give equal decisions.
struct SelectFraction {
    unsigned selected, of;
    unsigned long long limit = (1ull << 32) * selected / of;  ///< of the hashes of selected elements

    template <class T>
    __host__ __device__ bool operator()(const T& element) const {
        constexpr int WORDS = (sizeof(T) + 3) / 4;
        unsigned words[WORDS] = {}, hash = 2166136261u;
        memcpy(words, &element, sizeof(T));
        for (const unsigned word : words) hash = (hash ^ word ^ hash >> 15) * 2654435769u;
        return (hash ^ hash << 16) < limit;
    }
    friend std::ostream& operator<<(std::ostream& to, const SelectFraction& fraction) {
        return to << "selects " << fraction.selected << " of " << fraction.of;
    }
};
