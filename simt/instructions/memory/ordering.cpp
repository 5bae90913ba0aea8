// Instructions that order memory, and those that change nothing that is counted or computed here.
#include "simt/instructions/words.h"
#include "simt/order/checker.h"

namespace sass {
namespace {

/// NOP stands for __syncwarp where the lanes are together anyway.
void nop(Warp& w, const Instruction& i, U lanes) {
    Checks* const checks = w.block->checks;
    if (checks == nullptr || !i.ordering.syncs_warp) return;
    if (const U others = lanes & ~i.ordering.mask)
        checks->add(Hazard::divergent_warp, w, __builtin_ctz(others), OUTSIDE_OF_MASK, MASK_OF_ALL);
    checks->warp_sync(w, lanes & i.ordering.mask);
}

/// kind: 1 fence.sc, 0 fence.acq_rel.
void fence(Warp& w, const Instruction& i, U lanes) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (i.ordering.is_gathered && lanes != 0) lanes = w.gathered_with(lanes);
    if (w.block->checks) w.block->checks->fence(w, lanes, i.ordering.scope, i.kind);
}
/// FENCE.VIEW.ASYNC: the lane's writes are shown to asynchronous copies.
void proxy_fence(Warp& w, const Instruction&, U lanes) {
    if (w.block->checks) w.block->checks->proxy_fence(w, lanes);
}
/// CCTL.IVALL: what follows a strong load does not come from a cache: its acquiring half.
void forget_cache(Warp& w, const Instruction&, U lanes) {
    if (w.block->checks) w.block->checks->acquire(w, lanes, Scope::device);
}

}  // namespace

// --- Decoding

Handler make_nothing(Decoder& d) { return d.ignore_all(), nothing; }
Handler make_nop(Decoder&) { return nop; }
Handler make_membar(Decoder& d) {
    d.out.kind = d.has("SC");
    return d.ignore_all(), d.has("VC") ? nothing : fence;
}
Handler make_fence(Decoder& d) { return d.ignore_all(), proxy_fence; }
/// CCTL.IVALL: what follows a strong load does not come from a cache: its acquiring half.
Handler make_cctl(Decoder& d) { return d.ignore_all(), d.has("IVALL") ? forget_cache : nothing; }

}  // namespace sass
