// Where lanes that have parted meet again, and groups that let others go first.
//
// A barrier register holds the lanes that must meet, BSSY's group. It belongs to the warp, not to a lane:
// a function that saves and clears it (BMOV) does so for all lanes, wherever they are. Where lanes of one
// region call functions that use its register, so a recursive one, some may find it as others have left
// it, and do not meet: on a GPU, too (test/machine/recursion.cu, 400 launches).
//
// So lanes may be past a BSYNC at which others wait for them, and come to a warp sync that names all. When
// nothing else is left to do, those that wait at the BSYNC go on, and come to the warp sync as well. Those
// that came to a collective instruction last go on apart from the others behind it, as on a GPU.
//
// Lanes that let others go first, by YIELD or NANOSLEEP, are no longer in any barrier register: nobody
// waits for them at a BSYNC, and they do not wait there (test/machine/yields.cu, 78 launches). nvcc takes
// them for together behind a call by pointer all the same: a shuffle without a warp sync is wrong there.
#include "simt/decode/decode.h"
#include "simt/loader/architecture.h"
#include "simt/order/checker.h"
#include "simt/run/lanes.h"
#include "simt/run/launch.h"

namespace sass {
namespace {
void bssy(Warp& w, const Instruction& i, U on) {
    if (on != 0) w.b[i.kind] = on;
}
void bsync(Warp& w, const Instruction& i, U on) {
    ++w.pc;
    if (on == 0 || w.converges(i.kind) || i.number == 0) return;
    for (Group& group : w.groups)
        if (group.waits_to_converge(i.kind)) group.is_patient = false;
}
void leave_convergence(Warp& w, const Instruction& i, U on) {
    ++w.pc;
    w.b[i.kind] &= ~(on & w.predicate(i.pa));
}
/// kind: the barrier; number: 0 to the register, 1 to it and cleared, 2 from it.
void bmov(Warp& w, const Instruction& i, U on) {
    U& barrier = w.b[i.kind];
    if (i.number == 2) {
        barrier = w.source(i.b)[__builtin_ctz(on)];
        return;
    }
    each(w.row(i.d), on, [=](int) { return barrier; });
    if (i.number == 1) barrier = 0;
}

/// kind: 0 the lanes of a register, 1 all that are alive, 2 those of a register, each set of lanes for
/// itself. A collective one has copies, where the compiler has copied what the lanes do together: lanes come
/// to any of them, execute one until ENDCOLLECTIVE, and there each goes on where its own ends, number.
/// Masks of lanes that come to it together may differ: tiles of the warp, each its own. If one names lanes of
/// another, they are of different calls of one function: those that wait for the fewest lanes go first.
U of_one_call(const U* masks, U lanes) {
    const auto with = [=](U mask) { return lanes & where([=](int l) { return masks[l] == mask; }); };
    U all = 0, fewest = masks[__builtin_ctz(lanes)];
    bool are_apart = true;
    for (U left = lanes; left != 0;) {
        const U mask = masks[__builtin_ctz(left)];
        are_apart &= (mask & all) == 0;
        all |= mask;
        if (__builtin_popcount(mask) < __builtin_popcount(fewest)) fewest = mask;
        left &= ~with(mask);
    }
    return are_apart ? lanes : with(fewest);
}

void warpsync(Warp& w, const Instruction& i, U on) {
    if (on == 0) {
        ++w.pc;
        return;
    }
    if (i.is_collective) {
        w.late = on;
        for_lanes(on, [&](int l) { w.collected_to[l] = i.number; });
    }
    const U* masks = w.source(i.a);
    const U first = masks[__builtin_ctz(on)];
    const U same = i.kind == 2   ? on & where([=](int l) { return masks[l] == first; })
                   : i.kind == 0 ? of_one_call(masks, w.active)
                                 : w.active;
    if (same != w.active) {  // the others come here again
        w.groups.push_back({w.active & ~same, w.pc});
        w.active = same;
    }
    Checks* const checks = w.block->checks;
    const U others = i.kind == 1 ? 0 : w.active & where([=](int l) { return (masks[l] >> l & 1) == 0; });
    if (checks && others != 0)
        checks->add(Hazard::divergent_warp, w, __builtin_ctz(others), OUTSIDE_OF_MASK, MASK_OF_ALL);
    U mask = i.kind == 1 ? ALL : i.kind == 2 ? first : 0;
    if (i.kind == 0) for_lanes(w.active, [&](int l) { mask |= masks[l]; });
    ++w.pc;
    const U awaited = mask & w.alive;
    if ((awaited & ~w.active) != 0) return w.wait(Group::at_warp_sync, awaited, 0);
    if (checks == nullptr || !i.ordering.syncs_warp) return;
    for (U left = w.active; left != 0;) {
        const U tile = i.kind == 1 ? ALL : masks[__builtin_ctz(left)] | (left & -left);
        checks->warp_sync(w, tile & w.alive);
        left &= ~tile;
    }
}
/// ENDCOLLECTIVE.
void disperse(Warp& w, const Instruction&, U) {
    const auto is_late = [&](int l) { return w.late >> l & 1; };
    const auto with = [&](int first) {
        return w.active & where([&](int l) {
                   return w.collected_to[l] == w.collected_to[first] && is_late(l) == is_late(first);
               });
    };
    const int first = __builtin_ctz(w.active);
    const U together = with(first);
    for (U others = w.active & ~together; others != 0;) {
        const int next = __builtin_ctz(others);
        w.groups.push_back({with(next), w.collected_to[next]});
        others &= ~w.groups.back().lanes;
    }
    w.active = together;
    w.pc = w.collected_to[first];
}
void yield(Warp& w, const Instruction&, U on) {  // in loops that poll: others first
    ++w.pc;
    w.leave_barriers(on);
    w.yields = true;
}
void nanosleep(Warp& w, const Instruction&, U on) { w.leave_barriers(on); }

}  // namespace

// --- Decoding

Handler make_bssy(Decoder& d) { return d.ignore({"RECONVERGENT", "RELIABLE"}), bssy; }
/// From sm_100 on one without .RECONVERGENT or .RELIABLE stands where those that arrive must not wait for
/// ever: before a lock is given back, say.
Handler make_bsync(Decoder& d) {
    const bool is_strict = d.flags({"RECONVERGENT", "RELIABLE"}) != 0;
    d.out.number = architecture().number >= 100 && !is_strict;
    return bsync;
}
Handler make_break(Decoder& d) { return d.ignore({"RECONVERGENT", "RELIABLE"}), leave_convergence; }
Handler make_bmov(Decoder& d) {
    d.ignore({"32", "PQUAD"});
    d.out.number = d.has("CLEAR");
    const bool from_register = d.peek().text[0] == 'B';
    if (from_register) d.out.number = 2;
    d.read(from_register ? "B b" : "d B");
    return bmov;
}
Handler make_warpsync(Decoder& d) {
    const bool all = d.has("ALL"), sets = d.flags({"COLLECTIVE", "EXCLUSIVE"}) != 0;
    d.out.kind = all ? 1 : sets ? 2 : 0;
    if (!all) d.read("a");
    d.out.is_collective = d.has("COLLECTIVE");
    if (d.out.is_collective) d.out.number = d.index_of(d.number());
    return warpsync;
}
Handler make_endcollective(Decoder&) { return disperse; }
Handler make_yield(Decoder&) { return yield; }
Handler make_nanosleep(Decoder& d) { return d.ignore_all(), nanosleep; }

}  // namespace sass
