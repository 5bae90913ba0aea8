// Tasks of fast/detail/single_pass: what becomes of runs of equal keys, their totals or their lengths.
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/detail/columns.cuh"
#include "kernels/fast/detail/flags.cuh"
#include "kernels/fast/detail/single_pass.cuh"
#include "kernels/prefix.cuh"

namespace trial {

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
    static constexpr bool IS_TOTAL = trial::IS_TOTAL<Op>;
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
        __device__ void load(const ReduceByKeyTask& task, Space& space, long long base, int count) {
            flags.load(task.flags, space.flags, base, count);
            column.load(task.in, space.items, base, count);
        }
        __device__ void put(Space& space) const {
            flags.put(space.flags);
            column.put(space.items);
        }
    };
    __device__ Prefix<Total> seed() const { return {{}, false}; }
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
        __device__ Sum sum(const ReduceByKeyTask& task, const Space&, int count) const {
            V run = items[0];
#pragma unroll
            for (int j = 1; j < ITEMS; ++j)
                if (is_operand<ReduceByKeyTask>(j, count))
                    run = begins(j) ? items[j] : task.op(run, items[j]);
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
                if (!is_operand<ReduceByKeyTask>(j, count)) continue;
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
    static constexpr bool IS_TOTAL = true;
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
        __device__ void load(const RunLengthTask& task, Space& space, long long base, int count) {
            flags.load(task.flags, space.flags, base, count);
        }
        __device__ void put(Space& space) const { flags.put(space.flags); }
    };
    __device__ Prefix<Total> seed() const { return {{0, 0}, true}; }
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
        __device__ Sum sum(const RunLengthTask&, const Space&, int) const {
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
