#include "simt/clock/multiprocessor.h"

namespace sass::clock {

Multiprocessor::Multiprocessor(Gpu& gpu, double l1_bytes) : gpu_(gpu), l1_(l1_bytes) {}

Cycle Multiprocessor::next() const {
    Cycle first = NEVER;
    for (const Scheduler& each : schedulers_) first = std::min(first, each.next);
    return first;
}

void Multiprocessor::begin(Block& block, Cycle first) {
    block.request = &gpu_.request;
    std::size_t to = 0;
    for (std::size_t k = 1; k < SCHEDULERS; ++k)
        if (schedulers_[k].warps.size() < schedulers_[to].warps.size()) to = k;
    for (const auto& warp : block.warps) {
        warp->slice = 1;
        Scheduler& scheduler = schedulers_[to++ % SCHEDULERS];
        scheduler.warps.push_back(std::make_unique<WarpClock>());
        WarpClock& w = *scheduler.warps.back();
        w.warp = warp.get();
        w.ready = first;
        scheduler.next = std::min(scheduler.next, first);
        (void)warp->prepare();
    }
}

void Multiprocessor::step(Cycle now, const std::function<void(Block&)>& ended) {
    for (Scheduler& scheduler : schedulers_) {
        if (scheduler.next > now) continue;
        issue(scheduler, now);
        if (ended_ == nullptr) continue;
        Block& block = *std::exchange(ended_, nullptr);
        drop(block);
        ended(block);
    }
}

void Multiprocessor::drop(const Block& block) {
    for (Scheduler& scheduler : schedulers_) {
        auto& warps = scheduler.warps;
        const auto is_gone = [&](const auto& w) { return w->warp->block == &block; };
        if (scheduler.last != nullptr && scheduler.last->warp->block == &block) scheduler.last = nullptr;
        warps.erase(std::remove_if(warps.begin(), warps.end(), is_gone), warps.end());
    }
}

// --- Who issues

double Multiprocessor::free_at(const Scheduler& scheduler, const Traits& i) const {
    if (i.unit == Unit::none) return 0;
    if (i.unit == Unit::memory) {
        const auto entries = std::size_t(gpu_.prices.queue_entries);
        return scheduler.queued < entries ? 0 : scheduler.queue[(scheduler.queued - entries) % 16];
    }
    if (i.unit == Unit::floats)
        return std::min(scheduler.other_floats, scheduler.free[std::size_t(Unit::products)]);
    return scheduler.free[std::size_t(i.unit)];
}

Stall Multiprocessor::throttle_of(const Traits& i) const {
    if (i.unit != Unit::memory) return Stall::math_pipe_throttle;
    return i.is_global ? Stall::lg_throttle : Stall::mio_throttle;
}

/// What it has waited for until now.
void Multiprocessor::note(WarpClock& w, Cycle now) {
    if (w.since != 0 && now > w.since) gpu_.stalls[w.place].add(w.why, now - w.since);
    w.since = 0;
}

void Multiprocessor::start_waiting(WarpClock& w, Cycle now, Stall why, std::uint32_t place) {
    note(w, now);
    w.since = now, w.why = why, w.place = place;
}

void Multiprocessor::account(Cycle now) {
    for (Scheduler& scheduler : schedulers_)
        for (const auto& w : scheduler.warps) note(*w, now);
}

void Multiprocessor::issue(Scheduler& scheduler, Cycle now) {
    WarpClock* chosen = nullptr;
    Cycle next = NEVER;
    for (const auto& each : scheduler.warps) {
        WarpClock& w = *each;
        if (w.ready > now) {
            next = std::min(next, w.ready);
            continue;
        }
        const Traits& i = gpu_.traits[w.warp->pc];
        const double free = free_at(scheduler, i);
        if (free > double(now)) {
            start_waiting(w, now, throttle_of(i), w.warp->pc);
            next = std::min(next, whole(free));
            continue;
        }
        if (chosen == nullptr || &w == scheduler.last) chosen = &w;
        start_waiting(w, now, Stall::not_selected, w.warp->pc);
        next = now + 1;
    }
    scheduler.next = next;
    if (chosen == nullptr) return;
    note(*chosen, now);
    scheduler.last = chosen;
    execute(scheduler, *chosen, now);
    scheduler.next = std::min(scheduler.next, chosen->ready);
}

// --- What it does

void Multiprocessor::execute(Scheduler& scheduler, WarpClock& w, Cycle now) {
    Warp& warp = *w.warp;
    Block& block = *warp.block;
    const std::uint32_t pc = warp.pc;
    const Traits& i = gpu_.traits[pc];
    const Tally& tally = warp.tally[pc];
    const std::int64_t issued = tally.issued, passes = tally.passes;
    gpu_.request.clear();
    gpu_.at_work = &warp;
    (void)warp.run();
    if (tally.issued == issued) {  // it waits, and tries again
        gpu_.stalls[pc].add(Stall::short_scoreboard, Cycle(gpu_.prices.try_wait));
        w.ready = warp.prepare() ? now + Cycle(gpu_.prices.try_wait) : NEVER;
        return;
    }
    gpu_.stalls[pc].add(Stall::selected, 1);
    double read = double(now);
    const double done = result_of(scheduler, i, w, double(tally.passes - passes), now, read);
    pend(block, done);
    if (i.control.sets_at_result < SCOREBOARDS)
        w.scoreboards[i.control.sets_at_result].set(done, i.is_global || i.closes_copies, now);
    if (i.control.sets_at_read < SCOREBOARDS)
        w.scoreboards[i.control.sets_at_read].set(read + gpu_.prices.operand_cycles, i.is_global, now);

    const bool is_taken = i.is_branch && (warp.pc != pc + 1 || !warp.running);
    Cycle fixed = now + std::max<Cycle>(1, i.control.stall);
    Stall why = Stall::wait;
    if (is_taken) fixed += Cycle(gpu_.prices.taken_branch), why = Stall::branch_resolving;
    if (i.is_fence)
        fixed = std::max(fixed, whole(std::max(double(now), w.stored) + gpu_.prices.fence_latency)),
        why = Stall::membar;
    if (i.sleeps) fixed = std::max(fixed, now + Cycle(i.cycles)), why = Stall::sleeping;
    if (i.forgets_l1) l1_.clear();

    w.ready = NEVER;
    if (warp.done()) {
        const bool all =
            std::all_of(block.warps.begin(), block.warps.end(), [](const auto& w) { return w->done(); });
        if (all) ended_ = &block;
    } else if (warp.prepare()) {
        go_on(w, now, fixed, why);
    } else {
        w.is_blocked = true;
        start_waiting(w, now + 1, Stall::barrier, pc);
    }
    if (i.is_barrier || w.is_blocked || warp.done()) release(block, now);
}

/// When its result is there. read: when its operands have been read.
double Multiprocessor::result_of(Scheduler& scheduler, const Traits& i, WarpClock& w, double passes,
                                 Cycle now, double& read) {
    if (i.unit == Unit::floats) {
        double& other = scheduler.other_floats;
        double& unit = other <= double(now) ? other : scheduler.free[std::size_t(Unit::products)];
        unit = double(now) + i.cycles;
    } else if (i.unit == Unit::memory) {
        double lines = 0;
        std::uint64_t last = ~0ull;
        for (const Request::Sector& sector : gpu_.request.sectors)
            if (sector.number / 4 != last) last = sector.number / 4, ++lines;
        if (i.copies && !gpu_.request.at_end.empty())
            lines = 1;  // the copy engine goes through them by itself
        const double busy = i.is_barrier ? gpu_.prices.barrier_warp_passes : std::max({1.0, passes, lines});
        scheduler.queue[scheduler.queued++ % 16] = std::max(pipe_.free(), double(now));
        read = pipe_.serve(double(now), busy);
        const double asked = read - (i.is_barrier ? busy : 1);
        if (gpu_.request.kind != Request::none) return access(i, w, asked);
        return asked + i.latency;
    } else if (i.unit != Unit::none) {
        scheduler.free[std::size_t(i.unit)] = double(now) + i.cycles;
    }
    return std::max(double(now) + i.latency, i.closes_copies ? w.copied : 0);
}

double Multiprocessor::access(const Traits& i, WarpClock& w, double at) {
    const Request& request = gpu_.request;
    double done = at;
    if (request.kind == Request::local) return at + gpu_.prices.l1_latency;
    if (request.kind == Request::atomic) done = gpu_.memory.atomic(at, request);
    for (const Request::Sector& sector : request.sectors) {
        if (request.kind == Request::store) done = std::max(done, gpu_.memory.store(at, sector));
        if (request.kind != Request::load) continue;
        const auto load = [&] {
            return gpu_.memory.load(port_.serve(at, SECTOR / gpu_.prices.port_bytes_per_cycle),
                                    sector.number);
        };
        if (i.bypasses_l1) {
            done = std::max(done, load());
            continue;
        }
        const Cache::Sector cached = l1_.touch(sector.number);
        if (!cached.is_there) cached.arrives = load();
        done = std::max({done, at + gpu_.prices.l1_latency, cached.arrives});
    }
    if (request.kind != Request::load) {
        w.stored = std::max(w.stored, done), stored_ = std::max(stored_, done);
        pipe_.hold(done - gpu_.prices.store_backlog);
    }
    if (i.copies) w.copied = std::max(w.copied, done);
    return done;
}

/// What is to happen when the memory has answered.
void Multiprocessor::pend(const Block& block, double at) {
    for (auto& happen : gpu_.request.at_end)
        gpu_.events.emplace(whole(at), Gpu::Event{&block, std::move(happen)});
    gpu_.request.at_end.clear();
}

// --- When it goes on

/// Its next instruction comes once the fixed time is over, and the scoreboards that it waits for are clear.
void Multiprocessor::go_on(WarpClock& w, Cycle now, Cycle fixed, Stall why) {
    const std::uint32_t pc = w.warp->pc;
    const Traits& i = gpu_.traits[pc];
    Cycle ready = fixed;
    bool is_long = false;
    const auto await = [&](Scoreboard& scoreboard, std::size_t left) {
        const Cycle until = scoreboard.until(left);
        if (until > ready) ready = until, is_long = scoreboard.is_long;
    };
    for (int k = 0; k < SCOREBOARDS; ++k)
        if (i.control.waits_for >> k & 1) await(w.scoreboards[k], 0);
    if (i.awaits >= 0 && i.awaits < SCOREBOARDS) await(w.scoreboards[i.awaits], i.outstanding);
    Stalls& stalls = gpu_.stalls[pc];
    stalls.add(why, fixed - now - 1);
    stalls.add(is_long ? Stall::long_scoreboard : Stall::short_scoreboard, ready - fixed);
    w.ready = ready;
}

/// Warps of the block that waited for others and need not any more.
void Multiprocessor::release(const Block& block, Cycle now) {
    bool any = false;
    for (Scheduler& scheduler : schedulers_)
        for (const auto& each : scheduler.warps) {
            WarpClock& w = *each;
            if (!w.is_blocked || w.warp->block != &block || !w.warp->prepare()) continue;
            if (!any) pipe_.serve(double(now), gpu_.prices.barrier_passes);
            any = true;
            w.is_blocked = false;
            const Cycle goes = whole(pipe_.free()) + Cycle(gpu_.prices.barrier_latency);
            note(w, goes);
            go_on(w, goes - 1, goes, Stall::barrier);
            scheduler.next = std::min(scheduler.next, w.ready);
        }
}

}  // namespace sass::clock
