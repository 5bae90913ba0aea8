#include "kernels/textbook/device/radix_sort.cuh"

#include <functional>
#include <memory>

#include "experiments/closed_forms/radix_sort.h"
#include "experiments/harness/cub.h"
#include "experiments/harness/suite.h"
#include "experiments/uses/radix_sort/keys.h"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 85,
    .title = "Sorting by scan",
    .claim =
        R"(A radix sort is built on scan: a pass counts the digits of every tile, scans the counts, and
           scatters each element to the place that the scan gives it. The longer the digit, the fewer the
           passes, and the faster the sort.)",
    .source =
        R"(Lecture notes: Programação paralela em GPU: Redução e Scan com CUDA (Portuguese). Earlier:
           Blelloch 1990, with digits of one bit; in tiles: Satish, Harris and Garland 2009.)",
    .prediction =
        R"(Keys of k bits, digits of d: p = k/d passes of 2 launches and those of the scan of 2^d counts per
           tile. A pass reads the keys twice and writes them once, and reads and writes the payloads once. If
           the claim is right, twice the digit takes half of the time, as long as there are few counts
           compared with keys.)",
    .method =
        R"(2²⁵ keys of 32 bits or as many bytes of 64-bit keys, alone or with a payload of 32 bits, each key
           occurring four times; digits of 1, 2, 4 and 8 bits; all crossed. The scan of as many counts is
           timed separately. Counted: four tiles, without the 64 passes of one bit. CUB's radix sort and a
           copy of the keys run beside them.)",
    .fails_if =
        R"(Count: a number of launches differs from its closed form. Speed: with a kind of key, a digit of 2,
           4 or 8 bits is not faster than one of half as many.)",
};

template <class Key>
struct Sort {
    using Keys = harness::Keys<Key>;
    static constexpr long long KEY_BYTES = sizeof(Key);

    harness::Suite& suite;
    long long n;
    std::function<std::shared_ptr<Keys>()> ask =
        harness::made_once<Keys>([n = n] { return std::make_shared<Keys>(n); });

    /// `room`: bytes of the GPU's memory.
    template <class Payload, class MakeWork>
    harness::Case& add(const std::string& algorithm, const harness::Levels& digits, long long room,
                       MakeWork make) const {
        constexpr bool WITH = !std::is_same_v<Payload, NoPayload>;
        const auto prepare = [ask = ask, make](cudaStream_t stream) {
            const auto keys = ask();
            return harness::Trial{make(keys, stream), [keys] { keys->poison(); },
                                  [keys] { return keys->find_error(WITH); }};
        };
        const long long moved = 2 * n * (KEY_BYTES + (WITH ? 4 : 0));
        const harness::Levels kind = {{"key_bits", 8 * KEY_BYTES}, {"payload_bits", WITH ? 32 : 0}};
        return suite.own({"sort", algorithm, kind + digits}, n, {room, moved, prepare});
    }

    template <class Payload, int DIGIT_BITS>
    void add_radix() const {
        constexpr bool WITH = !std::is_same_v<Payload, NoPayload>;
        constexpr int TILE = 256 * radix_sort_items<Key, Payload>();
        const auto make = [](const std::shared_ptr<Keys>& k, cudaStream_t stream) {
            const auto sort = std::make_shared<RadixSort<Key, Payload, DIGIT_BITS>>(k->n);
            harness::check(sort->status(), "room for a sort");
            return [=] {
                if constexpr (WITH)
                    (*sort)(k->in.data(), k->places_in.data(), k->out.data(), k->places_out.data(), k->n,
                            stream);
                else
                    (*sort)(k->in.data(), k->out.data(), k->n, stream);
            };
        };
        const long long counts = n / TILE << DIGIT_BITS;
        const long long vectors = DIGIT_BITS == 8 && !WITH ? n * (2 * KEY_BYTES + 8) : 0;  // shared
        const auto cost = harness::closed_form::radix_sort(n, KEY_BYTES, WITH ? 4 : 0, DIGIT_BITS, TILE);
        add<Payload>("radix", {{"digit_bits", DIGIT_BITS}}, vectors + n * (KEY_BYTES + 4) + 8 * counts, make)
            .predict("launches", cost.launches)
            .predict("barriers", cost.barriers)
            .predict("atomic_requests", cost.atomics)
            .predict("global_bytes_read", 32 * cost.load_sectors);
    }

    template <class Payload>
    void add_digits() const {
        // Sorts of many equal passes are counted for one type of key only.
        const bool counts_many = KEY_BYTES == 4 && std::is_same_v<Payload, NoPayload>;
        if (suite.timed() || counts_many) add_radix<Payload, 1>(), add_radix<Payload, 2>();
        add_radix<Payload, 4>();
        add_radix<Payload, 8>();
    }

    void add_cub() const {
        add<NoPayload>("cub_device", {}, 0, [](const auto& k, cudaStream_t stream) {
            const auto work =
                harness::cub_device_radix_sort<Key>({k->in.data(), k->out.data(), k->n, stream});
            return [k, work] { work(); };
        });
        add<int>("cub_device", {}, 0, [](const auto& k, cudaStream_t stream) {
            const auto work = harness::cub_device_radix_sort<Key, int>(
                {k->in.data(), k->out.data(), k->n, stream}, k->places_in.data(), k->places_out.data());
            return [k, work] { work(); };
        });
        suite.copy<Key>({"copy", "device_to_device", {{"key_bits", 8 * KEY_BYTES}}}, n);
    }

    void add_all() const {
        add_digits<NoPayload>();
        add_digits<int>();
        if (suite.timed()) add_cub();
    }
};

/// The scan of a pass, on its own.
void add_scan_of_counts(harness::Suite& suite, long long counts, int digit_bits) {
    using Op = Sum<long long>;
    const auto prepare = [](harness::Vectors<long long> v) {
        const auto scan = std::make_shared<ThreePhaseScan<long long, Op>>(Spine::device, v.n);
        harness::check(scan->status(), "room for a scan");
        return [=] { (*scan)(v.in, v.out, v.n, Op{}, v.stream); };
    };
    const auto cost = harness::closed_form::three_phase(counts, false, 8);
    suite.scan<long long>({"scan", "of_counts", {{"digit_bits", digit_bits}}}, counts, {counts}, prepare)
        .predict("launches", cost.launches)
        .predict("ops", cost.ops)
        .predict("global_bytes_read", 32 * cost.load_sectors)
        .predict("global_bytes_written", 32 * cost.store_sectors);
}

void add_cases(harness::Suite& suite) {
    const long long n = suite.timed() ? (suite.quick() ? 1 << 18 : 1 << 25) : 1 << 14;
    Sort<int>{suite, n}.add_all();
    Sort<long long>{suite, n / 2}.add_all();
    for (const int bits : {1, 2, 4, 8}) add_scan_of_counts(suite, n / 4096 << bits, bits);
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
