// Stream compaction by scan and by atomic cursor, for any predicate, length and element type.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>

#include "kernels/fast/detail/compact_look_ahead.cuh"
#include "kernels/predicates.cuh"
#include "kernels/textbook/device/compact.cuh"
#include "kernels/textbook/device/compact_atomic.cuh"
#include "kernels/textbook/device/compact_by_mask.cuh"
#include "tests/device_vector.h"

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

struct None {
    template <class T>
    __host__ __device__ bool operator()(T) const {
        return false;
    }
};
struct All {
    template <class T>
    __host__ __device__ bool operator()(T) const {
        return true;
    }
};
/// About one half, without a pattern.
struct Half {
    template <class T>
    __host__ __device__ bool operator()(T value) const {
        return (bits(value) * 0x9e3779b97f4a7c15ull >> 40) % 2 == 0;
    }
    template <class T>
    __host__ __device__ static unsigned long long bits(T value) {
        return static_cast<unsigned long long>(static_cast<long long>(value));
    }
    __host__ __device__ static unsigned long long bits(Pair value) { return bits(value.place); }
};
/// Every other element of an ascending vector.
struct Odd {
    template <class T>
    __host__ __device__ bool operator()(T value) const {
        return Half::bits(value) % 2 == 1;
    }
};
/// About one in 1,000: most warps select nothing.
struct Rare {
    template <class T>
    __host__ __device__ bool operator()(T value) const {
        return (Half::bits(value) * 0x9e3779b97f4a7c15ull >> 40) % 1000 == 0;
    }
};

constexpr std::size_t LENGTHS[] = {0, 1, 2, 31, 32, 33, 255, 256, 257, 2047, 2048, 2049, 4096, 5000, 20'011};
constexpr std::size_t LONGEST = 20'011;

template <class T>
using Compact = std::function<void(const T* in, T* out, long long* selected, long long n)>;

/// compact for every length, twice. It must write the elements that satisfy keep and nothing after them, in
/// their input order, or in any order if `sorted`.
template <class T>
void expect_selected(const Compact<T>& compact, bool (*keep)(T), bool sorted, Values kind) {
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

template <class T, class Predicate>
bool keeps(T value) {
    return Predicate{}(value);
}

/// An object of Work serves all calls, and keeps the order.
template <class Work, class T, class Predicate>
void expect_in_order(Values kind) {
    Work compact(LONGEST);
    ASSERT_EQ(compact.status(), cudaSuccess);
    expect_selected<T>([&](const T* in, T* out, long long* selected,
                           long long n) { compact(in, out, selected, n, Predicate{}, nullptr); },
                       keeps<T, Predicate>, false, kind);
}

template <class T, class Predicate, int ITEMS_PER_THREAD = 8, int THREADS = 256>
void by_scan(Values kind = Values::scattered) {
    expect_in_order<Compaction<T, Predicate, ITEMS_PER_THREAD, THREADS>, T, Predicate>(kind);
}

template <class T, class Predicate>
void by_mask() {
    expect_in_order<MaskCompaction<T, Predicate>, T, Predicate>(Values::scattered);
}

template <class T, class Predicate, class Policy = DefaultLookAhead<T>>
void by_look_ahead(Values kind = Values::scattered) {
    expect_in_order<LookAheadCompaction<T, Predicate, Policy>, T, Predicate>(kind);
}

template <AggregatedBy AGGREGATED_BY, class T, class Predicate, int ITEMS_PER_THREAD = 8, int THREADS = 256>
void by_cursor(Values kind = Values::scattered) {
    expect_selected<T>(
        [](const T* in, T* out, long long* selected, long long n) {
            compact_atomic<AGGREGATED_BY, ITEMS_PER_THREAD, THREADS>(in, out, selected, n, Predicate{},
                                                                     nullptr);
        },
        keeps<T, Predicate>, true, kind);
}

TEST(Compaction, EveryPredicate) {
    by_scan<int, None>();
    by_scan<int, All>();
    by_scan<int, Half>();
    by_scan<int, Rare>();
    by_scan<int, Odd>(Values::counting);
}

TEST(Compaction, EveryElement) {
    by_scan<std::int8_t, Half>();
    by_scan<std::int16_t, Half>();
    by_scan<std::int64_t, Half>();
    by_scan<float, Half>();
    by_scan<double, Half>();
    by_scan<Pair, Half>();
}

TEST(Compaction, EveryShape) {
    by_scan<int, Half, 1, 32>();
    by_scan<int, Half, 3, 64>();
    by_scan<int, Half, 4, 1024>();
}

/// More tile counts than one tile of the scan holds.
TEST(Compaction, ManyTiles) {
    constexpr int n = 1024 * 32 + 333;
    Compaction<int, Half, 1, 32> compact(n);
    const auto values = vector_of<int>(n, Values::scattered);
    std::vector<int> expected;
    std::copy_if(values.begin(), values.end(), std::back_inserter(expected), Half{});
    DeviceVector<int> in(values), out(expected.size());
    DeviceVector<long long> selected(1);
    compact(in.data(), out.data(), selected.data(), n, Half{}, nullptr);
    EXPECT_EQ(selected.read()[0], static_cast<long long>(expected.size()));
    EXPECT_EQ(out.read(), expected);
}

struct Positive {
    __host__ __device__ bool operator()(int value) const { return value > 0; }
};
TEST(Compaction, WorkedExample) {
    DeviceVector<int> in({1, -8, 0, 3, 5, 2, -1, -9}), out(4);
    DeviceVector<long long> selected(1);
    Compaction<int, Positive> compact(8);
    compact(in.data(), out.data(), selected.data(), 8, Positive{}, nullptr);
    EXPECT_EQ(selected.read()[0], 4);
    EXPECT_EQ(out.read(), (std::vector<int>{1, 3, 5, 2}));
}

/// A predicate that carries a value.
TEST(Compaction, BelowALimit) {
    std::vector<float> values(3000), expected;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i * 7919 % 1000) / 1000;
    std::copy_if(values.begin(), values.end(), std::back_inserter(expected), Below<float>{0.1f});
    DeviceVector<float> in(values), out(expected.size());
    DeviceVector<long long> selected(1);
    Compaction<float, Below<float>> compact(values.size());
    compact(in.data(), out.data(), selected.data(), values.size(), Below<float>{0.1f}, nullptr);
    EXPECT_EQ(selected.read()[0], 300);
    EXPECT_EQ(out.read(), expected);
}

TEST(MaskCompaction, EveryPredicateAndElement) {
    by_mask<int, None>();
    by_mask<int, All>();
    by_mask<int, Rare>();
    by_mask<std::int8_t, Half>();
    by_mask<double, Half>();
    by_mask<Pair, Half>();
}

TEST(LookAheadCompaction, EveryPredicate) {
    using Small = LookAheadPolicy<64, 2, 3, 1, 2>;
    by_look_ahead<int, None, Small>();
    by_look_ahead<int, All, Small>();
    by_look_ahead<int, Half, Small>();
    by_look_ahead<int, Rare, Small>();
    by_look_ahead<int, Odd, Small>(Values::counting);
    by_look_ahead<int, Half>();
    by_look_ahead<int, All>();
}

TEST(LookAheadCompaction, EveryElement) {
    using Small = LookAheadPolicy<64, 3, 3, 1, 1>;
    by_look_ahead<std::int8_t, Half, Small>();
    by_look_ahead<std::int8_t, All, Small>();
    by_look_ahead<std::int16_t, Half, Small>();
    by_look_ahead<std::int16_t, All, Small>();
    by_look_ahead<std::int64_t, Half, Small>();
    by_look_ahead<float, Half, Small>();
    by_look_ahead<double, All, Small>();
    by_look_ahead<Pair, Half, Small>();
    by_look_ahead<Pair, All, Small>();
    by_look_ahead<std::int8_t, Half>();
    by_look_ahead<std::int16_t, Half>();
    by_look_ahead<Pair, Half>();
}

TEST(LookAheadCompaction, EveryShape) {
    by_look_ahead<int, Half, LookAheadPolicy<32, 1, 1, 1, 1>>();
    by_look_ahead<int, Half, LookAheadPolicy<32, 1, 70, 1, 3>>();
    by_look_ahead<int, Half, LookAheadPolicy<96, 5, 2, 1, 1>>();
    by_look_ahead<int, Half, LookAheadPolicy<1024, 2, 2, 1, 1>>();
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
    texts_by_look_ahead<1>();
    texts_by_look_ahead<2>();
    texts_by_look_ahead<3>();
    texts_by_look_ahead<4>();
    texts_by_look_ahead<5>();
    texts_by_look_ahead<8>();
    texts_by_look_ahead<12>();
    texts_by_look_ahead<13>();
    texts_by_look_ahead<15>();
    texts_by_look_ahead<16>();
}

template <AggregatedBy AGGREGATED_BY>
void every_predicate_and_element() {
    by_cursor<AGGREGATED_BY, int, None>();
    by_cursor<AGGREGATED_BY, int, All>();
    by_cursor<AGGREGATED_BY, int, Half>();
    by_cursor<AGGREGATED_BY, int, Rare>();
    by_cursor<AGGREGATED_BY, int, Odd>(Values::counting);
    by_cursor<AGGREGATED_BY, std::int8_t, Half>();
    by_cursor<AGGREGATED_BY, double, Half>();
    by_cursor<AGGREGATED_BY, Pair, Half>();
    by_cursor<AGGREGATED_BY, int, Half, 1, 32>();
    by_cursor<AGGREGATED_BY, int, Half, 3, 64>();
}
TEST(AtomicCompaction, DrawnByThread) { every_predicate_and_element<AggregatedBy::thread>(); }
TEST(AtomicCompaction, DrawnByWarp) { every_predicate_and_element<AggregatedBy::warp>(); }
TEST(AtomicCompaction, DrawnByBlock) { every_predicate_and_element<AggregatedBy::block>(); }

}  // namespace
