#include "experiments/harness/cub.h"
#include "experiments/harness/device_scans.h"
#include "kernels/launch.cuh"

using namespace trial;

namespace {

const harness::Claim CLAIM = {
    .order = 65,
    .title = "Scanning any length in three launches",
    .claim =
        R"(Three launches scan a vector of any length: one scans the tiles, one scans the sums of the tiles,
           and one adds these to the following tiles.)",
    .source =
        R"(Lecture notes: Padrão Scan em CUDA (Portuguese); Algorithmes fondamentaux: opération scan
           (French). The first reads past the end of the vector in its last block, the second's tree needs a
           power of two. Other ways: Dotsenko et al. 2008 reduce the tiles, then scan; Merrill and Garland
           2016 pass over the vector once.)",
    .prediction =
        R"(The scan is correct at every length. Tiles of 1,024: each level scans the sums of the level below,
           until one tile is left, so L = ceil(log n / log 1,024) levels take 2 L - 1 launches: three up to
           1,024² elements, five beyond. Per byte of the vector, scan-then-add moves 4 bytes,
           reduce-then-scan 3, a single pass 2, each not counting the sums; long vectors take time in that
           proportion.)",
    .method =
        R"(Ints, scanned in each of three ways, all with the same bounds checks at the end: 1, 31, 32, 33
           elements, one more and one less than a tile (1,024; 3,840 for the single pass), powers of two, and
           more elements than an int can count. Every element is compared. The last vector holds the
           differences of random numbers and is made and compared on the GPU: its scan must give back the
           random numbers. CUB's device-wide scan and a copy run beside them.)",
    .fails_if = "Count: the scan in tiles is wrong at some length, or takes more than three launches.",
};

using harness::device_scan;

void add_scans(harness::Suite& suite, long long n) {
    using LookBack = harness::LookBack<int>;
    constexpr int ITEMS_PER_THREAD = look_back_items<int>();
    predict_three_phase(
        suite.scan<int>({"scan", "three_phase"}, n, {n}, device_scan<harness::ThreePhase<int>, int>));
    predict_two_reads(
        suite.scan<int>({"scan", "reduce_then_scan"}, n, {n}, device_scan<harness::TwoReads<int>, int>));
    predict_look_back(suite.scan<int>({"scan", "look_back"}, n, {n}, device_scan<LookBack, int>),
                      ITEMS_PER_THREAD, LookBack::TILE / ITEMS_PER_THREAD);
}

void add_references(harness::Suite& suite, long long n) {
    suite.scan<int>({"scan", "cub_device"}, n, {n}, harness::cub_device_scan<int>);
    suite.copy<int>({"copy", "device_to_device"}, n);
}

// --- More elements than an int can count.

/// A pseudo-random number: the sum of all elements up to the i-th, modulo 2^32.
__device__ unsigned prefix_at(long long i) {
    auto bits = static_cast<unsigned>(i) ^ static_cast<unsigned>(i >> 32) * 0x9e3779b9u;
    bits = (bits ^ bits >> 16) * 0x7feb352du;
    bits = (bits ^ bits >> 15) * 0x846ca68bu;
    return bits ^ bits >> 16;
}

__global__ void fill_with_differences(unsigned* in, long long n) {
    const long long i = blockIdx.x * 256LL + threadIdx.x;
    if (i < n) in[i] = prefix_at(i) - (i == 0 ? 0 : prefix_at(i - 1));
}

__global__ void count_wrong(const unsigned* out, long long n, unsigned long long* wrong) {
    const long long i = blockIdx.x * 256LL + threadIdx.x;
    if (i < n && out[i] != prefix_at(i)) atomicAdd(wrong, 1ull);
}

/// One vector and one result for all scans.
class LongVectors {
   public:
    explicit LongVectors(long long n) : n_(n) {}
    ~LongVectors() {
        (void)cudaFree(in_);
        (void)cudaFree(out_);
        (void)cudaFree(wrong_);
    }
    LongVectors(const LongVectors&) = delete;
    LongVectors& operator=(const LongVectors&) = delete;

    harness::Vectors<unsigned> prepare(cudaStream_t stream) {
        if (in_ == nullptr) {
            harness::check(cudaMalloc(&in_, n_ * sizeof(unsigned)), "the long vector");
            harness::check(cudaMalloc(&out_, n_ * sizeof(unsigned)), "the long result");
            harness::check(cudaMalloc(&wrong_, sizeof(*wrong_)), "the number of errors");
            launch(fill_with_differences, blocks(), 256, stream, in_, n_);
        }
        return {in_, out_, n_, stream};
    }

    void poison() { harness::check(cudaMemset(out_, harness::POISON, n_ * sizeof(unsigned)), "cudaMemset"); }

    std::string find_error(cudaStream_t stream) const {
        unsigned long long wrong = 0;
        (void)cudaMemsetAsync(wrong_, 0, sizeof(wrong), stream);
        launch(count_wrong, blocks(), 256, stream, static_cast<const unsigned*>(out_), n_, wrong_);
        harness::check(cudaStreamSynchronize(stream), "comparing");
        harness::check(cudaMemcpy(&wrong, wrong_, sizeof(wrong), cudaMemcpyDeviceToHost), "cudaMemcpy");
        return wrong == 0 ? "" : std::to_string(wrong) + " elements are wrong";
    }

   private:
    unsigned blocks() const { return static_cast<unsigned>(ceil_div(n_, 256)); }

    long long n_;
    unsigned *in_ = nullptr, *out_ = nullptr;
    unsigned long long* wrong_ = nullptr;
};

template <class Scan>
void add_long_scan(harness::Suite& suite, const std::string& name, std::shared_ptr<LongVectors> vectors,
                   long long room, long long n) {
    const auto prepare = [vectors](cudaStream_t stream) {
        return harness::Trial{device_scan<Scan>(vectors->prepare(stream)), [=] { vectors->poison(); },
                              [=] { return vectors->find_error(stream); }};
    };
    suite.own({"scan", name, {{"type", "unsigned"}}}, n, {room, 8 * n, prepare}).repeat(7);
}

void add_cases(harness::Suite& suite) {
    for (const long long n : {1, 31, 32, 33, 1023, 1025, 3839, 3840, 3841, 10'000, 100'003})
        add_scans(suite, n);
    const long long longest = suite.quick() ? 1 << 12 : suite.timed() ? 1 << 30 : 1 << 16;
    for (long long n = 1 << 10; n <= longest; n *= suite.timed() ? 4 : 8) {
        add_scans(suite, n);
        if (suite.timed()) add_references(suite, n);
    }
    if (suite.quick()) return;
    if (!suite.timed()) {
        const long long n = (1 << 20) + 1;  // a tile of sums and one more
        predict_three_phase(
            suite.scan<int>({"scan", "three_phase"}, n, {n}, device_scan<harness::ThreePhase<int>, int>));
        return;
    }
    const long long n = (1LL << 31) + 33;
    const auto vectors = std::make_shared<LongVectors>(n);
    add_long_scan<harness::ThreePhase<unsigned>>(suite, "three_phase", vectors, 8 * n, n);
    add_long_scan<harness::TwoReads<unsigned>>(suite, "reduce_then_scan", vectors, 0, n);
    add_long_scan<harness::LookBack<unsigned>>(suite, "look_back", vectors, 0, n);
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
