// Races inside a block: two lanes, one address, no barrier between them, at least one write.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace simt {

/// What a lane does to memory. To Hazards it is one of the first three.
enum class Touch : std::uint8_t { read, write, atomic, volatile_read, volatile_write };

/// Order among the lanes of one warp between two block barriers. __syncwarp and the warp intrinsics order
/// what their lanes did before with what they do after; nothing else does.
class WarpOrder {
   public:
    /// The lanes of `mask` meet.
    void meet(std::uint32_t mask);

    /// Time of what happens now: the number of meetings so far.
    std::uint32_t now() const { return meetings_; }

    /// Does what `lane` does now follow, directly or through others, what `other` did at `time`?
    bool after(unsigned lane, unsigned other, std::uint32_t time) const { return met_[lane][other] > time; }

   private:
    std::uint32_t meetings_ = 1;
    std::uint32_t met_[32][32] = {};  // [i][j]: last meeting that put what j did before it before i
};

/// Who touched a word in the current step: the last plain writer, and those who read it since (or touched
/// it atomically). Readers of one warp are kept as a set with their latest time; of other warps one is
/// enough, as whoever writes races with it or with the set.
struct Cell {
    std::uint32_t write_step = 0, write_time = 0;
    std::uint32_t set_step = 0, set_time = 0, set_lanes = 0;
    std::uint16_t writer = 0, set_warp = 0;
    std::uint16_t stranger = 0;  // a thread of another warp in the set, if `strangers`
    bool set_atomic = false, strangers = false;
};

/// Cells by address, for one step at a time: open addressing, emptied by moving to the next generation.
class CellTable {
   public:
    Cell& at(std::uintptr_t key);
    void clear() {
        ++generation_;
        used_ = 0;
    }

   private:
    struct Entry {
        std::uintptr_t key = 0;
        std::uint64_t generation = 0;
        Cell cell;
    };
    std::size_t slot(std::uintptr_t key) const;
    void grow();

    std::vector<Entry> entries_ = std::vector<Entry>(1024);
    std::size_t used_ = 0;
    std::uint64_t generation_ = 1;
};

/// The races of one block at a time. Steps are numbered from 1 and never repeat, so nothing is cleared
/// between them: what an older step left is ordered by the barrier, and ignored.
class Hazards {
   public:
    /// Shared memory lies in [base, base + bytes): its cells are an array, all others a table.
    Hazards(std::uintptr_t base, std::size_t bytes) : base_(base), shared_(bytes / 4 + 2) {}

    void next_step() {
        ++step_;
        others_.clear();
        bytes_.clear();
        bytes_used_ = false;
    }

    /// Thread `thread` of the block touches `size` bytes. Returns a thread it races with, or -1.
    int touch(std::uintptr_t address, unsigned size, Touch touch, unsigned thread, const WarpOrder& order);

   private:
    int conflict(const Cell& cell, Touch touch, unsigned thread, const WarpOrder& order) const;
    void update(Cell& cell, Touch touch, unsigned thread, const WarpOrder& order) const;
    int touch_part(std::uintptr_t address, unsigned size, Touch touch, unsigned thread,
                   const WarpOrder& order);
    Cell& word(std::uintptr_t address) {
        const std::uintptr_t offset = address - base_;
        return offset / 4 < shared_.size() ? shared_[offset / 4] : others_.at(address / 4);
    }

    std::uint32_t step_ = 1;
    std::uintptr_t base_;
    std::vector<Cell> shared_;
    CellTable others_;
    CellTable bytes_;  // for accesses that are smaller than a word
    bool bytes_used_ = false;
};

}  // namespace simt
