// Data races inside a block: two lanes access one address, at least one writes, and no barrier orders them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace simt {

/// The type of a memory access. Hazards distinguishes the first three only.
enum class AccessType : std::uint8_t { read, write, atomic, volatile_read, volatile_write };

/// Happens-before order of the lanes of one warp between two block barriers, as vector clocks. __syncwarp and
/// the warp intrinsics order the participating lanes' earlier accesses before their later ones; nothing else
/// orders lanes.
class WarpOrder {
   public:
    /// The lanes of `mask` synchronise.
    void sync(std::uint32_t mask);

    /// The current time: the number of warp syncs so far, plus one.
    std::uint32_t now() const { return syncs_; }

    /// Do accesses of `other` at `time` happen before accesses of `lane` now, directly or transitively?
    bool after(unsigned lane, unsigned other, std::uint32_t time) const {
        return synced_[lane][other] > time;
    }

   private:
    std::uint32_t syncs_ = 1;
    // [i][j]: the last sync such that j's accesses before it happen before i's accesses now.
    std::uint32_t synced_[32][32] = {};
};

/// The accesses to a word in the current step: the last plain write, and the reads (or the atomics) since
/// then. Readers of one warp are recorded as a set with their latest time. One reader of another warp is
/// enough: any later writer races with it or with the set.
struct ShadowCell {
    std::uint32_t write_step = 0, write_time = 0;
    std::uint32_t readers_step = 0, readers_time = 0, readers_lanes = 0;
    std::uint16_t writer = 0, readers_warp = 0;
    std::uint16_t other_warp_reader = 0;  // thread number; valid if has_other_warp_reader
    bool readers_atomic = false, has_other_warp_reader = false;
};

/// Shadow cells by address, for one step at a time. A hash table with open addressing; clear() invalidates
/// all entries by incrementing the generation.
class ShadowTable {
   public:
    ShadowCell& at(std::uintptr_t key);
    void clear() {
        ++generation_;
        used_ = 0;
    }

   private:
    struct Entry {
        std::uintptr_t key = 0;
        std::uint64_t generation = 0;
        ShadowCell cell;
    };
    std::size_t slot(std::uintptr_t key) const;
    void grow();

    std::vector<Entry> entries_ = std::vector<Entry>(1024);
    std::size_t used_ = 0;
    std::uint64_t generation_ = 1;
};

/// Detects the data races of one block at a time. Step numbers start at 1 and never repeat, so shared-memory
/// cells need no clearing: the barrier orders accesses of older steps, and they are ignored.
class Hazards {
   public:
    /// Shared memory occupies [base, base + bytes). Its shadow cells are an array; all others are in a table.
    Hazards(std::uintptr_t base, std::size_t bytes) : base_(base), shared_(bytes / 4 + 2) {}

    void next_step() {
        ++step_;
        global_.clear();
        bytes_.clear();
        bytes_used_ = false;
    }

    /// Thread `thread` of the block accesses `size` bytes. Returns a thread with which it races, or -1.
    int access(std::uintptr_t address, unsigned size, AccessType type, unsigned thread,
               const WarpOrder& order);

   private:
    int conflict(const ShadowCell& cell, AccessType type, unsigned thread, const WarpOrder& order) const;
    void update(ShadowCell& cell, AccessType type, unsigned thread, const WarpOrder& order) const;
    int access_bytes(std::uintptr_t address, unsigned size, AccessType type, unsigned thread,
                     const WarpOrder& order);
    ShadowCell& word(std::uintptr_t address) {
        const std::uintptr_t offset = address - base_;
        return offset / 4 < shared_.size() ? shared_[offset / 4] : global_.at(address / 4);
    }

    std::uint32_t step_ = 1;
    std::uintptr_t base_;
    std::vector<ShadowCell> shared_;
    ShadowTable global_;
    ShadowTable bytes_;  // for accesses that are not whole words
    bool bytes_used_ = false;
};

}  // namespace simt
