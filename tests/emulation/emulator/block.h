// A resident block: its lanes, each a fiber, and their barriers.
#pragma once
#include <boost/context/fiber.hpp>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/emulation/emulator/copy_engine.h"
#include "tests/emulation/emulator/emulator.h"

namespace emulation {

class Block {
   public:
    Block(const Extent& extent, unsigned index, unsigned seed, const std::function<void()>& kernel);
    Block(const Block&) = delete;

    /// Give warps and copy engine some schedule. True once all is done. Throws a lane's Fault, or the block's.
    bool round();
    /// Which thread waits, and for what: of the first one that has not ended.
    std::string who_waits() const;

    /// The block whose lane runs.
    static Block& current();
    /// Meetings of the thread's warp that are over.
    unsigned syncs(unsigned thread) const { return warps_[thread / 32].syncs; }

    // Called by lanes, as in lane.h.
    void yield();
    void wait_for_change(const unsigned& counter, const char* what);
    const std::uint64_t* sync_warp(std::uint64_t value);
    void sync_block();
    CopyEngine& engine() { return engine_; }
    [[noreturn]] void fail(const std::string& what) const;

   private:
    struct Lane {
        boost::context::fiber fiber;
        boost::context::fiber* scheduler = nullptr;  ///< where the fiber came from
        bool over = false;
        const unsigned* counter = nullptr;  ///< the lane sleeps until it is not `value` any more
        unsigned value = 0;
        const char* waits_for = "other blocks";
        bool sleeps() const { return counter != nullptr && *counter == value; }
    };
    struct Warp {
        unsigned arrived = 0, syncs = 0;
        unsigned frozen = 0;          ///< schedule that some of its lanes will miss
        unsigned frozen_lanes = 0;    ///< a bit a lane
        std::uint64_t values[2][32];  ///< of two syncs: a lane may still read the one before
    };

    void start(unsigned thread, const std::function<void()>& kernel);
    void freeze(Warp& warp);
    void run_warp(unsigned warp);
    void resume(unsigned thread);
    void check_end() const;
    void set_indices(unsigned thread) const;
    std::string place(unsigned thread) const;

    Extent extent_;
    unsigned index_;
    std::mt19937 random_;
    CopyEngine engine_;
    std::vector<Warp> warps_;
    unsigned arrived_ = 0, syncs_ = 0;  ///< of the whole block
    unsigned ended_ = 0;
    std::string fault_;
    std::vector<Lane> lanes_;  // the last one: fibers unwind before what they refer to is gone
};

}  // namespace emulation
