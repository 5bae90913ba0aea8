#include <vector>

#include "experiments/harness/cub.h"
#include "experiments/harness/device_scans.h"
#include "kernels/textbook/device/scan_by_exchange.cuh"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 72,
    .title = "Sums through distributed shared memory",
    .claim =
        R"(The blocks of a cluster read one another's shared memory, so sums of blocks need no pass through
           global memory: scans of segments as long as a cluster's tiles, and of vectors of middle length, are
           faster.)",
    .source =
        R"(Andersch et al., NVIDIA Hopper architecture in-depth, NVIDIA developer blog, 2022: distributed
           shared memory makes exchanges between blocks about 7 times as fast as through global memory.)",
    .prediction =
        R"(Summing between launches reads every element twice: 3 n elements of traffic instead of 2 n, and one
           more launch, so a cluster takes 2/3 of the time of a long vector. Look-back moves 2 n as well: a
           cluster saves its memset and the wait for words in the L2 cache, some microseconds, which decide
           only where the whole scan takes no longer than about ten of these. In a cluster all tiles start and
           end together, which costs the overlap of loads and stores between tiles.)",
    .method =
        R"(One kernel, textbook/device/scan_by_exchange, in tiles of 4,096 floats. Only the exchange of sums
           varies: between two launches, by look-back, in the cluster; crossed with the tiles of a segment, 2
           to 16, and with the length of the vector. Then the whole vector as one segment, 2^18 to 2^24
           elements: look-back by blocks against look-back by clusters of 8 and of 16, within which sums pass
           as before. CUB's scan and a copy run beside.)",
    .fails_if =
        R"(Count: the cluster's scan reads or writes other bytes than its elements. Speed: with segments of
           some tiles in a vector of some length, the scan in the cluster is not faster than both others; or,
           of a whole vector of some length, look-back by clusters of 8 or of 16 is not faster than by
           blocks.)",
    .headline = true,
};

using Op = Sum<float>;
template <Exchange EXCHANGE>
using Scan = ExchangeScan<float, Op, EXCHANGE>;
constexpr int TILE = Scan<Exchange::in_cluster>::TILE;

template <Exchange EXCHANGE>
harness::Case& add(harness::Suite& suite, const harness::Factors& factors, long long n, long long tiles,
                   int cluster = 1) {
    const long long length = tiles * TILE;
    auto& c = suite.scan<float>(factors, n, {length}, [=](harness::Vectors<float> v) -> harness::Work {
        const auto scan = std::make_shared<Scan<EXCHANGE>>(length, n / length, cluster);
        harness::check(scan->status(), "room for sums");
        return [=] { harness::check((*scan)(v.in, v.out, Op{}, v.stream), "scan"); };
    });
    return c.on_single_core();
}

/// Whether the GPU, or the one whose code the SIMT machine runs, launches clusters.
bool has_clusters() { return harness::attribute(cudaDevAttrClusterLaunch) != 0; }

void add_segments(harness::Suite& suite, long long n) {
    for (const int tiles : {2, 4, 8, 16}) {
        const harness::Levels levels = {{"tiles", tiles}};
        add<Exchange::between_launches>(suite, {"segments", "between_launches", levels}, n, tiles)
            .predict("launches", 2)
            .predict("global_bytes_written", 4 * n + 32 * n / TILE);
        add<Exchange::by_look_back>(suite, {"segments", "by_look_back", levels}, n, tiles)
            .predict("launches", 1);
        if (!has_clusters()) continue;
        add<Exchange::in_cluster>(suite, {"segments", "in_cluster", levels}, n, tiles)
            .predict("launches", 1)
            .predict("global_bytes_read", 4 * n)
            .predict("global_bytes_written", 4 * n);
    }
}

void add_whole(harness::Suite& suite, long long n) {
    add<Exchange::by_look_back>(suite, {"whole", "by_look_back"}, n, n / TILE).predict("launches", 1);
    for (const int cluster : has_clusters() ? std::vector{8, 16} : std::vector<int>{})
        add<Exchange::in_clusters>(suite, {"whole", "in_clusters", {{"cluster", cluster}}}, n, n / TILE,
                                   cluster)
            .predict("launches", 1);
    if (!suite.timed()) return;
    suite.scan<float>({"whole", "cub_device"}, n, {n}, harness::cub_device_scan<float>);
}

void add_cases(harness::Suite& suite) {
    if (!suite.timed()) {
        add_segments(suite, 32 * TILE);
        add_whole(suite, 32 * TILE);
        return;
    }
    for (int log = 18; log <= (suite.quick() ? 18 : 26); log += 2) {
        add_segments(suite, 1LL << log);
        if (log <= 24) add_whole(suite, 1LL << log);
        suite.copy<float>({"copy", "device_to_device"}, 1LL << log);
    }
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
