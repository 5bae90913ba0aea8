// The task of fast/detail/single_pass that selects by any flags, with or without a column of values beside
// that of the flags.
#pragma once
#include <cuda_runtime.h>

#include <type_traits>

#include "kernels/fast/detail/columns.cuh"
#include "kernels/fast/detail/flags.cuh"
#include "kernels/fast/detail/single_pass.cuh"
#include "kernels/prefix.cuh"

namespace trial {

/// No column, and nowhere to put one.
struct Nothing {};

/// out[r] = the r-th flagged element, in order; REST: the others follow from the end, in reverse order.
/// flag_out takes the elements of the column that the flags come from, out those of `in`; Nothing: neither.
template <class Policy_, bool REST, class Flags, class FlagOut, class In, class Out, class Count>
struct SelectTask {
    static constexpr bool IS_TOTAL = true;
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
            template <class Task, class Space>
            __device__ void load(const Task&, Space&, long long, int) {}
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
            template <class Task, class Space>
            __device__ void load(const Task& task, Space& space, long long base, int count) {
                column.load(task.in, space.items, base, count);
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
        __device__ void load(const SelectTask& task, Space& space, long long base, int count) {
            flags.load(task.flags, space.flags, base, count);
            values.load(task, space.values, base, count);
        }
        __device__ void put(Space& space) const {
            flags.put(space.flags);
            values.put(space.values);
        }
    };
    __device__ Prefix<Total> seed() const { return {0, true}; }
    __device__ void finish_nothing() const { *num_selected = 0; }
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
        __device__ unsigned sum(const SelectTask&, const Space&, int) const {
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
            const int selected = static_cast<int>(of_tile);
            const long long rest = task.n - 1 - (base - first) + selected;  // rest - r: where r goes, if not
#pragma unroll
            for (int k = 0; k < ITEMS; ++k) {
                if (!REST && k * THREADS >= selected) break;
                const int r = k * THREADS + static_cast<int>(threadIdx.x);
                if (r < selected)
                    put(task, space, first + r, r);
                else if (REST && r < count)
                    put(task, space, rest - r, r);
            }
            if (last && threadIdx.x == 0) *task.num_selected = static_cast<Count>(first + selected);
        }

       private:
        __device__ static void put(const SelectTask& task, const Space& space, long long to, int r) {
            if constexpr (HAS_FLAGS_OUT) task.flag_out[to] = space.flags.items[r];
            if constexpr (HAS_VALUES) task.out[to] = space.values.items[r];
        }
        __device__ void give(Space& space, int mine, unsigned to) const {
            if constexpr (HAS_FLAGS_OUT) space.flags.items[to] = own[mine];
            values.give(space.values, mine, to);
        }
    };
};

}  // namespace trial
