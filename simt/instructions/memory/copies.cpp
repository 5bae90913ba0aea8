// mbarriers, asynchronous copies by single threads, and waiting for groups of copies.
#include <cstring>

#include "simt/instructions/memory/mbarriers.h"
#include "simt/loader/architecture.h"
#include "simt/order/checker.h"

namespace sass {
namespace {

/// By SYNCS.EXCH.64, to sm_90.
void initialise(Warp& w, const Instruction& i, U lanes) {
    const int first = __builtin_ctz(lanes);
    const U address = own_offset(w, shared_address(w, i, first));
    check_shared(*w.block, &address - first, 1u << first, 8);
    w.block->copies->init(address, arrivals_of(w.source(i.c)[first]));
    ++*w.block->progress;
}
void invalidate(Warp& w, const Instruction& i, U lanes) {
    for_lanes(lanes, [&](int l) { w.block->copies->invalidate(own_offset(w, shared_address(w, i, l))); });
    ++*w.block->progress;
}

/// The upper half of an mbarrier's word, as mbarrier.init makes it and mbarrier.pending_count reads it: the
/// parity of the phase, and above bit 11 0x100000 less the arrivals that are missing.
U state_of(const Copies::Barrier& barrier) {
    return barrier.phase << 31 | ((0x100000 - barrier.missing) & 0xfffff) << 11;
}

/// The forms of an arrival. kind: bits 0-1: 0 it announces c bytes, 1 nothing, 2 it is c arrivals at once;
/// bit 2 (.OPTOUT, mbarrier.arrive_drop): later phases expect as many fewer. is_wide (.RED): of any block.
void arrive(Warp& w, const Instruction& i, U lanes) {
    const U* c = w.source(i.c);
    w.tally[w.pc].other += __builtin_popcount(lanes);
    U state[LANES] = {};
    for_lanes(lanes, [&](int l) {
        const U address = shared_address(w, i, l);
        Copies::Barrier& barrier = i.is_wide ? barrier_of_cluster(w, address, l) : barrier_at(w, address, l);
        state[l] = state_of(barrier);
        const U count = (i.kind & 3) == 2 ? c[l] : 1;
        if (barrier.missing < count) throw Fault{MISUSE, "an mbarrier has more arrivals than it expects", l};
        barrier.missing -= count;
        if (w.block->checks) barrier.arriving.learn(w.block->checks->knowledge(w, l));
        if (i.kind & 4) barrier.expected -= count;
        if ((i.kind & 3) == 0) barrier.bytes += c[l];
        Copies::settle(barrier);
    });
    ++*w.block->progress;
    each(w.row(i.d) + LANES, lanes, [&](int l) { return state[l]; });
}
/// Without arriving, bytes are announced (.A0TR, mbarrier.expect_tx) or, with kind 1, delivered (.A0TX,
/// mbarrier.complete_tx).
void count_bytes(Warp& w, const Instruction& i, U lanes) {
    const U* c = w.source(i.c);
    for_lanes(lanes, [&](int l) {
        const U address = shared_address(w, i, l);
        Copies::Barrier& barrier = i.is_wide ? barrier_of_cluster(w, address, l) : barrier_at(w, address, l);
        barrier.bytes += i.kind == 1 ? -std::int64_t(c[l]) : std::int64_t(c[l]);
        Copies::settle(barrier);
    });
    ++*w.block->progress;
}

/// Has the phase of this parity (bit 31 of c) completed? A try may wait: it then runs again once something
/// has moved.
void check_phase(Warp& w, const Instruction& i, U lanes) {
    const U* c = w.source(i.c);
    U over = 0;
    for_lanes(lanes, [&](int l) {
        Copies::Barrier& barrier = barrier_at(w, shared_address(w, i, l), l);
        if ((barrier.phase & 1) == c[l] >> 31) barrier.catch_up();
        const bool is_over = (barrier.phase & 1) != c[l] >> 31;
        if (is_over && w.block->checks) w.block->checks->learn(w, l, barrier.completed);
        over |= U(is_over) << l;
    });
    if (i.kind == 1 && over != lanes && !w.waits_in_vain) {
        w.waits = true;
        return;
    }
    w.waits_in_vain = false;
    w.set_predicate(i.p, lanes, over);
    ++w.pc;
}

/// The same on sm_80 to 89, where the program has counted the arrival as expected. Copies are never later.
void arrive_in_memory(Warp& w, const Instruction& i, U lanes) {
    Checks* const checks = w.block->checks;
    for_lanes(lanes, [&](int l) {
        const U address = shared_address(w, i, l);
        check_shared(*w.block, &address - l, 1u << l, 8);
        if (has_groups(w)) {
            Copies::Groups& groups = w.block->copies->copy_groups(thread_of(w, l));
            groups.catch_up(groups.done.size() + 1);
            const U time = std::max(groups.open, groups.all_but(0));
            if (checks && time != 0)
                checks->release(w, address, checks->done(w, Unit(COPIES + thread_of(w, l)), time));
        }
        auto* const mbarrier = reinterpret_cast<U64*>(w.block->shared.data() + address);
        *mbarrier = arrived(*mbarrier);
    });
    ++*w.block->progress;
}
/// The end of asynchronous copies by single threads (cp.async) is an arrival, or nothing.
void arrive_after_copies(Warp& w, const Instruction& i, U lanes) {
    for_lanes(lanes, [&](int l) {
        Copies::Barrier& barrier = barrier_at(w, shared_address(w, i, l), l);
        if (i.kind == 0) ++barrier.missing;  // not .noinc: the arrival was not expected
        Copies::Groups* const groups =
            has_groups(w) ? &w.block->copies->copy_groups(thread_of(w, l)) : nullptr;
        const std::size_t group = groups == nullptr ? 0 : groups->done.size() + 1;
        Knowledge done;
        if (w.block->checks)
            if (const U time = std::max(groups->open, groups->all_but(0)); time != 0)
                done = w.block->checks->done(w, Unit(COPIES + thread_of(w, l)), time);
        const auto arrive = [&barrier, groups, group, done, progress = w.block->progress] {
            if (groups != nullptr) groups->catch_up(group);
            --barrier.missing;
            barrier.arriving.learn(done);
            Copies::settle(barrier);
            ++*progress;
        };
        arrive_at(barrier, w, arrive);
    });
    ++*w.block->progress;
}

// --- cp.async: every lane copies 4, 8 or 16 bytes

void ldgsts(Warp& w, const Instruction& i, U lanes) {
    // a, b, offset: to shared memory; c, number: from global memory. A false predicate (zero-fill) writes
    // zeros. With kind & 1 (.ZFILL) so many bytes at the end are zeros as the lowest bits of the address say;
    // with kind & 2 (.BYPASS) data do not pass through L1.
    const U *a = w.source(i.a), *b = w.source(i.b), *c = w.source(i.c);
    const U filled = w.predicate(i.pa);
    const bool bypasses = i.kind & 2;
    U to[LANES], zeros[LANES];
    U64 from[LANES];
    for (int l = 0; l < LANES; ++l) {
        to[l] = own_offset(w, a[l] * i.scale + b[l] + U(i.offset));
        from[l] = wide(c, l) + U64(std::int64_t(std::int32_t(i.number)));
        zeros[l] = i.kind & 1 ? U(from[l]) & (i.bytes - 1u) : 0;
        from[l] -= zeros[l];
    }
    check_shared(*w.block, to, lanes, i.bytes);
    if (lanes & filled) check_global(from, lanes & filled, i.bytes);
    Tally& t = w.tally[w.pc];
    if (lanes & filled) {
        if (w.block->request) w.block->request->add(clock::Request::load, from, lanes & filled, i.bytes);
        ++t.requests;
        t.request_lanes += __builtin_popcount(lanes & filled);
        t.sectors += bypasses ? bypassing_sectors_of(from, to, lanes & filled)
                              : sectors_of(from, lanes & filled, i.bytes);
        if (Footprint* const footprint = w.block->kernel->footprint.get())
            footprint->touch(Footprint::read, from, lanes & filled, i.bytes);
    }
    const Passes passes = copy_passes_of(from, to, lanes, i.bytes, bypasses);
    t.passes += passes.taken;
    t.ideal += passes.ideal;
    for_lanes(lanes, [&](int l) {
        if (Checks* const checks = w.block->checks)
            w.block->copies->copy_groups(thread_of(w, l)).open = checks->copy(
                w, l, Unit(COPIES + thread_of(w, l)), {false, from[l], filled >> l & 1 ? i.bytes : 0u},
                Unit(COPIES + thread_of(w, l)), {true, to[l], i.bytes});
        std::uint8_t* target = w.block->shared.data() + to[l];
        const auto copy = [target, source = reinterpret_cast<const void*>(from[l]),
                           copied = filled >> l & 1 ? i.bytes - zeros[l] : 0, bytes = i.bytes] {
            std::memcpy(target, source, copied);
            std::memset(target + copied, 0, bytes - copied);
        };
        if (is_late(w))
            w.block->copies->copy_groups(thread_of(w, l)).add(nullptr, copy);
        else
            copy();
    });
}

/// LDGDEPBAR, UTMACMDFLUSH: the thread's copies since the last one form a group. For all active lanes: the
/// instruction of a bulk copy is uniform.
void close_copies(Warp& w, const Instruction&, U lanes) {
    if (has_groups(w))
        for_lanes(lanes, [&](int l) { w.block->copies->copy_groups(thread_of(w, l)).close(); });
}
void close_bulk(Warp& w, const Instruction&, U) {
    if (has_groups(w))
        for_lanes(w.active, [&](int l) { w.block->copies->bulk_groups(thread_of(w, l)).close(); });
}
/// DEPBAR.LE SB0, n: wait for all groups but the latest n. The PTX says of which kind, and whether it is
/// enough that bulk stores have read their sources.
void wait_for_groups(Warp& w, const Instruction& i, U lanes) {
    if (!has_groups(w)) return;
    Checks* const checks = w.block->checks;
    for_lanes(lanes, [&](int l) {
        const unsigned thread = thread_of(w, l);
        const auto learn = [&](U time, Unit agents) {
            if (checks && time != 0) checks->learn(w, l, checks->done(w, Unit(agents + thread), time));
        };
        const auto catch_up = [&](Copies::Groups& groups, bool reads_only) {
            groups.catch_up(groups.done.size() - std::min<std::size_t>(i.number, groups.done.size()),
                            reads_only);
            return groups.all_but(i.number);
        };
        if (i.kind != 1) {
            const U bulk = catch_up(w.block->copies->bulk_groups(thread), i.kind == 3);
            learn(bulk, BULK_READS);
            if (i.kind != 3) learn(bulk, BULK_WRITES);
        }
        if (i.kind < 2) learn(catch_up(w.block->copies->copy_groups(thread), false), COPIES);
    });
}

}  // namespace

// --- Decoding

Handler make_syncs(Decoder& d) {
    Instruction& i = d.out;
    d.ignore({"64", "TRANS64", "IV"});
    if (d.has("CCTL")) {
        if (d.has("IVALL")) return nothing;
        d.read("@");
        return invalidate;
    }
    if (d.has("PHASECHK")) {
        i.kind = d.has("TRYWAIT");
        i.is_control = true;
        d.read("p @ c");
        return check_phase;
    }
    d.read("d @ c");
    if (i.d == NOWHERE) i.d = TEMPORARY + 6;
    if (d.has("EXCH")) return initialise;
    if (!d.has("ARRIVE")) d.refuse("form");
    const bool announces = d.has("A0TR"), delivers = d.has("A0TX");
    i.kind = d.has("A1T0") || delivers ? 1 : d.has("ART0") ? 2 : 0;
    if (d.has("OPTOUT")) i.kind |= 4;
    i.is_wide = d.has("RED");
    d.ignore({"A1TR"});
    if (d.has("A0T1")) return nothing;  // one more arrival is awaited, that of ARRIVES, which comes next
    i.counted = Class::mbarrier_arrival;
    return announces || delivers ? count_bytes : arrive;
}
Handler make_arrives(Decoder& d) {
    d.ignore({"LDGSTSBAR", "64", "TRANSCNT"});
    d.out.kind = d.has("ARVCNT");
    return architecture().number < 90 ? arrive_in_memory : arrive_after_copies;
}
Handler make_ldgsts(Decoder& d) {
    Instruction& i = d.out;
    i.bytes = d.has("128") ? 16 : d.has("64") ? 8 : 4;
    i.kind = d.flags({"ZFILL", "BYPASS"});
    d.ignore({"E", "CONSTANT", "LTC128B", "LTC64B", "LTC256B", "ACCESS"});
    d.read("@");
    const Operand& from = d.take();
    if (from.kind != Operand::address || from.index == 255) d.refuse("address " + from.text);
    i.c = {std::uint16_t(from.index), 0, 0};
    i.number = U(from.value);
    d.read("P?");
    return ldgsts;
}
Handler make_ldgdepbar(Decoder&) { return close_copies; }
Handler make_utmacmdflush(Decoder&) { return close_bulk; }
Handler make_depbar(Decoder& d) {
    const std::string* ptx = d.line().ptx;
    const auto has = [&](const char* text) { return ptx != nullptr && ptx->find(text) != std::string::npos; };
    const bool bulk = has("cp.async.bulk"), own = has("cp.async.wait");
    d.out.kind = own ? 1 : !bulk ? 0 : has(".read") ? 3 : 2;
    d.ignore({"LE"});
    while (d.left())
        if (const Operand& operand = d.take(); operand.kind == Operand::immediate)
            d.out.number = U(operand.value);
    return wait_for_groups;
}

}  // namespace sass
