#include <algorithm>
#include <memory>
#include <set>

#include "experiments/device/rounding/exact_sums.h"
#include "experiments/harness/cub.h"
#include "experiments/harness/device_scans.h"
#include "experiments/support/fast_scans.h"
#include "kernels/launch.cuh"
#include "kernels/textbook/block/scan_hillis_steele.cuh"
#include "kernels/textbook/warp/scan_kogge_stone.cuh"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 95,
    .title = "Rounding of sums of floats",
    .claim =
        R"(A tree sum of floats has a smaller error than a sequential one. A parallel scan need not give the
           same result twice.)",
    .source =
        R"(Beyond the lecture notes: Higham, The accuracy of floating point summation, 1993; Merrill and
           Garland 2016, whose look-back adds whatever it finds.)",
    .prediction =
        R"(Let u be the unit roundoff, 2⁻²⁴. The error of a prefix is at most d u times the sum of the
           magnitudes before it, if none of them passes through more than d additions: n - 1 sequentially,
           about log n in a tree. A scan in three phases adds in the same order every time. With look-back a
           block adds what it finds: aggregates or a prefix, which depends on the schedule.)",
    .method =
        R"(Five scans, and the host's sequential sum, of floats from 0 to 1; of the same with alternating
           signs; and of ill-conditioned floats over 20 powers of two, the second half cancelling the first.
           Every element is a multiple of 2⁻²⁴ below 2²⁰, so a 128-bit integer holds every prefix exactly:
           these are the true values. Each scan runs 100 times, on the SIMT machine in 100 orders of its
           blocks. The fast scan, CUB and look-back in its usual tiles run on the GPU only.)",
    .fails_if =
        R"(Count: with an input, at the longest vector, the tree of the three-phase scan has no smaller error
           than the sequential sum; or every scan gives one result in 100 runs.)",
};

/// Sums a hash of every element and its index: equal for equal results only, whatever the order of the
/// additions.
__global__ void digest(const unsigned* out, long long n, unsigned long long* sum) {
    unsigned long long mine = 0;
    for (long long i = blockIdx.x * 256LL + threadIdx.x; i < n; i += gridDim.x * 256LL) {
        const auto hash = (out[i] + 0x9e3779b97f4a7c15ull * (i + 1)) * 0xbf58476d1ce4e5b9ull;
        mine += (hash ^ hash >> 29) * 0x94d049bb133111ebull;
    }
    mine = warp_scan(mine, true, Sum<unsigned long long>{});
    if (threadIdx.x % 32 == 31) atomicAdd(sum, mine);
}

using harness::device_scan;
using harness::FloatInput;
using harness::RoundingErrors;

/// One input and one result for all scans, and the host's sequential sum.
class Trials {
   public:
    Trials(FloatInput input, long long n) : input_(input), n_(n) {}
    ~Trials() {
        (void)cudaFree(in_);
        (void)cudaFree(out_);
        (void)cudaFree(digest_);
    }
    Trials(const Trials&) = delete;
    Trials& operator=(const Trials&) = delete;

    harness::Vectors<float> prepare(cudaStream_t stream) {
        if (in_ == nullptr) {
            harness::check(cudaMalloc(&in_, n_ * sizeof(float)), "the input");
            harness::check(cudaMalloc(&out_, n_ * sizeof(float)), "the result");
            harness::check(cudaMalloc(&digest_, sizeof(*digest_)), "a digest");
            host_.resize(n_);
            for (long long i = 0; i < n_; ++i)
                host_[i] = static_cast<float>(units_of(input_, i, n_) * harness::UNIT);
            harness::check(cudaMemcpy(in_, host_.data(), n_ * sizeof(float), cudaMemcpyHostToDevice),
                           "input");
            float sum = 0;
            sequential_ = RoundingErrors::of(input_, n_, [&](long long i) { return sum += host_[i]; });
        }
        return {in_, out_, n_, stream};
    }

    void poison() { harness::check(cudaMemset(out_, 0xff, n_ * sizeof(float)), "cudaMemset"); }  // NaN

    std::string find_error() {
        harness::check(cudaMemcpy(host_.data(), out_, n_ * sizeof(float), cudaMemcpyDeviceToHost), "result");
        errors_ = RoundingErrors::of(input_, n_, [&](long long i) { return host_[i]; });
        return errors_.beyond_any_order(n_);
    }

    harness::DeviceBytes result() const { return {out_, n_ * static_cast<long long>(sizeof(float))}; }

    harness::Findings findings(const harness::Work& work, cudaStream_t stream) const {
        const auto blocks = static_cast<unsigned>(std::min(512LL, ceil_div(n_, 256)));
        std::set<unsigned long long> results;
        for (int run = 0; run < 100; ++run) {
            unsigned long long result = 0;
            harness::order_blocks(run);
            work();
            harness::order_blocks(0);
            (void)cudaMemsetAsync(digest_, 0, sizeof(result), stream);
            launch(digest, blocks, 256, stream, reinterpret_cast<const unsigned*>(out_), n_, digest_);
            harness::check(cudaStreamSynchronize(stream), "a digest");
            harness::check(cudaMemcpy(&result, digest_, sizeof(result), cudaMemcpyDeviceToHost), "a digest");
            results.insert(result);
        }
        auto found = errors_.findings("");
        for (const auto& each : sequential_.findings("sequential_")) found.push_back(each);
        found.emplace_back("distinct_of_100", static_cast<double>(results.size()));
        return found;
    }

   private:
    FloatInput input_;
    long long n_;
    std::vector<float> host_;
    float *in_ = nullptr, *out_ = nullptr;
    unsigned long long* digest_ = nullptr;
    RoundingErrors sequential_, errors_;
};

void add_input(harness::Suite& suite, const std::string& name, FloatInput input, long long n) {
    using HillisSteeleTiles = ReduceThenScan<float, Sum<float>, Form::inclusive, 1024,
                                             ReduceTree<Threads::contiguous>, HillisSteele, Plain>;
    using SmallTiles = harness::LookBack<float, 3, 32>;
    const auto trials = std::make_shared<Trials>(input, n);
    const auto add = [&](const harness::Factors& scan, harness::Prepare<float> prepare) -> harness::Case& {
        const auto own = [trials, prepare](cudaStream_t stream) {
            const harness::Work work = prepare(trials->prepare(stream));
            harness::Trial trial{work, [=] { trials->poison(); }, [=] { return trials->find_error(); },
                                 [=] { return trials->findings(work, stream); }};
            trial.result = {trials->result()};
            return trial;
        };
        return suite.own(scan.with({{"input", name}}), n, {8 * n, 8 * n, own}).repeat(7);
    };
    predict_three_phase(add({"scan", "three_phase"}, device_scan<harness::ThreePhase<float>, float>));
    add({"scan", "hillis_steele"}, device_scan<HillisSteeleTiles, float>)
        .predict("launches", harness::closed_form::reduce_then_scan(n).launches);
    if (n <= 1 << 22)
        predict_look_back(add({"scan", "look_back", {{"tile", 96}}}, device_scan<SmallTiles, float>), 3, 32);
    if (!suite.timed()) return;
    add({"scan", "ring"}, harness::ring_scan<RingPolicy<float>, float, Sum<float>>());
    add({"scan", "look_back", {{"tile", 3840}}}, device_scan<harness::LookBack<float>, float>);
    add({"scan", "cub_device"}, harness::cub_device_scan<float>);
}

void add_cases(harness::Suite& suite) {
    const int counted = suite.quick() ? 9 : 11, timed = suite.quick() ? 14 : 26;
    const long long longest = 1LL << (suite.timed() ? timed : counted);
    for (long long n = suite.timed() ? 1 << 10 : longest; n <= longest; n *= 16) {
        add_input(suite, "uniform", FloatInput::uniform, n);
        add_input(suite, "signs", FloatInput::signs, n);
        add_input(suite, "ill", FloatInput::ill, n);
    }
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
