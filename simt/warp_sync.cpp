// Synchronisation of lanes: block barriers, __syncwarp, shuffles, ballots, warp reductions.
#include <algorithm>

#include "simt/block.h"

namespace simt {

namespace {

Kind kind_of(SimtWarpOp op) {
    switch (op) {
        case SimtWarpOp::sync: return Kind::sync;
        case SimtWarpOp::shuffle:
        case SimtWarpOp::shuffle_up:
        case SimtWarpOp::shuffle_down:
        case SimtWarpOp::shuffle_xor: return Kind::shuffle;
        case SimtWarpOp::all:
        case SimtWarpOp::ballot:
        case SimtWarpOp::match_any:
        case SimtWarpOp::match_all: return Kind::vote;
        default: return Kind::reduction;
    }
}

}  // namespace

unsigned Block::block_barrier(const void* site, bool predicate) {
    lane_->state = State::at_barrier;
    lane_->site = site;
    if (arrived_ == 0) barrier_ = site;
    if (site == barrier_) ++arrived_;
    holding_ += predicate;
    switch_away();
    return held_;
}

void Block::group_barrier(unsigned first, unsigned count, const void* site) {
    lane_->state = State::at_group_barrier;
    groups_ = true;
    lane_->site = site;
    lane_->value = std::uint64_t(first) << 32 | count;
    switch_away();
}

/// Release the groups of which all lanes wait, or have exited. Returns whether there was one.
bool Block::release_group_barriers() {
    bool released = false;
    for (unsigned t = 0; t < lanes_used_; ++t) {
        if (lanes_[t]->state != State::at_group_barrier) continue;
        const std::uint64_t group = lanes_[t]->value;
        const unsigned first = unsigned(group >> 32),
                       end = std::min(lanes_used_, first + std::uint32_t(group));
        const auto is_here = [&](const Lane& lane) {
            return lane.state == State::at_group_barrier && lane.value == group;
        };
        bool complete = true;
        for (unsigned i = first; i < end; ++i)
            complete &= is_here(*lanes_[i]) || lanes_[i]->state == State::done;
        if (!complete) continue;
        Knowledge all;
        for (unsigned i = first; i < end; ++i)
            if (is_here(*lanes_[i])) all.learn(order_.knowledge(i));
        for (unsigned i = first; i < end; ++i) {
            if (!is_here(*lanes_[i])) continue;
            order_.learn(i, all);
            lanes_[i]->state = State::ready;
        }
        order_.advance();
        released = true;
    }
    return released;
}

/// As a grid's barrier is programmed: a barrier of the block, a fence, a counter, a fence, a barrier.
void Block::grid_barrier(const void* site) {
    if (!grid_->cooperative)
        fault(Hazard::misuse, "a grid can synchronise only if its launch is cooperative", site);
    block_barrier(site, false);
    if (lane_->number == 0) {
        const auto counter = reinterpret_cast<std::uintptr_t>(&grid_->arrivals);
        order_.fence(0, FenceScope::device);
        grid_->released.begin_update(counter, 8, order_, 0);
        const std::uint64_t blocks = grid_->block_count(), arrived = grid_->arrivals.fetch_add(1);
        grid_->released.end_update();
        changed_memory_ = true;
        while (grid_->arrivals.load() < (arrived / blocks + 1) * blocks) yield(site);
        grid_->released.read(counter, 8, order_, 0);
        order_.fence(0, FenceScope::device);
    }
    block_barrier(site, false);
}

std::uint32_t Block::active_mask(const void* site) {
    lane_->state = State::at_active_mask;
    warps_[lane_->number / 32].syncs = true;
    lane_->site = identity(site);
    switch_away();
    return std::uint32_t(lane_->value);
}

/// Release the lanes that ask together which of them are active. Returns whether there are any.
bool Block::release_active_mask(unsigned warp) {
    const void* site = nullptr;
    std::uint32_t together = 0;
    for (Lane* const lane : warps_[warp].lanes) {
        if (lane->state != State::at_active_mask || (together != 0 && lane->site != site)) continue;
        site = lane->site;
        together |= 1u << lane->number % 32;
    }
    for (Lane* const lane : warps_[warp].lanes) {
        if (!(together >> lane->number % 32 & 1)) continue;
        lane->value = together;
        lane->state = State::ready;
    }
    return together != 0;
}

std::uint64_t Block::warp_sync(SimtWarpOp op, std::uint32_t mask, std::uint64_t value, int argument,
                               int width, const void* site) {
    Lane& lane = *lane_;
    if (!(mask >> lane.number % 32 & 1))
        fault(Hazard::divergent_warp,
              "warp intrinsic whose mask " + hex(mask) + " does not contain the calling lane", site);
    warps_[lane.number / 32].log.add(lane.number % 32, identity(site), kind_of(op), 0, 0);
    lane.state = State::at_warp_sync;
    warps_[lane.number / 32].syncs = true;
    lane.site = site;
    lane.op = op;
    lane.mask = mask;
    lane.value = value;
    lane.argument = argument;
    lane.width = width;
    switch_away();
    return lane.value;
}

/// Release the lanes whose warp sync all lanes of its mask have reached. Returns whether any was released.
/// Reports a fault if lanes wait for one that can no longer arrive.
bool Block::release_warp_syncs(unsigned warp) {
    bool waiting = false, released = false;
    const unsigned width = std::min(32u, lanes_used_ - warp * 32);
    for (unsigned i = 0; i < width; ++i) {
        const Lane& lane = lane_of(warp, i);
        if (lane.state != State::at_warp_sync) continue;
        waiting = true;
        std::uint32_t present = 0, absent = 0;
        for (unsigned j = 0; j < width; ++j) {
            const Lane& other = lane_of(warp, j);
            if (!(lane.mask >> j & 1) || other.state == State::done)
                continue;  // exited lanes are not waited for
            const bool here =
                other.state == State::at_warp_sync && other.op == lane.op && other.mask == lane.mask;
            (here ? present : absent) |= 1u << j;
        }
        if (absent != 0) continue;
        complete_warp_sync(warp, present);
        released = true;
    }
    if (released || release_active_mask(warp)) return true;
    if (!waiting) return false;
    for (unsigned i = 0; i < width; ++i)
        if (const State state = lane_of(warp, i).state; state == State::yielded || state == State::waiting)
            return false;  // it may still arrive
    for (unsigned i = 0; i < width; ++i) {
        const Lane& lane = lane_of(warp, i);
        if (lane.state != State::at_warp_sync) continue;
        report(lane, Hazard::divergent_warp,
               "divergent warp intrinsic: not all lanes of mask " + hex(lane.mask) + " reach it", lane.site);
        return false;
    }
    return false;
}

void Block::complete_warp_sync(unsigned warp, std::uint32_t present) {
    std::uint64_t results[32];
    for (unsigned i = 0; i < 32; ++i)
        if (present >> i & 1) results[i] = result_of(lane_of(warp, i).op, lane_of(warp, i), warp, present);
    for (unsigned i = 0; i < 32; ++i) {
        if (!(present >> i & 1)) continue;
        lane_of(warp, i).value = results[i];
        lane_of(warp, i).state = State::ready;
    }
    order_.warp_sync(warp, present);
    warps_[warp].log.sync(present);
}

std::uint64_t Block::result_of(SimtWarpOp op, const Lane& lane, unsigned warp, std::uint32_t present) {
    const int self = int(lane.number % 32), width = lane.width;
    const int segment = self / width * width;
    int source = self;
    switch (op) {
        case SimtWarpOp::sync: return 0;
        case SimtWarpOp::shuffle: source = segment + (lane.argument & (width - 1)); break;
        case SimtWarpOp::shuffle_up:
            if (self - lane.argument >= segment) source = self - lane.argument;
            break;
        case SimtWarpOp::shuffle_down:
            if (self + lane.argument < segment + width) source = self + lane.argument;
            break;
        case SimtWarpOp::shuffle_xor:
            if ((self ^ lane.argument) < segment + width) source = self ^ lane.argument;
            break;
        default: {
            std::uint64_t result = 0;
            bool first = true;
            for (unsigned i = 0; i < 32; ++i) {
                if (!(present >> i & 1)) continue;
                const std::uint64_t value = lane_of(warp, i).value;
                const auto number = std::int32_t(value), so_far = std::int32_t(result);
                switch (op) {
                    case SimtWarpOp::ballot: result |= value << i; break;
                    case SimtWarpOp::all:
                    case SimtWarpOp::bit_and: result = first ? value : result & value; break;
                    case SimtWarpOp::match_any: result |= std::uint64_t(value == lane.value) << i; break;
                    case SimtWarpOp::match_all:
                        result = value == lane.value && (first || result != 0) ? present : 0;
                        break;
                    case SimtWarpOp::bit_or: result |= value; break;
                    case SimtWarpOp::bit_xor: result ^= value; break;
                    case SimtWarpOp::min_signed:
                        result = std::uint64_t(first ? number : std::min(so_far, number));
                        break;
                    case SimtWarpOp::max_signed:
                        result = std::uint64_t(first ? number : std::max(so_far, number));
                        break;
                    case SimtWarpOp::min_unsigned: result = first ? value : std::min(result, value); break;
                    case SimtWarpOp::max_unsigned: result = std::max(result, value); break;
                    default: result += value;
                }
                first = false;
            }
            return result;
        }
    }
    if (!(present >> source & 1)) {
        report(lane, Hazard::divergent_warp,
               "shuffle from lane " + std::to_string(source) + ", which does not participate", lane.site);
        return 0;
    }
    return lane_of(warp, unsigned(source)).value;
}

}  // namespace simt
