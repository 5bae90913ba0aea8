#include "simt/instructions/memory/distributed.h"

#include "simt/instructions/memory/accesses.h"
#include "simt/instructions/memory/copies.h"
#include "simt/order/checker.h"

namespace sass {
namespace {

constexpr int GONE =
    719;  // what an H200 gives where the block does not have the byte, or is not there any more

}  // namespace

void check_far(const Block& block, const U* offsets, U lanes, unsigned bytes) {
    try {
        check_shared(block, offsets, lanes, bytes);
    } catch (Fault& fault) {
        const U offset = offsets[fault.lane];
        if (offset % bytes == 0 && offset < U(architecture().shared) << 10) fault.error = GONE;
        throw;
    }
}

void reach(Warp& w, Block& block, U lanes, bool writes, Unit agent) {
    if (block.has_ended)
        throw Fault{GONE, "shared memory of " + rank_text(block) + " is accessed, and the block has ended",
                    __builtin_ctz(lanes), SYNC_AT_END};
    if (w.block->checks) w.block->checks->reach(w, block, lanes, agent);
    w.block->polls = true;
    if (w.block->request && w.block->request->kind == clock::Request::none)
        w.block->request->kind = clock::Request::far;
    if (!writes) return;
    block.forget_circle();
    ++*w.block->progress;
}

void load_far(Warp& w, const Instruction& i, Block& block, const U* offsets, U lanes) {
    check_far(block, offsets, lanes, i.bytes);
    reach(w, block, lanes, false);
    if (w.block->checks) w.block->checks->shared(w, i, block, offsets, lanes, i.bytes, Use::read, nullptr);
    U* const d = loaded(w, i);
    const std::uint8_t* const from = block.shared.data();
    for_lanes(lanes, [&](int l) { load_lane(d, l, from + offsets[l], i.bytes, i.kind & SIGN); });
}

void store_far(Warp& w, const Instruction& i, Block& block, const U* offsets, U lanes) {
    check_far(block, offsets, lanes, i.bytes);
    reach(w, block, lanes, true);
    const U* const s = stored(w, i);
    if (w.block->checks) w.block->checks->shared(w, i, block, offsets, lanes, i.bytes, Use::write, s);
    block.copies->overwrite(offsets, lanes, i.bytes);
    std::uint8_t* const to = block.shared.data();
    for_lanes(lanes, [&](int l) { store_lane(s, l, to + offsets[l], i.bytes); });
}

}  // namespace sass
