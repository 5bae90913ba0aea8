// Bulk copies: between global memory and shared memory, that of other blocks of the cluster too; and
// asynchronous stores to those.
#include <array>
#include <cstring>

#include "simt/instructions/memory/mbarriers.h"
#include "simt/order/checker.h"

namespace sass {
namespace {

// Once for the warp, from uniform registers.

U64 uniform_pair(Warp& w, std::uint16_t row) { return U64(w.row(row)[LANES]) << 32 | w.row(row)[0]; }

/// Into a block's shared memory, with an mbarrier there.
void bulk_load_to(Warp& w, Block& block, U to, U mbarrier, const Checks::Range& from,
                  const std::uint8_t* source, int lane) {
    Copies::Barrier& barrier = barrier_in(block, mbarrier, -1);
    if (to % 16 != 0 || from.address % 16 != 0) throw Fault{716, "a bulk copy is misaligned"};
    if (U64(to) + from.bytes > block.shared.size() || to < system_shared_bytes())
        throw Fault{700, "a bulk copy leaves the block's shared memory"};
    const auto agent = Unit(AGENTS + barrier.index % 1024);
    if (&block != w.block) reach(w, block, 1u << lane, true, agent);
    if (Checks* const checks = w.block->checks) {
        const U time = checks->copy(w, lane, agent, from, agent, {true, to, from.bytes, &block});
        barrier.arriving.learn(checks->done(w, agent, time));
    }
    const auto arrive = [&barrier, target = block.shared.data() + to, source, bytes = from.bytes,
                         progress = w.block->progress] {
        std::memcpy(target, source, bytes);
        barrier.bytes -= bytes;
        Copies::settle(barrier);
        ++*progress;
    };
    arrive_at(barrier, w, arrive);
}

}  // namespace

void load_bulk(Warp& w, int lane, U to, U mbarrier, U64 from, U bytes, U blocks) {
    const std::uint8_t* const source = global_bytes(from, bytes, -1);
    if (w.block->request) w.block->request->add(clock::Request::load, from, bytes);
    for_lanes(blocks, [&](int rank) {
        Block& block = block_at(w, U(rank) << RANK_SHIFT, -1);
        bulk_load_to(w, block, to & OFFSET_BITS, mbarrier & OFFSET_BITS, {false, from, bytes}, source, lane);
    });
}

namespace {

/// [shared, mbarrier], [global], size / 16; kind 1 (.MULTICAST): the upper half of the last is a mask of
/// blocks.
void bulk_load(Warp& w, const Instruction& i, U) {
    const U to = w.source(i.a)[0], size = w.source(i.c)[0], bytes = (size & 0xffff) * 16;
    const U blocks = i.kind == 1 ? size >> 16 : 1u << (to >> RANK_SHIFT & 31);
    load_bulk(w, __builtin_ctz(w.active), to, w.source(i.a)[LANES], uniform_pair(w, i.b.row), bytes, blocks);
    w.tally[w.pc].other += bytes * unsigned(__builtin_popcount(blocks));
}
/// [shared of any block, mbarrier there], [shared], size / 16.
void bulk_pass(Warp& w, const Instruction& i, U) {
    const U to = w.source(i.a)[0], mbarrier = w.source(i.a)[LANES];
    const U from = own_offset(w, w.source(i.b)[0]), bytes = (w.source(i.c)[0] & 0xffff) * 16;
    if (U64(from) + bytes > w.block->shared.size() || from < system_shared_bytes())
        throw Fault{700, "a bulk copy leaves the block's shared memory"};
    bulk_load_to(w, block_at(w, to, -1), to & OFFSET_BITS, mbarrier & OFFSET_BITS,
                 {true, from, bytes, w.block}, w.block->shared.data() + from, __builtin_ctz(w.active));
}
/// st.async: [shared of any block, mbarrier there], value.
void store_async(Warp& w, const Instruction& i, U lanes) {
    const U *a = w.source(i.a), *s = w.source(i.c);
    for_lanes(lanes, [&](int l) {
        const U to = a[l] & OFFSET_BITS;
        Block& block = block_at(w, a[l], l);
        if ((a[l] ^ a[LANES + l]) >> RANK_SHIFT != 0)
            throw Fault{MISUSE, "st.async stores to one block and completes an mbarrier of another", l};
        check_far(block, &to - l, 1u << l, i.bytes);
        const auto agent = Unit(COPIES + thread_of(w, l));
        if (&block != w.block) reach(w, block, 1u << l, true, agent);
        Copies::Barrier& barrier = barrier_in(block, a[LANES + l] & OFFSET_BITS, l);
        if (Checks* const checks = w.block->checks) {
            const U time = checks->copy(w, l, agent, {}, agent, {true, to, i.bytes, &block});
            barrier.arriving.learn(checks->done(w, agent, time));
        }
        std::array<U, 4> words = {};
        for (unsigned k = 0; k < i.bytes / 4u; ++k) words[k] = s[k * LANES + unsigned(l)];
        const auto arrive = [&barrier, target = block.shared.data() + to, words, bytes = i.bytes,
                             progress = w.block->progress] {
            std::memcpy(target, words.data(), bytes);
            barrier.bytes -= bytes;
            Copies::settle(barrier);
            ++*progress;
        };
        arrive_at(barrier, w, arrive);
    });
}
void bulk_store(Warp& w, const Instruction& i, U) {  // [global], [shared], size / 16
    const U64 to = uniform_pair(w, i.a.row);
    const U from = own_offset(w, w.source(i.b)[0]), bytes = (w.source(i.c)[0] & 0xffff) * 16;
    std::uint8_t* target = global_bytes(to, bytes, -1);
    if (w.block->request) w.block->request->add(clock::Request::store, to, bytes);
    if (to % 16 != 0 || from % 16 != 0) throw Fault{716, "a bulk copy is misaligned"};
    if (U64(from) + bytes > w.block->shared.size() || from < system_shared_bytes())
        throw Fault{700, "a bulk copy leaves the block's shared memory"};
    const int lane = __builtin_ctz(w.active);
    const unsigned thread = thread_of(w, lane);
    const std::uint8_t* const source = w.block->shared.data() + from;
    if (Checks* const checks = w.block->checks)
        w.block->copies->bulk_groups(thread).open =
            checks->copy(w, lane, Unit(BULK_READS + thread), {true, from, bytes}, Unit(BULK_WRITES + thread),
                         {false, to, bytes});
    if (is_late(w)) {
        const auto held = std::make_shared<std::vector<std::uint8_t>>();
        w.block->copies->bulk_groups(thread).add([=] { held->assign(source, source + bytes); },
                                                 [=, progress = w.block->progress] {
                                                     std::memcpy(target, held->data(), held->size());
                                                     ++*progress;
                                                 });
    } else {
        std::memcpy(target, source, bytes);
    }
    Tally& t = w.tally[w.pc];
    t.other += bytes;
    t.sectors += bulk_sectors(to, from, bytes);
    if (Footprint* const footprint = w.block->kernel->footprint.get(); footprint != nullptr && bytes > 0)
        footprint->touch(Footprint::written, to, to + bytes - 1);
    ++*w.block->progress;
}
void bulk_prefetch(Warp& w, const Instruction& i, U) {
    (void)global_bytes(uniform_pair(w, i.a.row), (w.source(i.c)[0] & 0xffff) * 16, -1);
}

}  // namespace

// --- Decoding

namespace {

Source uniform_address(Decoder& d) {
    const Operand& operand = d.take();
    if (operand.kind != Operand::address || operand.uniform_index == URZ || operand.value != 0)
        d.refuse("address " + operand.text);
    return {std::uint16_t(UNIFORM + operand.uniform_index), 0, 0};
}

}  // namespace

Handler make_ublkcp(Decoder& d) {
    const auto& spaces = d.modifiers();
    const bool load = !spaces.empty() && spaces[0] == "S",
               passes = load && spaces.size() > 1 && spaces[1] == "S";
    d.ignore({"S", "G"});
    d.out.kind = d.has("MULTICAST");
    d.out.a = uniform_address(d);
    d.out.b = uniform_address(d);
    d.read("c");
    if (load) d.out.counted = passes ? Class::other : Class::bulk_load;
    return passes ? bulk_pass : load ? bulk_load : bulk_store;
}
Handler make_stas(Decoder& d) {
    d.out.bytes = d.has("128") ? 16 : d.has("64") ? 8 : 4;
    d.read("@ c");
    if (!is_zero(d.out.b) || d.out.offset != 0) d.refuse("address");
    return store_async;
}
Handler make_ublkpf(Decoder& d) {
    d.ignore({"L2"});
    d.out.a = uniform_address(d);
    d.read("c");
    return bulk_prefetch;
}

}  // namespace sass
