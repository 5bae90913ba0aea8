// Decoupled look-back: each block publishes its own sum, then adds what its predecessors have published, up
// to the first that knows its prefix.
// Source: D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
#include "kernels/relaxed_words.cuh"
#include "simt/test/hazards/fences.h"
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

constexpr int BLOCKS = 5;
enum Status { NOTHING = 0, SUM = 1, PREFIX = 2 };

/// Flag and value are different words: fences must order them.
template <Fence RELEASE, Fence ACQUIRE>
__global__ void scan_two_words(const int* in, volatile int* flags, int* sums, int* prefixes) {
    const int b = blockIdx.x;
    sums[b] = in[b];
    fence<RELEASE>();
    flags[b] = SUM;

    int prefix = in[b];
    for (int before = b - 1; before >= 0; --before) {
        int flag;
        do flag = flags[before];
        while (flag == NOTHING);
        fence<ACQUIRE>();
        prefix += flag == PREFIX ? prefixes[before] : sums[before];
        if (flag == PREFIX) break;
    }

    prefixes[b] = prefix;
    fence<RELEASE>();
    flags[b] = PREFIX;
}

std::vector<int> prefixes_of(std::vector<int> values) {
    int sum = 0;
    for (int& value : values) value = sum += value;
    return values;
}

template <Fence RELEASE, Fence ACQUIRE>
std::string run_two_words() {
    return result_of(scan_two_words<RELEASE, ACQUIRE>, BLOCKS, 1, prefixes_of(some_values(BLOCKS)),
                     some_values(BLOCKS), zeros(BLOCKS), zeros(BLOCKS), zeros(BLOCKS));
}

/// Status in the upper half, value in the lower half of one word, which is read and written in one access.
__device__ unsigned long long packed(Status status, int value) {
    return static_cast<unsigned long long>(status) << 32 | static_cast<unsigned>(value);
}

enum class Store { whole, in_halves };

template <Store STORE>
__device__ void publish(unsigned long long* word, Status status, int value) {
    if (STORE == Store::whole) {
        store_relaxed(word, packed(status, value));
    } else {
        volatile int* const halves = reinterpret_cast<int*>(word);
        halves[0] = value;
        halves[1] = status;
    }
}

template <Store STORE>
__global__ void scan_one_word(const int* in, unsigned long long* words, int* prefixes) {
    const int b = blockIdx.x;
    publish<STORE>(words + b, SUM, in[b]);

    int prefix = in[b];
    for (int before = b - 1; before >= 0; --before) {
        unsigned long long word;
        do word = load_relaxed(words + before);
        while (word >> 32 == NOTHING);
        prefix += static_cast<int>(word);
        if (word >> 32 == PREFIX) break;
    }

    prefixes[b] = prefix;
    publish<STORE>(words + b, PREFIX, prefix);
}

template <Store STORE>
std::string run_one_word() {
    return result_of(scan_one_word<STORE>, BLOCKS, 1, prefixes_of(some_values(BLOCKS)), some_values(BLOCKS),
                     zeros<unsigned long long>(BLOCKS), zeros(BLOCKS));
}

constexpr Fence NONE = Fence::none, DEVICE = Fence::device;

const Bench look_back("look-back", {
                                       {"look_back_two_words", Expected::clean,
                                        "fences order a value and its flag", run_two_words<DEVICE, DEVICE>},
                                       {"look_back_no_release", Expected::race,
                                        "a flag may be seen before its value", run_two_words<NONE, DEVICE>},
                                       {"look_back_no_acquire", Expected::missing_acquire,
                                        "a value may be read before its flag", run_two_words<DEVICE, NONE>},
                                       {"look_back_no_fences", Expected::race,
                                        "volatile alone orders no other word", run_two_words<NONE, NONE>},
                                       {"look_back_one_word", Expected::clean,
                                        "flag and value arrive in one word: no fence is needed",
                                        run_one_word<Store::whole>},
                                       {"look_back_torn_word", Expected::race,
                                        "accesses of different sizes are not strong for each other",
                                        run_one_word<Store::in_halves>},
                                   });

}  // namespace
