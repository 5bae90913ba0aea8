// Where lanes that have parted meet again, and groups that let others go first.
#include "simt/decode/decode.h"
#include "simt/loader/architecture.h"
#include "simt/order/checker.h"
#include "simt/run/lanes.h"
#include "simt/run/launch.h"

namespace sass {
namespace {

void bssy(Warp& w, const Instruction& i, U on) {
    const U meeting = w.agree(on);
    for_lanes(on, [&](int l) { w.b[i.kind][l] = meeting; });
}
void bsync(Warp& w, const Instruction& i, U on) {
    ++w.pc;
    if (on == 0) return;
    const U meeting = w.b[i.kind][__builtin_ctz(on)];
    const U same = on & where([&](int l) { return w.b[i.kind][l] == meeting; });
    if (same != on) {  // the others come here again
        w.groups.push_back({on & ~same, w.pc - 1});
        w.active &= ~(on & ~same);
    }
    const U awaited = w.awaited_at(meeting);
    if ((awaited & ~w.active) == 0) return w.leave(meeting, ALL);
    w.wait(Group::at_convergence, meeting, 0);
    if (i.number == 0) return;
    for (Group& group : w.groups)
        if (group.state == Group::at_convergence && group.awaited == meeting) group.is_patient = false;
}
void leave_convergence(Warp& w, const Instruction& i, U on) {
    ++w.pc;
    on &= w.predicate(i.pa);
    for_lanes(on, [&](int l) { w.leave(w.b[i.kind][l], 1u << l); });
    if (!w.groups.empty()) w.meet(false);
}
/// kind: the barrier; number: 0 to the register, 1 to it and cleared, 2 from it.
void bmov(Warp& w, const Instruction& i, U on) {
    U* const barrier = w.b[i.kind];
    if (i.number == 2) {
        const U* from = w.source(i.b);
        return for_lanes(on, [&](int l) { barrier[l] = w.is_meeting(from[l]) ? from[l] : 0; });
    }
    each(w.row(i.d), on, [=](int l) { return barrier[l]; });
    if (i.number == 1) for_lanes(on, [=](int l) { barrier[l] = 0; });
}

/// kind: 0 the lanes of a register, 1 all that are alive, 2 those of a register, each set of lanes for
/// itself. A collective one has copies, where the compiler has copied what the lanes do together: lanes come
/// to any of them, execute one until ENDCOLLECTIVE, and there each goes on where its own ends, number.
void warpsync(Warp& w, const Instruction& i, U on) {
    if (on == 0) {
        ++w.pc;
        return;
    }
    if (i.is_collective) for_lanes(on, [&](int l) { w.collected_to[l] = i.number; });
    const U* masks = w.source(i.a);
    U mask = i.kind == 1 ? ALL : masks[__builtin_ctz(on)];
    if (i.kind == 2) {
        const U same = on & where([=](int l) { return masks[l] == mask; });
        if (same != w.active) {  // the others come here again
            w.groups.push_back({w.active & ~same, w.pc});
            w.active = same;
        }
    }
    Checks* const checks = w.block->checks;
    const U others = i.kind == 1 ? 0 : w.active & where([=](int l) { return (masks[l] >> l & 1) == 0; });
    if (checks && others != 0)
        checks->add(Hazard::divergent_warp, w, __builtin_ctz(others), OUTSIDE_OF_MASK, MASK_OF_ALL);
    if (i.kind == 0) for_lanes(w.active, [&](int l) { mask |= masks[l]; });  // tiles of a warp: each its own
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
    const U to = w.collected_to[__builtin_ctz(w.active)];
    for (U others = w.active & where([&](int l) { return w.collected_to[l] != to; }); others != 0;) {
        const U next = w.collected_to[__builtin_ctz(others)];
        const U there = others & where([&](int l) { return w.collected_to[l] == next; });
        w.groups.push_back({there, next});
        w.active &= ~there;
        others &= ~there;
    }
    w.pc = to;
}
void yield(Warp& w, const Instruction&, U) {  // in loops that poll: others first
    ++w.pc;
    w.yields = true;
}

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

}  // namespace sass
