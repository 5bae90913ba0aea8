// Instructions that order memory, and those that change nothing that is counted or computed here.
#include "simt/instructions/families.h"
#include "simt/instructions/words.h"
#include "simt/order/checker.h"

namespace sass {
namespace {

void nothing(Warp&, const Instruction&, U) {}
void make_nothing(Decoder& d) {
    for (const std::string& modifier : d.modifiers()) d.has(modifier);
    d.out.run = nothing;
}
void make_mark(Decoder& d) {  // PMTRIG: see operators.h
    while (d.left()) d.take();
    d.out.run = nothing;
}
/// NOP stands for __syncwarp where the lanes are together anyway.
void nop(Warp& w, const Instruction& i, U lanes) {
    Checks* const checks = w.block->checks;
    if (checks == nullptr || !i.ordering.syncs_warp) return;
    if (const U others = lanes & ~i.ordering.mask)
        checks->add(Hazard::divergent_warp, w, __builtin_ctz(others), OUTSIDE_OF_MASK, MASK_OF_ALL);
    checks->warp_sync(w, lanes & i.ordering.mask);
}
void make_nop(Decoder& d) { d.out.run = nop; }

void fence(Warp& w, const Instruction& i, U lanes) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (w.block->checks) w.block->checks->fence(w, lanes, i.ordering.scope);
}
void make_fence(Decoder& d) {
    for (const std::string& modifier : d.modifiers()) d.has(modifier);
    d.out.run = d.has("VC") ? nothing : fence;
}
/// FENCE.VIEW.ASYNC: the lane's writes are shown to asynchronous copies.
void proxy_fence(Warp& w, const Instruction&, U lanes) {
    if (w.block->checks) w.block->checks->proxy_fence(w, lanes);
}
void make_proxy_fence(Decoder& d) {
    for (const std::string& modifier : d.modifiers()) d.has(modifier);
    d.out.run = proxy_fence;
}
/// CCTL.IVALL: what follows a strong load does not come from a cache: its acquiring half.
void forget_cache(Warp& w, const Instruction&, U lanes) {
    if (w.block->checks) w.block->checks->acquire(w, lanes, Scope::device);
}
void make_cache_control(Decoder& d) {
    for (const std::string& modifier : d.modifiers()) d.has(modifier);
    d.out.run = d.has("IVALL") ? forget_cache : nothing;
}

}  // namespace

std::vector<Opcode> ordering_opcodes() {
    return {{"MEMBAR", make_fence},      {"FENCE", make_proxy_fence},  {"ERRBAR", make_nothing},
            {"CGAERRBAR", make_nothing}, {"CCTL", make_cache_control}, {"CCTLL", make_nothing},
            {"NOP", make_nop},           {"NANOSLEEP", make_nothing},  {"PMTRIG", make_mark},
            {"PREEXIT", make_nothing},   {"ACQBULK", make_nothing}};
}

}  // namespace sass
