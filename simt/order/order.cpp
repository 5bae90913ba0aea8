#include "simt/order/order.h"

#include <algorithm>

#include "simt/run/lanes.h"

namespace sass {
namespace {

constexpr int index_of(Scope scope) { return int(scope) - 1; }
constexpr int BLOCK = index_of(Scope::block), CLUSTER = index_of(Scope::cluster),
              DEVICE = index_of(Scope::device);
static_assert(DEVICE + 1 == SCOPES);

}  // namespace

Knowledge& Released::of(std::uint32_t number, ByNumber& all) {
    for (auto& [its, knowledge] : all)
        if (its == number) return knowledge;
    return all.emplace_back(number, Knowledge()).second;
}
const Knowledge* Released::find(std::uint32_t number, const ByNumber& all) {
    for (const auto& [its, knowledge] : all)
        if (its == number) return &knowledge;
    return nullptr;
}

void WarpOrder::sync(std::uint32_t lanes, bool whole, std::uint32_t time) {
    if (whole) return reset(time);
    if (!parted_) known_.assign(32 * 32, all_);
    parted_ = true;
    std::uint32_t merged[32] = {};
    for_lanes(lanes, [&](int lane) {
        for (int other = 0; other < 32; ++other)
            merged[other] = std::max(merged[other], lanes >> other & 1 ? time : known_[lane * 32 + other]);
    });
    for_lanes(lanes, [&](int lane) { std::copy(merged, merged + 32, &known_[std::size_t(lane * 32)]); });
}

void BlockOrder::begin(std::uint32_t block, unsigned threads, std::uint32_t first_block,
                       const std::vector<Blocks>& concurrent) {
    block_ = cluster_ = block;
    is_in_cluster_ = false;
    first_block_ = first_block;
    concurrent_ = &concurrent;
    time_ = base_ = 1;
    used_ = threads;
    threads_.clear();
    knows_more_ = false;
    warps_.resize(std::max<std::size_t>(warps_.size(), (threads + 31) / 32));
    for (unsigned w = 0; w * 32 < threads; ++w) warps_[w].reset(base_);
}

void BlockOrder::barrier() {
    base_ = ++time_;
    for (unsigned w = 0; w * 32 < used_; ++w) warps_[w].reset(base_);
    if (!knows_more_) return;
    Knowledge all;
    for (unsigned t = 0; t < used_; ++t) all.learn(threads_[t].now);
    for (unsigned t = 0; t < used_; ++t) threads_[t].now = all;
}

void BlockOrder::barrier_of(const std::vector<unsigned>& threads, Knowledge all) {
    for (const unsigned t : threads) all.learn(knowledge(t));
    for (const unsigned t : threads) learn(t, all);
}

void BlockOrder::warp_sync(unsigned warp, std::uint32_t lanes) {
    const unsigned width = std::min(32u, used_ - warp * 32);
    const std::uint32_t whole = width == 32 ? ~0u : (1u << width) - 1;
    warps_[warp].sync(lanes, (lanes & whole) == whole, ++time_);
    if (!knows_more_) return;
    Knowledge all;
    for_lanes(lanes & whole, [&](int lane) { all.learn(threads_[warp * 32 + unsigned(lane)].now); });
    for_lanes(lanes & whole, [&](int lane) { threads_[warp * 32 + unsigned(lane)].now = all; });
}

/// What the thread knows of its own block by barriers, warp syncs and the order of the program. Its accesses
/// from now on are not contained.
SharedClock BlockOrder::own_clock(unsigned thread) {
    ++time_;
    const unsigned warp = thread / 32;
    const std::uint32_t all = warps_[warp].all();
    Part part{block_, {{EVERY, base_}}};
    if (all > base_) part.entries.push_back({unit_of_warp(warp), all});
    for (unsigned other = 0; other < 32; ++other) {
        const std::uint32_t time = other == thread % 32 ? time_ : warps_[warp].known(thread % 32, other);
        if (time > std::max(all, base_)) part.entries.push_back({unit_of_thread(warp * 32 + other), time});
    }
    return clock_of(std::move(part));
}

Knowledge BlockOrder::knowledge(unsigned thread) {
    Knowledge all = of(thread).now;
    all.known = merge(all.known, own_clock(thread));
    return all;
}

const Knowledge& BlockOrder::released(unsigned thread, Scope scope) const {
    const int s = index_of(scope);
    return of(thread).released[matters(s) ? s : BLOCK];
}

bool BlockOrder::knows_of(unsigned thread, std::uint32_t block) const {
    const SharedClock& known = of(thread).now.known;
    return known != nullptr && std::any_of(known->parts.begin(), known->parts.end(),
                                           [&](const SharedPart& part) { return part->block == block; });
}

bool BlockOrder::any_knows(const Event& past, std::uint32_t past_lanes) const {
    const Clock* last = nullptr;  // most threads know the same
    for (unsigned t = 0; t < used_; ++t) {
        const SharedClock& known = of(t).now.known;
        if (known.get() == last) continue;
        last = known.get();
        if (contains(known, past, past_lanes, t, false)) return true;
    }
    return false;
}

void BlockOrder::learn(unsigned thread, const Knowledge& knowledge) {
    if (knowledge.empty()) return;
    learner(thread).now.learn(knowledge);
}

void BlockOrder::acquire(unsigned thread, Scope scope) {
    if (!knows_more_) return;
    Thread& at = threads_[thread];
    for (int s = BLOCK; s <= index_of(scope); ++s)
        if (matters(s)) at.now.learn(std::exchange(at.acquired[s], {}));
}

void BlockOrder::fence(unsigned thread, Scope scope, bool is_consistent) {
    Thread& at = learner(thread);
    acquire(thread, scope);
    for (int s = BLOCK; is_consistent && s <= index_of(scope); ++s)
        at.now.known = merge(at.now.known, at.now.observed[s]);
    const Knowledge released = knowledge(thread);
    for (int s = BLOCK; s <= index_of(scope); ++s) {
        if (!matters(s)) continue;
        at.released[s] = released;
        if (is_consistent) at.now.fenced[s] = merge(at.now.fenced[s], released.known);
    }
}

void BlockOrder::proxy_fence(unsigned thread) {
    Thread& at = learner(thread);
    at.now.proxied = merge(at.now.proxied, knowledge(thread).known);
}

/// What a strong write of the thread leaves for others within the scope.
Knowledge BlockOrder::left_by(const Thread& thread, int scope) const {
    Knowledge left = thread.released[scope];
    left.fenced[scope] = thread.now.fenced[scope];
    for (int s = BLOCK; s < scope; ++s) left.fenced[s] = left.observed[s] = nullptr;  // fences for fewer
    return left;
}

void BlockOrder::strong_write(unsigned thread, Released& released) const {
    released = {};
    if (has_released(thread)) strong_update(thread, released);
}

/// An atomic observes what was there, so that what follows it observes both.
void BlockOrder::strong_update(unsigned thread, Released& released) const {
    if (!has_released(thread)) return;
    released.to_device.learn(left_by(of(thread), DEVICE));
    Released::of(block_, released.to_block).learn(left_by(of(thread), BLOCK));
    if (is_in_cluster_) Released::of(cluster_, released.to_cluster).learn(left_by(of(thread), CLUSTER));
}

void BlockOrder::observe(unsigned thread, Observers& observers, bool is_update) const {
    constexpr std::size_t MOST = 8;
    auto& all = observers.all;
    if (is_update) all.clear();
    const Observers::Observer one{block_, time_, unit_of_thread(thread)};
    for (Observers::Observer& each : all)
        if (each.block == one.block && each.thread == one.thread) return void(each = one);
    if (all.size() < MOST) all.push_back(one);
}

bool BlockOrder::has_observed(unsigned thread, const Observers& observers) const {
    return std::any_of(observers.all.begin(), observers.all.end(), [&](const Observers::Observer& each) {
        const unsigned other = each.thread - THREADS;
        Event past;
        past.block = each.block;
        past.time = each.time;
        past.unit = unit_of_warp(other / 32);
        return precedence(past, 1u << other % 32, thread / 32, 1u << thread % 32) == Precedence::happened;
    });
}

void BlockOrder::strong_read(unsigned thread, const Released& released) {
    const auto observe = [&](const Knowledge& observed, int scope) {
        if (observed.empty()) return;
        Thread& at = learner(thread);
        at.acquired[scope].learn(observed);
        at.now.observed[scope] = merge(at.now.observed[scope], observed.fenced[scope]);
        at.now.likely = merge(at.now.likely, merge(observed.known, observed.likely));
    };
    observe(released.to_device, DEVICE);
    if (const Knowledge* own = Released::find(block_, released.to_block)) observe(*own, BLOCK);
    if (const Knowledge* own = Released::find(cluster_, released.to_cluster)) observe(*own, CLUSTER);
}

/// Are all of these lanes' accesses in the clock? warp_counts: or ordered by the warp's syncs?
bool BlockOrder::contains(const SharedClock& clock, const Event& past, std::uint32_t past_lanes,
                          unsigned thread, bool warp_counts) const {
    if (past.is_agent()) return clock != nullptr && clock->contains(past.block, past.unit, past.time);
    const unsigned warp = past.unit - WARPS, lane = thread % 32;
    warp_counts &= past.block == block_ && warp == thread / 32;
    bool all = true;
    for_lanes(past_lanes, [&](int other) {
        if (!all) return;
        const bool synced =
            warp_counts && (unsigned(other) == lane || warps_[warp].known(lane, unsigned(other)) > past.time);
        all = synced || (clock != nullptr &&
                         clock->contains(past.block, unit_of_thread(warp * 32 + unsigned(other)), past.time));
    });
    return all;
}

Precedence BlockOrder::search(const Event& past, std::uint32_t past_lanes, unsigned warp,
                              std::uint32_t lanes) const {
    Precedence worst = Precedence::happened;
    for_lanes(lanes, [&](int lane) {
        const unsigned thread = warp * 32 + unsigned(lane);
        const Knowledge& now = of(thread).now;
        if (worst == Precedence::concurrent || contains(now.known, past, past_lanes, thread, true)) return;
        const bool likely =
            now.likely != nullptr && contains(merge(now.known, now.likely), past, past_lanes, thread, true);
        worst = likely ? Precedence::likely : Precedence::concurrent;
    });
    return worst;
}

bool BlockOrder::visible_to_copies(const Event& past, std::uint32_t past_lanes, unsigned thread) const {
    return past.block < first_block_ || contains(of(thread).now.proxied, past, past_lanes, thread, false);
}

}  // namespace sass
