// The shadow of memory: for each 4-byte word, the accesses that a later one may race with.
//
// Two accesses race if they touch the same byte, at least one writes, they are not both strong, and neither
// happens before the other; in whatever order they happened to run.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "simt/order.h"

namespace simt {

/// The shadow of [begin, begin + bytes). Pages of it are allocated once memory there is accessed.
class Shadow {
   public:
    /// of_blocks: is this shared memory, in which one block follows another?
    Shadow(std::uintptr_t begin, std::size_t bytes, bool of_blocks);
    ~Shadow();
    Shadow(const Shadow&) = delete;
    Shadow& operator=(const Shadow&) = delete;

    /// What a lane's access meets: the earlier access that does not happen before it, if there is one.
    struct Conflict {
        PastAccess past;
        Precedence precedence = Precedence::happened;
        bool unseen = false;  ///< it happened before, but no proxy fence shows it to the asynchronous copy
        explicit operator bool() const { return precedence != Precedence::happened || unseen; }
    };

    /// `now` accesses `size` bytes at `address` and is remembered; its `bytes` are set here. Of a copy,
    /// `lane` is the issuer. If several CPU threads access the memory, `locked` must be true.
    Conflict access(std::uintptr_t address, unsigned size, PastAccess now, const BlockOrder& order,
                    unsigned lane, bool locked);

    /// The same in the common case: a plain access of a lane to whole words, after all that is remembered of
    /// them. Returns false if it is not that; then access() must follow. By value: a CPU is slow to load as a
    /// whole what it has just stored in parts.
    __attribute__((always_inline)) bool access_quickly(std::uintptr_t address, unsigned size, PastAccess now,
                                                       const BlockOrder& order, unsigned lane, bool locked) {
        now.bytes = 15;
        Cell* const cells = &cells_[(address - begin_) / 4];
        for (unsigned word = 0; word < size / 4; ++word) {
            const CellLock lock(cells[word].more, locked);
            if (!access_quickly(cells[word], now, order, lane)) return false;
        }
        return true;
    }

   private:
    /// One line of a CPU's cache.
    struct Cell {
        PastAccess write, read[2];  ///< the first that are remembered
        std::uint32_t more;  ///< 1 + index in room_ of all others, 0 if there never were any; and LOCKED
    };
    static constexpr std::uint32_t LOCKED = 1u << 31;
    /// Holds a cell, against other CPU threads.
    class CellLock {
       public:
        CellLock(std::uint32_t& word, bool needed) : word_(needed ? &word : nullptr) {
            if (word_ != nullptr)
                while (__atomic_fetch_or(word_, LOCKED, __ATOMIC_ACQUIRE) & LOCKED) continue;
        }
        ~CellLock() {
            if (word_ != nullptr) __atomic_fetch_and(word_, ~LOCKED, __ATOMIC_RELEASE);
        }
        CellLock(const CellLock&) = delete;
        CellLock& operator=(const CellLock&) = delete;

       private:
        std::uint32_t* word_;
    };
    struct More {
        std::vector<PastAccess> writes, reads;
    };

    /// Of one word. Returns false, and does nothing, if it is not the common case.
    __attribute__((always_inline)) bool access_quickly(Cell& cell, const PastAccess now,
                                                       const BlockOrder& order, unsigned lane) const {
        const auto is_over = [&](const PastAccess& past) __attribute__((always_inline)) {
            return past.block == 0 || (of_blocks_ && past.block != now.block) || order.happened(past, lane);
        };
        if ((cell.more & ~LOCKED) != 0 || (now.kind & PastAccess::STRONG) != 0 || now.lanes == 0 ||
            !is_over(cell.write))
            return false;
        if ((now.kind & PastAccess::WRITE) != 0) {
            if (!is_over(cell.read[0]) || !is_over(cell.read[1])) return false;
            cell.write = now;
            cell.read[0].block = cell.read[1].block = 0;
            return true;
        }
        for (PastAccess& read : cell.read) {
            if (!is_together(read, now)) continue;
            read.lanes |= now.lanes;  // a warp reads one word
            return true;
        }
        for (PastAccess& read : cell.read) {
            if (!is_over(read)) continue;
            read = now;
            return true;
        }
        return false;
    }
    /// Whether both are one access of several lanes.
    __attribute__((always_inline)) static bool is_together(const PastAccess& a, const PastAccess b) {
        return a.block == b.block && a.time == b.time && a.unit == b.unit && a.kind == b.kind &&
               a.bytes == b.bytes;
    }
    Conflict access_word(Cell& cell, const PastAccess& now, const BlockOrder& order, unsigned lane);
    Conflict compare_all(std::vector<PastAccess>& pasts, const PastAccess& now, const BlockOrder& order,
                         unsigned lane) const;
    bool is_superseded(const PastAccess& past, const PastAccess& now, const BlockOrder& order,
                       unsigned lane) const;
    void remember_more(std::vector<PastAccess>& others, const PastAccess& now, const BlockOrder& order,
                       unsigned lane) const;
    More& more(Cell& cell);
    /// Elements stay where they are: room_[k] has 64 << k of them.
    static unsigned room_of(std::uint32_t index) { return 31 - unsigned(__builtin_clz(index / 64 + 1)); }
    More& element(std::uint32_t index) {
        const unsigned k = room_of(index);
        return room_[k][index + 64 - (64u << k)];
    }

    std::uintptr_t begin_;
    std::size_t bytes_;  // of the cells
    bool of_blocks_;
    Cell* cells_;
    std::mutex mutex_;  // protects the two below, but for elements that a cell names
    std::uint32_t count_ = 0;
    std::unique_ptr<More[]> room_[26];
};

}  // namespace simt
