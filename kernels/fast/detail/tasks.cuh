// The tasks of fast/detail/single_pass. What a task has:
//
//     Policy, ITEMS            threads of a block, elements of a thread
//     Sum, Total               what a tile publishes, and what is before it; combined by operator()
//     scan_lanes<LANES>(sum)   inclusive scan of the first LANES lanes of a warp; the others' is not used
//     Columns, Space           a tile in registers and in shared memory
//     seed()                   what is before the vector
//     Mine                     a thread's elements: sum(); then rank(), finish() and store() in turn, with a
//                              barrier before each. A thread may write to Space in rank() and finish().
//                              What it keeps meanwhile are registers, which many resident blocks divide.
#pragma once
#include <cuda_runtime.h>

#include <type_traits>

#include "kernels/fast/detail/columns.cuh"
#include "kernels/fast/detail/flags.cuh"
#include "kernels/fast/detail/scan_warp.cuh"
#include "kernels/fast/detail/single_pass.cuh"
#include "kernels/prefix.cuh"
#include "kernels/segmented.cuh"

namespace trial {

constexpr int larger(int a, int b) { return a > b ? a : b; }

// --- Scan

/// Dense results: out[i] for every element.
template <class Out>
struct StoreAll {
    static constexpr bool TOTALS_ONLY = false;
    Out out;
    template <int ITEMS, int THREADS, class Flags, class FlagSpace, class V>
    __device__ void store(const Flags&, const FlagSpace&, const V* results, long long base, int count) const {
        store_column<ITEMS, THREADS>(results, out, base, count);
    }
};

/// out[i] = seed op in[0] op .. op in[i], or in[i - 1].
template <class Policy_, Form FORM, class In, class Out, class V, class Op>
struct ScanTask {
    using Policy = Policy_;
    using Sum = V;
    using Total = V;
    static constexpr int THREADS = Policy::THREADS, ITEMS = items_per_thread<sizeof(V), Policy::BYTES>();
    In in;
    Out out;
    Op op;
    Prefix<V> before;
    const Prefix<V>* before_at;  ///< if not null, on the device

    struct Space {
        alignas(16) V items[ITEMS * THREADS];
    };
    struct Columns {
        Column<In, ITEMS, THREADS, V> column;
        __device__ void load(const ScanTask& task, long long base, int count) {
            column.load(task.in, base, count);
        }
        __device__ void put(Space& space, long long) const { column.put(space.items); }
    };
    __device__ Prefix<V> seed() const { return before_at == nullptr ? before : *before_at; }
    __device__ V operator()(const V& left, const V& right) const { return op(left, right); }
    template <int LANES = 32>
    __device__ V scan_lanes(const V& own) const {
        return scan_warp<LANES>(own, threadIdx.x % 32 < LANES, op);
    }

    struct Mine {
        __device__ Mine(const ScanTask&, Space&, long long, int) {}
        __device__ V sum(const ScanTask& task, const Space& space) const {
            V items[ITEMS];
            take<ITEMS>(space.items, items);
            V sum = items[0];
#pragma unroll
            for (int j = 1; j < ITEMS; ++j) sum = task(sum, items[j]);
            return sum;
        }
        __device__ void rank(const ScanTask&, Space&, const Prefix<V>&, const V&, int) const {}
        __device__ void finish(const ScanTask& task, Space& space, const Prefix<V>& tiles,
                               const Prefix<V>& within, long long, int, bool) {
            V items[ITEMS];
            take<ITEMS>(space.items, items);
            Prefix<V> prefix = combine(tiles, within, task);
#pragma unroll
            for (int j = 0; j < ITEMS; ++j) {
                const V inclusive = combine(prefix, items[j], task);
                items[j] = FORM == Form::inclusive ? inclusive : value_or_identity(prefix, task.op);
                prefix = {inclusive, true};
            }
            give<ITEMS>(space.items, items);
        }
        __device__ void store(const ScanTask& task, Space& space, const Prefix<V>&, const V&, long long base,
                              int count, bool) const {
            store_column<ITEMS, THREADS>(space.items, task.out, base, count);
        }
    };
};

// --- Scan by flags: by key, or of segments

/// For segment s: out[s] = results[end of s - base], or `empty`.
template <class Out, class V>
struct StoreSegments {
    static constexpr bool TOTALS_ONLY = true;
    Out out;
    V empty;
    template <int ITEMS, int THREADS, class Flags, class FlagSpace>
    __device__ void store(const Flags& flags, const FlagSpace& space, const V* results, long long base,
                          int count) const {
        store_from<THREADS>(max(space.first - 1, 0LL), flags, results, base, count);
    }
    /// Of segments from `first` on.
    template <int THREADS, class Flags>
    __device__ void store_from(long long first, const Flags& flags, const V* results, long long base,
                               int count) const {
        for (long long s = first + threadIdx.x; s < flags.segments; s += THREADS) {
            const long long end = static_cast<long long>(flags.offsets[s + 1]);
            if (end > base + count) break;
            if (end <= base && base > 0) continue;  // stored with an earlier tile
            out[s] = static_cast<long long>(flags.offsets[s]) == end ? empty : results[end - base];
        }
    }
};
template <class Out, class V>
__global__ void store_empty_segments(Out out, V empty, long long segments) {
    const long long stride = 1LL * gridDim.x * blockDim.x;
    for (long long s = 1LL * blockIdx.x * blockDim.x + threadIdx.x; s < segments; s += stride) out[s] = empty;
}

/// Elements since the last flag among them, combined; or all.
template <class V>
struct SinceFlag {
    V value;
    unsigned flags;  ///< 0: none
};

/// Inclusive scan of the lanes of a warp, as fast/detail/scan_warp: a lane takes part in the steps that do
/// not reach beyond the nearest flag before it, which a vote finds.
template <int LANES = 32, class V, class Op>
__device__ SinceFlag<V> scan_since_flag(const SinceFlag<V>& own, Op op) {
    const unsigned lane = threadIdx.x % LANES;
    const unsigned flags = __ballot_sync(ALL_LANES, own.flags != 0) & (2u << lane) - 1;
    const int steps = flags == 0 ? lane : lane - (31 - __clz(static_cast<int>(flags)));
    V value = own.value;
#pragma unroll
    for (int delta = 1; delta < LANES; delta *= 2) {
        const V left = shuffle_up(value, delta);
        if (delta <= steps) value = op(left, value);
    }
    return {value, flags};
}

/// As ScanTask, but each flagged element begins anew, from the seed if there is one. The first is flagged.
template <class Policy_, Form FORM, class Flags, class In, class Store, class V, class Op>
struct ScanByFlagsTask {
    using Policy = Policy_;
    using Sum = SinceFlag<V>;
    using Total = SinceFlag<V>;
    static constexpr int THREADS = Policy::THREADS,
                         BYTES = Flags::COLUMNS == 0 ? Policy::BYTES : Policy::BYTES_OF_SEVERAL,
                         ITEMS = items_per_thread<larger(sizeof(V), Flags::LARGEST), BYTES>();
    Flags flags;
    In in;
    Store to;
    Op op;
    Prefix<V> start;

    struct Space {
        alignas(16) V items[ITEMS * THREADS + (Store::TOTALS_ONLY ? 1 : 0)];
        typename Flags::template Space<ITEMS, THREADS> flags;
    };
    struct Columns {
        typename Flags::template Columns<ITEMS, THREADS> flags;
        Column<In, ITEMS, THREADS, V> column;
        __device__ void load(const ScanByFlagsTask& task, long long base, int count) {
            column.load(task.in, base, count);
            flags.load(task.flags, base, count);
        }
        __device__ void put(Space& space, long long base) const {
            flags.put(space.flags, base);
            column.put(space.items);
        }
    };
    __device__ Prefix<Total> seed() const { return {{}, false}; }
    __device__ Sum operator()(const Sum& left, const Sum& right) const {
        return {right.flags != 0 ? right.value : op(left.value, right.value), left.flags | right.flags};
    }
    template <int LANES = 32>
    __device__ Sum scan_lanes(const Sum& own) const {
        return scan_since_flag<LANES>(own, op);
    }

    struct Mine {
        unsigned bits;
        __device__ Mine(const ScanByFlagsTask& task, Space& space, long long base, int count)
            : bits(task.flags.template bits<ITEMS, THREADS>(space.flags, base, count)) {}
        __device__ Sum sum(const ScanByFlagsTask& task, const Space& space) const {
            V items[ITEMS];
            take_seeded(task, space, items);
            V run = items[0];
#pragma unroll
            for (int j = 1; j < ITEMS; ++j) run = flagged(j) ? items[j] : task.op(run, items[j]);
            return {run, bits};
        }
        __device__ void rank(const ScanByFlagsTask&, Space&, const Prefix<Sum>&, const Sum&, int) const {}
        /// TOTALS_ONLY: items[j] in shared memory, where element j is flagged or the tile's end: the total of
        /// what ends before it.
        __device__ void finish(const ScanByFlagsTask& task, Space& space, const Prefix<Total>& tiles,
                               const Prefix<Sum>& within, long long, int count, bool) {
            const int first = threadIdx.x * ITEMS, last = count - 1 - first;
            if (Store::TOTALS_ONLY && bits == 0 && (last < 0 || last >= ITEMS)) return;
            V items[ITEMS];
            take_seeded(task, space, items);
            const Prefix<Total> prefix = combine(tiles, within, task);
            V run = prefix.value.value;
            const V start = value_or_identity(task.start, task.op);
#pragma unroll
            for (int j = 0; j < ITEMS; ++j) {
                const V before = run;
                const bool begins = flagged(j) || (j == 0 && !prefix.exists);
                run = begins ? items[j] : task.op(run, items[j]);
                if constexpr (Store::TOTALS_ONLY) {
                    if (flagged(j)) space.items[first + j] = before;
                    if (j == last) space.items[first + j + 1] = run;
                } else {
                    items[j] = FORM == Form::inclusive ? run : flagged(j) ? start : before;
                }
            }
            if constexpr (!Store::TOTALS_ONLY) give<ITEMS>(space.items, items);
        }
        __device__ void store(const ScanByFlagsTask& task, Space& space, const Prefix<Total>&, const Sum&,
                              long long base, int count, bool) const {
            task.to.template store<ITEMS, THREADS>(task.flags, space.flags, space.items, base, count);
        }

       private:
        __device__ void take_seeded(const ScanByFlagsTask& task, const Space& space,
                                    V (&items)[ITEMS]) const {
            take<ITEMS>(space.items, items);
            if (!task.start.exists) return;
#pragma unroll
            for (int j = 0; j < ITEMS; ++j)
                if (flagged(j)) items[j] = task.op(task.start.value, items[j]);
        }
        __device__ bool flagged(int j) const { return (bits >> j & 1) != 0; }
    };
};

// --- Select: by any flags, with or without a column of values beside that of the flags

/// No column, and nowhere to put one.
struct Nothing {};

/// out[r] = the r-th flagged element, in order; REST: the others follow from the end, in reverse order.
/// flag_out takes the elements of the column that the flags come from, out those of `in`; Nothing: neither.
template <class Policy_, bool REST, class Flags, class FlagOut, class In, class Out, class Count>
struct SelectTask {
    using Policy = Policy_;
    using Sum = unsigned;
    using Total = long long;
    static constexpr bool HAS_VALUES = !std::is_same_v<In, Nothing>,
                          HAS_FLAGS_OUT = !std::is_same_v<FlagOut, Nothing>;
    template <class I, class = void>
    struct ValuesOf {
        static constexpr int LARGEST = 1;
        template <int, int>
        struct Columns {
            template <class Task>
            __device__ void load(const Task&, long long, int) {}
            template <class Space>
            __device__ void put(Space&) const {}
        };
        template <int>
        struct Space {};
        template <int>
        struct Mine {
            template <class Space>
            __device__ void take(const Space&) {}
            template <class Space>
            __device__ void give(Space&, int, unsigned) const {}
        };
    };
    template <class I>
    struct ValuesOf<I, std::enable_if_t<!std::is_same_v<I, Nothing>>> {
        static constexpr int LARGEST = sizeof(element_of<I>);
        template <int ITEMS, int THREADS>
        struct Columns {
            Column<I, ITEMS, THREADS> column;
            template <class Task>
            __device__ void load(const Task& task, long long base, int count) {
                column.load(task.in, base, count);
            }
            template <class Space>
            __device__ void put(Space& space) const {
                column.put(space.items);
            }
        };
        template <int TILE>
        struct Space {
            alignas(16) element_of<I> items[TILE];
        };
        template <int ITEMS>
        struct Mine {
            element_of<I> items[ITEMS];
            template <class Space>
            __device__ void take(const Space& space) {
                trial::take<ITEMS>(space.items, items);
            }
            template <class Space>
            __device__ void give(Space& space, int mine, unsigned to) const {
                space.items[to] = items[mine];
            }
        };
    };
    static constexpr int THREADS = Policy::THREADS,
                         ITEMS = items_per_thread<larger(Flags::LARGEST, ValuesOf<In>::LARGEST),
                                                  HAS_VALUES ? Policy::BYTES_OF_SEVERAL : Policy::BYTES>();
    Flags flags;
    FlagOut flag_out;
    In in;
    Out out;
    Count* num_selected;
    long long n;

    struct Space {
        typename Flags::template Space<ITEMS, THREADS> flags;
        typename ValuesOf<In>::template Space<ITEMS * THREADS> values;
    };
    struct Columns {
        typename Flags::template Columns<ITEMS, THREADS> flags;
        typename ValuesOf<In>::template Columns<ITEMS, THREADS> values;
        __device__ void load(const SelectTask& task, long long base, int count) {
            flags.load(task.flags, base, count);
            values.load(task, base, count);
        }
        __device__ void put(Space& space, long long base) const {
            flags.put(space.flags, base);
            values.put(space.values);
        }
    };
    __device__ Prefix<Total> seed() const { return {0, true}; }
    template <int LANES = 32>
    __device__ Sum scan_lanes(Sum own) const {
        return scan_warp<LANES>(own, threadIdx.x % 32 < LANES, *this);
    }
    template <class Number>
    __device__ Number operator()(Number left, Number right) const {
        return left + right;
    }

    struct Mine {
        typename Flags::Key own[ITEMS];
        typename ValuesOf<In>::template Mine<ITEMS> values;
        unsigned bits;
        __device__ Mine(const SelectTask& task, Space& space, long long base, int count) {
            bits = task.flags.template bits<ITEMS, THREADS>(space.flags, base, count, own);
            values.take(space.values);
        }
        __device__ unsigned sum(const SelectTask&, const Space&) const {
            return static_cast<unsigned>(__popc(bits));
        }
        /// Elements move to their ranks: the selected, then the others.
        __device__ void rank(const SelectTask&, Space& space, const Prefix<Sum>& within, unsigned of_tile,
                             int) const {
            const unsigned before = within.exists ? within.value : 0;
            unsigned selected = before, rest = of_tile + threadIdx.x * ITEMS - before;
#pragma unroll
            for (int j = 0; j < ITEMS; ++j) {
                if ((bits >> j & 1) != 0)
                    give(space, j, selected++);
                else if (REST)
                    give(space, j, rest++);
            }
        }
        __device__ void finish(const SelectTask&, Space&, const Prefix<Total>&, const Prefix<Sum>&, long long,
                               int, bool) const {}
        __device__ void store(const SelectTask& task, Space& space, const Prefix<Total>& tiles,
                              unsigned of_tile, long long base, int count, bool last) const {
            const long long first = tiles.value;
            const int selected = static_cast<int>(of_tile), end = REST ? count : selected;
#pragma unroll 4
            for (int r = threadIdx.x; r < end; r += THREADS) {
                long long to = first + r;
                if (REST && r >= selected) to = task.n - 1 - (base - first + r - selected);
                if constexpr (HAS_FLAGS_OUT) task.flag_out[to] = space.flags.items[r];
                if constexpr (HAS_VALUES) task.out[to] = space.values.items[r];
            }
            if (last && threadIdx.x == 0) *task.num_selected = static_cast<Count>(first + selected);
        }

       private:
        __device__ void give(Space& space, int mine, unsigned to) const {
            if constexpr (HAS_FLAGS_OUT) space.flags.items[to] = own[mine];
            values.give(space.values, mine, to);
        }
    };
};

// --- Reduce by key

template <class V, class Number>
struct Runs {
    Number begun;  ///< since the first of these elements
    V value;       ///< of the elements since the last one began
    template <class Other>
    __host__ __device__ explicit operator Runs<V, Other>() const {
        return {static_cast<Other>(begun), value};
    }
};

/// Run r: unique_out[r] = its key, out[r] = its elements combined.
template <class Policy_, class Keys, class UniqueOut, class In, class Out, class V, class Op, class Count>
struct ReduceByKeyTask {
    using Policy = Policy_;
    using Sum = Runs<V, unsigned>;
    using Total = Runs<V, long long>;
    using Flags = KeyFlags<Keys>;
    static constexpr int THREADS = Policy::THREADS,
                         ITEMS =
                             items_per_thread<larger(sizeof(V), Flags::LARGEST), Policy::BYTES_OF_SEVERAL>();
    Flags flags;
    UniqueOut unique_out;
    In in;
    Out out;
    Count* num_runs;
    Op op;

    struct Space {
        alignas(16) V items[ITEMS * THREADS];
        typename Flags::template Space<ITEMS, THREADS> flags;
    };
    struct Columns {
        typename Flags::template Columns<ITEMS, THREADS> flags;
        Column<In, ITEMS, THREADS, V> column;
        __device__ void load(const ReduceByKeyTask& task, long long base, int count) {
            flags.load(task.flags, base, count);
            column.load(task.in, base, count);
        }
        __device__ void put(Space& space, long long base) const {
            flags.put(space.flags, base);
            column.put(space.items);
        }
    };
    __device__ Prefix<Total> seed() const { return {{}, false}; }
    template <int LANES = 32>
    __device__ Sum scan_lanes(const Sum& own) const {
        return scan_warp<LANES>(own, threadIdx.x % 32 < LANES, *this);
    }
    template <class Number>
    __device__ Runs<V, Number> operator()(const Runs<V, Number>& left, const Runs<V, Number>& right) const {
        return {left.begun + right.begun, right.begun > 0 ? right.value : op(left.value, right.value)};
    }

    struct Mine {
        typename Flags::Key keys[ITEMS];
        V items[ITEMS];
        unsigned bits;
        __device__ Mine(const ReduceByKeyTask& task, Space& space, long long base, int count) {
            bits = task.flags.template bits<ITEMS, THREADS>(space.flags, base, count, keys);
            take<ITEMS>(space.items, items);
        }
        __device__ Sum sum(const ReduceByKeyTask& task, const Space&) const {
            V run = items[0];
#pragma unroll
            for (int j = 1; j < ITEMS; ++j) run = begins(j) ? items[j] : task.op(run, items[j]);
            return {static_cast<unsigned>(__popc(bits)), run};
        }
        /// Keys of runs move to their ranks.
        __device__ void rank(const ReduceByKeyTask&, Space& space, const Prefix<Sum>& within, const Sum&,
                             int) const {
            unsigned rank = within.exists ? within.value.begun : 0;
#pragma unroll
            for (int j = 0; j < ITEMS; ++j)
                if (begins(j)) space.flags.items[rank++] = keys[j];
        }
        /// items[r] in shared memory: the total of the run that ends where the r-th one of the tile begins.
        __device__ void finish(const ReduceByKeyTask& task, Space& space, const Prefix<Total>& tiles,
                               const Prefix<Sum>& within, long long, int count, bool last) {
            V run =
                combine_runs(tiles, within, task).value.value;  // none before the first element: it begins
            unsigned rank = within.exists ? within.value.begun : 0;
            const int end = last ? count - 1 - static_cast<int>(threadIdx.x) * ITEMS : ITEMS;
#pragma unroll
            for (int j = 0; j < ITEMS; ++j) {
                if (begins(j)) space.items[rank++] = run;
                run = begins(j) ? items[j] : task.op(run, items[j]);
                if (j == end) {
                    const long long runs = (tiles.exists ? tiles.value.begun : 0) + rank;
                    task.out[runs - 1] = run;
                    *task.num_runs = static_cast<Count>(runs);
                }
            }
        }
        __device__ void store(const ReduceByKeyTask& task, Space& space, const Prefix<Total>& tiles,
                              const Sum& of_tile, long long, int, bool) const {
            const long long first = tiles.exists ? tiles.value.begun : 0;
            for (int r = threadIdx.x; r < static_cast<int>(of_tile.begun); r += THREADS) {
                task.unique_out[first + r] = space.flags.items[r];
                if (first + r > 0) task.out[first + r - 1] = space.items[r];
            }
        }

       private:
        __device__ bool begins(int j) const { return (bits >> j & 1) != 0; }
        __device__ static Prefix<Total> combine_runs(const Prefix<Total>& tiles, const Prefix<Sum>& within,
                                                     const ReduceByKeyTask& task) {
            if (!within.exists) return tiles;
            return {combine(tiles, static_cast<Total>(within.value), task), true};
        }
    };
};

// --- Run lengths

template <class Number>
struct RunLength {
    Number begun, since;  ///< runs begun, and elements since the last one began
    template <class Other>
    __host__ __device__ explicit operator RunLength<Other>() const {
        return {static_cast<Other>(begun), static_cast<Other>(since)};
    }
};

/// Run r: unique_out[r] = its key, out[r] = its length.
template <class Policy_, class Keys, class UniqueOut, class Out, class Count>
struct RunLengthTask {
    using Policy = Policy_;
    using Sum = RunLength<unsigned>;
    using Total = RunLength<long long>;
    using Flags = KeyFlags<Keys>;
    static constexpr int THREADS = Policy::THREADS, ITEMS = items_per_thread<Flags::LARGEST, Policy::BYTES>();
    Flags flags;
    UniqueOut unique_out;
    Out out;
    Count* num_runs;

    struct Space {
        typename Flags::template Space<ITEMS, THREADS> flags;
        unsigned short places[ITEMS * THREADS];  ///< of flagged elements, by rank
    };
    struct Columns {
        typename Flags::template Columns<ITEMS, THREADS> flags;
        __device__ void load(const RunLengthTask& task, long long base, int count) {
            flags.load(task.flags, base, count);
        }
        __device__ void put(Space& space, long long base) const { flags.put(space.flags, base); }
    };
    __device__ Prefix<Total> seed() const { return {{0, 0}, true}; }
    template <int LANES = 32>
    __device__ Sum scan_lanes(const Sum& own) const {
        return scan_warp<LANES>(own, threadIdx.x % 32 < LANES, *this);
    }
    template <class Number>
    __device__ RunLength<Number> operator()(const RunLength<Number>& left,
                                            const RunLength<Number>& right) const {
        return {left.begun + right.begun, right.begun > 0 ? right.since : left.since + right.since};
    }

    struct Mine {
        typename Flags::Key keys[ITEMS];
        unsigned bits;
        int elements;
        __device__ Mine(const RunLengthTask& task, Space& space, long long base, int count)
            : bits(task.flags.template bits<ITEMS, THREADS>(space.flags, base, count, keys)),
              elements(max(0, min(ITEMS, count - static_cast<int>(threadIdx.x) * ITEMS))) {}
        __device__ Sum sum(const RunLengthTask&, const Space&) const {
            const int before = bits == 0 ? 0 : 31 - __clz(static_cast<int>(bits));
            return {static_cast<unsigned>(__popc(bits)), static_cast<unsigned>(elements - before)};
        }
        __device__ void rank(const RunLengthTask&, Space& space, const Prefix<Sum>& within, const Sum&,
                             int) const {
            unsigned rank = within.exists ? within.value.begun : 0;
#pragma unroll
            for (int j = 0; j < ITEMS; ++j) {
                if ((bits >> j & 1) == 0) continue;
                space.flags.items[rank] = keys[j];
                space.places[rank++] = static_cast<unsigned short>(threadIdx.x * ITEMS + j);
            }
        }
        __device__ void finish(const RunLengthTask&, Space&, const Prefix<Total>&, const Prefix<Sum>&,
                               long long, int, bool) const {}
        __device__ void store(const RunLengthTask& task, Space& space, const Prefix<Total>& tiles,
                              const Sum& of_tile, long long, int count, bool last) const {
            const long long first = tiles.value.begun, since = tiles.value.since;
            const int begun = static_cast<int>(of_tile.begun);
            for (int r = threadIdx.x; r < begun; r += THREADS) {
                const int place = space.places[r];
                task.unique_out[first + r] = space.flags.items[r];
                if (first + r > 0)
                    task.out[first + r - 1] = r > 0 ? place - space.places[r - 1] : since + place;
            }
            if (!last || threadIdx.x != 0) return;
            task.out[first + begun - 1] = begun > 0 ? count - space.places[begun - 1] : since + count;
            *task.num_runs = static_cast<Count>(first + begun);
        }
    };
};

}  // namespace trial
