// A predicate for compactions of elements of any type, by their bytes.
#pragma once
#include <cuda_runtime.h>

#include <cstring>
#include <ostream>

/// Keeps `selected` of `of` elements or so, without a pattern; of those with the same bytes all or none.
struct ShareOf {
    unsigned selected, of;
    unsigned long long limit = (1ull << 32) * selected / of;  ///< of the hashes of those that are selected

    template <class T>
    __host__ __device__ bool operator()(const T& element) const {
        constexpr int WORDS = (sizeof(T) + 3) / 4;
        unsigned words[WORDS] = {}, hash = 2166136261u;
        memcpy(words, &element, sizeof(T));
        for (const unsigned word : words) hash = (hash ^ word ^ hash >> 15) * 2654435769u;
        return (hash ^ hash << 16) < limit;
    }
    friend std::ostream& operator<<(std::ostream& to, const ShareOf& chunk) {
        return to << chunk.selected << " of " << chunk.of << " kept";
    }
};
