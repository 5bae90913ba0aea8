// Clusters: what their barrier orders, and whether a block is there whose shared memory another one accesses.
//
// barrier.cluster.arrive releases what the thread knows, if it is not .relaxed: then what the thread's last
// fence has released. barrier.cluster.wait acquires what those have released who have arrived (PTX ISA,
// "barrier.cluster"). A block's shared memory is there from its begin to the end of its last thread: whoever
// accesses it must know that the block has begun, and some thread of the block, before it ends, of the access
// (CUDA C++ Programming Guide, "Distributed Shared Memory").
#include "simt/order/checker.h"
#include "simt/run/cluster.h"
#include "simt/run/lanes.h"

namespace sass {
namespace {

unsigned thread_of(const Warp& w, int lane) { return unsigned(w.number * LANES + lane); }

constexpr const char* SYNC_FIRST = "cluster.sync() before the first access to another block's shared memory";

}  // namespace

void Checks::begin_cluster(const Cluster& cluster) {
    const U name = of(*cluster.blocks[0]).order.block();
    for (const Block* const block : cluster.blocks) of(*block).order.join(name);
}

void Checks::reach(const Warp& w, const Block& block, U lanes, Unit agent) {
    OfBlock& there = of(block);
    BlockOrder& order = of(*w.block).order;
    for (U left = lanes; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        if (order.knows_of(thread_of(w, lane), there.order.block())) continue;
        add(Hazard::block_lifetime, w, lane, w.site(lane),
            "shared memory of " + rank_text(block) +
                " is accessed, and nothing tells that the block has begun",
            0, 0, "", SYNC_FIRST);
        break;
    }
    const Unit unit = agent != 0 ? agent : unit_of_warp(unsigned(w.number));
    Visit& visit = there.visits[{order.block(), unit, w.site(__builtin_ctz(lanes))}];
    for_lanes(agent != 0 ? 1 : lanes, [&](int l) { visit.times[l] = order.time(); });
}

/// Of a visit: the first lane whose access the block may not have waited for; -1: it has for all.
int Checks::not_waited_for(const BlockOrder& order, U block, Unit unit, const Visit& visit) const {
    Event past;
    past.block = block;
    past.unit = unit;
    for (int l = 0; l < LANES; ++l) {
        past.time = visit.times[l];
        if (past.time != 0 && !order.any_knows(past, past.is_agent() ? 0 : 1u << l)) return l;
    }
    return -1;
}

void Checks::end_of_block(const Block& block) {
    OfBlock& mine = of(block);
    for (const auto& [key, visit] : mine.visits) {
        const auto& [visitor, unit, site] = key;
        const int lane = not_waited_for(mine.order, visitor, unit, visit);
        if (lane < 0) continue;
        const int number = unit >= AGENTS ? 0 : int(unit - WARPS);
        for (const Block* const other : block.cluster->blocks)
            for (const auto& warp : other->warps)
                if (of(*other).order.block() == visitor && warp->number == number)
                    add(Hazard::block_lifetime, *warp, lane, site,
                        "shared memory of " + rank_text(block) +
                            " is accessed, and nothing lets the block wait with its end for that",
                        1, 0, "", SYNC_AT_END);
    }
    mine.visits.clear();
}

void Checks::arrive_at_cluster(const Warp& w, const Instruction& i, U lanes) {
    ClusterBarrier& barrier = of(*w.block->cluster->blocks[0]).barrier;
    if (i.ordering.is_sync) return barrier.waiting.emplace_back(&w, lanes), void();
    barrier.all_wait = false;
    BlockOrder& order = of(*w.block).order;
    for_lanes(lanes, [&](int l) {
        barrier.arriving.learn(i.ordering.releases ? order.knowledge(thread_of(w, l))
                                                   : order.released(thread_of(w, l), Scope::cluster));
    });
}

/// If all have fenced, arrived and done nothing since, it is as a barrier of the block, of all blocks.
void Checks::complete_cluster_barrier(const Cluster& cluster) {
    ClusterBarrier& barrier = of(*cluster.blocks[0]).barrier;
    const auto waiting = std::exchange(barrier.waiting, {});
    const bool all_wait = std::exchange(barrier.all_wait, true);
    barrier.completed = std::exchange(barrier.arriving, {});
    if (!all_wait) {
        for (const auto& [warp, lanes] : waiting)
            for_lanes(lanes, [&, w = warp](int l) { barrier.completed.learn(knowledge(*w, l)); });
        return;
    }
    barrier.completed = {};
    for (const Block* const block : cluster.blocks) {
        OfBlock& mine = of(*block);
        mine.reads.clear();
        mine.order.barrier();
        mine.shadow.set_floor();
        for (auto visit = mine.visits.begin(); visit != mine.visits.end();)  // but not of copies
            visit = std::get<1>(visit->first) >= AGENTS ? std::next(visit) : mine.visits.erase(visit);
        if (cluster.blocks.size() > 1) barrier.completed.learn(mine.order.knowledge(0));
    }
}

void Checks::leave_cluster_barrier(const Warp& w, U lanes) {
    const Knowledge& completed = of(*w.block->cluster->blocks[0]).barrier.completed;
    BlockOrder& order = order_to_change(*w.block);
    for_lanes(lanes, [&](int l) { order.learn(thread_of(w, l), completed); });
}

}  // namespace sass
