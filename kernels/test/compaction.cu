// Stream compaction by scan and by atomic cursor, for any predicate, length and element type.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>

#include "kernels/predicates.cuh"
#include "kernels/test/device_vector.h"
#include "kernels/test/machine.h"
#include "kernels/test/owned.h"
#include "kernels/textbook/device/compact.cuh"
#include "kernels/textbook/device/compact_atomic.cuh"
#include "kernels/textbook/device/compact_by_mask.cuh"

using namespace trial;

namespace {

/// Two numbers, 16 bytes.
struct Pair {
    double key;
    long long place;
};
bool operator==(const Pair& a, const Pair& b) { return a.key == b.key && a.place == b.place; }
bool operator<(const Pair& a, const Pair& b) { return a.place < b.place; }

enum class Values { scattered, counting };

/// Elements of at least 4 bytes are all distinct, so that a wrong order is detected.
template <class T>
std::vector<T> vector_of(std::size_t n, Values kind) {
    std::vector<T> values(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto number = kind == Values::counting ? i : i * 2654435761u % (1u << 23);
        if constexpr (std::is_same_v<T, Pair>)
            values[i] = {double(number), static_cast<long long>(i)};
        else
            values[i] = T(number);
    }
    return values;
}

/// half, rare: about one half, about one in 1,000, without a pattern; most warps select nothing then. odd:
/// every other element of an ascending vector.
struct Keep {
    enum Which { none, all, half, odd, rare } which;

    template <class T>
    __host__ __device__ bool operator()(T value) const {
        const unsigned long long hash = bits(value) * 0x9e3779b97f4a7c15ull >> 40;
        switch (which) {
            case none: return false;
            case all: return true;
            case half: return hash % 2 == 0;
            case odd: return bits(value) % 2 == 1;
            default: return hash % 1000 == 0;
        }
    }

   private:
    template <class T>
    __host__ __device__ static unsigned long long bits(T value) {
        return static_cast<unsigned long long>(static_cast<long long>(value));
    }
    __host__ __device__ static unsigned long long bits(Pair value) { return bits(value.place); }
};

constexpr std::size_t LENGTHS[] = {0, 1, 2, 31, 32, 33, 255, 256, 257, 2047, 2048, 2049, 4096, 5000, 20'011};
constexpr std::size_t LONGEST = 20'011;

template <class T>
using Compact = std::function<void(const T* in, T* out, long long* selected, long long n)>;

/// compact for every length, twice. It must write the elements that satisfy keep and nothing after them, in
/// their input order, or in any order if `sorted`.
template <class T>
void expect_selected(const Compact<T>& compact, Keep keep, bool sorted) {
    const Values kind = keep.which == Keep::odd ? Values::counting : Values::scattered;
    for (const std::size_t n : LENGTHS) {
        const auto values = vector_of<T>(n, kind);
        std::vector<T> expected;
        std::copy_if(values.begin(), values.end(), std::back_inserter(expected), keep);
        if (sorted) std::sort(expected.begin(), expected.end());
        DeviceVector<T> in(values, n % 3);
        for (int call = 0; call < 2; ++call) {
            DeviceVector<T> out(expected.size(), n % 5);  // no room beyond the selected
            DeviceVector<long long> selected(1);
            if (!expected.empty()) out.poison();
            selected.poison();
            compact(in.data(), out.data(), selected.data(), static_cast<long long>(n));
            ASSERT_EQ(cudaGetLastError(), cudaSuccess);
            ASSERT_EQ(selected.read()[0], static_cast<long long>(expected.size())) << "n " << n;
            auto found = out.read();
            if (sorted) std::sort(found.begin(), found.end());
            ASSERT_TRUE(found == expected) << "n " << n << ", call " << call;
        }
        ASSERT_TRUE(in.read() == values);
    }
}

/// An object of Work serves all calls, and keeps the order.
template <class Work, class T>
void expect_in_order(std::initializer_list<Keep::Which> kept) {
    Work compact(LONGEST);
    ASSERT_EQ(compact.status(), cudaSuccess);
    for (const Keep::Which which : kept)
        expect_selected<T>([&](const T* in, T* out, long long* selected,
                               long long n) { compact(in, out, selected, n, Keep{which}, nullptr); },
                           Keep{which}, false);
}
constexpr auto EVERY = {Keep::none, Keep::all, Keep::half, Keep::odd, Keep::rare};

template <class T, int ITEMS_PER_THREAD = 8, int THREADS = 256>
void by_scan(std::initializer_list<Keep::Which> kept = {Keep::half}) {
    expect_in_order<Compaction<T, Keep, ITEMS_PER_THREAD, THREADS>, T>(kept);
}

template <class T, class Policy = DefaultLookAhead<T>>
void by_look_ahead(std::initializer_list<Keep::Which> kept = {Keep::half, Keep::all}) {
    expect_in_order<LookAheadCompaction<T, Keep, Policy>, T>(kept);
}

template <AggregatedBy AGGREGATED_BY, class T, int ITEMS_PER_THREAD = 8, int THREADS = 256>
void by_cursor(std::initializer_list<Keep::Which> kept = {Keep::half}) {
    for (const Keep::Which which : kept)
        expect_selected<T>(
            [=](const T* in, T* out, long long* selected, long long n) {
                compact_atomic<AGGREGATED_BY, ITEMS_PER_THREAD, THREADS>(in, out, selected, n, Keep{which},
                                                                         nullptr);
            },
            Keep{which}, true);
}

TEST(Compaction, EveryPredicate) { by_scan<int>(EVERY); }

TEST(Compaction, EveryElementSize) {
    by_scan<std::int8_t>();
    by_scan<std::int16_t>();
    by_scan<double>();
    by_scan<Pair>();
}

TEST(Compaction, EveryShape) {
    by_scan<int, 1, 32>();
    by_scan<int, 3, 64>();
    by_scan<int, 4, 1024>();
}

/// More tile counts than one tile of the scan holds.
TEST(Compaction, ManyTiles) {
    constexpr int n = 1024 * 32 + 333;
    Compaction<int, Keep, 1, 32> compact(n);
    const auto values = vector_of<int>(n, Values::scattered);
    std::vector<int> expected;
    std::copy_if(values.begin(), values.end(), std::back_inserter(expected), Keep{Keep::half});
    DeviceVector<int> in(values), out(expected.size());
    DeviceVector<long long> selected(1);
    compact(in.data(), out.data(), selected.data(), n, Keep{Keep::half}, nullptr);
    EXPECT_EQ(selected.read()[0], static_cast<long long>(expected.size()));
    EXPECT_EQ(out.read(), expected);
}

TEST(Compaction, WorkedExample) {
    DeviceVector<float> in({1, -8, 0, 3, 5, 2, -1, -9}), out(4);
    DeviceVector<long long> selected(1);
    Compaction<float, Below<float>> compact(8);
    compact(in.data(), out.data(), selected.data(), 8, Below<float>{0.5f}, nullptr);
    EXPECT_EQ(selected.read()[0], 4);
    EXPECT_EQ(out.read(), (std::vector<float>{-8, 0, -1, -9}));
}

TEST(MaskCompaction, EveryPredicateAndElementSize) {
    expect_in_order<MaskCompaction<int, Keep>, int>(EVERY);
    expect_in_order<MaskCompaction<std::int8_t, Keep>, std::int8_t>({Keep::half});
    expect_in_order<MaskCompaction<Pair, Keep>, Pair>({Keep::half});
}

TEST(LookAheadCompaction, EveryPredicate) { by_look_ahead<int, LookAheadPolicy<64, 2, 3, 1, 2>>(EVERY); }

TEST(LookAheadCompaction, EveryElementSize) {
    using Small = LookAheadPolicy<64, 3, 3, 1, 1>;
    by_look_ahead<std::int8_t, Small>();
    by_look_ahead<double, Small>();
    by_look_ahead<std::int16_t>();
    by_look_ahead<Pair>();
}

TEST(LookAheadCompaction, EveryShape) {
    by_look_ahead<int, LookAheadPolicy<32, 1, 1, 1, 1>>();
    by_look_ahead<int, LookAheadPolicy<96, 5, 2, 1, 1>>();
    by_look_ahead<int, LookAheadPolicy<1024, 2, 2, 1, 1>>();
}

/// Element sizes that do not divide 16, and addresses that are not word-aligned.
template <int BYTES>
struct Text {
    unsigned char byte[BYTES];
};
struct FirstByteOdd {
    template <class T>
    __host__ __device__ bool operator()(T value) const {
        return value.byte[0] % 2 == 1;
    }
};
/// compact(in, out, selected, n) of elements of so many bytes.
using CompactTexts = std::function<void(const void*, void*, long long*, long long)>;
void expect_texts(std::size_t element_bytes, const CompactTexts& compact) {
    constexpr std::size_t N = 5003;
    SCOPED_TRACE(element_bytes);
    std::vector<unsigned char> bytes(N * element_bytes + 1);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = i * 2654435761u >> 20;
    DeviceVector<unsigned char> in(bytes);
    for (const std::size_t begin : {std::size_t(0), std::size_t(1), element_bytes}) {
        const std::size_t n = begin == element_bytes ? N - 1 : N;
        std::vector<unsigned char> expected;
        for (std::size_t i = begin; i < begin + n * element_bytes; i += element_bytes)
            if (bytes[i] % 2 == 1) expected.insert(expected.end(), &bytes[i], &bytes[i] + element_bytes);
        DeviceVector<unsigned char> out(expected.size());
        DeviceVector<long long> selected(1);
        compact(in.data() + begin, out.data(), selected.data(), static_cast<long long>(n));
        ASSERT_EQ(selected.read()[0], static_cast<long long>(expected.size() / element_bytes));
        EXPECT_EQ(out.read(), expected) << begin;
    }
}
template <int BYTES>
void texts_by_look_ahead() {
    using Element = Text<BYTES>;
    expect_texts(BYTES, [](const void* in, void* out, long long* selected, long long n) {
        LookAheadCompaction<Element, FirstByteOdd> compact(n);
        compact(static_cast<const Element*>(in), static_cast<Element*>(out), selected, n, FirstByteOdd{},
                nullptr);
    });
}
TEST(LookAheadCompaction, EverySizeAndAddress) {
    texts_by_look_ahead<3>();
    texts_by_look_ahead<4>();
    texts_by_look_ahead<16>();
}

/// Blocks that wait for one another: more of them than a warp looks ahead at, some without a tile.
TEST(LookAheadCompaction, InAnyOrder) {
    constexpr int n = 128 * 100 + 5;
    LookAheadCompaction<int, Keep, LookAheadPolicy<32, 1, 70, 1, 3>> compact(n);
    const auto values = vector_of<int>(n, Values::scattered);
    std::vector<int> expected;
    std::copy_if(values.begin(), values.end(), std::back_inserter(expected), Keep{Keep::half});
    DeviceVector<int> in(values);
    machine::in_orders(100, [&] {
        DeviceVector<int> out(expected.size());
        DeviceVector<long long> selected(1);
        compact(in.data(), out.data(), selected.data(), n, Keep{Keep::half}, nullptr);
        EXPECT_EQ(selected.read()[0], static_cast<long long>(expected.size()));
        EXPECT_TRUE(out.read() == expected);
    });
}

template <AggregatedBy AGGREGATED_BY>
void every_predicate_and_element() {
    by_cursor<AGGREGATED_BY, int>(EVERY);
    by_cursor<AGGREGATED_BY, Pair>();
    by_cursor<AGGREGATED_BY, std::int8_t, 1, 32>();
    by_cursor<AGGREGATED_BY, double, 3, 64>();
}
TEST(AtomicCompaction, DrawnByThread) { every_predicate_and_element<AggregatedBy::thread>(); }
TEST(AtomicCompaction, DrawnByWarp) { every_predicate_and_element<AggregatedBy::warp>(); }
TEST(AtomicCompaction, DrawnByBlock) { every_predicate_and_element<AggregatedBy::block>(); }

}  // namespace
