// Tasks of fast/detail/single_pass: scans, whole or by flags (by key, or of segments).
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/detail/columns.cuh"
#include "kernels/fast/detail/flags.cuh"
#include "kernels/fast/detail/single_pass.cuh"
#include "kernels/prefix.cuh"
#include "kernels/shuffle.cuh"

namespace trial {

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
    static constexpr bool IS_TOTAL = trial::IS_TOTAL<Op>;
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
        __device__ void load(const ScanTask& task, Space& space, long long base, int count) {
            column.load(task.in, space.items, base, count);
        }
        __device__ void put(Space& space) const { column.put(space.items); }
    };
    __device__ Prefix<V> seed() const { return before_at == nullptr ? before : *before_at; }
    __device__ void finish_nothing() const {}
    __device__ V operator()(const V& left, const V& right) const { return op(left, right); }

    struct Mine {
        __device__ Mine(const ScanTask&, Space&, long long, int) {}
        __device__ V sum(const ScanTask& task, const Space& space, int count) const {
            V items[ITEMS];
            take<ITEMS>(space.items, items);
            V sum = items[0];
#pragma unroll
            for (int j = 1; j < ITEMS; ++j)
                if (is_operand<ScanTask>(j, count)) sum = task(sum, items[j]);
            return sum;
        }
        __device__ void rank(const ScanTask&, Space&, const Prefix<V>&, const V&, int) const {}
        __device__ void finish(const ScanTask& task, Space& space, const Prefix<V>& tiles,
                               const Prefix<V>& within, long long, int count, bool) {
            V items[ITEMS];
            take<ITEMS>(space.items, items);
            Prefix<V> prefix = combine(tiles, within, task);
#pragma unroll
            for (int j = 0; j < ITEMS; ++j) {
                if (!is_operand<ScanTask>(j, count)) continue;
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

template <class Op>
struct CombineSinceFlag {
    static constexpr bool IS_TOTAL = trial::IS_TOTAL<Op>;
    Op op;
    template <class V>
    __device__ SinceFlag<V> operator()(const SinceFlag<V>& left, const SinceFlag<V>& right) const {
        return {right.flags != 0 ? right.value : op(left.value, right.value), left.flags | right.flags};
    }
};

/// What comes before the first element of every run; of NoRunSeed nothing does.
template <class V>
struct RunSeed {
    using Value = V;
    static constexpr bool EXISTS = true;
    V value;
    __host__ __device__ Prefix<V> prefix() const { return {value, true}; }
};
template <class V>
struct NoRunSeed {
    using Value = V;
    static constexpr bool EXISTS = false;
    __host__ __device__ static Prefix<V> prefix() { return {{}, false}; }
};

/// As ScanTask, but each flagged element begins anew, from the seed if there is one. The first is flagged.
template <class Policy_, Form FORM, class Flags, class In, class Store, class Op, class Seed>
struct ScanByFlagsTask {
    using Policy = Policy_;
    using V = typename Seed::Value;
    using Sum = SinceFlag<V>;
    using Total = SinceFlag<V>;
    static constexpr bool IS_TOTAL = trial::IS_TOTAL<Op>;
    static constexpr int THREADS = Policy::THREADS,
                         BYTES = Flags::COLUMNS == 0 ? Policy::BYTES : Policy::BYTES_OF_SEVERAL,
                         ITEMS = items_per_thread<larger(sizeof(V), Flags::LARGEST), BYTES>();
    Flags flags;
    In in;
    Store to;
    Op op;
    Seed start;

    struct Space {
        alignas(16) V items[ITEMS * THREADS + (Store::TOTALS_ONLY ? 1 : 0)];
        typename Flags::template Space<ITEMS, THREADS> flags;
    };
    struct Columns {
        typename Flags::template Columns<ITEMS, THREADS> flags;
        Column<In, ITEMS, THREADS, V> column;
        __device__ void load(const ScanByFlagsTask& task, Space& space, long long base, int count) {
            column.load(task.in, space.items, base, count);
            flags.load(task.flags, space.flags, base, count);
        }
        __device__ void put(Space& space) const {
            flags.put(space.flags);
            column.put(space.items);
        }
    };
    __device__ Prefix<Total> seed() const { return {{}, false}; }
    __device__ Sum operator()(const Sum& left, const Sum& right) const {
        return CombineSinceFlag<Op>{op}(left, right);
    }

    /// The run up to an item: what is before it, or the seed if it is flagged, then itself.
    __device__ V next(bool is_flagged, const Prefix<V>& run, const V& item) const {
        if constexpr (Seed::EXISTS)
            return is_flagged || run.exists ? op(is_flagged ? start.value : run.value, item) : item;
        else
            return !is_flagged && run.exists ? op(run.value, item) : item;
    }

    struct Mine {
        unsigned bits;
        __device__ Mine(const ScanByFlagsTask& task, Space& space, long long base, int count)
            : bits(task.flags.template bits<ITEMS, THREADS>(space.flags, base, count)) {}
        __device__ Sum sum(const ScanByFlagsTask& task, const Space& space, int count) const {
            V items[ITEMS];
            take<ITEMS>(space.items, items);
            V run = task.next(flagged(0), {{}, false}, items[0]);
#pragma unroll
            for (int j = 1; j < ITEMS; ++j)
                if (is_operand<ScanByFlagsTask>(j, count)) run = task.next(flagged(j), {run, true}, items[j]);
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
            take<ITEMS>(space.items, items);
            const Prefix<Total> prefix = combine(tiles, within, task);
            V run = prefix.value.value;
            const V start = value_or_identity(task.start.prefix(), task.op);
#pragma unroll
            for (int j = 0; j < ITEMS; ++j) {
                if (!is_operand<ScanByFlagsTask>(j, count)) continue;
                const V before = run;
                run = task.next(flagged(j), {run, j > 0 || prefix.exists}, items[j]);
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
        __device__ bool flagged(int j) const { return (bits >> j & 1) != 0; }
    };
};

/// Inclusive scan of the lanes of a warp, as fast/detail/scan_warp: a lane takes part in the steps that do
/// not reach beyond the nearest flag before it, which a vote finds. lanes: as there.
template <int LANES, class Policy, Form FORM, class Flags, class In, class Store, class Op, class Seed>
__device__ SinceFlag<typename Seed::Value> scan_lanes(
    const ScanByFlagsTask<Policy, FORM, Flags, In, Store, Op, Seed>& task,
    const SinceFlag<typename Seed::Value>& own, int lanes) {
    using V = typename Seed::Value;
    const unsigned lane = threadIdx.x % LANES;
    const unsigned flags = __ballot_sync(ALL_LANES, own.flags != 0) & (2u << lane) - 1;
    const int steps = flags == 0 ? lane : lane - (31 - __clz(static_cast<int>(flags)));
    V value = own.value;
#pragma unroll
    for (int delta = 1; delta < LANES; delta *= 2) {
        const V left = shuffle_up(value, delta);
        if (delta <= steps && (IS_TOTAL<Op> || static_cast<int>(lane) < lanes)) value = task.op(left, value);
    }
    return {value, flags};
}

}  // namespace trial
