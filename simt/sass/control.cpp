// Where a warp goes on: branches, calls, convergence, barriers of the block, the end.
//
// A control instruction gets the lanes whose guard is true, perhaps none, and sets the program counter
// itself.
#include "simt/sass/decode.h"
#include "simt/sass/families.h"
#include "simt/sass/lanes.h"
#include "simt/sass/launch.h"

namespace sass {
namespace {

using U = std::uint32_t;

const Code& code_of(const Warp& w) { return *w.block->kernel->code; }

// --- Branches

/// kind: 0 the lanes with a true guard; 1 all lanes if all guards are true (.U); 2 all unless the guards of
/// all lanes that a names are true (.DIV); 3 all if any guard is true (.U.ANY).
void bra(Warp& w, const Instruction& i, U on) {
    U taken = on & w.predicate(i.pa);
    w.tally[w.pc].on -= __builtin_popcount(on & ~taken);  // the second predicate guards as the first does
    if (i.kind == 1 && taken != w.active) taken = 0;
    if (i.kind == 3 && taken != 0) taken = w.active;
    if (i.kind == 2) taken = (w.source(i.a)[0] & w.alive & ~on) != 0 ? w.active : 0;
    if (taken == 0) {
        ++w.pc;
    } else if (taken == w.active) {
        w.backward += i.number <= w.pc;
        w.pc = i.number;
    } else {
        ++w.tally[w.pc].other;
        w.part(taken, i.number);
    }
}

/// The target of a branch within the function, as its index.
U target(Decoder& d) {
    const Operand& operand = d.take();
    if (operand.kind != Operand::immediate) d.refuse("target " + operand.text);
    return d.index_of(std::uint64_t(operand.value));
}

void make_bra(Decoder& d) {
    Instruction& i = d.out;
    i.is_control = true;
    i.counted = Class::branch;
    const bool uniform = d.has("U"), any = d.has("ANY"), div = d.has("DIV"), conv = d.has("CONV");
    d.ignore({"INC", "DEC"});
    i.kind = div ? 2 : any ? 3 : uniform ? 1 : 0;
    if (conv) d.refuse("form");
    if (div)
        i.a = d.source(Decoder::integer);
    else if (d.next_is_predicate())
        i.pa = d.predicate_source();
    i.number = target(d);
    i.run = bra;
}

/// A call whose lanes have several targets is issued once for each of them, with the lanes that are left; the
/// last time it is no branch, as there is no choice. Found from an H200's counters.
void count_turns(Warp& w, const std::vector<Group>& targets) {
    Tally& t = w.tally[w.pc];
    int left = __builtin_popcount(w.active);
    for (std::size_t k = 0; k + 1 < targets.size(); ++k) {
        left -= __builtin_popcount(targets[k].lanes);
        ++t.issued;
        t.lanes += left;
        t.on += left;
    }
    t.requests += targets.size() > 1;
}

/// Each lane to its own address: base + register (a pair if it is absolute).
void jump(Warp& w, const Instruction& i, U on) {
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
    std::vector<Group> targets;
    if (w.active & ~on) targets.push_back({w.active & ~on, w.pc + 1});
    while (on != 0) {
        const std::uint64_t to = address(__builtin_ctz(on));
        const U same = on & where([&](int l) { return address(l) == to; });
        targets.push_back({same, code_of(w).at(to)});
        on &= ~same;
    }
    w.tally[w.pc].other += std::int64_t(targets.size()) - 1;
    if (i.kind == 1) count_turns(w, targets);
    if (targets.size() > 1) return w.scatter(targets);
    w.backward += targets[0].pc <= w.pc;
    w.pc = targets[0].pc;
}
/// BRX, CALL, RET, JMP: [register,] base. A relative one is printed with the function to which it is
/// relative.
void make_jump(Decoder& d) {
    Instruction& i = d.out;
    i.is_control = true;
    i.counted = Class::branch;
    i.kind = d.base() == "CALL";
    const bool relative = d.has("REL") || d.base() == "BRX",
               absolute = d.has("ABS") || d.base() == "JMP" || d.base() == "JMX";
    d.ignore({"NOINC", "NODEC", "INC"});
    if (!relative && !absolute) d.refuse("form");
    for (; d.left() > 0;) {
        const Operand& operand = d.peek();
        if (operand.kind == Operand::immediate) {
            i.offset += operand.value;
            d.take();
        } else if (operand.kind == Operand::reg) {
            i.is_wide = absolute;
            i.a = d.source(Decoder::integer);
        } else {
            d.refuse("operand " + operand.text);
        }
    }
    i.run = jump;
}

/// LEPC: an address of the code, to return to.
void lepc(Warp& w, const Instruction& i, U lanes) {
    each_wide(w.row(i.d), lanes, [&](int) { return std::uint64_t(i.offset); });
}
void make_lepc(Decoder& d) {
    d.out.d = d.destination();
    const Operand& target = d.take();
    if (target.kind != Operand::immediate) d.refuse("target " + target.text);
    d.out.offset = target.value;
    d.out.run = lepc;
}

void leave(Warp& w, const Instruction& i, U on) {
    const U both = on & w.predicate(i.pa);
    w.tally[w.pc].on -= __builtin_popcount(on & ~both);
    ++w.pc;
    if (both != 0) w.exit(both);
}
void make_exit(Decoder& d) {
    d.ignore({"KEEPREFCOUNT", "PREEMPTED"});
    if (d.next_is_predicate()) d.out.pa = d.predicate_source();
    d.out.is_control = true;
    d.out.run = leave;
}
[[noreturn]] void trap(Warp& w, const Instruction& i, U on) {
    throw Fault{i.kind == 0 ? 719 : 710, i.kind == 0 ? "trap" : "assertion",
                on ? __builtin_ctz(on) : __builtin_ctz(w.active)};
}
void make_trap(Decoder& d) {
    for (const std::string& m : d.modifiers()) d.has(m);
    while (d.left()) d.take();
    d.out.run = trap;
}

// --- Convergence

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
    if ((awaited & ~w.active) != 0)
        w.wait(Group::at_convergence, meeting, 0);
    else
        w.leave(meeting, ALL);
}
void leave_convergence(Warp& w, const Instruction& i, U on) {
    ++w.pc;
    on &= w.predicate(i.pa);
    for_lanes(on, [&](int l) { w.leave(w.b[i.kind][l], 1u << l); });
    if (!w.groups.empty()) w.meet();
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
std::uint8_t barrier_of(Decoder& d) {
    const std::string& name = d.take().text;
    if (name.size() < 2 || name[0] != 'B' || name.find_first_not_of("0123456789", 1) != std::string::npos)
        d.refuse("barrier " + name);
    const int index = std::stoi(name.substr(1));
    if (index > 15) d.refuse("barrier " + name);
    return std::uint8_t(index);
}
void make_bssy(Decoder& d) {
    d.out.kind = barrier_of(d);
    d.out.run = bssy;
}
void make_bsync(Decoder& d) {
    if (d.next_is_predicate()) d.refuse("condition");
    d.out.is_control = true;
    d.out.kind = barrier_of(d);
    d.out.run = bsync;
}
void make_break(Decoder& d) {
    d.out.is_control = true;
    if (d.next_is_predicate()) d.out.pa = d.predicate_source();
    d.out.kind = barrier_of(d);
    d.out.run = leave_convergence;
}
void make_bmov(Decoder& d) {
    d.ignore({"32", "PQUAD"});
    d.out.number = d.has("CLEAR");
    if (d.peek().text[0] == 'B') {
        d.out.kind = barrier_of(d);
        d.out.b = d.source(Decoder::integer);
        d.out.number = 2;
    } else {
        d.out.d = d.destination();
        d.out.kind = barrier_of(d);
    }
    d.out.run = bmov;
}

/// kind: 0 the lanes of a register, 1 all that are alive, 2 those of a register, each set of lanes for
/// itself.
void warpsync(Warp& w, const Instruction& i, U on) {
    if (on == 0) {
        ++w.pc;
        return;
    }
    const U* masks = w.source(i.a);
    const U mask = i.kind == 1 ? ALL : masks[__builtin_ctz(on)];
    if (i.kind == 2) {
        const U same = on & where([=](int l) { return masks[l] == mask; });
        if (same != w.active) {  // the others come here again
            w.groups.push_back({w.active & ~same, w.pc});
            w.active = same;
        }
    }
    ++w.pc;
    const U awaited = mask & w.alive;
    if ((awaited & ~w.active) != 0) w.wait(Group::at_warp_sync, awaited, 0);
}
void pass(Warp& w, const Instruction&, U) { ++w.pc; }
void make_warpsync(Decoder& d) {
    d.out.is_control = true;
    const bool all = d.has("ALL"), sets = d.has("COLLECTIVE") | d.has("EXCLUSIVE");
    d.out.kind = all ? 1 : sets ? 2 : 0;
    if (!all) d.out.a = d.source(Decoder::integer);
    if (d.left()) d.take();  // of a collective, where it ends
    d.out.run = warpsync;
}
void make_endcollective(Decoder& d) {
    d.out.is_control = true;
    d.out.run = pass;
}
void yield(Warp& w, const Instruction&, U) {  // in loops that poll: others first
    ++w.pc;
    w.yields = true;
}
void make_yield(Decoder& d) {
    d.out.is_control = true;
    d.out.run = yield;
}

// --- Barriers of the block

/// kind: 0 waits, 1 arrives only, 2 waits and reduces. number: the barrier, or a: a register with it; b:
/// threads.
void bar(Warp& w, const Instruction& i, U on) {
    ++w.pc;
    if (on == 0) return;
    const int first = __builtin_ctz(on);
    const U both =
        i.is_wide ? w.source(i.a)[first] : i.number;  // a register may have both: threads in its upper half
    const U number = both & 15;
    U threads = is_zero(i.c) ? 0 : w.source(i.c)[first];
    if (i.is_wide && !is_zero(i.c) && i.c.of == 0) threads = both >> 16;
    if (threads % LANES != 0)
        throw Fault{719, "a barrier counts whole warps, not " + std::to_string(threads) + " threads", first};
    BlockBarrier& barrier = w.block->barriers[number];
    if (i.kind == 2) {
        const U yes = w.predicate(i.pa) & on;
        barrier.count += unsigned(__builtin_popcount(yes));
        barrier.any |= yes != 0;
        barrier.all &= yes == on;
        barrier.mode = std::uint8_t(i.offset);
    }
    if (threads != 0) barrier.expected = threads;
    if (i.kind == 1) {
        barrier.arrived += LANES;
        w.block->check_barrier(std::uint8_t(number));
    } else {
        w.wait(Group::at_block_barrier, 0, std::uint8_t(number));
        w.block->check_barrier(std::uint8_t(number));
    }
}
void make_bar(Decoder& d) {
    Instruction& i = d.out;
    i.is_control = true;
    i.counted = Class::block_barrier;
    const bool arrives = d.has("ARV"), reduces = d.has("RED");
    d.ignore({"SYNC", "DEFER_BLOCKING"});
    i.kind = arrives ? 1 : reduces ? 2 : 0;
    i.offset = d.has("POPC") ? 0 : d.has("AND") ? 1 : d.has("OR") ? 2 : 0;
    if (d.peek().kind == Operand::immediate) {
        i.number = d.number();
    } else {
        i.is_wide = true;
        i.a = d.source(Decoder::integer);
    }
    if (d.left() && !d.next_is_predicate()) i.c = d.source(Decoder::integer);
    if (d.left()) i.pa = d.predicate_source();
    i.run = bar;
}
/// UCGABAR_WAIT: all threads of the cluster, which is one block, meet. UCGABAR_ARV, before it, does nothing.
void meet_cluster(Warp& w, const Instruction&, U on) {
    ++w.pc;
    if (on == 0) return;
    w.wait(Group::at_block_barrier, 0, CLUSTER_BARRIER);
    w.block->check_barrier(CLUSTER_BARRIER);
}
void make_cluster_barrier(Decoder& d) {
    d.out.is_control = true;
    d.out.run = d.base() == "UCGABAR_WAIT" ? meet_cluster : pass;
}
void b2r(Warp& w, const Instruction& i, U lanes) {
    const BlockBarrier& result = w.reduced;
    each(w.row(i.d), lanes, [&](int) { return result.mode == 0 ? result.count : 0; });
    w.set_predicate(i.p, lanes, (result.mode == 1 ? result.all : result.any) ? ALL : 0);
}
void make_b2r(Decoder& d) {
    if (!d.has("RESULT")) d.refuse("form");
    d.out.d = d.destination();
    if (d.left()) d.out.p = d.predicate_destination();
    d.out.run = b2r;
}

}  // namespace

std::vector<Opcode> control_opcodes() {
    return {{"BRA", make_bra},
            {"BRX", make_jump},
            {"CALL", make_jump},
            {"RET", make_jump},
            {"JMP", make_jump},
            {"JMX", make_jump},
            {"LEPC", make_lepc},
            {"EXIT", make_exit},
            {"BPT", make_trap},
            {"BSSY", make_bssy},
            {"BSYNC", make_bsync},
            {"BREAK", make_break},
            {"BMOV", make_bmov},
            {"WARPSYNC", make_warpsync},
            {"ENDCOLLECTIVE", make_endcollective},
            {"YIELD", make_yield},
            {"BAR", make_bar},
            {"UCGABAR_ARV", make_cluster_barrier},
            {"UCGABAR_WAIT", make_cluster_barrier},
            {"B2R", make_b2r}};
}

}  // namespace sass
