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
        case SimtWarpOp::ballot: return Kind::vote;
        default: return Kind::reduction;
    }
}

}  // namespace

void Block::block_barrier(const void* site) {
    lane_->state = State::at_barrier;
    lane_->site = site;
    switch_to_scheduler();
}

std::uint64_t Block::warp_sync(SimtWarpOp op, std::uint32_t mask, std::uint64_t value, int argument,
                               int width, const void* site) {
    Lane& lane = *lane_;
    if (!(mask >> lane.number % 32 & 1))
        fault(Hazard::divergent_warp,
              "warp intrinsic whose mask " + hex(mask) + " does not contain the calling lane", site);
    warps_[lane.number / 32].log.add(lane.number % 32, identity(site), kind_of(op), 0, 0);
    lane.state = State::at_warp_sync;
    lane.site = site;
    lane.op = op;
    lane.mask = mask;
    lane.value = value;
    lane.argument = argument;
    lane.width = width;
    switch_to_scheduler();
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
    if (!waiting || released) return released;
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
