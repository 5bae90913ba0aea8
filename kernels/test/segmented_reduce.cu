// Totals of segments by kernels/fast, where their lengths decide what is done: around the limit of a piece,
// many tiles, few elements, none.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/fast/all.cuh"
#include "kernels/test/trial.h"

using namespace trial;

namespace {

/// An affine map modulo 2^16 in 4 bytes. Vectors of it are read in words of four.
struct Packed {
    unsigned map;
};
struct ComposePacked {
    __host__ __device__ Packed operator()(Packed left, Packed right) const {
        const unsigned a = right.map >> 16, b = right.map & 0xffff;
        return {a * (left.map >> 16) << 16 | ((a * (left.map & 0xffff) + b) & 0xffff)};
    }
    __host__ __device__ static Packed identity() { return {1u << 16}; }
};
using ::same;
bool same(Packed a, Packed b) { return a.map == b.map; }

}  // namespace
template <>
struct Maker<Packed> {
    static Packed make(std::mt19937& random) { return {static_cast<unsigned>(random()) | 1u << 16}; }
};
namespace {

/// Tiles of 256 elements of 4 bytes.
using Tiny = PassPolicy<64, 2, 16, 16>;

/// The totals of segments, twice on one workspace. late: elements between a word of 16 bytes and the first.
template <class Policy, class T = Affine<unsigned>, class Op = ComposeAffine<unsigned>>
void expect_totals(const std::vector<long long>& offsets, bool seeded, std::mt19937& random,
                   std::size_t late = 0) {
    const Op op;
    const long long n = offsets.back(), segments = static_cast<long long>(offsets.size()) - 1;
    std::vector<T> values, expected;
    for (long long i = 0; i < n; ++i) values.push_back(Maker<T>::make(random));
    const T seed = Maker<T>::make(random);
    for (long long s = 0; s < segments; ++s) {
        T total = seeded ? seed : Op::identity();
        for (long long i = offsets[s]; i < offsets[s + 1]; ++i)
            total = i == offsets[s] && !seeded ? values[i] : op(total, values[i]);
        expected.push_back(total);
    }
    DeviceVector<T> in(values, late);  // ends where its memory ends
    PlacedVector<T> out(segments, 0);
    DeviceVector<long long> on_device(offsets);
    const Workspace workspace(bytes_needed<T>(20 * n), nullptr);
    const T* const from = in.data();
    for (int k = 0; k < 2; ++k) {
        const cudaError_t status =
            seeded ? segmented_reduce<Policy>(workspace, from, out.data(), n, on_device.data(), segments, op,
                                              seed, nullptr)
                   : segmented_reduce<Policy>(workspace, from, out.data(), n, on_device.data(), segments, op,
                                              nullptr);
        ASSERT_EQ(status, cudaSuccess);
    }
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    ASSERT_EQ(workspace.status(), cudaSuccess);
    const std::vector<T> found = out.read();
    for (long long s = 0; s < segments; ++s) ASSERT_TRUE(same(found[s], expected[s])) << "segment " << s;
    ASSERT_TRUE(out.is_alone());
}

/// So many tiles that no one waits, in segments of one element to half the vector, some empty.
TEST(ManyTiles, SegmentedReduce) {
    for (const unsigned longest : {3, 500, 200'000}) {
        std::mt19937 random(longest);
        const long long n = 2100 * 128 + static_cast<long long>(random() % 200);
        std::vector<long long> offsets = {0};
        while (offsets.back() < n)
            offsets.push_back(std::min(n, offsets.back() + static_cast<long long>(random() % longest)));
        expect_totals<Tiny>(offsets, longest == 500, random);
    }
}

/// Segments as long as the limit and one longer, that begin at a piece or within one, of more than 32 pieces,
/// and empty ones; by a warp a segment, with the pieces first and last, and by blocks of both sizes, as the
/// mean length decides: segments of up to 2 elements are added until it is reached.
TEST(Pieces, SegmentedReduce) {
    struct Case {
        long long piece, limit, mean;
    };
    for (const auto [piece, limit, mean] :
         {Case{4096, 4096, 60}, Case{4096, 4096, 250}, Case{4096, 8192, 520}, Case{8192, 32'768, 5000}}) {
        std::mt19937 random(static_cast<unsigned>(mean));
        std::vector<long long> offsets = {0};
        const auto add = [&](long long length) { offsets.push_back(offsets.back() + length); };
        for (const long long length : {limit, limit + 1, 0LL, limit - 1, 2 * limit, 0LL, limit + 1, 3LL})
            add(length);
        add(35 * piece + 7);
        add(2 * limit);
        add(piece - offsets.back() % piece);  // to the end of a piece
        add(40 * piece);                      // whole pieces
        add(33 * piece);                      // the last one waits for 32
        add(limit + 2);
        add(limit + piece / 2);  // ends, in half a piece, where a long one begins
        add(2 * limit);
        while (offsets.back() > mean * static_cast<long long>(offsets.size() - 1)) add(random() % 3);
        add(piece / 2);
        machine::in_orders(3, [&] { expect_totals<void>(offsets, mean == 250, random); });
        for (const int late : {0, 1, 3})
            expect_totals<void, Packed, ComposePacked>(offsets, mean == 5000, random, late);
        for (const int late : {0, 1})
            expect_totals<void, std::int64_t, Sum<std::int64_t>>(offsets, mean == 60, random, late);
    }
}

/// So many elements that pieces are longer, on a GPU of 132 multiprocessors: 8,192 instead of 4,096.
TEST(LongPieces, SegmentedReduce) {
    std::mt19937 random(1);
    std::vector<long long> offsets = {0};
    while (offsets.back() < 8 * 132 * 4096) offsets.push_back(offsets.back() + random() % 1300);
    for (const int length : {8192, 8193, 100'000}) offsets.push_back(offsets.back() + length);
    expect_totals<void, std::int8_t, Sum<std::int8_t>>(offsets, false, random);
}

/// Segments of a few elements to a few words, from every place of a word on.
TEST(Words, SegmentedReduce) {
    for (const int length : {1, 2, 3, 4, 5, 7, 8, 9, 31, 33, 130, 259, 512, 516}) {
        std::mt19937 random(static_cast<unsigned>(length));
        std::vector<long long> offsets = {0};
        for (int k = 0; k < 9; ++k) offsets.push_back(offsets.back() + length);
        for (const int late : {0, 1, 2, 3})
            expect_totals<void, Packed, ComposePacked>(offsets, length % 2 == 0, random, late);
        for (const int late : {0, 1})
            expect_totals<void, std::int64_t, Sum<std::int64_t>>(offsets, length % 2 == 0, random, late);
        for (const int late : {0, 1, 7, 8, 15})
            expect_totals<void, std::int8_t, Sum<std::int8_t>>(offsets, length % 2 == 0, random, late);
    }
}

/// found[value]: -1 if a guess so far off leads elsewhere.
__global__ void lower_bounds(const long long* offsets, long long count, long long* found, int values) {
    for (int value = 0; value < values; ++value) {
        long long at = lower_bound_by_warp(offsets, 0, count, value);
        for (const int off : {-1000, -17, -16, -15, 0, 15, 16, 17, 1000})
            if (lower_bound_near(offsets, count, value, at + off) != at) at = -1;
        if (threadIdx.x == 0) found[value] = at;
    }
}

/// The segment in which a tile begins, for any number of segments: a step of 32 probes leaves 33 parts.
TEST(LowerBound, OfAnyNumberOfOffsets) {
    for (const long long count : {1, 2, 31, 32, 33, 34, 66, 1000, 1089, 1090}) {
        std::vector<long long> offsets;
        for (long long i = 0; i < count; ++i) offsets.push_back(i / 2 * 3);
        const int values = static_cast<int>(offsets.back()) + 2;
        PlacedVector<long long> out(values, 0);
        DeviceVector<long long> on_device(offsets);
        lower_bounds<<<1, 32>>>(on_device.data(), count, out.data(), values);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        const std::vector<long long> found = out.read();
        for (int value = 0; value < values; ++value)
            ASSERT_EQ(found[value], std::lower_bound(offsets.begin(), offsets.end(), value) - offsets.begin())
                << count << " offsets, value " << value;
    }
}

/// Segments of no elements at all have the operator's identity for a total.
TEST(NoElements, SegmentsOfThem) {
    using T = Affine<unsigned>;
    for (const long long segments : {1, 1000}) {
        PlacedVector<T> in(1, 0), out(segments, 0);
        DeviceVector<long long> on_device(std::vector<long long>(segments + 1, 0));
        const Workspace workspace(bytes_needed<T>(1), nullptr);
        const T* const from = in.data();
        ASSERT_EQ(segmented_reduce(workspace, from, out.data(), 0, on_device.data(), segments,
                                   ComposeAffine<unsigned>{}, nullptr),
                  cudaSuccess);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        for (const T& each : out.read()) ASSERT_TRUE(same(each, ComposeAffine<unsigned>::identity()));
        ASSERT_TRUE(out.is_alone());
    }
}

}  // namespace
