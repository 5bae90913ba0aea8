// Scan of segments of several tiles, a block a tile. How the blocks of a segment learn of the sums of those
// before them is the exchange:
//
//     segment           |  tile 0  |  tile 1  |  tile 2  |  tile 3  |
//     sums                  s0         s1         s2         s3
//     exchange              -          s0       s0+s1     s0+s1+s2
//     scans             each tile, starting from what is before it
//
//     BetweenLaunches   through global memory, between two launches: every tile is read twice, 3 n bytes
//     ByLookBack        through global memory while blocks run, scan_look_back: 2 n, a launch and a memset
//     InCluster         through the shared memory of the cluster that the segment's blocks are: 2 n, 1 launch
//     InClusters        the same within a cluster; clusters look back, as blocks do above
//
//     InCluster         block 0      block 1      block 2
//                         s0           s1           s2         each in its own shared memory
//                       ============ barrier ============      of the cluster
//                         -         reads s0     reads s0, s1
//                       ============ barrier ============      nobody leaves while another reads
//
// Work: that of textbook/block/scan_raking for each tile, and to find what is before a tile of rank r: r - 1
// operations where all sums are there. Source: NVIDIA, CUDA C++ Programming Guide, "Distributed shared
// memory"; Merrill and Garland, NVR-2016-002, 2016, for look-back.
#pragma once
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <type_traits>

#include "kernels/device_array.cuh"
#include "kernels/index_maps.cuh"
#include "kernels/launch.cuh"
#include "kernels/prefix.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/textbook/block/scan_raking.cuh"
#include "kernels/textbook/device/scan_look_back.cuh"
#include "kernels/textbook/device/tile_status.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// Of a block: its segment, and its rank among the blocks of that, each with a tile.
struct TilePlace {
    long long segment;
    int rank, blocks;

    __device__ TilePlace(long long number, int blocks)
        : segment(number / blocks), rank(static_cast<int>(number % blocks)), blocks(blocks) {}
};

/// In lane 0: the values of lanes 0 .. count - 1 combined in order, 1 <= count <= 32. Called by a whole warp.
template <class T, class Op>
__device__ T combine_lanes(T value, int count, Op op) {
    const int lane = threadIdx.x % 32;
    for (int delta = 1; delta < 32; delta *= 2) {  // a lane holds up to `delta` values, from its own on
        const T later = shuffle_down(value, delta);
        if (lane + delta < count) value = op(value, later);
    }
    return value;
}

/// A number for each block, in the order in which blocks start. ticket is 0 at the start of the grid.
__device__ inline long long take_ticket(unsigned long long* ticket) {
    __shared__ long long number;
    if (threadIdx.x == 0) number = static_cast<long long>(atomicAdd(ticket, 1ull));
    __syncthreads();
    return number;
}

// Exchanges. enter(): this block's place. publish(): called by all threads once the tile's sum is in shared
// memory. before(): called by warp 0; in lane 0, the tiles before it combined. leave(): called by all threads
// at the end.

/// The sums were made by an earlier launch, sum_tiles: sums[segment * blocks + rank].
template <class T>
struct BetweenLaunches {
    const T* sums;

    __device__ TilePlace enter(int blocks) const { return {blockIdx.x, blocks}; }
    __device__ void publish(const T*, TilePlace) const {}
    template <class Op>
    __device__ Prefix<T> before(const T*, TilePlace place, Op op) const {
        const T* const own = sums + place.segment * place.blocks;
        const int lane = threadIdx.x % 32;
        Prefix<T> all = {{}, false};
        for (int first = 0; first < place.rank; first += 32) {
            const int count = min(32, place.rank - first);
            const T some = combine_lanes(lane < count ? own[first + lane] : T{}, count, op);
            all = {combine(all, some, op), true};
        }
        return all;
    }
    __device__ void leave() const {}
};

/// words and ticket are 0 at the start of the grid.
template <class T>
struct ByLookBack {
    typename TileStatus<T>::Word* words;
    unsigned long long* ticket;

    __device__ TilePlace enter(int blocks) const { return {take_ticket(ticket), blocks}; }
    __device__ void publish(const T* sum, TilePlace place) const {
        const bool is_first = place.rank == 0;
        if (threadIdx.x == 0)
            of(place).write(place.rank, is_first ? TileState::prefix : TileState::aggregate, *sum);
    }
    template <class Op>
    __device__ Prefix<T> before(const T* sum, TilePlace place, Op op) const {
        if (place.rank == 0) return {{}, false};
        const T all = look_back(of(place), place.rank, op);
        if (threadIdx.x == 0) of(place).write(place.rank, TileState::prefix, op(all, *sum));
        return {all, true};
    }
    __device__ void leave() const {}

   private:
    /// The statuses of a segment's tiles.
    __device__ TileStatus<T> of(TilePlace place) const {
        return TileStatus<T>(words + place.segment * place.blocks * TileStatus<T>::WORDS);
    }
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
/// In lane 0: the first `count` blocks' sums combined. sum: where it lies in every block's shared memory.
template <class T, class Op>
__device__ T combine_blocks(const T* sum, int count, Op op) {
    const int lane = threadIdx.x % 32;
    T value = {};
    if (lane < count) value = *cooperative_groups::this_cluster().map_shared_rank(const_cast<T*>(sum), lane);
    return combine_lanes(value, count, op);
}

/// The blocks of a segment are a cluster: at most 16.
template <class T>
struct InCluster {
    __device__ TilePlace enter(int blocks) const { return {blockIdx.x, blocks}; }
    __device__ void publish(const T*, TilePlace) const { cooperative_groups::this_cluster().sync(); }
    template <class Op>
    __device__ Prefix<T> before(const T* sum, TilePlace place, Op op) const {
        if (place.rank == 0) return {{}, false};
        return {combine_blocks(sum, place.rank, op), true};
    }
    __device__ void leave() const { cooperative_groups::this_cluster().sync(); }
};

/// A segment is a whole number of clusters. words, a status for each cluster, and ticket are 0 at the start
/// of the grid.
template <class T>
struct InClusters {
    typename TileStatus<T>::Word* words;
    unsigned long long* ticket;

    __device__ TilePlace enter(int blocks) const {
        const auto cluster = cooperative_groups::this_cluster();
        __shared__ long long number;
        if (cluster.block_rank() == 0 && threadIdx.x == 0)
            number = static_cast<long long>(atomicAdd(ticket, 1ull));
        cluster.sync();
        const long long of_cluster = *cluster.map_shared_rank(&number, 0);
        return {of_cluster * cluster.num_blocks() + cluster.block_rank(), blocks};
    }
    __device__ void publish(const T*, TilePlace) const { cooperative_groups::this_cluster().sync(); }
    template <class Op>
    __device__ Prefix<T> before(const T* sum, TilePlace place, Op op) const {
        const auto cluster = cooperative_groups::this_cluster();
        const int size = cluster.num_blocks(), rank = cluster.block_rank(), number = place.rank / size;
        const TileStatus<T> status(words + place.segment * (place.blocks / size) * TileStatus<T>::WORDS);
        const bool publishes = rank == 0 && (number + 1) * size < place.blocks;  // for clusters after it
        const bool writes = publishes && threadIdx.x == 0;
        T total = {};
        if (publishes) total = combine_blocks(sum, size, op);
        if (writes) status.write(number, number == 0 ? TileState::prefix : TileState::aggregate, total);
        Prefix<T> before = {{}, number > 0};
        if (number > 0) {
            before.value = look_back(status, number, op);  // by each block
            if (writes) status.write(number, TileState::prefix, op(before.value, total));
        }
        if (rank == 0) return before;
        return {combine(before, combine_blocks(sum, rank, op), op), true};
    }
    __device__ void leave() const { cooperative_groups::this_cluster().sync(); }
};
#else  // without clusters: for the compiler, nothing launches these
template <class T>
struct InCluster : BetweenLaunches<T> {};
template <class T>
struct InClusters : ByLookBack<T> {};
#endif

/// sums[b]: block b's tile of a segment of `length` elements, `blocks` tiles, combined; nothing for an empty
/// tile. Grid: `blocks` blocks of THREADS threads for each segment.
template <int ITEMS_PER_THREAD, int THREADS, class T, class Op>
__global__ void __launch_bounds__(THREADS)
    sum_tiles(const T* in, T* sums, long long length, int blocks, Op op) {
    constexpr int TILE = ITEMS_PER_THREAD * THREADS;
    using Map = Padded<>;
    __shared__ T tile[Map::size(TILE)];
    const TilePlace place(blockIdx.x, blocks);
    const long long from = place.rank * static_cast<long long>(TILE);
    const int count = static_cast<int>(max(0ll, min(static_cast<long long>(TILE), length - from)));
    load_tile<TILE, THREADS, Map>(tile, in + place.segment * length + from, count);
    const Rake<ITEMS_PER_THREAD> rake(count);
    const T own = rake.template reduce<Map>(tile, op);
    const Prefix<T> within = exclusive_block_scan<THREADS>(own, rake.threads(count), op);
    if (rake.end == count && rake.begin < count) sums[blockIdx.x] = combine(within, own, op);
}

/// out: the inclusive scan of each segment of `length` elements of in, which out may be. blocks: tiles of a
/// segment; those beyond its end are empty. Grid: `blocks` blocks of THREADS threads for each segment.
template <int ITEMS_PER_THREAD, int THREADS, class T, class Op, class Exchange>
__global__ void __launch_bounds__(THREADS)
    scan_by_exchange(const T* in, T* out, long long length, int blocks, Exchange exchange, Op op) {
    constexpr int TILE = ITEMS_PER_THREAD * THREADS;
    using Map = Padded<>;
    __shared__ T tile[Map::size(TILE)];
    __shared__ T sum, prefix;
    const TilePlace place = exchange.enter(blocks);
    const long long from = place.rank * static_cast<long long>(TILE), base = place.segment * length + from;
    const int count = static_cast<int>(max(0ll, min(static_cast<long long>(TILE), length - from)));
    load_tile<TILE, THREADS, Map>(tile, in + base, count);

    const Rake<ITEMS_PER_THREAD> rake(count);
    const T own = rake.template reduce<Map>(tile, op);
    const Prefix<T> within = exclusive_block_scan<THREADS>(own, rake.threads(count), op);
    if (rake.end == count && rake.begin < count) sum = combine(within, own, op);
    __syncthreads();

    exchange.publish(&sum, place);
    if (threadIdx.x < 32 && count > 0) {
        const Prefix<T> before = exchange.before(&sum, place, op);
        if (threadIdx.x == 0) prefix = before.value;
    }
    __syncthreads();

    if (rake.begin < rake.end) {
        const Prefix<T> before = {prefix, place.rank > 0};
        rake.template scan<Form::inclusive, Map>(tile, combine(before, within, op), op);
    }
    __syncthreads();
    store_tile<TILE, THREADS, Map>(tile, out + base, count);
    exchange.leave();
}

/// How the sums of a segment's tiles are exchanged.
enum class Exchange { between_launches, by_look_back, in_cluster, in_clusters };

/// Scans of `segments` segments of `length` elements; neither is 0. A tile has ITEMS_PER_THREAD THREADS
/// elements, a segment of in_cluster at most 16 tiles.
template <class T, class Op, Exchange EXCHANGE, int ITEMS_PER_THREAD = 8, int THREADS = 512>
class ExchangeScan {
   public:
    static constexpr int TILE = ITEMS_PER_THREAD * THREADS;

    /// cluster: blocks of one of in_clusters, at most 16.
    ExchangeScan(long long length, long long segments, int cluster = 1)
        : length_(length),
          cluster_(cluster),
          blocks_(static_cast<int>(ceil_div(length, cluster * TILE)) * cluster),
          grid_(segments * blocks_),
          sums_(BETWEEN ? grid_ : 0),
          words_(EXCHANGE == Exchange::by_look_back || EXCHANGE == Exchange::in_clusters ? words() : 0) {}

    /// cudaSuccess, or why there is no room for the sums.
    cudaError_t status() const { return first_error({sums_.status(), words_.status()}); }

    /// On the device; out may be in. Calls on one object must not overlap.
    cudaError_t operator()(const T* in, T* out, Op op, cudaStream_t stream) {
        const auto scan = [&](auto exchange, int cluster) {
            return launch_in_clusters(scan_by_exchange<ITEMS_PER_THREAD, THREADS, T, Op, decltype(exchange)>,
                                      cluster, grid_, THREADS, stream, in, out, length_, blocks_, exchange,
                                      op);
        };
        if constexpr (EXCHANGE == Exchange::in_cluster) {
            return scan(InCluster<T>{}, blocks_);
        } else if constexpr (BETWEEN) {
            const cudaError_t summed = launch(sum_tiles<ITEMS_PER_THREAD, THREADS, T, Op>, grid_, THREADS,
                                              stream, in, sums_.data(), length_, blocks_, op);
            return first_error({summed, scan(BetweenLaunches<T>{sums_.data()}, 1)});
        } else {
            using LookBack =
                std::conditional_t<EXCHANGE == Exchange::by_look_back, ByLookBack<T>, InClusters<T>>;
            const cudaError_t cleared = cudaMemsetAsync(words_.data(), 0, words() * sizeof(Word), stream);
            return first_error({cleared, scan(LookBack{words_.data() + 1, words_.data()}, cluster_)});
        }
    }

   private:
    static constexpr bool BETWEEN = EXCHANGE == Exchange::between_launches;
    using Word = typename TileStatus<T>::Word;

    /// The ticket, then a status for each tile or cluster.
    long long words() const { return 1 + grid_ / cluster_ * TileStatus<T>::WORDS; }

    long long length_;
    int cluster_, blocks_;  ///< of a segment; the last may be empty
    long long grid_;
    DeviceArray<T> sums_;
    DeviceArray<Word> words_;
};

}  // namespace trial
