#include <functional>
#include <memory>

#include "experiments/closed_forms/compaction.h"
#include "experiments/harness/cub.h"
#include "experiments/harness/suite.h"
#include "experiments/uses/compaction/shuffled.h"
#include "kernels/predicates.cuh"
#include "kernels/textbook/device/compact.cuh"
#include "kernels/textbook/device/compact_atomic.cuh"
#include "kernels/textbook/device/compact_by_mask.cuh"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 75,
    .title = "Compaction by scan",
    .claim = "A mask, its scan and a scatter select the wanted elements of a vector, in their order.",
    .source =
        R"(Lecture notes: Algorithmes fondamentaux: opération scan (French). Earlier: Harris, Sengupta and
           Owens, GPU Gems 3, ch. 39, 2007. Against it: Adinetz, Optimized filtering with warp-aggregated
           atomics, 2014.)",
    .prediction =
        R"(n 4-byte elements, k of them selected. The mask and its scan in memory: 28 n bytes and up to 12 k.
           In tiles, with only one count per tile in memory: 8 n + 4 k. An atomic cursor: 4 n + 4 k, but in
           any order. So by bytes, order costs up to twice the time if few elements are selected, and half as
           much again if all are.)",
    .method =
        R"(The same integers, all different and shuffled, compacted at six fractions of selected elements:
           with mask and places in memory, as the source has it, for any length; in tiles; and by an atomic
           cursor from which a thread, a warp or a block reserves its places; nvcc lets one lane reserve for
           its warp, so that by thread and by warp differ in the source only. CUB's select, which keeps the
           order in one pass, and a copy run beside them. After one run on the GPU the elements out of order
           are counted.)",
    .fails_if = "Count: a compaction by scan leaves an element out of order.",
};

struct Data : harness::Shuffled {
    explicit Data(int bits) : Shuffled(bits), by_mask(n), in_tiles(n) {
        harness::check(by_mask.status(), "room for the mask");
        harness::check(in_tiles.status(), "room for the counts");
    }
    MaskCompaction<int, Below<int>> by_mask;
    Compaction<int, Below<int>> in_tiles;
};
using Shared = std::shared_ptr<Data>;
using Make = std::function<harness::Work(const Shared&, Below<int> keep, cudaStream_t)>;

/// A fraction of the vector, in percent, and what its compaction must move.
struct Share {
    long long n;
    int percent;
    long long selected() const { return n * percent / 100; }
    bool nothing_or_all() const { return percent % 100 == 0; }
    long long sectors() const { return selected() / 8; }
};

using Ask = std::function<Shared()>;

/// All selected elements must be present; whether they are in order is a finding. `scan`: the order does not
/// depend on the schedule. That of a cursor does, and the SIMT machine, which runs one block after the other,
/// would not give a GPU's order.
harness::Case& add(harness::Suite& suite, const harness::Factors& factors, Share share, const Ask& ask,
                   bool scan, const Make& make) {
    const int limit = static_cast<int>(share.selected());
    const auto prepare = [=](cudaStream_t stream) {
        const Shared data = ask();
        const auto findings = [=]() -> harness::Findings {
            if (!scan && !harness::on_gpu())
                return {{"varies_global_store_sectors", 1}, {"varies_global_bytes_written", 1}};
            return {{"out_of_order", double(data->out_of_order(limit))}};
        };
        harness::Trial trial{make(data, {limit}, stream), [=] { data->poison(); },
                             [=] { return data->find_error(limit); }, findings};
        trial.result = {data->out.view(), data->selected.view()};
        return trial;
    };
    const long long room = suite.cases().empty() ? 16 * share.n : 0;  // of the vectors that all cases share
    return suite.own(factors.with({{"kept_percent", share.percent}}), share.n,
                     {room, 4 * (share.n + limit), prepare});
}

/// `passes`: how often the selected elements, or as many others, are read in addition to `cost`. Their
/// sectors are known only if none or all are selected; one_by_one: those of the stores are not even then.
void predict(harness::Case& c, Share share, const harness::closed_form::CompactionCost& cost, int passes = 0,
             bool one_by_one = false) {
    c.predict("launches", cost.launches).predict("barriers", cost.barriers);
    if (passes == 0 || share.nothing_or_all())
        c.predict("global_bytes_read", 32 * (cost.load_sectors + passes * share.sectors()));
    if (!one_by_one && share.nothing_or_all())
        c.predict("global_bytes_written", 32 * (cost.store_sectors + share.sectors()));
}

void add_scans(harness::Suite& suite, Share share, const Ask& ask) {
    const auto by_mask = [](const Shared& d, Below<int> keep, cudaStream_t stream) {
        return [=] { d->by_mask(d->in.data(), d->out.data(), d->selected.data(), d->n, keep, stream); };
    };
    const auto in_tiles = [](const Shared& d, Below<int> keep, cudaStream_t stream) {
        return [=] { d->in_tiles(d->in.data(), d->out.data(), d->selected.data(), d->n, keep, stream); };
    };
    auto& mask = add(suite, {"compact", "mask"}, share, ask, true, by_mask).predict("atomic_requests", 0);
    auto& tiles = add(suite, {"compact", "tiles"}, share, ask, true, in_tiles).predict("atomic_requests", 0);
    predict(mask, share, harness::closed_form::compact_by_mask(share.n), 2);
    predict(tiles, share, harness::closed_form::compact(share.n));
}

template <AggregatedBy AGGREGATED_BY>
void add_cursor(harness::Suite& suite, const std::string& by, Share share, const Ask& ask) {
    const auto by_cursor = [](const Shared& d, Below<int> keep, cudaStream_t stream) {
        return [=] {
            compact_atomic<AGGREGATED_BY>(d->in.data(), d->out.data(), d->selected.data(), d->n, keep,
                                          stream);
        };
    };
    constexpr bool BY_BLOCK = AGGREGATED_BY == AggregatedBy::block;
    auto& c = add(suite, {"compact", "cursor", {{"by", by}}}, share, ask, false, by_cursor).on_single_core();
    predict(c, share, harness::closed_form::compact_by_cursor(share.n, BY_BLOCK), 0,
            AGGREGATED_BY == AggregatedBy::thread);
    if (BY_BLOCK) c.predict("atomic_requests", share.n / 2048);
    if (!BY_BLOCK && share.nothing_or_all()) c.predict("atomic_requests", share.selected() / 32);
}

void add_cub(harness::Suite& suite, Share share, const Ask& ask) {
    add(suite, {"compact", "cub_device"}, share, ask, true,
        [](const Shared& d, Below<int> keep, cudaStream_t stream) {
            const auto work = harness::cub_device_select<int>({d->in.data(), d->out.data(), d->n, stream},
                                                              keep, d->selected.data());
            return [d, work] { work(); };
        });
}

void add_cases(harness::Suite& suite) {
    const int counted = suite.quick() ? 12 : 16, timed = suite.quick() ? 20 : 26;
    const int bits = suite.timed() ? timed : counted;
    const long long n = 1LL << bits;
    const Ask ask = harness::made_once<Data>([bits] { return std::make_shared<Data>(bits); });
    for (const int percent : {0, 1, 10, 50, 90, 100}) {
        const Share share = {n, percent};
        add_scans(suite, share, ask);
        add_cursor<AggregatedBy::thread>(suite, "thread", share, ask);
        add_cursor<AggregatedBy::warp>(suite, "warp", share, ask);
        add_cursor<AggregatedBy::block>(suite, "block", share, ask);
        if (suite.timed()) add_cub(suite, share, ask);
    }
    if (suite.timed()) suite.copy<int>({"copy", "device_to_device"}, n);
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
