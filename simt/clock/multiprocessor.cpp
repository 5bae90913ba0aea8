#include "simt/clock/multiprocessor.h"

namespace sass::clock {

Multiprocessor::Multiprocessor(Gpu& gpu, unsigned number, double l1_bytes)
    : gpu_(gpu), number_(number), l1_(l1_bytes) {}

Cycle Multiprocessor::next() const {
    Cycle first = NEVER;
    for (const Scheduler& each : schedulers_) first = std::min(first, each.next);
    for (const auto& [until, block] : draining_) first = std::min(first, until);
    return first;
}

void Multiprocessor::begin(Block& block, Cycle first) {
    block.request = &gpu_.request;
    const auto warps_of = [&](std::size_t k) { return schedulers_[k % SCHEDULERS].warps.size(); };
    std::size_t to = first_++;  // not always the same: a block's first warps often do more than the others
    for (std::size_t k = to + 1; k < to + SCHEDULERS; ++k)
        if (warps_of(k) < warps_of(to)) to = k;
    for (const auto& warp : block.warps) {
        warp->slice = 1;
        Scheduler& scheduler = schedulers_[to++ % SCHEDULERS];
        scheduler.warps.push_back(std::make_unique<WarpClock>());
        WarpClock& w = *scheduler.warps.back();
        w.warp = warp.get();
        w.slot = scheduler.slots.size();
        scheduler.slots.push_back({first});
        scheduler.next = std::min(scheduler.next, first);
        (void)warp->prepare();
        scheduler.slots.back().pc = warp->pc;
        if (block.is_traced) scheduler.slots.back().traced = warp->number;
    }
}

void Multiprocessor::step(Cycle now, const std::function<void(Block&)>& ended) {
    for (Scheduler& scheduler : schedulers_) {
        if (scheduler.next > now) continue;
        issue(scheduler, now);
        if (ended_ != nullptr) draining_.emplace_back(drained(*ended_), ended_);
        ended_ = nullptr;
    }
    for (auto each = draining_.begin(); each != draining_.end();) {
        const auto [until, block] = *each;
        if (until > now) {
            ++each;
            continue;
        }
        each = draining_.erase(each);
        drop(*block);
        ended(*block);
    }
}

/// A block has its place until all that it has stored is in L2, though its warps are gone.
Cycle Multiprocessor::drained(const Block& block) const {
    double last = 0;
    for (const Scheduler& scheduler : schedulers_)
        for (const auto& each : scheduler.warps)
            if (each->warp->block == &block) last = std::max(last, each->stored);
    return whole(last);
}

void Multiprocessor::drop(const Block& block) {
    for (Scheduler& scheduler : schedulers_) {
        std::size_t kept = 0;
        for (std::size_t k = 0; k < scheduler.warps.size(); ++k) {
            if (scheduler.warps[k]->warp->block == &block) continue;
            scheduler.warps[k]->slot = kept;
            scheduler.slots[kept] = scheduler.slots[k];
            std::swap(scheduler.warps[kept++], scheduler.warps[k]);
        }
        scheduler.warps.resize(kept);
        scheduler.slots.resize(kept, Slot{NEVER});
    }
}

// --- Who issues

double Multiprocessor::free_at(const Scheduler& scheduler, const Traits& i) const {
    if (i.unit == Unit::none) return 0;
    if (i.unit == Unit::barrier) return scheduler.barriers.leaves(std::size_t(gpu_.prices.barrier_entries));
    if (i.unit == Unit::memory)
        return scheduler.queues[i.is_global].leaves(
            std::size_t(i.is_global ? gpu_.prices.global_entries : gpu_.prices.queue_entries));
    if (i.unit == Unit::floats)
        return std::min(scheduler.other_floats, scheduler.free[std::size_t(Unit::products)]);
    return scheduler.free[std::size_t(i.unit)];
}

Stall Multiprocessor::throttle_of(const Traits& i) const {
    if (i.unit == Unit::barrier) return Stall::mio_throttle;
    if (i.unit != Unit::memory) return Stall::math_pipe_throttle;
    return i.is_global ? Stall::lg_throttle : Stall::mio_throttle;
}

void Multiprocessor::charge(const Slot& slot, std::uint32_t place, Stall why, Cycle from, Cycle until) {
    if (until <= from) return;
    gpu_.stalls[place].add(why, until - from);
    if (slot.traced >= 0) gpu_.trace.push_back({std::uint32_t(slot.traced), place, why, from, until});
}

/// What it has waited for until now.
void Multiprocessor::note(Slot& slot, Cycle now) {
    if (slot.since != 0) charge(slot, slot.place, slot.why, slot.since, now);
    slot.since = 0;
}

void Multiprocessor::start_waiting(Slot& slot, Cycle now, Stall why, std::uint32_t place) {
    if (slot.since != 0 && slot.why == why && slot.place == place) return;  // it goes on
    note(slot, now);
    slot.since = now, slot.why = why, slot.place = place;
}

void Multiprocessor::account(Cycle now) {
    for (Scheduler& scheduler : schedulers_)
        for (Slot& slot : scheduler.slots) note(slot, now);
}

/// Of two warps that can issue: the one that did in the cycle before, else that of the older block. In a
/// block the younger, unless one of them has waited for long.
bool Multiprocessor::goes_first(const Scheduler& scheduler, std::size_t one, std::size_t other,
                                Cycle now) const {
    const Slot &a = scheduler.slots[one], &b = scheduler.slots[other];
    if (a.issued + 1 == now || b.issued + 1 == now) return a.issued + 1 == now;
    if (scheduler.warps[one]->warp->block != scheduler.warps[other]->warp->block) return one < other;
    if (double(now - std::min(a.ready, b.ready)) > gpu_.prices.patience_cycles) return a.ready <= b.ready;
    return one > other;
}

void Multiprocessor::issue(Scheduler& scheduler, Cycle now) {
    constexpr std::size_t NONE = -1;
    std::size_t chosen = NONE;
    Cycle next = NEVER;
    for (std::size_t k = 0; k < scheduler.slots.size(); ++k) {
        Slot& slot = scheduler.slots[k];
        if (slot.ready > now) {
            next = std::min(next, slot.ready);
            continue;
        }
        const Traits& i = gpu_.traits[slot.pc];
        const double free = free_at(scheduler, i);
        if (free > double(now)) {
            start_waiting(slot, now, throttle_of(i), slot.pc);
            next = std::min(next, whole(free));
            continue;
        }
        if (chosen == NONE || goes_first(scheduler, k, chosen, now)) chosen = k;
        start_waiting(slot, now, Stall::not_selected, slot.pc);
        next = now + 1;
    }
    scheduler.next = next;
    if (chosen == NONE) return;
    note(scheduler.slots[chosen], now);
    scheduler.slots[chosen].issued = now;
    execute(scheduler, *scheduler.warps[chosen], now);
    scheduler.next = std::min(scheduler.next, scheduler.slots[chosen].ready);
}

// --- When it goes on

/// Its next instruction comes once the fixed time is over, and the scoreboards that it waits for are clear.
void Multiprocessor::go_on(Scheduler& scheduler, WarpClock& w, Cycle now, Cycle fixed, Stall why) {
    const std::uint32_t pc = w.warp->pc;
    const Traits& i = gpu_.traits[pc];
    Cycle ready = fixed;
    bool is_long = false;
    const auto await = [&](Scoreboard& scoreboard, std::size_t left) {
        if (i.is_at_once) return;
        const Cycle until = scoreboard.until(left);
        if (until > ready) ready = until, is_long = scoreboard.is_long;
    };
    for (int k = 0; k < SCOREBOARDS; ++k)
        if (i.control.waits_for >> k & 1) await(w.scoreboards[k], 0);
    if (i.awaits >= 0 && i.awaits < SCOREBOARDS) await(w.scoreboards[i.awaits], i.outstanding);
    Slot& slot = scheduler.slots[w.slot];
    charge(slot, pc, why, now + 1, fixed);
    charge(slot, pc, is_long ? Stall::long_scoreboard : Stall::short_scoreboard, fixed, ready);
    slot.ready = ready;
    slot.pc = pc;
}

void Multiprocessor::release(const Block& block, Cycle now) {
    for (Scheduler& scheduler : schedulers_)
        for (const auto& each : scheduler.warps) {
            WarpClock& w = *each;
            if (!w.is_blocked || w.warp->block != &block || !w.warp->prepare()) continue;
            w.is_blocked = false;
            const bool is_of_cluster = gpu_.traits[scheduler.slots[w.slot].place].is_of_cluster;
            const double latency =
                is_of_cluster ? gpu_.prices.cluster_barrier_latency : gpu_.prices.barrier_latency;
            const Cycle goes = whole(std::max(double(now), barriers_.free()) + latency);
            note(scheduler.slots[w.slot], goes);
            go_on(scheduler, w, goes - 1, goes, Stall::barrier);
            scheduler.next = std::min(scheduler.next, scheduler.slots[w.slot].ready);
        }
}

}  // namespace sass::clock
