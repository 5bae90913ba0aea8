// cuDF, concurrent_unordered_map (github.com/NVIDIA/cudf/issues/9317): an insertion publishes its key by
// atomicCAS and stores the value after it. Who finds the key may read the value too early. Values that are
// swapped in together with their key, as the map does where both fit into 64 bits, have no such gap.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int BLOCKS = 4, SLOTS = 4;
using Pair = unsigned long long;  // the value above, the key below

template <bool CURED>
__global__ void insert(const int* keys, int* slots, int* values, Pair* pairs, int* out) {
    if (threadIdx.x > 0) return;
    const int key = keys[blockIdx.x], at = key % SLOTS;
    int found = 10 * key;
    if (CURED) {
        const Pair old = atomicCAS(&pairs[at], Pair(0), Pair(found) << 32 | Pair(key));
        if (old != 0) found = int(old >> 32);
    } else if (atomicCAS(&slots[at], 0, key) == 0) {
        values[at] = found;  // fault
    } else {
        found = values[at];  // fault
    }
    out[blockIdx.x] = found;
}

template <bool CURED>
std::string run() {
    return result_of(insert<CURED>, BLOCKS, 32, {10, 10, 20, 10}, std::vector<int>{1, 1, 2, 1}, zeros(SLOTS),
                     zeros(SLOTS), zeros<Pair>(SLOTS), zeros(BLOCKS));
}

const Bench exhibit("fences",
                    {{"cudf_map_insert", Expected::race, "the key is there before the value", run<false>},
                     {"cudf_map_insert_cured", Expected::clean, "both come at once", run<true>}});

}  // namespace
