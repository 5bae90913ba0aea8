// How lanes of a warp meet: barriers, shuffles, ballots, reductions.
#include <algorithm>

#include "simt/block.h"

namespace simt {

void Block::block_barrier(const void* site) {
    lane_->state = State::at_barrier;
    lane_->barrier = site;
    yield();
}

std::uint64_t Block::meet(SimtWarpOp op, std::uint32_t mask, std::uint64_t value, int argument, int width) {
    Lane& lane = *lane_;
    if (!(mask >> lane.number % 32 & 1))
        fault("its own lane is not in the mask " + hex(mask) + " of a warp intrinsic",
              __builtin_return_address(0));
    lane.state = State::meeting;
    lane.op = op;
    lane.mask = mask;
    lane.value = value;
    lane.argument = argument;
    lane.width = width;
    yield();
    return lane.value;
}

/// Let those lanes of the warp go on whose whole mask has arrived. False if none waits; a fault if lanes wait
/// for one that will not come.
bool Block::release_meetings(unsigned warp) {
    bool waiting = false, released = false;
    const unsigned width = std::min(32u, lanes_used_ - warp * 32);
    for (unsigned i = 0; i < width; ++i) {
        const Lane& lane = lane_of(warp, i);
        if (lane.state != State::meeting) continue;
        waiting = true;
        std::uint32_t present = 0, absent = 0;
        for (unsigned j = 0; j < width; ++j) {
            const Lane& other = lane_of(warp, j);
            if (!(lane.mask >> j & 1) || other.state == State::done)
                continue;  // ended lanes are not waited for
            const bool here = other.state == State::meeting && other.op == lane.op && other.mask == lane.mask;
            (here ? present : absent) |= 1u << j;
        }
        if (absent != 0) continue;
        finish_meeting(warp, present);
        released = true;
    }
    if (!waiting || released) return released;
    for (unsigned i = 0; i < width; ++i)
        if (lane_of(warp, i).state == State::gave_way) return false;  // it may yet come
    for (unsigned i = 0; i < width; ++i) {
        const Lane& lane = lane_of(warp, i);
        if (lane.state != State::meeting) continue;
        report(lane, "a warp intrinsic with mask " + hex(lane.mask) + " that not all its lanes reach",
               nullptr);
        return false;
    }
    return false;
}

void Block::finish_meeting(unsigned warp, std::uint32_t present) {
    std::uint64_t results[32];
    for (unsigned i = 0; i < 32; ++i)
        if (present >> i & 1) results[i] = result_of(lane_of(warp, i).op, lane_of(warp, i), warp, present);
    for (unsigned i = 0; i < 32; ++i) {
        if (!(present >> i & 1)) continue;
        lane_of(warp, i).value = results[i];
        lane_of(warp, i).state = State::ready;
    }
    warps_[warp].order.meet(present);
    warps_[warp].log.meet(present);
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
        report(lane,
               "a shuffle that reads from lane " + std::to_string(source) + ", which takes no part in it",
               nullptr);
        return 0;
    }
    return lane_of(warp, unsigned(source)).value;
}

}  // namespace simt
