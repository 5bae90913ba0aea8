// What happens before what, as the PTX memory model has it: what each lane of a block knows to have happened.
//
// Lanes learn from one another at block barriers, at warp syncs, at mbarriers, and by a release pattern that
// an acquire pattern observes:
//
//     releasing lane      x = 1;    fence;    flag = 1 (strong)
//     acquiring lane                          flag (strong)    fence;    x
//
// A strong access is volatile, relaxed or atomic. A fence has a scope, which must include the other lane. The
// launches of a stream follow one another, so everything in an earlier launch has happened.
//
// Source: NVIDIA, PTX ISA, "Memory consistency model"; Lustig, Sahasrabuddhe and Giroux, "A formal analysis
// of the NVIDIA PTX memory consistency model", ASPLOS 2019.
#pragma once
#include <cstdint>
#include <vector>

#include "simt/clock.h"

namespace simt {

/// The type of a memory access.
enum class AccessType : std::uint8_t { read, write, atomic, volatile_read, volatile_write };
constexpr bool is_read(AccessType type) {
    return type == AccessType::read || type == AccessType::volatile_read;
}
constexpr bool is_write(AccessType type) {
    return type == AccessType::write || type == AccessType::volatile_write;
}
constexpr bool is_strong(AccessType type) { return type != AccessType::read && type != AccessType::write; }

/// Which threads a fence includes. Several GPUs are one device here.
enum class FenceScope : std::uint8_t { block, device };

/// What a lane knows to have happened.
struct Knowledge {
    SharedClock known;    ///< happened before
    SharedClock proxied;  ///< the part of it that a proxy fence made visible to asynchronous copies
    SharedClock likely;   ///< would have happened before if strong reads acquired without a fence

    bool empty() const { return known == nullptr && proxied == nullptr && likely == nullptr; }
    void learn(const Knowledge& other) {
        known = merge(known, other.known);
        proxied = merge(proxied, other.proxied);
        likely = merge(likely, other.likely);
    }
};

/// What a strong write left at an address for the strong reads that observe it.
struct Released {
    Knowledge to_block, to_device;  ///< by the scope of the writer's last fence
    std::uint32_t block = 0;        ///< of the writer
};

/// An access, or accesses of several lanes of one warp at one time, as the shadow of memory remembers it.
struct PastAccess {
    static constexpr std::uint8_t WRITE = 1, STRONG = 2;
    /// Strong, but lanes of one warp must be ordered: a volatile access to shared memory without a fence
    /// before it. Lanes that pass values in this way expect to run in lockstep, which no GPU since Volta
    /// guarantees.
    static constexpr std::uint8_t LOCKSTEP = 4;
    /// Bytes of a strong access: those of other sizes are not strong for it. Times this in `kind`.
    static constexpr std::uint8_t SIZE = 8;

    std::uint32_t block = 0;  ///< unique over all launches; 0 for no access
    std::uint32_t time = 0;   ///< of the block
    std::uint32_t lanes = 0;  ///< mask of the warp's lanes; 0 for a copy agent
    std::uint32_t site = 0;   ///< return address of the hook, from the program's first byte
    Unit unit = 0;            ///< warp or copy agent, see clock.h
    std::uint8_t bytes = 0;   ///< mask of the bytes of a 4-byte word
    std::uint8_t kind = 0;
};

/// The lanes of one warp since the block's last barrier: which of their accesses each lane knows.
class WarpOrder {
   public:
    /// After the block's barrier all lanes know all accesses before `time`.
    void reset(std::uint32_t time) {
        all_ = time;
        parted_ = false;
    }
    /// The lanes of `mask` synchronise at `time`. whole: are these all lanes of the warp?
    void sync(std::uint32_t mask, bool whole, std::uint32_t time);

    /// The time before which `lane` knows the accesses of `other`.
    std::uint32_t known(unsigned lane, unsigned other) const { return parted_ ? known_[lane][other] : all_; }
    /// The same for all pairs, if all lanes know the same; else 0.
    std::uint32_t all() const { return parted_ ? 0 : all_; }

   private:
    std::uint32_t all_ = 0;
    bool parted_ = false;
    std::uint32_t known_[32][32];  // valid if parted_
};

/// How the past stands to a lane's access now.
enum class Precedence : std::uint8_t {
    happened,  ///< happened before
    likely,    ///< a strong read has observed it, but no fence has acquired it
    concurrent
};

class BlockOrder {
   public:
    /// A block starts: `block` is unique over all launches; those of this launch are `first_block` and later.
    void begin(std::uint32_t block, std::uint32_t first_block, unsigned lanes);

    std::uint32_t block() const { return block_; }
    std::uint32_t time() const { return time_; }
    void advance() { ++time_; }

    // Synchronising operations. Lanes are numbers in the block.
    void barrier();
    void warp_sync(unsigned warp, std::uint32_t mask);
    void fence(unsigned lane, FenceScope scope);
    void proxy_fence(unsigned lane);
    /// What a strong write of the lane, or an atomic, leaves at an address where `released` was.
    void strong_write(unsigned lane, Released& released) const;
    void strong_update(unsigned lane, Released& released) const;
    void strong_read(unsigned lane, const Released& released);
    bool has_released(unsigned lane) const {
        return knows_more_ && !(lanes_[lane].released[0].empty() && lanes_[lane].released[1].empty());
    }
    /// As if the lane had executed the fence that acquires what it has read.
    void acquire_likely(unsigned lane) {
        lanes_[lane].now.known = merge(lanes_[lane].now.known, lanes_[lane].now.likely);
    }
    /// Everything that the lane knows now, its own accesses included; and the converse.
    Knowledge knowledge(unsigned lane);
    void learn(unsigned lane, const Knowledge& knowledge);

    /// An access of a lane now. A copy that the lane issues has its unit, and no lanes.
    PastAccess access(unsigned lane) const {
        return {block_, time_, 1u << lane % 32, 0, warp_unit(lane / 32), 0, 0};
    }
    /// How earlier accesses stand to an access of the lane now.
    Precedence precedence(const PastAccess& past, unsigned lane) const {
        return happened(past, lane) ? Precedence::happened : search(past, lane);
    }
    /// Whether they happened before it by the order of launches, barriers, whole warps, or the program.
    bool happened(const PastAccess& past, unsigned lane) const {
        if (past.block != block_) return past.block < first_block_;
        return past.lanes != 0 && (past.time < base_ ||
                                   (past.unit == warp_unit(lane / 32) &&
                                    (past.lanes == 1u << lane % 32 || past.time < warps_[lane / 32].all())));
    }
    /// Whether a proxy fence lies between the accesses and an asynchronous copy that the lane issues now.
    bool visible_to_copies(const PastAccess& past, unsigned lane) const;

   private:
    struct Lane {
        Knowledge now;          // beyond the block's last barrier and the warp's syncs
        Knowledge released[2];  // by scope: as of the last fence
        Knowledge acquired[2];  // by scope: read, but no fence since
    };
    Precedence search(const PastAccess& past, unsigned lane) const;
    bool contains(const SharedClock& clock, const PastAccess& past, unsigned lane, bool warp_counts) const;
    SharedClock own_clock(unsigned lane);

    std::uint32_t block_ = 0, first_block_ = 0;
    std::uint32_t time_ = 1;
    std::uint32_t base_ = 1;   // of the last barrier
    bool knows_more_ = false;  // has any lane learnt anything other than by barriers and warp syncs?
    unsigned lanes_used_ = 0;
    std::vector<Lane> lanes_;
    std::vector<WarpOrder> warps_;
};

}  // namespace simt
