// What an instruction does once it has issued: it is executed, holds a unit, and asks memory.
#include "simt/clock/multiprocessor.h"
#include "simt/run/cluster.h"
#include "simt/run/lanes.h"

namespace sass::clock {

void Multiprocessor::execute(Scheduler& scheduler, WarpClock& w, Cycle now) {
    Warp& warp = *w.warp;
    Block& block = *warp.block;
    Slot& slot = scheduler.slots[w.slot];
    const std::uint32_t pc = warp.pc;
    const Traits& i = gpu_.traits[pc];
    const Tally& tally = warp.tally[pc];
    const std::int64_t issued = tally.issued, passes = tally.passes;
    const std::uint32_t active = warp.active;
    gpu_.request.clear();
    gpu_.request.cycle = now;
    gpu_.at_work = &warp;
    (void)warp.run();
    if (tally.issued == issued) {  // it waits, and tries again
        const Cycle again = now + Cycle(gpu_.prices.try_wait);
        charge(slot, pc, Stall::short_scoreboard, now, again);
        slot.ready = warp.prepare() ? again : NEVER;
        return;
    }
    charge(slot, pc, Stall::selected, now, now + 1);
    ++units_busy_[std::size_t(Unit::none)];
    if (gpu_.request.kind == Request::atomic && gpu_.request.compared != 0) compare(w, pc);
    double read = double(now);
    const double done = result_of(scheduler, i, w, double(tally.passes - passes), now, read);
    pend(block, done);
    set_scoreboards(w, i, now, read, done);
    if (i.forgets_l1) l1_.clear();
    slot.ready = NEVER;
    Stall why = Stall::wait;
    const bool is_taken = i.is_branch && (warp.pc != pc + 1 || !warp.running);
    const bool parts = i.is_branch && warp.active != active;
    if (warp.done()) {
        const auto is_done = [](const auto& each) { return each->done(); };
        if (std::all_of(block.warps.begin(), block.warps.end(), is_done)) ended_ = &block;
    } else if (warp.prepare()) {
        const Cycle fixed = fixed_of(w, i, now, read, is_taken, parts, why);
        go_on(scheduler, w, now, fixed, why);
    } else {
        w.is_blocked = true;
        const Cycle stalled = now + std::max<Cycle>(1, i.control.stall);
        charge(slot, pc, Stall::wait, now + 1, stalled);
        start_waiting(slot, stalled, Stall::barrier, pc);
    }
    if (i.unit == Unit::barrier || i.is_of_cluster || w.is_blocked || warp.done()) release(block, now);
    if (block.cluster->blocks.size() > 1 && (i.is_of_cluster || warp.done()))
        gpu_.arrived.emplace_back(block.cluster, whole(read));
}

void Multiprocessor::compare(WarpClock& w, std::uint32_t pc) {
    const Request& request = gpu_.request;
    gpu_.compared += unsigned(__builtin_popcount(request.compared));
    const std::uint32_t same = where([&](int l) { return request.expected[l] == w.found[l]; });
    const std::uint32_t again = w.lost_at == pc ? request.compared & w.lost & same : 0;
    gpu_.again += unsigned(__builtin_popcount(again));
    if (again != 0) gpu_.contenders.insert(number_);
    for_lanes(request.lost, [&](int l) { w.found[l] = request.found[l]; });
    w.lost = request.lost, w.lost_at = pc;
}

/// When its next instruction may issue, whatever scoreboards say. why: what it waits for until then.
Cycle Multiprocessor::fixed_of(const WarpClock& w, const Traits& i, Cycle now, double read, bool is_taken,
                               bool parts, Stall& why) {
    Cycle fixed = now + std::max<Cycle>(1, i.control.stall);
    const auto until = [&](Cycle other, Stall reason) {
        if (other > fixed) fixed = other, why = reason;
    };
    if (i.unit == Unit::tensor) until(fixed + Cycle(gpu_.prices.tensor_operand_cycles), Stall::wait);
    if (parts)
        until(fixed + Cycle(gpu_.prices.parting_branch), Stall::branch_resolving);
    else if (is_taken)
        until(fixed + Cycle(gpu_.prices.taken_branch), Stall::branch_resolving);
    if (i.waits_at_barrier && !i.is_of_cluster) {  // and all have come
        (void)pipe_.serve(double(now), gpu_.prices.barrier_passes);
        until(whole(read + gpu_.prices.barrier_latency), Stall::barrier);
    }
    if (i.is_of_cluster && i.waits_at_barrier)
        until(whole(std::max(double(now), barriers_.free()) + gpu_.prices.cluster_barrier_latency),
              Stall::barrier);
    if (i.is_fence) until(whole(std::max(double(now), w.stored) + gpu_.prices.fence_latency), Stall::membar);
    if (i.sleeps) until(now + Cycle(i.cycles), Stall::sleeping);
    return fixed;
}

void Multiprocessor::set_scoreboards(WarpClock& w, const Traits& i, Cycle now, double read, double done) {
    if (i.control.sets_at_result < SCOREBOARDS)
        w.scoreboards[i.control.sets_at_result].set(done, i.is_global || i.closes_copies, now);
    if (i.control.sets_at_read < SCOREBOARDS)
        w.scoreboards[i.control.sets_at_read].set(read + gpu_.prices.operand_cycles, i.is_global, now);
}

/// When its result is there. read: when its operands have been read.
double Multiprocessor::result_of(Scheduler& scheduler, const Traits& i, WarpClock& w, double passes,
                                 Cycle now, double& read) {
    if (i.unit == Unit::floats) {
        double& other = scheduler.other_floats;
        const bool is_other = other <= double(now);
        (is_other ? other : scheduler.free[std::size_t(Unit::products)]) = double(now) + i.cycles;
        units_busy_[std::size_t(is_other ? Unit::floats : Unit::products)] += i.cycles;
    } else if (i.unit == Unit::memory) {
        gpu_.request.sort();
        // The copy engine goes through its sectors by itself.
        const double own = i.copies && !gpu_.request.at_end.empty() ? 1 : gpu_.request.passes();
        const double busy = std::max({1.0, passes, own});
        const double asked = pass(scheduler, i.is_global, busy, double(now), read) - 1;
        if (gpu_.request.kind != Request::none) return access(i, w, asked);
        return asked + i.latency;
    } else if (i.unit == Unit::barrier) {
        (void)pipe_.serve(double(now), gpu_.prices.barrier_warp_passes);
        scheduler.barriers.add(std::max(double(now), barriers_.free()));
        return read = barriers_.serve(double(now), i.cycles);
    } else if (i.unit != Unit::none) {
        double& free = scheduler.free[std::size_t(i.unit)];  // it may have been since within this cycle
        free = (double(now) - free < 1 ? free : double(now)) + i.cycles;
        units_busy_[std::size_t(i.unit)] += i.cycles;
    }
    return std::max(double(now) + i.latency, i.closes_copies ? w.copied : 0);
}

/// When it has gone through its scheduler's queue, from which one instruction a cycle is sent on for all
/// four, then through the pipe's, and the pipe to memory, of which one scheduler alone gets a part.
/// read: when its operands have been, once it is sent.
double Multiprocessor::pass(Scheduler& scheduler, bool is_global, double cycles, double now, double& read) {
    Queue& waiting = waiting_[is_global];
    const double turn = senders_.serve(now, 1) - 1;
    const double room = waiting.leaves(std::size_t(gpu_.prices.pipe_entries));
    const double sent = std::max({turn, room, is_global ? held_ : 0});
    scheduler.queues[is_global].add(sent);
    read = sent + 1;
    const double begins = std::max({sent, pipe_.free(), scheduler.passes});
    waiting.add(begins);
    const double own = gpu_.prices.scheduler_pass_cycles;  // of each pass but the first, whoever else passes
    scheduler.passes = std::max(scheduler.passes, turn) + cycles * own;
    return std::max(pipe_.serve(turn, cycles), begins + 1 + (cycles - 1) * own);
}

double Multiprocessor::access(const Traits& i, WarpClock& w, double at) {
    const Request& request = gpu_.request;
    const Rate port =
        i.is_bulk ? Rate{0, SECTOR / gpu_.prices.copy_bytes_per_cycle}
                  : Rate{1 / gpu_.prices.port_loads_per_cycle, SECTOR / gpu_.prices.port_bytes_per_cycle};
    double done = at, sends = 0;
    std::uint64_t line = ~0ull;
    int k = 0;  // sectors asked of this line
    const auto next = [&](std::uint64_t sector) {
        k = sector / 4 == line ? k + 1 : 1;
        line = sector / 4;
    };
    const bool is_store = request.kind == Request::store || i.stores_locally;
    if (request.kind == Request::local && !is_store) return at + gpu_.prices.l1_latency;
    if (request.kind == Request::far) return far_.serve(at, gpu_.prices.far_cycles) + gpu_.prices.far_latency;
    if (request.kind == Request::atomic) done = gpu_.memory.atomic(at, request, number_);
    for (const Request::Sector& sector : request.sectors) {
        if (is_store) {
            next(sector.number);
            const bool begins = k == 1 && request.is_partial(sector);
            const double cycles = SECTOR / gpu_.prices.port_stored_bytes_per_cycle +
                                  (begins ? gpu_.prices.port_partial_cycles : 0);
            sends += cycles;
            const double sent = stores_.serve(at, cycles);
            done = std::max(done, i.stores_locally ? gpu_.memory.store_locally(sent, begins)
                                                   : gpu_.memory.store(sent, sector, begins, number_));
        }
        if (request.kind != Request::load) continue;
        const auto load = [&] {
            next(sector.number);
            return port_.serve(gpu_.memory.load(at, sector.number, k, number_), port.next(k));
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
        // Others wait until the last of a store is on its way.
        held_ = std::max(held_, is_store ? std::max(done - gpu_.prices.l2_latency, stores_.free()) - sends
                                         : done - gpu_.prices.atomic_backlog);
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

}  // namespace sass::clock
