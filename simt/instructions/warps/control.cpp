// Where a warp goes on: branches, calls, the end.
//
// A control instruction gets the lanes whose guard is true, perhaps none, and sets the program counter
// itself.
#include "simt/decode/decode.h"
#include "simt/run/lanes.h"
#include "simt/run/launch.h"

namespace sass {
namespace {

const Code& code_of(const Warp& w) { return *w.block->kernel->code; }

/// Some lanes branch, the others do not: the fewer go first, at a tie the others.
void branch(Warp& w, U taken, U to) {
    ++w.tally[w.pc].other;
    const Group there{taken, to}, here{w.active & ~taken, w.pc + 1};
    if (__builtin_popcount(there.lanes) < __builtin_popcount(here.lanes))
        w.part(there, here);
    else
        w.part(here, there);
}

/// kind: 0 the lanes with a true guard; 1 all lanes if all guards are true (.U); 2 all unless the guards of
/// all lanes that a names are true (.DIV); 3 all if any guard is true (.U.ANY); 4 all if 2 would not (.CONV).
void bra(Warp& w, const Instruction& i, U on) {
    U taken = on & w.predicate(i.pa);
    w.tally[w.pc].on -= __builtin_popcount(on & ~taken);  // the second predicate guards as the first does
    if (i.kind == 1 && taken != w.active) taken = 0;
    if (i.kind == 3 && taken != 0) taken = w.active;
    if (i.kind == 2) taken = (w.source(i.a)[0] & w.alive & ~on) != 0 ? w.active : 0;
    if (i.kind == 4) taken = (w.source(i.a)[0] & w.alive & ~on) == 0 ? w.active : 0;
    if (taken == 0) {
        ++w.pc;
    } else if (taken == w.active) {
        w.backward += i.number <= w.pc;
        w.pc = i.number;
    } else {
        branch(w, taken, i.number);
    }
}

/// Each lane to its own address: base + register (a pair if it is absolute). Lanes with several targets take
/// turns, and each time the instruction is issued again for those that are left; the last time it is no
/// branch, as there is no choice. The first lane's target is next, but where more than half of the lanes go
/// they wait. Seen on an H200, for CALL.
void jump(Warp& w, const Instruction& i, U on) {
    const U both = on & w.predicate(i.pa);
    w.tally[w.pc].on -= __builtin_popcount(on & ~both);
    on = both;
    if (on == 0) {
        ++w.pc;
        return;
    }
    const U* a = w.source(i.a);
    const bool no_register = is_zero(i.a);
    const auto address = [&](int l) {
        return std::uint64_t(i.offset) + (no_register ? 0
                                          : i.is_wide ? wide(a, l)
                                                      : std::uint64_t(std::int64_t(std::int32_t(a[l]))));
    };
    const auto together = [&](U lanes) {  // those that go where the first of them goes
        const std::uint64_t to = address(__builtin_ctz(lanes));
        return lanes & where([&](int l) { return address(l) == to; });
    };
    U first = together(on);
    if (first != on && 2 * __builtin_popcount(first) > __builtin_popcount(w.active))
        first = together(on & ~first);
    const U others = on & ~first;
    const U to = code_of(w).at(address(__builtin_ctz(first)));
    if (i.kind == 1 && i.is_of_user) for_lanes(first, [&](int l) { w.caller[l] = w.pc; });
    if (first == w.active) {
        w.backward += to <= w.pc;
        w.pc = to;
    } else if (others == 0) {
        branch(w, first, to);
    } else {
        const Group rest{w.active & ~first, w.pc};
        ++w.tally[w.pc].other;
        w.tally[w.pc].requests += together(others) == rest.lanes;
        w.part({first, to}, rest);
    }
}
/// LEPC: an address of the code, to return to.
void lepc(Warp& w, const Instruction& i, U lanes) {
    each_wide(w.row(i.d), lanes, [&](int) { return std::uint64_t(i.offset); });
}

void leave(Warp& w, const Instruction& i, U on) {
    const U both = on & w.predicate(i.pa);
    w.tally[w.pc].on -= __builtin_popcount(on & ~both);
    ++w.pc;
    if (both != 0) w.exit(both);
}
[[noreturn]] void trap(Warp& w, const Instruction& i, U on) {
    throw Fault{i.kind == 0 ? 719 : 710, i.kind == 0 ? "trap" : "assertion",
                on ? __builtin_ctz(on) : __builtin_ctz(w.active)};
}

}  // namespace

// --- Decoding

Handler make_bra(Decoder& d) {
    Instruction& i = d.out;
    i.kind = std::uint8_t(1 + d.one_of({"U", "DIV", "ANY", "CONV"}));
    d.ignore({"INC", "DEC"});
    const bool has_mask = (i.kind == 2 || i.kind == 4) && d.left() > 1;  // without one, of all lanes
    i.a = d.immediate_row(ALL);
    d.read(has_mask ? "a" : "P?");
    const Operand& target = d.take();
    if (target.kind != Operand::immediate) d.refuse("target " + target.text);
    i.number = d.index_of(std::uint64_t(target.value));
    return bra;
}
/// BRX, BRXU, CALL, RET: [predicate,] [register,] base. A relative one is printed with the function to which
/// it is relative.
Handler make_jump(Decoder& d) {
    Instruction& i = d.out;
    i.kind = d.base() == "CALL";
    const bool relative = d.has("REL") || d.base() == "BRX" || d.base() == "BRXU", absolute = d.has("ABS");
    d.ignore({"NOINC", "NODEC", "INC"});
    if (!relative && !absolute) d.refuse("form");
    while (d.left() > 0) {
        const Operand& operand = d.peek();
        if (operand.kind == Operand::immediate) {
            i.offset += d.take().value;
        } else if (operand.kind == Operand::reg || operand.kind == Operand::uniform) {
            i.is_wide = absolute;
            d.read("a");
        } else if (d.next_is_predicate()) {
            i.pa = d.predicate_source();
        } else {
            d.refuse("operand " + operand.text);
        }
    }
    return jump;
}
Handler make_lepc(Decoder& d) {
    d.out.offset = d.operand(1).value;
    return lepc;
}
Handler make_exit(Decoder& d) {
    d.ignore({"KEEPREFCOUNT", "PREEMPTED"});
    return leave;
}
Handler make_bpt(Decoder& d) { return d.ignore_all(), trap; }

}  // namespace sass
