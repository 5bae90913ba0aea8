// The radix sort, for every digit width, key and payload and any length, checked against std::stable_sort.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include "kernels/textbook/device/radix_sort.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

#include "kernels/test/device_vector.h"

using namespace trial;

namespace {

/// 16 bytes, with the element's original index.
struct Record {
    double weight;
    long long place;
};
bool operator==(const Record& a, const Record& b) { return a.weight == b.weight && a.place == b.place; }

template <class Payload>
Payload payload(std::size_t i) {
    if constexpr (std::is_same_v<Payload, Record>)
        return {double(i) / 3, static_cast<long long>(i)};
    else
        return Payload(i);
}

enum class Keys { random, few, equal, ascending, descending, top_bits };

template <class Key>
std::vector<Key> keys_of(std::size_t n, Keys kind) {
    std::mt19937_64 random(n + 5);
    std::vector<Key> keys(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t bits = kind == Keys::top_bits ? random() % 4 << (8 * sizeof(Key) - 2) : random();
        if (kind == Keys::random || kind == Keys::top_bits)
            std::memcpy(&keys[i], &bits, sizeof(Key));  // of floats too, with infinities and subnormals
        else
            keys[i] = kind == Keys::few ? Key(int(bits % 5) - (std::is_signed_v<Key> ? 2 : 0)) : Key(42);
        if (keys[i] != keys[i]) keys[i] = std::numeric_limits<Key>::lowest();  // NaN
    }
    if (kind == Keys::ascending || kind == Keys::descending) {
        keys = keys_of<Key>(n, Keys::random);
        std::sort(keys.begin(), keys.end());
        if (kind == Keys::descending) std::reverse(keys.begin(), keys.end());
    }
    return keys;
}

/// Numerical order, with -0 before +0.
template <class Key>
bool comes_before(Key a, Key b) {
    if constexpr (std::is_floating_point_v<Key>)
        if (a == b) return std::signbit(a) && !std::signbit(b);
    return a < b;
}

/// Indices of the keys in stable order.
template <class Key>
std::vector<std::size_t> order_of(const std::vector<Key>& keys) {
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return comes_before(keys[a], keys[b]); });
    return order;
}

template <class Key>
void expect_keys(const std::vector<Key>& found, const std::vector<Key>& keys,
                 const std::vector<std::size_t>& order) {
    for (std::size_t i = 0; i < keys.size(); ++i)
        ASSERT_EQ(std::memcmp(&found[i], &keys[order[i]], sizeof(Key)), 0)
            << "n " << keys.size() << ", element " << i;
}

template <class Sort, class Key, class Payload>
void expect_sorted(Sort& sort, const std::vector<Key>& keys) {
    const std::size_t n = keys.size();
    const auto order = order_of(keys);
    std::vector<Payload> payloads(n);
    for (std::size_t i = 0; i < n; ++i) payloads[i] = payload<Payload>(i);
    DeviceVector<Key> in(keys, n % 3), out(n, n % 5);
    DeviceVector<Payload> payloads_in(payloads, n % 5), payloads_out(n, n % 3);
    for (int call = 0; call < 2; ++call) {
        if (n > 0) out.poison();
        if (n > 0) payloads_out.poison();
        sort(in.data(), payloads_in.data(), out.data(), payloads_out.data(), static_cast<long long>(n),
             nullptr);
        ASSERT_EQ(cudaGetLastError(), cudaSuccess);
        expect_keys(out.read(), keys, order);
        const auto found = payloads_out.read();
        for (std::size_t i = 0; i < n; ++i)
            ASSERT_TRUE(found[i] == payloads[order[i]]) << "n " << n << ", element " << i;
    }
    expect_keys(in.read(), keys, [&] {
        std::vector<std::size_t> same(n);
        std::iota(same.begin(), same.end(), 0);
        return same;
    }());
}

/// Small tiles, so that a few elements fill many.
template <class Key, class Payload, int DIGIT_BITS, int ITEMS_PER_THREAD, int THREADS>
void any_length() {
    constexpr std::size_t TILE = ITEMS_PER_THREAD * THREADS;
    RadixSort<Key, Payload, DIGIT_BITS, ITEMS_PER_THREAD, THREADS> sort(5 * TILE);
    ASSERT_EQ(sort.status(), cudaSuccess);
    for (const std::size_t n :
         {std::size_t(0), std::size_t(1), std::size_t(2), std::size_t(31), std::size_t(32), std::size_t(33),
          TILE - 1, TILE, TILE + 1, 3 * TILE + 17, 5 * TILE})
        expect_sorted<decltype(sort), Key, Payload>(sort, keys_of<Key>(n, Keys::random));
    for (const Keys kind : {Keys::few, Keys::equal, Keys::ascending, Keys::descending, Keys::top_bits})
        expect_sorted<decltype(sort), Key, Payload>(sort, keys_of<Key>(2 * TILE + 50, kind));
}

template <class T>
class DigitWidth : public testing::Test {};
template <int BITS>
using Width = std::integral_constant<int, BITS>;
using Widths = testing::Types<Width<1>, Width<3>, Width<4>, Width<6>, Width<8>>;
TYPED_TEST_SUITE(DigitWidth, Widths);

TYPED_TEST(DigitWidth, KeysAndPayloads) {
    constexpr int BITS = TypeParam::value, THREADS = BITS <= 5 ? 64 : 1 << BITS;
    any_length<unsigned, int, BITS, 2, THREADS>();
}

TEST(RadixSort, EveryKey) {
    any_length<std::uint64_t, int, 8, 2, 256>();
    any_length<std::int64_t, int, 5, 4, 64>();
    any_length<float, int, 4, 4, 64>();
    any_length<double, int, 7, 4, 128>();
    any_length<std::int8_t, int, 4, 4, 64>();
    any_length<std::uint16_t, int, 8, 1, 256>();  // 2 passes
    any_length<std::uint8_t, int, 8, 1, 256>();   // 1 pass, no intermediate result
}

TEST(RadixSort, EveryPayload) {
    any_length<unsigned, std::int8_t, 4, 4, 64>();
    any_length<unsigned, double, 4, 4, 64>();
    any_length<double, Record, 6, 3, 64>();
}

TEST(RadixSort, KeysAlone) {
    RadixSort<int> sort(20'000);
    ASSERT_EQ(sort.status(), cudaSuccess);
    for (const std::size_t n : {0, 1, 4095, 4096, 4097, 20'000}) {
        const auto keys = keys_of<int>(n, Keys::random);
        DeviceVector<int> in(keys), out(n);
        if (n > 0) out.poison();
        sort(in.data(), out.data(), static_cast<long long>(n), nullptr);
        expect_keys(out.read(), keys, order_of(keys));
    }
}

/// The defaults: 8 bits per digit, full-size tiles.
TEST(RadixSort, AsItIs) {
    RadixSort<float, Record> sort(10'000);
    ASSERT_EQ(sort.status(), cudaSuccess);
    expect_sorted<decltype(sort), float, Record>(sort, keys_of<float>(10'000, Keys::random));
    expect_sorted<decltype(sort), float, Record>(sort, keys_of<float>(3000, Keys::few));
}

TEST(RadixSort, OrderOfFloats) {
    const float infinity = std::numeric_limits<float>::infinity(), nan = std::nanf("");
    const std::vector<float> ascending = {
        std::copysign(nan, -1.0f), -infinity, -1, -1e-40f, -0.0f, 0.0f, 1e-40f, 1, infinity, nan};
    std::vector<float> keys = ascending;
    std::reverse(keys.begin(), keys.end());
    DeviceVector<float> in(keys), out(keys.size());
    RadixSort<float> sort(keys.size());
    sort(in.data(), out.data(), static_cast<long long>(keys.size()), nullptr);
    EXPECT_EQ(std::memcmp(out.read().data(), ascending.data(), keys.size() * sizeof(float)), 0);
}

}  // namespace
