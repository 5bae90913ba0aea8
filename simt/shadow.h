// The shadow of memory: for each 4-byte word, the accesses that a later one may race with.
//
// Two accesses race if they touch the same byte, at least one writes, they are not both strong, and neither
// happens before the other; in whatever order they happened to run.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
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
    Conflict access(std::uintptr_t address, unsigned size, PastAccess& now, const BlockOrder& order,
                    unsigned lane, bool locked);

   private:
    /// One line of a CPU's cache.
    struct Cell {
        PastAccess write, read[2];  ///< the first that are remembered
        std::uint32_t more;  ///< 1 + index in more_ of all others, 0 if there never were any; and LOCKED
    };
    static constexpr std::uint32_t LOCKED = 1u << 31;
    class CellLock;
    struct More {
        std::vector<PastAccess> writes, reads;
    };

    Conflict access_word(Cell& cell, const PastAccess& now, const BlockOrder& order, unsigned lane);
    Conflict meet_all(std::vector<PastAccess>& pasts, const PastAccess& now, const BlockOrder& order,
                      unsigned lane) const;
    bool is_superseded(const PastAccess& past, const PastAccess& now, const BlockOrder& order,
                       unsigned lane) const;
    void remember_more(std::vector<PastAccess>& others, const PastAccess& now, const BlockOrder& order,
                       unsigned lane) const;
    More& more(Cell& cell);

    std::uintptr_t begin_;
    std::size_t bytes_;  // of the cells
    bool of_blocks_;
    Cell* cells_;
    std::mutex mutex_;  // protects the number of elements of more_
    std::deque<More> more_;
};

}  // namespace simt
