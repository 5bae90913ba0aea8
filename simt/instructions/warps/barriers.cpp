// Barriers of the block and of its cluster.
#include "simt/decode/decode.h"
#include "simt/order/checker.h"
#include "simt/run/cluster.h"
#include "simt/run/lanes.h"

namespace sass {
namespace {

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
        if (w.block->checks) w.block->checks->arrive(w, on, number);
        w.block->check_barrier(std::uint8_t(number));
    } else {
        w.wait(Group::at_block_barrier, 0, std::uint8_t(number));
        w.block->check_barrier(std::uint8_t(number));
    }
}
/// UCGABAR_ARV and UCGABAR_WAIT: see Cluster.
void arrive_at_cluster(Warp& w, const Instruction& i, U on) {
    if (on != 0) w.block->cluster->arrive(w, i, on);
    ++w.pc;
}
void wait_for_cluster(Warp& w, const Instruction&, U on) {
    if (on == 0) return void(++w.pc);
    ++w.pc;
    w.block->cluster->wait(w, on);
}
void b2r(Warp& w, const Instruction& i, U lanes) {
    const BlockBarrier& result = w.reduced;
    each(w.row(i.d), lanes, [&](int) { return result.mode == 0 ? result.count : 0; });
    w.set_predicate(i.p, lanes, (result.mode == 1 ? result.all : result.any) ? ALL : 0);
}

}  // namespace

// --- Decoding

Handler make_bar(Decoder& d) {
    Instruction& i = d.out;
    d.ignore({"SYNC", "DEFER_BLOCKING"});
    i.kind = std::uint8_t(d.one_of({"ARV", "RED"}) + 1);
    i.offset = std::max(0, d.one_of({"POPC", "AND", "OR"}));
    i.is_wide = d.peek().kind != Operand::immediate;
    d.read(i.is_wide ? "a" : "n");
    if (d.left() && !d.next_is_predicate()) d.read("c");
    d.read("P?");
    return bar;
}
Handler make_ucgabar_wait(Decoder&) { return wait_for_cluster; }
Handler make_ucgabar_arv(Decoder&) { return arrive_at_cluster; }
Handler make_b2r(Decoder& d) {
    if (!d.has("RESULT")) d.refuse("form");
    return b2r;
}

}  // namespace sass
