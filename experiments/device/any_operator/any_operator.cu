#include <memory>

#include "experiments/closed_forms/device_scans.h"
#include "experiments/harness/cub.h"
#include "experiments/harness/cuda_check.h"
#include "experiments/harness/operands.h"
#include "experiments/harness/tiles.h"
#include "experiments/support/marked.h"
#include "kernels/index_maps.cuh"
#include "kernels/textbook/block/scan_blelloch.cuh"
#include "kernels/textbook/block/scan_brent_kung.cuh"
#include "kernels/textbook/block/scan_hillis_steele.cuh"
#include "kernels/textbook/block/scan_kogge_stone.cuh"
#include "kernels/textbook/device/scan_look_back.cuh"

using namespace trial;

namespace {

using harness::Vectors;
using harness::Work;

const harness::Claim CLAIM = {
    .order = 55,
    .title = "Any associative operator",
    .claim = "A scan needs a binary associative operator with a neutral element, and nothing else.",
    .source =
        R"(Lecture notes: Algorithmes fondamentaux: opération scan (French). That segments need no scan of
           their own: Schwartz 1980; Blelloch 1990.)",
    .prediction =
        R"(An algorithm applies every operator equally often, in as many steps and launches, whatever the
           operator does and whatever the element is. Accesses grow with the bytes of an element. Swapped
           operands change nothing for sum and maximum, which are commutative, and give wrong results for the
           other three.)",
    .method =
        R"(Five scans, crossed with sum and maximum of 4-byte integers, and sum, composition of affine maps x
           -> a x + b, concatenation of bracket strings (the bicyclic monoid) and segmented sum of 8-byte
           elements; the last three are not commutative. Every result is compared with a sequential one; a
           test injects a scan that swaps operands, and the comparison detects it with those three. Times are
           compared with the sum of as many bytes. CUB's device-wide scan with the same operators and a copy
           run beside them.)",
    .fails_if =
        R"(Count: the operations, steps, barriers or launches of a scan differ between operators, or a result
           is wrong.)",
};

constexpr int TILE = 1024, ITEMS_PER_THREAD = 7, THREADS = 256;

template <class Algorithm, class Map, class T, class Op>
Work scan_tiles_by(Vectors<T> v) {
    constexpr int BLOCK = Algorithm::threads(TILE);
    return harness::launch_scan(scan_tiles<Algorithm, TILE, BLOCK, Map, T, Op>, TILE, BLOCK, v);
}

template <class T, class Op>
Work look_back_by(Vectors<T> v) {
    auto scan = std::make_shared<LookBackScan<T, Op, Form::inclusive, ITEMS_PER_THREAD, THREADS>>(v.n);
    harness::check(scan->status(), "room for a scan");
    return [v, scan] { (*scan)(v.in, v.out, v.n, Op{}, v.stream); };
}

template <class T, class Op>
struct Tiles {
    harness::Suite& suite;
    harness::Levels levels;
    long long n;

    template <class Algorithm, class Map>
    void add(const std::string& name, const harness::closed_form::TileCost& cost, long long steps) const {
        harness::Case& c = suite.scan<T, Op>({"scan", name, levels}, n, {TILE, Algorithm::inclusive},
                                             scan_tiles_by<Algorithm, Map, T, Op>);
        suite.count_marks<T>(c, scan_tiles_by<Algorithm, Map, T, harness::Marked<Op>>);
        c.predict("ops", n / TILE * cost.ops)
            .predict("warp_ops", n / TILE * cost.warp_ops)
            .predict("barriers", n / TILE * cost.barriers)
            .predict("operator_steps", steps)
            .predict("launches", 1);
    }
};

template <class T, class Op>
void add_operator(harness::Suite& suite, const std::string& op) {
    using namespace harness::closed_form;
    const long long n = suite.timed() ? suite.long_vector() / 2 : 1 << 13;
    const harness::Levels levels = {{"operator", op}, {"bytes", sizeof(T)}};
    const long long log = harness::closed_form::log2(TILE);
    const auto tiles = Tiles<T, Op>{suite, levels, n};
    tiles.template add<HillisSteele, Plain>("hillis_steele", hillis_steele(TILE), log);
    tiles.template add<BrentKung<>, Padded<>>("brent_kung", brent_kung(TILE), 2 * log - 1);
    tiles.template add<Blelloch, Padded<>>("blelloch", blelloch(TILE), 2 * log);
    tiles.template add<KoggeStone<>, Plain>("kogge_stone", kogge_stone(TILE), 3);
    harness::Case& look_back = suite.scan<T, Op>({"scan", "look_back", levels}, n, {n}, look_back_by<T, Op>);
    suite.count_marks<T>(look_back, look_back_by<T, harness::Marked<Op>>);
    look_back.on_single_core()
        .predict("ops", look_back_ops_in_order(n, ITEMS_PER_THREAD, THREADS))
        .predict("launches", 1);
    if (suite.timed())
        suite.scan<T, Op>({"scan", "cub_device", levels}, n, {n}, harness::cub_device_scan_by<T, Op>);
}

void add_cases(harness::Suite& suite) {
    add_operator<int, Sum<int>>(suite, "sum");
    add_operator<int, Max<int>>(suite, "max");
    add_operator<long long, Sum<long long>>(suite, "sum");
    add_operator<Affine<unsigned>, ComposeAffine<unsigned>>(suite, "affine");
    add_operator<Brackets, Bicyclic>(suite, "bicyclic");
    add_operator<Flagged<int>, Segmented<Sum<int>>>(suite, "segmented_sum");
    if (!suite.timed()) return;
    suite.copy<int>({"copy", "device_to_device", {{"bytes", 4}}}, suite.long_vector() / 2);
    suite.copy<long long>({"copy", "device_to_device", {{"bytes", 8}}}, suite.long_vector() / 2);
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
