// Every call of kernels/fast on random arguments: type, operator, length, alignment, in place, iterators,
// segments, keys, seeds, plain bytes or a workspace, each compared with sequential code; nothing outside the
// outputs may be written. DRAWS: how many of each type (default 100; 400 on a GPU); SEED: of the first.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "kernels/fast/all.cuh"
#include "kernels/test/select_fraction.h"
#include "kernels/test/trial.h"

using namespace trial;

namespace {

long long number_from(const char* name, long long otherwise) {
    const char* const text = std::getenv(name);
    return text == nullptr ? otherwise : std::atoll(text);
}

/// Small tiles, so that short vectors have many.
using Small = PassPolicy<64, 2, 48, 48>;

/// A plain struct as an iterator: element place[i] of a vector.
template <class T>
struct Permuted {
    using value_type = T;
    const T* of;
    const int* place;
    __host__ __device__ T operator[](long long i) const { return of[place[i]]; }
};

/// An output that converts nothing and is no pointer.
template <class T>
struct Strided {
    T* to;
    __host__ __device__ T& operator[](long long i) const { return to[2 * i]; }
};

struct Key12 {
    int a, b, c;
    __host__ __device__ bool operator==(const Key12& other) const { return a == other.a && c == other.c; }
};
template <class K>
K key_of(int number) {
    if constexpr (std::is_same_v<K, Key12>)
        return {number, 0, -number};
    else
        return static_cast<K>(number);
}

enum class Kind {
    scan,
    scan_columns,
    scan_by_key,
    segmented_scan,
    segmented_reduce,
    reduce_by_key,
    run_lengths,
    unique,
    unique_by_key,
    select,
    flagged,
    partition,
    partition_flagged,
    reduce,
    extremes,
    KINDS
};

/// One draw, of elements of T that Op combines, with keys of K.
template <class T, class Op, class K>
class Draw {
   public:
    explicit Draw(unsigned seed) : seed_(seed), random_(seed) {
        kind_ = static_cast<Kind>(up_to(static_cast<long long>(Kind::KINDS) - 1));
        constexpr long long TILE = 64 * 12;
        switch (up_to(4)) {
            case 0: n_ = up_to(3); break;
            case 1: n_ = up_to(200); break;
            case 2: n_ = TILE * up_to(3) + up_to(2); break;
            default: n_ = up_to(5 * TILE); break;
        }
        if (up_to(19) == 0) n_ = TILE * (31 + up_to(2)) + up_to(2);  // a group of tiles
        if (machine::is_gpu() && up_to(9) == 0) n_ = up_to(3'000'000);
        if (kind_ == Kind::scan_columns) {
            columns_ = std::max(1LL, up_to(1) == 0 ? up_to(40) : up_to(n_));
            n_ -= n_ % columns_;
        }
        for (long long i = 0; i < n_; ++i) values_.push_back(Maker<T>::make(random_));
        const long long longest = up_to(3) == 0 ? n_ + 1 : 1 + up_to(40);
        for (long long i = 0, number = 0; i < n_; ++number)
            for (long long end = std::min(n_, i + 1 + up_to(longest)); i < end; ++i)
                numbers_.push_back(static_cast<int>(number % 100));
        offsets_ = {0};
        if (up_to(2) > 0)
            while (offsets_.back() < n_)
                offsets_.push_back(std::min(n_, offsets_.back() + (up_to(2) == 0 ? 0 : up_to(longest))));
        else
            offsets_.push_back(n_);
        for (long long k = up_to(3); k > 0; --k) offsets_.push_back(n_);
        seeded_ = up_to(1) == 0;
        inclusive_ = up_to(1) == 0;
        indirect_ = up_to(2) == 0;
        by_default_ = up_to(3) == 0;  // the tiles of a GPU, or its kernels for vectors
        in_place_ = !indirect_ && up_to(2) == 0;
        if (by_default_) indirect_ = false;
        if (by_default_ || indirect_) seeded_ = false;
        init_ = Maker<T>::make(random_);
    }

    void expect() {
        SCOPED_TRACE("seed " + std::to_string(seed_) + ", kind " + std::to_string(static_cast<int>(kind_)) +
                     ", n " + std::to_string(n_) + ", columns " + std::to_string(columns_) +
                     (indirect_ ? ", by iterators" : "") + (in_place_ ? ", in place" : ""));
        by_default_ ? expect_with<void>() : expect_with<Small>();
    }

   private:
    long long up_to(long long last) {
        return static_cast<long long>(random_() % static_cast<unsigned>(last + 1));
    }
    int offset(int align) { return up_to(1) == 0 ? 0 : align * static_cast<int>(up_to(15)); }

    /// call(memory, stream) on plain bytes or a workspace, once or twice.
    template <class Call>
    void run(Call call) {
        const std::size_t bytes =
            std::max({bytes_needed<T>(n_), bytes_needed<long long>(n_),  // of lengths
                      bytes_of_words<Flagged<T>>(n_ / 32 + 64),
                      bytes_of_words<Flagged<long long>>(n_ / 32 + 64), Strips<Small, T>::bytes_of_any(n_)});
        machine::in_order(seed_, [&] {
            if (up_to(1) == 0) {
                DeviceVector<char> plain(bytes);
                ASSERT_EQ(cudaMemset(plain.data(), 0x5a, bytes), cudaSuccess);
                ASSERT_EQ(call(Memory(plain.data(), bytes)), cudaSuccess);
                ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
            } else {
                const Workspace workspace(bytes, nullptr);
                for (int k = in_place_ ? 1 : 2; k > 0; --k) ASSERT_EQ(call(Memory(workspace)), cudaSuccess);
                ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
                ASSERT_EQ(workspace.status(), cudaSuccess);
            }
        });
    }

    /// Small tiles, iterators and seeds are kernels of their own to compile. The first go with each of the
    /// others, which do not go with one another.
    template <class Policy>
    static constexpr bool takes_iterators = !std::is_void_v<Policy>;
    template <class Policy, class In>
    static constexpr bool takes_seeds = !std::is_void_v<Policy> && std::is_pointer_v<In>;

    /// use(in) with a pointer to the values, or with an iterator that looks them up.
    template <class Policy, class Use>
    void with_input(PlacedVector<T>& placed, Use use) {
        if constexpr (takes_iterators<Policy>)
            if (indirect_) {
                std::vector<int> places(n_);
                std::vector<T> shuffled(n_);
                for (long long i = 0; i < n_; ++i) places[i] = static_cast<int>(n_ - 1 - i);
                for (long long i = 0; i < n_; ++i) shuffled[places[i]] = values_[i];
                DeviceVector<int> on_device(places);
                DeviceVector<T> elements(shuffled);
                return use(Permuted<T>{elements.data(), on_device.data()});
            }
        use(static_cast<const T*>(placed.data()));
    }

    static void expect_equal(const std::vector<T>& found, const std::vector<T>& expected) {
        for (std::size_t i = 0; i < expected.size(); ++i)
            ASSERT_TRUE(same(found[i], expected[i])) << "element " << i;
    }
    static void expect_keys(const std::vector<K>& found, const std::vector<K>& expected) {
        for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_TRUE(found[i] == expected[i]) << "key " << i;
    }

    /// The scan with `starts` as beginnings, of the elements in their order.
    template <class Starts>
    std::vector<T> scanned(Starts starts) const {
        return scanned(starts, [](long long i) { return i; });
    }
    /// Of the elements at place(0), place(1) ..
    template <class Starts, class Place>
    std::vector<T> scanned(Starts starts, Place place) const {
        const Op op = {};
        std::vector<T> result(n_);
        T sum = {};
        bool exists = false;
        for (long long i = 0; i < n_; ++i) {
            if (starts(i)) sum = init_, exists = seeded_;
            const T element = values_[place(i)], inclusive = exists ? op(sum, element) : element;
            result[place(i)] = inclusive_ ? inclusive : exists ? sum : Op::identity();
            sum = inclusive, exists = true;
        }
        return result;
    }
    bool begins_run(long long i) const { return i == 0 || numbers_[i] != numbers_[i - 1]; }

    template <class Policy>
    void expect_with() {
        switch (kind_) {
            case Kind::scan:
            case Kind::scan_columns:
            case Kind::scan_by_key:
            case Kind::segmented_scan: return expect_scans<Policy>();
            case Kind::segmented_reduce: return expect_segments<Policy>();
            case Kind::reduce_by_key:
            case Kind::run_lengths: return expect_runs<Policy>();
            case Kind::reduce:
            case Kind::extremes: return expect_reduced();
            default: return expect_selected<Policy>();
        }
    }

    template <class Policy>
    void expect_scans() {
        PlacedVector<T> in(values_, offset(alignof(T))), apart(n_, offset(alignof(T)));
        PlacedVector<T>& out = in_place_ ? in : apart;
        PlacedVector<K> keys(keys_of(), offset(alignof(K)));
        DeviceVector<long long> offsets(offsets_);
        const long long segments = static_cast<long long>(offsets_.size()) - 1;
        with_input<Policy>(in, [&](auto from) {
            const auto with = [&](auto scan, auto... arguments) {
                run([&](const Memory& memory) {
                    if constexpr (takes_seeds<Policy, decltype(from)>)
                        if (seeded_) return scan(memory, arguments..., Op{}, init_, nullptr);
                    return scan(memory, arguments..., Op{}, nullptr);
                });
            };
            T* const to = out.data();
            const K* const by = keys.data();
            const long long rows = n_ / columns_;
            constexpr Form IN = Form::inclusive, EX = Form::exclusive;
            if (kind_ == Kind::scan)
                inclusive_ ? with(scan_detail::Scan<IN, Policy>{}, from, to, n_)
                           : with(scan_detail::Scan<EX, Policy>{}, from, to, n_);
            else if (kind_ == Kind::scan_columns)
                inclusive_ ? with(scan_columns_detail::Scan<IN, Policy>{}, from, to, rows, columns_)
                           : with(scan_columns_detail::Scan<EX, Policy>{}, from, to, rows, columns_);
            else if (kind_ == Kind::scan_by_key)
                inclusive_ ? with(by_key_detail::Scan<IN, Policy>{}, by, from, to, n_)
                           : with(by_key_detail::Scan<EX, Policy>{}, by, from, to, n_);
            else if (n_ > 0 && segments > 0)
                inclusive_
                    ? with(segmented_detail::Scan<IN, Policy>{}, from, to, n_, offsets.data(), segments)
                    : with(segmented_detail::Scan<EX, Policy>{}, from, to, n_, offsets.data(), segments);
        });
        if (n_ == 0) return;
        ASSERT_TRUE(in.is_alone() && apart.is_alone());
        if (kind_ == Kind::scan_columns) {
            const long long rows = n_ / columns_;
            return expect_equal(out.read(),
                                scanned([&](long long i) { return i % rows == 0; },
                                        [&](long long i) { return i % rows * columns_ + i / rows; }));
        }
        std::vector<bool> starts(n_ + 1, false);
        if (kind_ == Kind::segmented_scan)
            for (const long long start : offsets_) starts[start] = true;
        expect_equal(out.read(), scanned([&](long long i) {
                         return kind_ == Kind::scan          ? i == 0
                                : kind_ == Kind::scan_by_key ? begins_run(i)
                                                             : static_cast<bool>(starts[i]);
                     }));
    }

    template <class Policy>
    void expect_segments() {
        PlacedVector<T> in(values_, offset(alignof(T)));
        const long long segments = static_cast<long long>(offsets_.size()) - 1;
        PlacedVector<T> out(segments, offset(alignof(T)));
        DeviceVector<long long> offsets(offsets_);
        if (segments == 0) return;
        with_input<Policy>(in, [&](auto from) {
            run([&](const Memory& memory) {
                if constexpr (takes_seeds<Policy, decltype(from)>)
                    if (seeded_)
                        return segmented_reduce<Policy>(memory, from, out.data(), n_, offsets.data(),
                                                        segments, Op{}, init_, nullptr);
                return segmented_reduce<Policy>(memory, from, out.data(), n_, offsets.data(), segments, Op{},
                                                nullptr);
            });
        });
        std::vector<T> expected;
        for (long long s = 0; s < segments; ++s) {
            T sum = seeded_ ? init_ : Op::identity();
            for (long long i = offsets_[s]; i < offsets_[s + 1]; ++i)
                sum = i == offsets_[s] && !seeded_ ? values_[i] : Op{}(sum, values_[i]);
            expected.push_back(sum);
        }
        expect_equal(out.read(), expected);
        ASSERT_TRUE(out.is_alone());
    }

    template <class Policy>
    void expect_runs() {
        std::vector<T> totals;
        std::vector<long long> lengths;
        std::vector<K> keys;
        for (long long i = 0; i < n_; ++i) {
            if (begins_run(i)) {
                keys.push_back(key_of<K>(numbers_[i]));
                totals.push_back(values_[i]);
                lengths.push_back(1);
            } else {
                totals.back() = Op{}(totals.back(), values_[i]);
                ++lengths.back();
            }
        }
        const auto runs = static_cast<long long>(keys.size());
        PlacedVector<T> in(values_, offset(alignof(T))), out(runs, offset(alignof(T)));
        PlacedVector<K> by(keys_of(), offset(alignof(K))), unique_out(runs, offset(alignof(K)));
        PlacedVector<long long> number(1, 0), lengths_out(runs, 0);
        with_input<Policy>(in, [&](auto from) {
            run([&](const Memory& memory) {
                return kind_ == Kind::reduce_by_key
                           ? reduce_by_key<Policy>(memory, static_cast<const K*>(by.data()), from,
                                                   unique_out.data(), out.data(), number.data(), n_, Op{},
                                                   nullptr)
                           : run_length_encode<Policy>(memory, static_cast<const K*>(by.data()),
                                                       unique_out.data(), lengths_out.data(), number.data(),
                                                       n_, nullptr);
            });
        });
        ASSERT_EQ(number.read()[0], runs);
        if (runs > 0) expect_keys(unique_out.read(), keys);
        if (kind_ == Kind::reduce_by_key && runs > 0) expect_equal(out.read(), totals);
        if (kind_ == Kind::run_lengths && runs > 0) ASSERT_EQ(lengths_out.read(), lengths);
        ASSERT_TRUE(out.is_alone() && unique_out.is_alone() && lengths_out.is_alone());
    }

    template <class Policy>
    void expect_selected() {
        const SelectFraction keep = {1u + static_cast<unsigned>(up_to(2)), 3};
        const bool by_flags = kind_ == Kind::flagged || kind_ == Kind::partition_flagged;
        const bool with_rest = kind_ == Kind::partition || kind_ == Kind::partition_flagged;
        std::vector<char> flags(n_);
        std::vector<T> expected, rest;
        std::vector<K> keys;
        for (long long i = 0; i < n_; ++i) {
            flags[i] = static_cast<char>(up_to(1));
            const bool selected = by_flags                                            ? flags[i] != 0
                                  : kind_ == Kind::select || kind_ == Kind::partition ? keep(values_[i])
                                                                                      : begins_run(i);
            (selected ? expected : rest).push_back(values_[i]);
            if (selected && kind_ != Kind::select) keys.push_back(key_of<K>(numbers_[i]));
        }
        const auto count = static_cast<long long>(expected.size());
        PlacedVector<T> in(values_, offset(alignof(T))), out(with_rest ? n_ : count, offset(alignof(T)));
        PlacedVector<K> by(keys_of(), offset(alignof(K))),
            keys_out(kind_ == Kind::unique || kind_ == Kind::unique_by_key ? count : 0, offset(alignof(K)));
        PlacedVector<char> marks(flags, static_cast<int>(up_to(15)));
        PlacedVector<long long> number(1, 0);
        with_input<Policy>(in, [&](auto from) {
            run([&](const Memory& memory) -> cudaError_t {
                T* const to = out.data();
                const K* const keys_in = by.data();
                long long* const found = number.data();
                const char* const flagged = marks.data();
                switch (kind_) {
                    case Kind::unique:
                        return unique<Policy>(memory, keys_in, keys_out.data(), found, n_, nullptr);
                    case Kind::unique_by_key:
                        return unique_by_key<Policy>(memory, keys_in, from, keys_out.data(), to, found, n_,
                                                     nullptr);
                    case Kind::select: return select_if<Policy>(memory, from, to, found, n_, keep, nullptr);
                    case Kind::flagged:
                        return select_flagged<Policy>(memory, from, flagged, to, found, n_, nullptr);
                    case Kind::partition:
                        return partition_if<Policy>(memory, from, to, found, n_, keep, nullptr);
                    default: return partition_flagged<Policy>(memory, from, flagged, to, found, n_, nullptr);
                }
            });
        });
        ASSERT_EQ(number.read()[0], count);
        if (count > 0 && kind_ != Kind::unique) {
            if (with_rest) expected.insert(expected.end(), rest.rbegin(), rest.rend());
            expect_equal(out.read(), expected);
        }
        if (count > 0 && (kind_ == Kind::unique || kind_ == Kind::unique_by_key))
            expect_keys(keys_out.read(), keys);
        ASSERT_TRUE(out.is_alone() && keys_out.is_alone());
    }

    void expect_reduced() {
        PlacedVector<T> in(values_, offset(alignof(T))), out(1, 0);
        with_input<Small>(in, [&](auto from) {
            run([&](const Memory& memory) {
                if constexpr (takes_seeds<Small, decltype(from)>)
                    if (seeded_) return reduce(memory, from, out.data(), n_, Op{}, init_, nullptr);
                return reduce(memory, from, out.data(), n_, Op{}, nullptr);
            });
        });
        T expected = seeded_ ? init_ : Op::identity();
        for (long long i = 0; i < n_; ++i)
            expected = i == 0 && !seeded_ ? values_[i] : Op{}(expected, values_[i]);
        expect_equal(out.read(), {expected});
        ASSERT_TRUE(out.is_alone());
        if (kind_ != Kind::extremes || n_ == 0) return;
        PlacedVector<int> numbers(numbers_, offset(4));
        PlacedVector<Indexed<int>> least(1, 0), greatest(1, 0);
        PlacedVector<Extremes<int>> both(1, 0);
        run([&](const Memory& memory) {
            const int* const of = numbers.data();
            cudaError_t status = arg_min(memory, of, least.data(), n_, nullptr);
            if (status == cudaSuccess) status = arg_max(memory, of, greatest.data(), n_, nullptr);
            return status == cudaSuccess ? min_max(memory, of, both.data(), n_, nullptr) : status;
        });
        const auto low = std::min_element(numbers_.begin(), numbers_.end()),
                   high = std::max_element(numbers_.begin(), numbers_.end());
        EXPECT_EQ(least.read()[0].value, *low);
        EXPECT_EQ(least.read()[0].index, low - numbers_.begin());
        EXPECT_EQ(greatest.read()[0].value, *high);
        EXPECT_EQ(greatest.read()[0].index, high - numbers_.begin());
        EXPECT_EQ(both.read()[0].least, *low);
        EXPECT_EQ(both.read()[0].greatest, *high);
    }

    std::vector<K> keys_of() const {
        std::vector<K> keys;
        for (const int number : numbers_) keys.push_back(key_of<K>(number));
        return keys;
    }

    unsigned seed_;
    std::mt19937 random_;
    Kind kind_;
    long long n_ = 0, columns_ = 1;
    std::vector<T> values_;
    std::vector<int> numbers_;        ///< of keys: equal ones are a run
    std::vector<long long> offsets_;  ///< of segments
    bool seeded_, inclusive_, indirect_, by_default_, in_place_;
    T init_;
};

/// Tiles of 256 elements of 4 bytes.
using Tiny = PassPolicy<64, 2, 16, 16>;

/// Beyond 32 groups of 32 tiles, with an operator that does not commute.
TEST(ManyTiles, Scan) {
    using T = Affine<unsigned>;
    for (const long long n : {1023 * 128LL + 1, 1024 * 128LL, 2049 * 128LL - 1}) {
        std::mt19937 random(static_cast<unsigned>(n));
        std::vector<T> values, expected;
        for (long long i = 0; i < n; ++i) {
            values.push_back(Maker<T>::make(random));
            expected.push_back(i == 0 ? values[0]
                                      : ComposeAffine<unsigned>{}(expected.back(), values.back()));
        }
        PlacedVector<T> in(values, 0), out(n, 0);
        const Workspace workspace(bytes_needed<T>(16 * n), nullptr);
        const T* const from = in.data();
        for (int k = 0; k < 2; ++k)
            ASSERT_EQ((scan_detail::Scan<Form::inclusive, Tiny>{}(workspace, from, out.data(), n,
                                                                  ComposeAffine<unsigned>{}, nullptr)),
                      cudaSuccess);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        ASSERT_EQ(workspace.status(), cudaSuccess);
        const std::vector<T> found = out.read();
        for (long long i = 0; i < n; ++i) ASSERT_TRUE(same(found[i], expected[i])) << "element " << i;
    }
}

/// Elements that no constant expression makes.
struct Made {
    int value;
    __host__ __device__ Made() : value(7) {}
};
struct SumOfMade {
    __host__ __device__ Made operator()(Made left, const Made& right) const {
        left.value += right.value;
        return left;
    }
};
TEST(NoConstant, InclusiveScanByKey) {
    PlacedVector<int> keys({1, 1, 2}, 0);
    PlacedVector<Made> in(std::vector<Made>(3), 0), out(3, 0);
    const Workspace workspace(bytes_needed<Made>(3), nullptr);
    const int* const by = keys.data();
    const Made* const from = in.data();
    ASSERT_EQ(inclusive_scan_by_key(workspace, by, from, out.data(), 3, SumOfMade{}, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    const std::vector<Made> found = out.read();
    EXPECT_EQ(found[0].value, 7);
    EXPECT_EQ(found[1].value, 14);
    EXPECT_EQ(found[2].value, 7);
}

/// A NaN equals nothing, itself included: each is a run, and nothing after the end is one.
TEST(UnequalToItself, IsARunOfOne) {
    PlacedVector<float> keys(std::vector<float>(5, std::numeric_limits<float>::quiet_NaN()), 0), out(5, 0);
    PlacedVector<long long> number(1, 0);
    const Workspace workspace(bytes_needed<float>(5), nullptr);
    const float* const from = keys.data();
    ASSERT_EQ(unique(workspace, from, out.data(), number.data(), 5, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(number.read()[0], 5);
    EXPECT_TRUE(out.is_alone());
}

template <class Case>
class DrawOf : public testing::Test {};
template <class T, class Op, class K>
struct Case {
    using Drawn = Draw<T, Op, K>;
};
using Cases = SomeThenOthers<
    testing::Types<Case<int, Sum<int>, int>, Case<Row, Append, std::int8_t>,
                   Case<Affine<unsigned>, ComposeAffine<unsigned>, Key12>,
                   Case<double, Sum<double>, std::int16_t>>,
    testing::Types<Case<std::int8_t, Sum<std::int8_t>, long long>, Case<Bytes<3>, JoinBytes<3>, int>,
                   Case<Affine<unsigned long long>, ComposeAffine<unsigned long long>, int>,
                   Case<Bytes<13>, JoinBytes<13>, Key12>>>;
TYPED_TEST_SUITE(DrawOf, Cases, );

TYPED_TEST(DrawOf, Calls) {
    const long long draws = number_from("DRAWS", machine::is_gpu() ? 400 : 100);
    const auto first = first_seed() + static_cast<unsigned>(1'000'000 * number_from("SEED", 0));
    for (long long k = 0; k < draws && !this->HasFailure(); ++k)
        typename TypeParam::Drawn(first + static_cast<unsigned>(k)).expect();
}

}  // namespace
