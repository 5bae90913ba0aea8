#include "simt/instructions/memory/copies.h"

#include <cstring>

#include "simt/clock/request.h"
#include "simt/instructions/words.h"
#include "simt/loader/architecture.h"
#include "simt/order/checker.h"
#include "simt/run/launch.h"

namespace sass {
namespace {

constexpr int MISUSE = 719;

unsigned thread_of(const Warp& w, int lane) { return unsigned(w.number * LANES + lane); }

bool is_late(const Warp& w) { return w.block->kernel->options.is_late; }
/// Somebody asks for groups of copies.
bool has_groups(const Warp& w) { return w.block->checks != nullptr || is_late(w); }

U shared_address(const Warp& w, const Instruction& i, int l) {
    return w.source(i.a)[l] * i.scale + w.source(i.b)[l] + U(i.offset);
}

/// mbarrier.init writes a word whose lower half is (0x100000 - arrivals) << 1.
U arrivals_of(U lower_half) {
    const U arrivals = 0x100000 - (lower_half >> 1 & 0xfffff);
    return arrivals == 0 ? 0x100000 : arrivals;
}
/// Of a word as mbarrier.init writes it: its upper half is (0x100000 - arrivals) << 11. Null if it is none.
Copies::Barrier* stored_barrier(Warp& w, U address) {
    U half[2];
    if (U64(address) + sizeof half > w.block->shared.size()) return nullptr;
    std::memcpy(half, &w.block->shared[address], sizeof half);
    if (half[0] % 2 != 0 || half[0] >> 21 != 0 || half[1] != half[0] << 10) return nullptr;
    return w.block->copies->init_by_store(address, arrivals_of(half[0]));
}

/// To sm_90 mbarrier.init is an instruction of its own; from sm_100 on a store, which is found out at the
/// first use.
Copies::Barrier& barrier_at(Warp& w, U address, int lane) {
    Copies::Barrier* barrier = w.block->copies->at(address);
    if (barrier == nullptr && architecture().number >= 100) barrier = stored_barrier(w, address);
    if (barrier == nullptr)
        throw Fault{MISUSE,
                    "byte " + std::to_string(std::int64_t(address) - system_shared_bytes()) +
                        " of shared memory holds no mbarrier that was initialised",
                    lane};
    return *barrier;
}

/// Now, or as late as the barrier's phase allows.
template <class Arrive>
void arrive_at(Copies::Barrier& barrier, const Warp& w, const Arrive& arrive) {
    if (is_late(w))
        barrier.late.emplace_back(arrive);
    else if (w.block->request)
        w.block->request->at_end.emplace_back(arrive);
    else
        arrive();
}

/// By SYNCS.EXCH.64, to sm_90.
void initialise(Warp& w, const Instruction& i, U lanes) {
    const int first = __builtin_ctz(lanes);
    const U address = shared_address(w, i, first);
    check_shared(*w.block, &address - first, 1u << first, 8);
    w.block->copies->init(address, arrivals_of(w.source(i.c)[first]));
    ++*w.block->progress;
}
void invalidate(Warp& w, const Instruction& i, U lanes) {
    for_lanes(lanes, [&](int l) { w.block->copies->invalidate(shared_address(w, i, l)); });
    ++*w.block->progress;
}

/// The upper half of an mbarrier's word, as mbarrier.init makes it and mbarrier.pending_count reads it: the
/// parity of the phase, and above bit 11 0x100000 less the arrivals that are missing.
U state_of(const Copies::Barrier& barrier) {
    return barrier.phase << 31 | ((0x100000 - barrier.missing) & 0xfffff) << 11;
}

/// The forms of an arrival. kind: bits 0-1: 0 it announces c bytes, 1 nothing, 2 it is c arrivals at once;
/// bit 2 (.OPTOUT, mbarrier.arrive_drop): later phases expect as many fewer.
void arrive(Warp& w, const Instruction& i, U lanes) {
    const U* c = w.source(i.c);
    w.tally[w.pc].other += __builtin_popcount(lanes);
    U state[LANES] = {};
    for_lanes(lanes, [&](int l) {
        const U address = shared_address(w, i, l);
        Copies::Barrier& barrier = barrier_at(w, address, l);
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
        Copies::Barrier& barrier = barrier_at(w, shared_address(w, i, l), l);
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

// --- Bulk copies: once for the warp, from uniform registers

U64 uniform_pair(Warp& w, std::uint16_t row) { return U64(w.row(row)[LANES]) << 32 | w.row(row)[0]; }

void bulk_load(Warp& w, const Instruction& i, U) {  // [shared, mbarrier], [global], size / 16
    const U to = w.source(i.a)[0], mbarrier = w.source(i.a)[LANES];
    const U64 from = uniform_pair(w, i.b.row);
    const U bytes = (w.source(i.c)[0] & 0xffff) * 16;
    Copies::Barrier& barrier = barrier_at(w, mbarrier, -1);
    const std::uint8_t* source = global_bytes(from, bytes, -1);
    if (w.block->request) w.block->request->add(clock::Request::load, from, bytes);
    if (to % 16 != 0 || from % 16 != 0) throw Fault{716, "a bulk copy is misaligned"};
    if (U64(to) + bytes > w.block->shared.size() || to < system_shared_bytes())
        throw Fault{700, "a bulk copy leaves the block's shared memory"};
    if (Checks* const checks = w.block->checks) {
        const auto agent = Unit(AGENTS + barrier.index % 1024);
        const U time =
            checks->copy(w, __builtin_ctz(w.active), agent, {false, from, bytes}, agent, {true, to, bytes});
        barrier.arriving.learn(checks->done(w, agent, time));
    }
    const auto arrive = [&barrier, target = w.block->shared.data() + to, source, bytes,
                         progress = w.block->progress] {
        std::memcpy(target, source, bytes);
        barrier.bytes -= bytes;
        Copies::settle(barrier);
        ++*progress;
    };
    arrive_at(barrier, w, arrive);
    w.tally[w.pc].other += bytes;
}
void bulk_store(Warp& w, const Instruction& i, U) {  // [global], [shared], size / 16
    const U64 to = uniform_pair(w, i.a.row);
    const U from = w.source(i.b)[0], bytes = (w.source(i.c)[0] & 0xffff) * 16;
    std::uint8_t* target = global_bytes(to, bytes, -1);
    if (w.block->request) w.block->request->add(clock::Request::store, to, bytes);
    if (to % 16 != 0 || from % 16 != 0) throw Fault{716, "a bulk copy is misaligned"};
    if (U64(from) + bytes > w.block->shared.size() || from < system_shared_bytes())
        throw Fault{700, "a bulk copy leaves the block's shared memory"};
    const int lane = __builtin_ctz(w.active);
    const unsigned thread = thread_of(w, lane);
    const std::uint8_t* const source = w.block->shared.data() + from;
    if (Checks* const checks = w.block->checks)
        w.block->copies->bulk_groups(thread).open =
            checks->copy(w, lane, Unit(BULK_READS + thread), {true, from, bytes}, Unit(BULK_WRITES + thread),
                         {false, to, bytes});
    if (is_late(w)) {
        const auto held = std::make_shared<std::vector<std::uint8_t>>();
        w.block->copies->bulk_groups(thread).add([=] { held->assign(source, source + bytes); },
                                                 [=, progress = w.block->progress] {
                                                     std::memcpy(target, held->data(), held->size());
                                                     ++*progress;
                                                 });
    } else {
        std::memcpy(target, source, bytes);
    }
    Tally& t = w.tally[w.pc];
    t.other += bytes;
    t.sectors += bulk_sectors(to, from, bytes);
    if (Footprint* const footprint = w.block->kernel->footprint.get(); footprint != nullptr && bytes > 0)
        footprint->touch(Footprint::written, to, to + bytes - 1);
    ++*w.block->progress;
}
void bulk_prefetch(Warp& w, const Instruction& i, U) {
    (void)global_bytes(uniform_pair(w, i.a.row), (w.source(i.c)[0] & 0xffff) * 16, -1);
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
        to[l] = a[l] * i.scale + b[l] + U(i.offset);
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

namespace {

Source uniform_address(Decoder& d) {
    const Operand& operand = d.take();
    if (operand.kind != Operand::address || operand.uniform_index == URZ || operand.value != 0)
        d.refuse("address " + operand.text);
    return {std::uint16_t(UNIFORM + operand.uniform_index), 0, 0};
}

}  // namespace

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
    d.ignore({"A1TR", "RED"});
    if (d.has("A0T1")) return nothing;  // one more arrival is awaited, that of ARRIVES, which comes next
    i.counted = Class::mbarrier_arrival;
    return announces || delivers ? count_bytes : arrive;
}
Handler make_arrives(Decoder& d) {
    d.ignore({"LDGSTSBAR", "64", "TRANSCNT"});
    d.out.kind = d.has("ARVCNT");
    return architecture().number < 90 ? arrive_in_memory : arrive_after_copies;
}
Handler make_ublkcp(Decoder& d) {
    const bool load = !d.modifiers().empty() && d.modifiers()[0] == "S";
    d.ignore({"S", "G"});
    d.out.a = uniform_address(d);
    d.out.b = uniform_address(d);
    d.read("c");
    if (load) d.out.counted = Class::bulk_load;
    return load ? bulk_load : bulk_store;
}
Handler make_ublkpf(Decoder& d) {
    d.ignore({"L2"});
    d.out.a = uniform_address(d);
    d.read("c");
    return bulk_prefetch;
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
