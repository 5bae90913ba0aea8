// A scan of a vector drawn from a seed, under a schedule drawn from it, compared with a sequential scan.
#pragma once
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "kernels/fast/detail/scan_problem.cuh"
#include "kernels/launch.cuh"
#include "kernels/versioned_words.cuh"
#include "simt/simt.h"
#include "tests/device_vector.h"
#include "tests/kernels/bytes.h"

/// Tests on the strict machine, on one core: a seed then determines the whole run.
class OnStrictMachine : public testing::Test {
   protected:
    void SetUp() override {
        simt::set_strict(true);
        simt::set_cores(1);
        simt::set_device({});
    }
};

/// run() launches kernels, which the machine may not warn of.
template <class Run>
simt::Recording record_without_warning(Run run) {
    const simt::Recording recording = simt::record(run);
    EXPECT_EQ(recording.warnings, std::vector<std::string>());
    return recording;
}

/// Parameters of a trial. seed: of its elements and of its schedule. Offsets of the vectors, in bytes, from a
/// multiple of 256; an in-place scan uses `out_offset`. blocks: of the ring; one wave has one per tile.
struct Asked {
    unsigned seed;
    long long n;
    Form form;
    bool seeded, in_place;
    int in_offset, out_offset;
    unsigned blocks, resident;

    friend std::ostream& operator<<(std::ostream& to, const Asked& a) {
        return to << "seed " << a.seed << " n " << a.n
                  << (a.form == Form::inclusive ? " inclusive" : " exclusive") << (a.seeded ? " seeded" : "")
                  << (a.in_place ? " in place" : "") << " at " << a.in_offset << ", " << a.out_offset
                  << " blocks " << a.blocks << " resident " << a.resident;
    }
};

inline void schedule(const Asked& asked) {
    simt::set_seed(asked.seed);
    simt::set_resident(static_cast<int>(asked.resident));
}

/// Each type of a suite has its own range of seeds.
inline unsigned first_seed() {
    const std::string suite = testing::UnitTest::GetInstance()->current_test_suite()->name();
    return 1000 * static_cast<unsigned>(std::stoi(suite.substr(suite.find('/') + 1)));
}

/// Draw a trial; its tiles may begin up to 16 elements before the vector. tile: elements per tile. most:
/// tiles. align: of elements in `in`, in bytes.
template <class T>
Asked draw(unsigned seed, int tile, int most, int align) {
    std::mt19937 random(seed);
    const auto up_to = [&](long long last) { return static_cast<long long>(random() % (last + 1)); };
    Asked asked = {seed, 0, Form::inclusive, false, false, 0, 0, 0, 0};
    switch (random() % 4) {
        case 0: asked.n = 1 + up_to(100); break;
        case 1: asked.n = 1 + up_to(3 * tile); break;
        case 2: asked.n = std::max(1LL, (1 + up_to(4)) * tile + 1 - up_to(17)); break;
        default: asked.n = 1 + up_to(most * tile - 1); break;
    }
    asked.form = random() % 2 == 0 ? Form::inclusive : Form::exclusive;
    asked.seeded = random() % 2 == 0;
    asked.in_place = random() % 3 == 0;
    asked.in_offset = random() % 2 == 0 ? 0 : align * static_cast<int>(up_to(15));
    const bool alike = asked.in_place || random() % 2 == 0;
    asked.out_offset = alike ? asked.in_offset : static_cast<int>(alignof(T) * up_to(15));
    asked.blocks = 1 + static_cast<unsigned>(up_to(3));
    asked.resident = 1 + static_cast<unsigned>(up_to(3));
    return asked;
}

/// A workspace for `capacity` tiles, either new or as it is after many calls: the last call had `version`,
/// and all statuses were last written in version `written`, with invalid sums.
class TrialWorkspace {
   public:
    explicit TrialWorkspace(unsigned capacity) : TrialWorkspace(capacity, 0, 0) {}
    TrialWorkspace(unsigned capacity, unsigned version, unsigned written)
        : capacity_(MAX_WORDS * capacity),
          control_(std::vector<Word>{version}),
          words_(std::vector<Word>(MAX_WORDS * (capacity + GROUP), Word{written} << 32)) {
        EXPECT_EQ(cudaMallocHost(&overlaps_, sizeof(*overlaps_)), cudaSuccess);
        *overlaps_ = 0;
    }
    ~TrialWorkspace() { (void)cudaFreeHost(overlaps_); }
    TrialWorkspace(const TrialWorkspace&) = delete;
    TrialWorkspace& operator=(const TrialWorkspace&) = delete;

    VersionedWords words() {
        VersionedWords words = {control_.data(), words_.data(), capacity_};
        words.overlaps = overlaps_;
        return words;
    }
    unsigned version() const { return static_cast<unsigned>(control_.read()[0]); }
    unsigned tickets() const { return static_cast<unsigned>(control_.read()[0] >> 32); }
    bool have_overlapped() const { return *overlaps_ != 0; }

   private:
    using Word = unsigned long long;
    static constexpr unsigned GROUP = 128;    // the look-ahead reads whole groups of tiles
    static constexpr unsigned MAX_WORDS = 4;  // per value
    unsigned capacity_;
    DeviceVector<Word> control_, words_;
    unsigned* overlaps_ = nullptr;
};

/// A vector at an offset in a larger buffer, surrounded by POISON. Its elements are not initialised.
template <class T>
class PlacedVector {
   public:
    PlacedVector(long long n, int offset)
        : begin_(AROUND + static_cast<std::size_t>(offset)),
          n_(static_cast<std::size_t>(n)),
          memory_(end() + AROUND) {
        EXPECT_EQ(cudaMemset(memory_.data(), POISON, begin_), cudaSuccess);
        EXPECT_EQ(cudaMemset(memory_.data() + end(), POISON, AROUND), cudaSuccess);
    }
    PlacedVector(const std::vector<T>& values, int offset)
        : PlacedVector(static_cast<long long>(values.size()), offset) {
        EXPECT_EQ(cudaMemcpy(data(), values.data(), n_ * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
    }

    T* data() { return reinterpret_cast<T*>(memory_.data() + begin_); }
    std::vector<T> read() const {
        const auto bytes = memory_.read();
        std::vector<T> values(n_);
        std::memcpy(static_cast<void*>(values.data()), bytes.data() + begin_, n_ * sizeof(T));
        return values;
    }
    /// Whether nothing outside the vector was written.
    bool is_alone() const {
        const auto bytes = memory_.read();
        const auto is_poison = [](unsigned char byte) { return byte == POISON; };
        return std::all_of(bytes.begin(), bytes.begin() + long(begin_), is_poison) &&
               std::all_of(bytes.begin() + long(end()), bytes.end(), is_poison);
    }

   private:
    static constexpr std::size_t AROUND = 512;  // a multiple of what buffers are aligned to, 256 bytes
    static constexpr unsigned char POISON = 0x7f;
    std::size_t end() const { return begin_ + n_ * sizeof(T); }

    std::size_t begin_, n_;
    DeviceVector<unsigned char> memory_;
};

/// The first index at which out differs from the scan of in, or -1.
template <class Op, class T>
long long first_difference(const std::vector<T>& out, const std::vector<T>& in, Form form, Prefix<T> before) {
    const Op op = {};
    for (std::size_t i = 0; i < in.size(); ++i) {
        const T inclusive = combine(before, in[i], op);
        const T expected = form == Form::inclusive ? inclusive : value_or_identity(before, op);
        if (!same(out[i], expected)) return static_cast<long long>(i);
        before = {inclusive, true};
    }
    return -1;
}

/// run(problem) runs the scan under test.
template <class T, class Op, class Run>
void expect_result(const Asked& asked, Run run) {
    std::mt19937 random(asked.seed);
    std::vector<T> values(asked.n);
    for (T& value : values) value = Maker<T>::make(random);
    const Prefix<T> seed = {Maker<T>::make(random), asked.seeded};
    PlacedVector<T> in(values, asked.in_offset);
    PlacedVector<T> out = asked.in_place ? PlacedVector<T>(values, asked.out_offset)
                                         : PlacedVector<T>(asked.n, asked.out_offset);

    schedule(asked);
    try {
        run(ScanProblem<T>{asked.in_place ? out.data() : in.data(), out.data(), asked.n, seed});
    } catch (const simt::Fault& fault) {
        FAIL() << fault.what() << "; " << asked;
    }
    ASSERT_EQ(first_difference<Op>(out.read(), values, asked.form, seed), -1) << asked;
    ASSERT_TRUE(in.is_alone()) << asked;
    ASSERT_TRUE(out.is_alone()) << asked;
}

/// As expect_result; also, the workspace must be ready for the next call. uses_it: whether this call uses it.
template <class T, class Op, class Run>
void expect_scan(const Asked& asked, TrialWorkspace& workspace, bool uses_it, Run run) {
    const unsigned version = workspace.version();
    expect_result<T, Op>(asked, run);
    ASSERT_EQ(workspace.version(), version + (uses_it ? 1 : 0)) << asked;
    ASSERT_EQ(workspace.tickets(), 0u) << asked;
    ASSERT_FALSE(workspace.have_overlapped()) << asked;
}

/// The bit patterns of a scan of `n` random floats by run(problem).
template <class Run>
std::vector<std::uint32_t> float_bits(int n, const Asked& asked, Run run) {
    PlacedVector<float> from(random_vector<float>(n, 1), 4), out(n, 0);
    schedule(asked);
    run(ScanProblem<float>{from.data(), out.data(), n, {0, false}});
    const std::vector<float> sums = out.read();
    std::vector<std::uint32_t> bits(n);
    std::memcpy(bits.data(), sums.data(), n * sizeof(float));
    return bits;
}
