// Cooperative groups: blocks, grids, tiles of any size, and groups of the lanes that are active together.
// Groups of up to a warp synchronise and shuffle by the warp intrinsics, as on a GPU.
#pragma once
#include <cuda_runtime.h>
#include <device_functions.h>

extern "C" {
void simt_group_barrier(unsigned first, unsigned count);
void simt_grid_barrier();
}

namespace cooperative_groups {

namespace details {
SIMT_INLINE unsigned thread_number() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
SIMT_INLINE unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
SIMT_INLINE unsigned lane() { return thread_number() % 32; }
SIMT_INLINE unsigned lanes_below() { return (1u << lane()) - 1; }
/// A shuffle of any type: by 4-byte words, unless it is arithmetic.
template <class T, class Shuffle>
SIMT_INLINE T by_words(T value, Shuffle shuffle) {
    if constexpr (std::is_arithmetic_v<T>) {
        return shuffle(value);
    } else {
        unsigned words[(sizeof(T) + 3) / 4] = {};
        __builtin_memcpy(words, &value, sizeof(T));
        for (unsigned& word : words) word = shuffle(word);
        __builtin_memcpy(&value, words, sizeof(T));
        return value;
    }
}
SIMT_INLINE unsigned mask_of(unsigned size) { return size >= 32 ? ~0u : (1u << size) - 1; }
}  // namespace details

/// Any group of threads of one block: of up to a warp with the mask of its lanes, else a range of the block.
class thread_group {
   public:
    SIMT_INLINE unsigned size() const { return size_; }
    SIMT_INLINE unsigned num_threads() const { return size_; }
    SIMT_INLINE unsigned thread_rank() const { return rank_; }
    SIMT_INLINE bool is_valid() const { return true; }
    SIMT_INLINE void sync() const {
        if (lanes_ != 0)
            __syncwarp(lanes_);
        else if (size_ == details::block_threads())
            __syncthreads();
        else
            simt_group_barrier(details::thread_number() - rank_, size_);
    }
    SIMT_INLINE unsigned simt_lanes() const { return lanes_; }

   protected:
    SIMT_INLINE thread_group(unsigned size, unsigned rank, unsigned lanes)
        : size_(size), rank_(rank), lanes_(lanes) {}
    friend thread_group tiled_partition(const thread_group& parent, unsigned size);

    unsigned size_, rank_, lanes_;
};

/// Scratch memory of tiles of more than a warp; the machine needs none.
template <unsigned THREADS>
struct block_tile_memory {};

class thread_block : public thread_group {
   public:
    SIMT_INLINE thread_block() : thread_group(details::block_threads(), details::thread_number(), 0) {}
    static SIMT_INLINE void sync() { __syncthreads(); }
    static SIMT_INLINE unsigned size() { return details::block_threads(); }
    static SIMT_INLINE unsigned num_threads() { return details::block_threads(); }
    static SIMT_INLINE unsigned thread_rank() { return details::thread_number(); }
    static SIMT_INLINE dim3 group_index() { return blockIdx; }
    static SIMT_INLINE dim3 thread_index() { return threadIdx; }
    static SIMT_INLINE dim3 group_dim() { return blockDim; }
    static SIMT_INLINE dim3 dim_threads() { return blockDim; }
};
SIMT_INLINE thread_block this_thread_block() { return {}; }
template <unsigned THREADS>
SIMT_INLINE thread_block this_thread_block(block_tile_memory<THREADS>&) {
    return {};
}

class grid_group {
   public:
    static SIMT_INLINE void sync() { simt_grid_barrier(); }
    static SIMT_INLINE bool is_valid() { return true; }
    static SIMT_INLINE unsigned long long num_blocks() {
        return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    }
    static SIMT_INLINE unsigned long long block_rank() {
        return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x +
               blockIdx.x;
    }
    static SIMT_INLINE unsigned long long size() { return num_blocks() * details::block_threads(); }
    static SIMT_INLINE unsigned long long num_threads() { return size(); }
    static SIMT_INLINE unsigned long long thread_rank() {
        return block_rank() * details::block_threads() + details::thread_number();
    }
    static SIMT_INLINE dim3 group_dim() { return gridDim; }
    static SIMT_INLINE dim3 dim_blocks() { return gridDim; }
    static SIMT_INLINE dim3 block_index() { return blockIdx; }
};
SIMT_INLINE grid_group this_grid() { return {}; }

/// Lanes that are active together, in any places of a warp.
class coalesced_group : public thread_group {
   public:
    SIMT_INLINE explicit coalesced_group(unsigned lanes)
        : thread_group(unsigned(__popc(lanes)), unsigned(__popc(lanes & details::lanes_below())), lanes) {}

    SIMT_INLINE unsigned meta_group_size() const { return 1; }
    SIMT_INLINE unsigned meta_group_rank() const { return 0; }
    template <class T>
    SIMT_INLINE T shfl(T value, unsigned rank) const {
        return details::by_words(value, [=](auto word) { return __shfl_sync(lanes_, word, lane_of(rank)); });
    }
    template <class T>
    SIMT_INLINE T shfl_up(T value, unsigned delta) const {
        return details::by_words(value, [=](auto word) {
            return __shfl_sync(lanes_, word, lane_of(rank_ >= delta ? rank_ - delta : rank_));
        });
    }
    template <class T>
    SIMT_INLINE T shfl_down(T value, unsigned delta) const {
        return details::by_words(value, [=](auto word) {
            return __shfl_sync(lanes_, word, lane_of(rank_ + delta < size_ ? rank_ + delta : rank_));
        });
    }
    SIMT_INLINE int any(int predicate) const { return __any_sync(lanes_, predicate); }
    SIMT_INLINE int all(int predicate) const { return __all_sync(lanes_, predicate); }
    SIMT_INLINE unsigned ballot(int predicate) const { return pack(__ballot_sync(lanes_, predicate)); }
    template <class T>
    SIMT_INLINE unsigned match_any(T value) const {
        return pack(__match_any_sync(lanes_, value));
    }

   private:
    SIMT_INLINE int lane_of(unsigned rank) const { return int(__fns(lanes_, 0, int(rank) + 1)); }
    /// A mask of lanes as a mask of ranks.
    SIMT_INLINE unsigned pack(unsigned lanes) const {
        unsigned packed = 0;
        int rank = 0;
        for (unsigned lane = 0; lane < 32; ++lane)
            if (lanes_ >> lane & 1) packed |= (lanes >> lane & 1) << rank++;
        return packed;
    }
};
SIMT_INLINE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/// A tile of SIZE threads with consecutive ranks, a power of two. Of more than a warp it synchronises, and
/// takes part in reduce(), but does not shuffle.
template <unsigned SIZE, class Parent = void>
class thread_block_tile : public thread_group {
    static_assert((SIZE & (SIZE - 1)) == 0, "the size of a tile is a power of two");

   public:
    SIMT_INLINE thread_block_tile()
        : thread_group(SIZE, details::thread_number() % SIZE,
                       SIZE <= 32 ? details::mask_of(SIZE) << details::lane() / SIZE * SIZE : 0) {}
    template <class Other>
    SIMT_INLINE operator thread_block_tile<SIZE, Other>() const {
        return {};
    }

    static constexpr SIMT_INLINE unsigned size() { return SIZE; }
    static constexpr SIMT_INLINE unsigned num_threads() { return SIZE; }
    SIMT_INLINE unsigned meta_group_size() const { return (details::block_threads() + SIZE - 1) / SIZE; }
    SIMT_INLINE unsigned meta_group_rank() const { return details::thread_number() / SIZE; }

    template <class T>
    SIMT_INLINE T shfl(T value, unsigned rank) const {
        static_assert(SIZE <= 32, "a tile of more than a warp does not shuffle");
        return details::by_words(value,
                                 [=](auto word) { return __shfl_sync(lanes_, word, int(rank), SIZE); });
    }
    template <class T>
    SIMT_INLINE T shfl_up(T value, unsigned delta) const {
        static_assert(SIZE <= 32, "a tile of more than a warp does not shuffle");
        return details::by_words(value, [=](auto word) { return __shfl_up_sync(lanes_, word, delta, SIZE); });
    }
    template <class T>
    SIMT_INLINE T shfl_down(T value, unsigned delta) const {
        static_assert(SIZE <= 32, "a tile of more than a warp does not shuffle");
        return details::by_words(value,
                                 [=](auto word) { return __shfl_down_sync(lanes_, word, delta, SIZE); });
    }
    template <class T>
    SIMT_INLINE T shfl_xor(T value, unsigned lanes) const {
        static_assert(SIZE <= 32, "a tile of more than a warp does not shuffle");
        return details::by_words(value,
                                 [=](auto word) { return __shfl_xor_sync(lanes_, word, int(lanes), SIZE); });
    }
    SIMT_INLINE int any(int predicate) const { return __any_sync(lanes_, predicate); }
    SIMT_INLINE int all(int predicate) const { return __all_sync(lanes_, predicate); }
    SIMT_INLINE unsigned ballot(int predicate) const { return pack(__ballot_sync(lanes_, predicate)); }
    template <class T>
    SIMT_INLINE unsigned match_any(T value) const {
        return pack(__match_any_sync(lanes_, value));
    }
    template <class T>
    SIMT_INLINE unsigned match_all(T value, int& all) const {
        return pack(__match_all_sync(lanes_, value, &all));
    }

   private:
    SIMT_INLINE unsigned pack(unsigned lanes) const {
        static_assert(SIZE <= 32, "a tile of more than a warp does not vote");
        return lanes >> details::lane() / SIZE * SIZE & details::mask_of(SIZE);
    }
};

template <unsigned SIZE, class Parent>
SIMT_INLINE thread_block_tile<SIZE, Parent> tiled_partition(const Parent&) {
    return {};
}
/// A tile whose size is known only at run time: up to a warp, a power of two.
SIMT_INLINE thread_group tiled_partition(const thread_group& parent, unsigned size) {
    const unsigned number = details::thread_number() % 32;
    size = size < parent.size() ? size : parent.size();
    return {size, number % size, details::mask_of(size) << number / size * size};
}

/// The part of the group whose predicate, or label, is the caller's.
template <class Group>
SIMT_INLINE coalesced_group binary_partition(const Group& group, bool predicate) {
    const unsigned lanes = __ballot_sync(group.simt_lanes(), predicate);
    return coalesced_group(predicate ? lanes : group.simt_lanes() & ~lanes);
}
template <class Group, class Label>
SIMT_INLINE coalesced_group labeled_partition(const Group& group, Label label) {
    return coalesced_group(__match_any_sync(group.simt_lanes(), label));
}

template <class Group>
SIMT_INLINE void sync(const Group& group) {
    group.sync();
}
template <class Group>
SIMT_INLINE unsigned group_size(const Group& group) {
    return group.size();
}
template <class Group>
SIMT_INLINE unsigned thread_rank(const Group& group) {
    return group.thread_rank();
}

/// Copies without asynchrony: complete before wait() at the latest.
template <class Group, class T>
SIMT_INLINE void memcpy_async(const Group& group, T* to, const T* from, std::size_t bytes) {
    for (std::size_t i = group.thread_rank(); i < bytes / sizeof(T); i += group.size()) to[i] = from[i];
}
template <class Group>
SIMT_INLINE void wait(const Group& group) {
    group.sync();
}

}  // namespace cooperative_groups
