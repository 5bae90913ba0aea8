#include "simt/instructions/memory/distributed.h"

#include "simt/instructions/memory/accesses.h"
#include "simt/instructions/memory/copies.h"
#include "simt/order/checker.h"

namespace sass {
namespace {

void request(Warp& w, Block& block, const U* offsets, U lanes, unsigned bytes) {
    check_shared(block, offsets, lanes, bytes);
    Tally& t = w.tally[w.pc];
    ++t.requests;
    t.request_lanes += __builtin_popcount(lanes);
}

}  // namespace

void reach(Warp& w, Block& block, U lanes, bool writes, Unit agent) {
    if (w.block->checks) w.block->checks->reach(w, block, lanes, agent);
    w.block->polls = true;
    if (!writes) return;
    block.forget_circle();
    ++*w.block->progress;
}

void load_far(Warp& w, const Instruction& i, Block& block, const U* offsets, U lanes) {
    request(w, block, offsets, lanes, i.bytes);
    reach(w, block, lanes, false);
    if (w.block->checks) w.block->checks->shared(w, i, block, offsets, lanes, i.bytes, Use::read, nullptr);
    U* const d = loaded(w, i);
    const std::uint8_t* const from = block.shared.data();
    for_lanes(lanes, [&](int l) { load_lane(d, l, from + offsets[l], i.bytes, i.kind & SIGN); });
}

void store_far(Warp& w, const Instruction& i, Block& block, const U* offsets, U lanes) {
    request(w, block, offsets, lanes, i.bytes);
    reach(w, block, lanes, true);
    const U* const s = stored(w, i);
    if (w.block->checks) w.block->checks->shared(w, i, block, offsets, lanes, i.bytes, Use::write, s);
    block.copies->overwrite(offsets, lanes, i.bytes);
    std::uint8_t* const to = block.shared.data();
    for_lanes(lanes, [&](int l) { store_lane(s, l, to + offsets[l], i.bytes); });
}

}  // namespace sass
