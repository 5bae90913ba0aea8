// Reads by texture and surface units. Their caches are not kept coherent with what the launch itself writes,
// in whatever order. Source: CUDA C++ Programming Guide, read/write coherency of texture and surface memory.
#include "simt/order/checker.h"
#include "simt/run/lanes.h"

namespace sass {

/// A write of the launch that the words still know.
const Event* Checks::written_by_launch(const Chunk& chunk) const {
    const Shadow& shadow = GlobalOrder::get().shadow;
    for (U64 word = chunk.offset / 4; word <= (chunk.offset + chunk.length - 1) / 4; ++word) {
        const auto is_own = [&](const Event& event) {
            return event.is_write && event.block - first_block_ < kernel_.launch.grid.count();
        };
        if (const Event* const write = shadow.find(chunk.cells[word], false, is_own)) return write;
    }
    return nullptr;
}

void Checks::fetched(Warp& w, const U64* addresses, U lanes, unsigned bytes) {
    OfBlock& mine = of(*w.block);
    Shadow& shadow = GlobalOrder::get().shadow;
    shadow.begin(event(w, At(w), bytes, Use::read, mine, false), unsigned(w.number), mine.order);
    for_lanes(lanes, [&](int l) {
        Chunk chunk(false, bytes);
        chunk.lane = l;
        chunk.lanes = 1u << l;
        chunk.addresses = addresses, chunk.at_work = lanes;
        if (!locate(chunk, addresses[l], mine)) return;
        if (!chunk.written->has(chunk.offset, chunk.length)) report_unwritten(w, chunk, Use::read);
        if (const Event* const write = written_by_launch(chunk))
            return add(Hazard::undefined_fetch, w, l, w.site(l),
                       "a texture or surface read of what the same launch has written, at " +
                           source_text(*kernel_.code, write->site),
                       0, write->site, source_text(*kernel_.code, write->site),
                       "write in one launch and read in the next, or read by a pointer");
        touch(w, chunk, shadow, nullptr);
        if (!copies_.empty()) compare_with_copies(w, chunk, false);
    });
}

}  // namespace sass
