// The tasks of fast/detail/single_pass. What a task has:
//
//     Policy, ITEMS            threads of a block, elements of a thread
//     Sum, Total               what a tile publishes, and what is before it; combined by operator()
//     Columns, Space           a tile in registers and in shared memory
//     seed()                   what is before the vector
//     Mine                     a thread's elements: sum(); then rank(), finish() and store() in turn, with a
//                              barrier before each. A thread may write to Space in rank() and finish().
#pragma once
#include <cuda_runtime.h>

#include <type_traits>

#include "kernels/fast/detail/columns.cuh"
#include "kernels/fast/detail/flags.cuh"
#include "kernels/fast/detail/single_pass.cuh"
#include "kernels/prefix.cuh"
#include "kernels/segmented.cuh"

namespace trial {

constexpr int larger(int a, int b) { return a > b ? a : b; }

// --- Scan

/// Dense results: out[i] for every element.
template <class Out>
struct StoreAll {
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

    struct Mine {
        V items[ITEMS];
        __device__ Mine(const ScanTask&, Space& space, long long, int) { take<ITEMS>(space.items, items); }
        __device__ V sum(const ScanTask& task) const {
            V sum = items[0];
#pragma unroll
            for (int j = 1; j < ITEMS; ++j) sum = task(sum, items[j]);
            return sum;
        }
        __device__ void rank(const ScanTask&, Space&, const Prefix<V>&, const V&, int) const {}
        __device__ void finish(const ScanTask& task, Space& space, const Prefix<V>& tiles,
                               const Prefix<V>& within, long long, int, bool) {
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

/// For segment s: out[s] = the inclusive result of its last element, or `empty`.
template <class Out, class V>
struct StoreSegments {
    Out out;
    V empty;
    template <int ITEMS, int THREADS, class Flags, class FlagSpace>
    __device__ void store(const Flags& flags, const FlagSpace& space, const V* results, long long base,
                          int count) const {
        for (long long s = max(space.first - 1, 0LL) + threadIdx.x; s < flags.segments; s += THREADS) {
            const long long end = static_cast<long long>(flags.offsets[s + 1]);
            if (end > base + count) break;
            if (end <= base && base > 0) continue;  // stored with an earlier tile
            out[s] = static_cast<long long>(flags.offsets[s]) == end ? empty : results[end - base - 1];
        }
    }
};
template <class Out, class V>
__global__ void store_empty_segments(Out out, V empty, long long segments) {
    const long long stride = 1LL * gridDim.x * blockDim.x;
    for (long long s = 1LL * blockIdx.x * blockDim.x + threadIdx.x; s < segments; s += stride) out[s] = empty;
}

/// As ScanTask, but each flagged element begins anew, from the seed if there is one. The first is flagged.
template <class Policy_, Form FORM, class Flags, class In, class Store, class V, class Op>
struct ScanByFlagsTask {
    using Policy = Policy_;
    using Sum = Flagged<V>;
    using Total = Flagged<V>;
    static constexpr int THREADS = Policy::THREADS,
                         BYTES = Flags::COLUMNS == 0 ? Policy::BYTES : Policy::BYTES_OF_SEVERAL,
                         ITEMS = items_per_thread<larger(sizeof(V), Flags::LARGEST), BYTES>();
    Flags flags;
    In in;
    Store to;
    Op op;
    Prefix<V> start;

    struct Space {
        alignas(16) V items[ITEMS * THREADS];
        typename Flags::template Space<ITEMS, THREADS> flags;
    };
    struct Columns {
        typename Flags::template Columns<ITEMS, THREADS> flags;
        Column<In, ITEMS, THREADS, V> column;
        __device__ void load(const ScanByFlagsTask& task, long long base, int count) {
            flags.load(task.flags, base, count);
            column.load(task.in, base, count);
        }
        __device__ void put(Space& space, long long base) const {
            flags.put(space.flags, base);
            column.put(space.items);
        }
    };
    __device__ Prefix<Total> seed() const { return {{}, false}; }
    __device__ Sum operator()(const Sum& left, const Sum& right) const {
        return right.starts ? right : Sum{op(left.value, right.value), left.starts};
    }

    struct Mine {
        V items[ITEMS];
        unsigned bits;
        __device__ Mine(const ScanByFlagsTask& task, Space& space, long long base, int count) {
            bits = task.flags.template bits<ITEMS, THREADS>(space.flags, base, count);
            take<ITEMS>(space.items, items);
        }
        __device__ Sum sum(const ScanByFlagsTask& task) const {
            Prefix<V> run = {{}, false};
#pragma unroll
            for (int j = 0; j < ITEMS; ++j) {
                if ((bits >> j & 1) != 0) run = task.start;
                run = {combine(run, items[j], task.op), true};
            }
            return {run.value, bits != 0};
        }
        __device__ void rank(const ScanByFlagsTask&, Space&, const Prefix<Sum>&, const Sum&, int) const {}
        __device__ void finish(const ScanByFlagsTask& task, Space& space, const Prefix<Total>& tiles,
                               const Prefix<Sum>& within, long long, int, bool) {
            const Prefix<Total> before = combine(tiles, within, task);
            Prefix<V> run = {before.value.value, before.exists};
#pragma unroll
            for (int j = 0; j < ITEMS; ++j) {
                if ((bits >> j & 1) != 0) run = task.start;
                const V inclusive = combine(run, items[j], task.op);
                items[j] = FORM == Form::inclusive ? inclusive : value_or_identity(run, task.op);
                run = {inclusive, true};
            }
            give<ITEMS>(space.items, items);
        }
        __device__ void store(const ScanByFlagsTask& task, Space& space, const Prefix<Total>&, const Sum&,
                              long long base, int count, bool) const {
            task.to.template store<ITEMS, THREADS>(task.flags, space.flags, space.items, base, count);
        }
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
        unsigned short places[ITEMS * THREADS];  ///< by rank: of the selected, then of the others
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
    template <class Number>
    __device__ Number operator()(Number left, Number right) const {
        return left + right;
    }

    struct Mine {
        unsigned bits;
        __device__ Mine(const SelectTask& task, Space& space, long long base, int count) {
            bits = task.flags.template bits<ITEMS, THREADS>(space.flags, base, count);
        }
        __device__ unsigned sum(const SelectTask&) const { return static_cast<unsigned>(__popc(bits)); }
        __device__ void rank(const SelectTask&, Space& space, const Prefix<Sum>& within, unsigned of_tile,
                             int) const {
            const unsigned before = within.exists ? within.value : 0;
            unsigned selected = before, rest = of_tile + threadIdx.x * ITEMS - before;
#pragma unroll
            for (int j = 0; j < ITEMS; ++j) {
                const auto place = static_cast<unsigned short>(threadIdx.x * ITEMS + j);
                if ((bits >> j & 1) != 0)
                    space.places[selected++] = place;
                else if (REST)
                    space.places[rest++] = place;
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
                const int place = space.places[r];
                long long to = first + r;
                if (REST && r >= selected) to = task.n - 1 - (base - first + r - selected);
                if constexpr (HAS_FLAGS_OUT) task.flag_out[to] = space.flags.items[place];
                if constexpr (HAS_VALUES) task.out[to] = space.values.items[place];
            }
            if (last && threadIdx.x == 0) *task.num_selected = static_cast<Count>(first + selected);
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
        unsigned short places[ITEMS * THREADS];  ///< of flagged elements, by rank
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
    template <class Number>
    __device__ Runs<V, Number> operator()(const Runs<V, Number>& left, const Runs<V, Number>& right) const {
        return {left.begun + right.begun, right.begun > 0 ? right.value : op(left.value, right.value)};
    }

    struct Mine {
        V items[ITEMS];
        unsigned bits;
        __device__ Mine(const ReduceByKeyTask& task, Space& space, long long base, int count) {
            bits = task.flags.template bits<ITEMS, THREADS>(space.flags, base, count);
            take<ITEMS>(space.items, items);
        }
        __device__ Sum sum(const ReduceByKeyTask& task) const {
            V run = items[0];
#pragma unroll
            for (int j = 1; j < ITEMS; ++j) run = (bits >> j & 1) != 0 ? items[j] : task.op(run, items[j]);
            return {static_cast<unsigned>(__popc(bits)), run};
        }
        __device__ void rank(const ReduceByKeyTask&, Space&, const Prefix<Sum>&, const Sum&, int) const {}
        /// items[r] in shared memory: the total of the run that ends where the r-th one of the tile begins.
        __device__ void finish(const ReduceByKeyTask& task, Space& space, const Prefix<Total>& tiles,
                               const Prefix<Sum>& within, long long, int count, bool last) {
            const Prefix<Total> before = combine_runs(tiles, within, task);
            Prefix<V> run = {before.value.value, before.exists};
            unsigned rank = within.exists ? within.value.begun : 0;
#pragma unroll
            for (int j = 0; j < ITEMS; ++j) {
                const int place = threadIdx.x * ITEMS + j;
                if ((bits >> j & 1) != 0) {
                    if (run.exists) space.items[rank] = run.value;
                    space.places[rank++] = static_cast<unsigned short>(place);
                    run = {items[j], true};
                } else {
                    run.value = task.op(run.value, items[j]);
                }
                if (last && place == count - 1) {
                    const long long runs = (tiles.exists ? tiles.value.begun : 0) + rank;
                    task.out[runs - 1] = run.value;
                    *task.num_runs = static_cast<Count>(runs);
                }
            }
        }
        __device__ void store(const ReduceByKeyTask& task, Space& space, const Prefix<Total>& tiles,
                              const Sum& of_tile, long long, int, bool) const {
            const long long first = tiles.exists ? tiles.value.begun : 0;
            for (int r = threadIdx.x; r < static_cast<int>(of_tile.begun); r += THREADS) {
                task.unique_out[first + r] = space.flags.items[space.places[r]];
                if (first + r > 0) task.out[first + r - 1] = space.items[r];
            }
        }
        __device__ static Prefix<Total> combine_runs(const Prefix<Total>& tiles, const Prefix<Sum>& within,
                                                     const ReduceByKeyTask& task) {
            if (!within.exists) return tiles;
            return {combine(tiles, static_cast<Total>(within.value), task), true};
        }
    };
};

}  // namespace trial
