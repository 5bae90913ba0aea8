// Scans and compactions of vectors drawn from seeds, with their addresses, in orders of blocks drawn from
// them.
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

#include "kernels/fast/detail/ring.cuh"
#include "kernels/fast/detail/scan_problem.cuh"
#include "kernels/launch.cuh"
#include "kernels/test/bytes.h"
#include "kernels/test/device_vector.h"
#include "kernels/test/machine.h"
#include "kernels/versioned_words.cuh"

using namespace trial;

/// Parameters of a trial. seed: of its elements and of its order. Offsets of the vectors, in bytes, from a
/// multiple of 256; an in-place scan uses `out_offset`. blocks: of the ring; one wave has one per tile.
struct Asked {
    unsigned seed;
    long long n;
    bool seeded, in_place;
    int in_offset, out_offset;
    unsigned blocks;

    friend std::ostream& operator<<(std::ostream& to, const Asked& a) {
        return to << "seed " << a.seed << " n " << a.n << (a.seeded ? " seeded" : "")
                  << (a.in_place ? " in place" : "") << " at " << a.in_offset << ", " << a.out_offset
                  << " blocks " << a.blocks;
    }
};

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
    Asked asked = {seed, 0, false, false, 0, 0, 0};
    switch (random() % 4) {
        case 0: asked.n = 1 + up_to(100); break;
        case 1: asked.n = 1 + up_to(3 * tile); break;
        case 2: asked.n = std::max(1LL, (1 + up_to(4)) * tile + 1 - up_to(17)); break;
        default: asked.n = 1 + up_to(most * tile - 1); break;
    }
    asked.seeded = random() % 2 == 0;
    asked.in_place = random() % 3 == 0;
    asked.in_offset = random() % 2 == 0 ? 0 : align * static_cast<int>(up_to(15));
    const bool alike = asked.in_place || random() % 2 == 0;
    asked.out_offset = alike ? asked.in_offset : static_cast<int>(alignof(T) * up_to(15));
    asked.blocks = 1 + static_cast<unsigned>(up_to(3));
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
        const T inclusive = before.exists ? op(before.value, in[i]) : in[i];
        const T exclusive = before.exists ? before.value : Op::identity();
        const T expected = form == Form::inclusive ? inclusive : exclusive;
        if (!same(out[i], expected)) return static_cast<long long>(i);
        before = {inclusive, true};
    }
    return -1;
}

/// run(problem) runs the scan under test.
template <class T, class Op, class Run>
void expect_scan(const Asked& asked, Form form, Run run) {
    std::mt19937 random(asked.seed);
    std::vector<T> values(asked.n);
    for (T& value : values) value = Maker<T>::make(random);
    const Prefix<T> seed = {Maker<T>::make(random), asked.seeded};
    PlacedVector<T> in(values, asked.in_offset);
    PlacedVector<T> out = asked.in_place ? PlacedVector<T>(values, asked.out_offset)
                                         : PlacedVector<T>(asked.n, asked.out_offset);
    machine::in_order(asked.seed, [&] {
        run(ScanProblem<T>{asked.in_place ? out.data() : in.data(), out.data(), asked.n, seed});
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    });
    ASSERT_EQ(first_difference<Op>(out.read(), values, form, seed), -1) << asked;
    ASSERT_TRUE(in.is_alone()) << asked;
    ASSERT_TRUE(out.is_alone()) << asked;
}

/// run(asked), after which the workspace must be ready for the next call. uses_it: whether this call uses it.
template <class Run>
void expect_ready(const Asked& asked, const TrialWorkspace& workspace, bool uses_it, Run run) {
    const unsigned version = workspace.version();
    run(asked);
    ASSERT_EQ(workspace.version(), version + (uses_it ? 1 : 0)) << asked;
    ASSERT_EQ(workspace.tickets(), 0u) << asked;
    ASSERT_FALSE(workspace.have_overlapped()) << asked;
}

/// The bit patterns of a scan of `n` random floats by run(problem).
template <class Run>
std::vector<std::uint32_t> float_bits(int n, std::uint64_t seed, Run run) {
    PlacedVector<float> from(random_vector<float>(n, 1), 4), out(n, 0);
    machine::in_order(seed, [&] { run(ScanProblem<float>{from.data(), out.data(), n, {0, false}}); });
    const std::vector<float> sums = out.read();
    std::vector<std::uint32_t> bits(n);
    std::memcpy(bits.data(), sums.data(), n * sizeof(float));
    return bits;
}

/// Trials of expect(asked, workspace) on vectors of up to MOST tiles. Case: T, its element; Tiles; ALIGN, of
/// the input, in bytes. They share one workspace, whose versions wrap around half-way.
template <class Case, int MOST, class Expect>
void expect_draws(unsigned draws, Expect expect) {
    const unsigned version = 0u - draws / 2;
    TrialWorkspace workspace(MOST + 1, version, version);
    for (unsigned k = 0; k < draws && !testing::Test::HasFatalFailure(); ++k)
        expect(draw<typename Case::T>(first_seed() + k, Case::Tiles::TILE, MOST, Case::ALIGN), workspace);
}

/// A vector of so many tiles, short of one element.
template <class Case, class Expect>
void expect_tiles(int tiles, Expect expect) {
    TrialWorkspace workspace(static_cast<unsigned>(tiles) + 1);
    Asked asked = draw<typename Case::T>(first_seed() + 100, Case::Tiles::TILE, 1, Case::ALIGN);
    asked.n = tiles * Case::Tiles::TILE - 1;
    expect(asked, workspace);
}

/// Launch a ring's kernel with these arguments after the problem, on at most most_blocks blocks.
template <class Tiles, class Stages, class Kernel, class Problem, class... Arguments>
void launch_ring(Kernel kernel, unsigned most_blocks, const Problem& problem, Arguments... arguments) {
    const auto tiles = static_cast<unsigned>(Tiles(problem.in, problem.n).count());
    ASSERT_EQ(launch_with_shared_memory(kernel, std::min(most_blocks, tiles), ring_threads<Tiles>(),
                                        sizeof(Stages), nullptr, problem, arguments...),
              cudaSuccess);
}
