// A resident block: its lanes, one fiber each, and their barriers.
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

    /// Run one round of warps and copy engine. True once all have finished. Throws a lane's or block's Fault.
    bool round();
    /// The first unfinished thread, and what it waits for.
    std::string who_waits() const;

    /// The block whose lane is running.
    static Block& current();
    /// Number of completed syncs of the thread's warp.
    unsigned syncs(unsigned thread) const { return warps_[thread / 32].syncs; }

    // Called by lanes, see lane.h.
    void yield();
    void wait_for_change(const unsigned& counter, const char* what);
    const std::uint64_t* sync_warp(std::uint64_t value);
    void sync_block();
    CopyEngine& engine() { return engine_; }
    [[noreturn]] void fail(const std::string& what) const;

   private:
    struct Lane {
        boost::context::fiber fiber;
        boost::context::fiber* scheduler = nullptr;  ///< the fiber that resumed this one
        bool over = false;
        const unsigned* counter = nullptr;  ///< the lane sleeps until it differs from `value`
        unsigned value = 0;
        const char* waits_for = "other blocks";
        bool sleeps() const { return counter != nullptr && *counter == value; }
    };
    struct Warp {
        unsigned arrived = 0, syncs = 0;
        unsigned frozen = 0;          ///< rounds that frozen_lanes will still skip
        unsigned frozen_lanes = 0;    ///< one bit per lane
        std::uint64_t values[2][32];  ///< of two syncs: a lane may still read the previous one's
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
    std::vector<Lane> lanes_;  // last: fibers unwind before the members they use are destroyed
};

}  // namespace emulation
