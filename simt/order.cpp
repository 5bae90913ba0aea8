#include "simt/order.h"

#include <algorithm>
#include <utility>

#include "simt/lanes.h"

namespace simt {

namespace {

constexpr unsigned BLOCK = unsigned(FenceScope::block), DEVICE = unsigned(FenceScope::device);

}  // namespace

void WarpOrder::sync(std::uint32_t mask, bool whole, std::uint32_t time) {
    if (whole) return reset(time);
    if (!parted_) std::fill(&known_[0][0], &known_[0][0] + 32 * 32, all_);
    parted_ = true;
    std::uint32_t merged[32] = {};
    for_each_lane(mask, [&](unsigned lane) {
        for (unsigned other = 0; other < 32; ++other)
            merged[other] = std::max(merged[other], mask >> other & 1 ? time : known_[lane][other]);
    });
    for_each_lane(mask, [&](unsigned lane) { std::copy(merged, merged + 32, known_[lane]); });
}

void BlockOrder::begin(std::uint32_t block, std::uint32_t first_block, unsigned lanes) {
    block_ = block;
    first_block_ = first_block;
    time_ = base_ = 1;
    lanes_used_ = lanes;
    if (knows_more_) lanes_.clear();
    knows_more_ = false;
    lanes_.resize(std::max<std::size_t>(lanes_.size(), lanes));
    warps_.resize(std::max<std::size_t>(warps_.size(), (lanes + 31) / 32));
    for (unsigned w = 0; w * 32 < lanes; ++w) warps_[w].reset(base_);
}

void BlockOrder::barrier() {
    base_ = ++time_;
    for (unsigned w = 0; w * 32 < lanes_used_; ++w) warps_[w].reset(base_);
    if (!knows_more_) return;
    Knowledge all;
    for (unsigned t = 0; t < lanes_used_; ++t) all.learn(lanes_[t].now);
    for (unsigned t = 0; t < lanes_used_; ++t) lanes_[t].now = all;
}

void BlockOrder::warp_sync(unsigned warp, std::uint32_t mask) {
    const unsigned width = std::min(32u, lanes_used_ - warp * 32);
    const std::uint32_t whole = width == 32 ? ~0u : (1u << width) - 1;
    warps_[warp].sync(mask, (mask & whole) == whole, ++time_);
    if (!knows_more_) return;
    Knowledge all;
    for_each_lane(mask, [&](unsigned lane) { all.learn(lanes_[warp * 32 + lane].now); });
    for_each_lane(mask, [&](unsigned lane) { lanes_[warp * 32 + lane].now = all; });
}

/// What the lane knows of its own block by barriers, warp syncs and program order. Its accesses from now on
/// are not contained.
SharedClock BlockOrder::own_clock(unsigned lane) {
    ++time_;
    auto clock = std::make_shared<Clock>();
    const unsigned warp = lane / 32;
    const std::uint32_t all = warps_[warp].all();
    clock->entries.push_back({block_, ALL, base_});
    if (all > base_) clock->entries.push_back({block_, warp_unit(warp), all});
    for (unsigned other = 0; other < 32; ++other) {
        const std::uint32_t time = other == lane % 32 ? time_ : warps_[warp].known(lane % 32, other);
        if (time > std::max(all, base_))
            clock->entries.push_back({block_, lane_unit(warp * 32 + other), time});
    }
    return clock;
}

Knowledge BlockOrder::knowledge(unsigned lane) {
    const Lane& at = lanes_[lane];
    return {merge(at.now.known, own_clock(lane)), at.now.proxied, at.now.likely};
}

void BlockOrder::learn(unsigned lane, const Knowledge& knowledge) {
    if (knowledge.empty()) return;
    knows_more_ = true;
    lanes_[lane].now.learn(knowledge);
}

void BlockOrder::fence(unsigned lane, FenceScope scope) {
    knows_more_ = true;
    Lane& at = lanes_[lane];
    for (unsigned s = BLOCK; s <= unsigned(scope); ++s) {
        at.now.learn(at.acquired[s]);
        at.acquired[s] = {};
    }
    const Knowledge released = knowledge(lane);
    for (unsigned s = BLOCK; s <= unsigned(scope); ++s) at.released[s] = released;
}

void BlockOrder::proxy_fence(unsigned lane) {
    knows_more_ = true;
    Lane& at = lanes_[lane];
    at.now.proxied = merge(at.now.proxied, knowledge(lane).known);
}

void BlockOrder::strong_write(unsigned lane, Released& released) const {
    released = {lanes_[lane].released[BLOCK], lanes_[lane].released[DEVICE], block_};
}

/// An atomic observes what was there, so that what follows it observes both.
void BlockOrder::strong_update(unsigned lane, Released& released) const {
    if (released.block != block_) released.to_block = released.to_device;
    released.block = block_;
    released.to_block.learn(lanes_[lane].released[BLOCK]);
    released.to_device.learn(lanes_[lane].released[DEVICE]);
}

void BlockOrder::strong_read(unsigned lane, const Released& released) {
    const bool same_block = released.block == block_;
    const Knowledge& observed = same_block ? released.to_block : released.to_device;
    if (observed.empty()) return;
    knows_more_ = true;
    lanes_[lane].acquired[same_block ? BLOCK : DEVICE].learn(observed);
    lanes_[lane].now.likely = merge(lanes_[lane].now.likely, merge(observed.known, observed.likely));
}

/// Are all of these lanes' accesses in the clock? warp_counts: or ordered by the warp's syncs?
bool BlockOrder::contains(const SharedClock& clock, const PastAccess& past, unsigned lane,
                          bool warp_counts) const {
    if (past.lanes == 0) return clock != nullptr && clock->contains(past.block, past.unit, past.time);
    const unsigned warp = past.unit - WARPS;
    warp_counts &= past.block == block_ && warp == lane / 32;
    bool all = true;
    for_each_lane(past.lanes, [&](unsigned other) {
        if (!all) return;
        const bool synced =
            warp_counts && (other == lane % 32 || warps_[warp].known(lane % 32, other) > past.time);
        all = synced ||
              (clock != nullptr && clock->contains(past.block, lane_unit(warp * 32 + other), past.time));
    });
    return all;
}

Precedence BlockOrder::search(const PastAccess& past, unsigned lane) const {
    const Knowledge& now = lanes_[lane].now;
    if (contains(now.known, past, lane, true)) return Precedence::happened;
    if (now.likely != nullptr && contains(merge(now.known, now.likely), past, lane, true))
        return Precedence::likely;
    return Precedence::concurrent;
}

bool BlockOrder::visible_to_copies(const PastAccess& past, unsigned lane) const {
    return past.block < first_block_ || contains(lanes_[lane].now.proxied, past, lane, false);
}

}  // namespace simt
