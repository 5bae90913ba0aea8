// Run-length decoding by scan and by atomic cursor: empty and long runs, any number of runs, any element.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>

#include "kernels/test/device_vector.h"
#include "kernels/textbook/device/run_length_decode.cuh"
#include "kernels/textbook/device/run_length_decode_atomic.cuh"

using namespace trial;

namespace {

/// Two numbers, 16 bytes.
struct Pair {
    long long a, b;
};
bool operator==(const Pair& x, const Pair& y) { return x.a == y.a && x.b == y.b; }

template <class T>
std::vector<T> values_of(std::size_t runs) {
    std::vector<T> values(runs);
    for (std::size_t r = 0; r < runs; ++r) {
        if constexpr (std::is_same_v<T, Pair>)
            values[r] = {static_cast<long long>(r), -static_cast<long long>(r)};
        else
            values[r] = T(r * 37 + 1);
    }
    return values;
}

enum class Runs { empty, ones, alternating, random, one_long, long_between_empty };

std::vector<long long> lengths_of(std::size_t runs, Runs kind) {
    std::mt19937 random(unsigned(runs + 11));
    std::vector<long long> lengths(runs, 0);
    for (std::size_t r = 0; r < runs; ++r) {
        if (kind == Runs::ones) lengths[r] = 1;
        if (kind == Runs::alternating) lengths[r] = r % 2 * 3;
        if (kind == Runs::random) lengths[r] = random() % 8 == 0 ? random() % 60 : random() % 3;
    }
    if (kind == Runs::one_long && runs > 0) lengths[runs / 3] = 5000;  // more than two tiles of the output
    if (kind == Runs::long_between_empty && runs > 0)
        lengths[0] = lengths[runs / 2] = lengths[runs - 1] = 2222;  // more than one
    return lengths;
}

template <class T>
std::vector<T> decoded(const std::vector<T>& values, const std::vector<long long>& lengths) {
    std::vector<T> all;
    for (std::size_t r = 0; r < values.size(); ++r) all.insert(all.end(), lengths[r], values[r]);
    return all;
}

constexpr std::size_t RUNS[] = {0, 1, 2, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025, 3000};
constexpr Runs KINDS[] = {Runs::empty,  Runs::ones,     Runs::alternating,
                          Runs::random, Runs::one_long, Runs::long_between_empty};

template <class T, int ITEMS_PER_THREAD = 8, int THREADS = 256>
void by_scan() {
    RunLengthDecode<T, ITEMS_PER_THREAD, THREADS> decode(3000);
    ASSERT_EQ(decode.status(), cudaSuccess);
    for (const std::size_t runs : RUNS)
        for (const Runs kind : KINDS) {
            const auto values = values_of<T>(runs);
            const auto lengths = lengths_of(runs, kind);
            const auto expected = decoded(values, lengths);
            const auto size = static_cast<long long>(expected.size());
            DeviceVector<T> in(values, values.size() % 3), out(expected.size(), values.size() % 5);
            DeviceVector<long long> in_lengths(lengths), total(1);
            for (int call = 0; call < 2; ++call) {
                total.poison();
                if (size > 0) out.poison();
                // The second call requests more elements than exist or fit in `out`.
                decode(in.data(), in_lengths.data(), runs, out.data(), {0, size + 5000 * call}, total.data(),
                       nullptr);
                ASSERT_EQ(cudaGetLastError(), cudaSuccess);
                ASSERT_EQ(total.read()[0], size) << runs << " runs";
                ASSERT_TRUE(out.read() == expected) << runs << " runs, kind " << int(kind);
            }
            ASSERT_TRUE(in_lengths.read() == lengths);
        }
}

TEST(RunLengthDecode, EveryElement) {
    by_scan<std::int8_t>();
    by_scan<int>();
    by_scan<double>();
    by_scan<Pair>();
}
TEST(RunLengthDecode, EveryShape) {
    by_scan<int, 1, 32>();
    by_scan<int, 3, 64>();
    by_scan<int, 1, 1024>();
}

/// Any window receives its part of the output.
TEST(RunLengthDecode, Windows) {
    const auto values = values_of<int>(500);
    const auto lengths = lengths_of(500, Runs::random);
    const auto all = decoded(values, lengths);
    const auto size = static_cast<long long>(all.size());
    DeviceVector<int> in(values);
    DeviceVector<long long> in_lengths(lengths), total(1);
    RunLengthDecode<int> decode(500);
    for (const Window window : {Window{0, 0}, {0, 1}, {5, 100}, {33, 2049}, {size - 7, 7}, {size, 10}}) {
        DeviceVector<int> out(window.count);
        total.poison();
        if (window.count > 0) out.poison();
        decode(in.data(), in_lengths.data(), 500, out.data(), window, total.data(), nullptr);
        EXPECT_EQ(total.read()[0], size);
        const auto found = out.read();
        for (long long i = 0; i < window.count; ++i)
            ASSERT_EQ(found[i], window.first + i < size ? all[window.first + i] : -1) << window.first;
    }
}

/// Indices of more than 32 bits: three runs, the boundaries between them, and the end.
TEST(RunLengthDecode, MoreThanFourBillion) {
    const std::vector<int> values = {7, 8, 9};
    const std::vector<long long> lengths = {3'000'000'000, 5'000'000'000, 4'000'000'000};
    DeviceVector<int> in(values), out(2000);
    DeviceVector<long long> in_lengths(lengths), total(1);
    RunLengthDecode<int> decode(3);
    for (const long long border : {3'000'000'000LL, 8'000'000'000LL, 12'000'000'000LL}) {
        out.poison();
        decode(in.data(), in_lengths.data(), 3, out.data(), {border - 1000, 2000}, total.data(), nullptr);
        EXPECT_EQ(total.read()[0], 12'000'000'000LL);
        const auto found = out.read();
        const int before = border == lengths[0] ? 7 : border == 8'000'000'000LL ? 8 : 9;
        for (int i = 0; i < 1000; ++i) ASSERT_EQ(found[i], before);
        for (int i = 1000; i < 2000; ++i) ASSERT_EQ(found[i], before == 9 ? -1 : before + 1);
    }
}

/// Splits the output back into runs by value. All values differ, so each run is one piece.
std::map<long long, long long> pieces(const std::vector<int>& out) {
    std::map<long long, long long> lengths;
    for (std::size_t i = 0; i < out.size();) {
        std::size_t end = i;
        while (end < out.size() && out[end] == out[i]) ++end;
        EXPECT_EQ(lengths.count(out[i]), 0u) << "a run in two pieces";
        lengths[out[i]] = static_cast<long long>(end - i);
        i = end;
    }
    return lengths;
}

template <int THREADS>
void by_cursor() {
    for (const std::size_t runs : RUNS)
        for (const Runs kind : KINDS) {
            const auto values = values_of<int>(runs);
            const auto lengths = lengths_of(runs, kind);
            const auto expected = decoded(values, lengths);
            DeviceVector<int> in(values), out(expected.size());
            DeviceVector<long long> in_lengths(lengths), total(1);
            for (int call = 0; call < 2; ++call) {
                total.poison();
                if (!expected.empty()) out.poison();
                run_length_decode_atomic<THREADS>(in.data(), in_lengths.data(), runs, out.data(),
                                                  static_cast<long long>(expected.size()), total.data(),
                                                  nullptr);
                ASSERT_EQ(cudaGetLastError(), cudaSuccess);
                ASSERT_EQ(total.read()[0], static_cast<long long>(expected.size()));
                ASSERT_EQ(pieces(out.read()), pieces(expected)) << runs << " runs, kind " << int(kind);
            }
        }
}
TEST(AtomicRunLengthDecode, EveryShape) {
    by_cursor<256>();
    by_cursor<32>();
    by_cursor<1024>();
}

TEST(AtomicRunLengthDecode, StopsWhereThereIsNoRoom) {
    const std::vector<int> values = {7, 8, 9};
    const std::vector<long long> lengths = {100, 5'000'000'000, 4'000'000'000};
    DeviceVector<int> in(values), out(500);
    DeviceVector<long long> in_lengths(lengths), total(1);
    out.poison();
    run_length_decode_atomic(in.data(), in_lengths.data(), 3, out.data(), 500, total.data(), nullptr);
    EXPECT_EQ(total.read()[0], 9'000'000'100LL);
    const auto found = out.read();
    for (int i = 0; i < 500; ++i) ASSERT_EQ(found[i], i < 100 ? 7 : 8);
}

}  // namespace
