#include "simt/run/cluster.h"

#include "simt/order/checker.h"
#include "simt/run/lanes.h"

namespace sass {
namespace {

// What an H200 says of a rank beyond the cluster's, and of one that no cluster has.
constexpr int NO_BLOCK_OF_CLUSTER = 719, NO_SUCH_RANK = 715;
constexpr unsigned RANKS = 32;

Dim3 place_in(std::uint64_t number, const Dim3& size) {
    return {unsigned(number % size.x), unsigned(number / size.x % size.y),
            unsigned(number / size.x / size.y)};
}

}  // namespace

Dim3 clusters_of(const Launch& launch) {
    return {launch.grid.x / launch.cluster.x, launch.grid.y / launch.cluster.y,
            launch.grid.z / launch.cluster.z};
}

std::uint64_t block_number(const Launch& launch, std::uint64_t cluster, unsigned rank) {
    const Dim3 first = place_in(cluster, clusters_of(launch)), in = place_in(rank, launch.cluster);
    const auto along = [](unsigned whole, unsigned size, unsigned part) {
        return std::uint64_t(whole) * size + part;
    };
    const std::uint64_t x = along(first.x, launch.cluster.x, in.x),
                        y = along(first.y, launch.cluster.y, in.y),
                        z = along(first.z, launch.cluster.z, in.z);
    return x + launch.grid.x * (y + launch.grid.y * z);
}

std::string rank_text(const Block& block) {
    return "the block of rank " + std::to_string(block.window >> RANK_SHIFT) + " of its cluster";
}

Block& block_at(const Warp& w, std::uint32_t address, int lane) {
    const unsigned rank = address >> RANK_SHIFT;
    const std::vector<Block*>& blocks = w.block->cluster->blocks;
    if (rank < blocks.size()) return *blocks[rank];
    throw Fault{rank < RANKS ? NO_BLOCK_OF_CLUSTER : NO_SUCH_RANK,
                "shared memory of the block of rank " + std::to_string(rank) +
                    " is accessed, in a cluster of " + std::to_string(blocks.size()) +
                    (blocks.size() == 1 ? " block" : " blocks"),
                lane, "let the rank be less than the cluster's size (cluster.num_blocks())"};
}

void Cluster::arrive(Warp& w, const Instruction& i, std::uint32_t lanes) {
    const std::uint32_t again = lanes & (w.arrived | w.passed);
    if (again != 0 && w.block->checks)
        w.block->checks->add(
            Hazard::divergent_barrier, w, __builtin_ctz(again),
            "the thread arrives at the cluster's barrier again, and has not waited there since",
            "barrier.cluster.wait (cluster.barrier_wait()) between the two arrivals");
    lanes &= ~again;
    w.arrived |= lanes;
    if (Checks* const checks = w.block->checks) checks->arrive_at_cluster(w, i, lanes);
    ++*w.block->progress;
    check_barrier();
}

void Cluster::wait(Warp& w, std::uint32_t lanes) {
    const std::uint32_t never = lanes & ~(w.arrived | w.passed);
    if (never != 0 && w.block->checks)
        w.block->checks->add(Hazard::divergent_barrier, w, __builtin_ctz(never), w.pc - 1,
                             "the thread waits at the cluster's barrier, and has not arrived there", 0, 0, "",
                             "barrier.cluster.arrive (cluster.barrier_arrive()) before the wait");
    if (lanes & w.arrived) return w.wait(Group::at_block_barrier, 0, CLUSTER_BARRIER);
    w.passed &= ~lanes;
    if (Checks* const checks = w.block->checks) checks->leave_cluster_barrier(w, lanes);
    w.begin_step();
}

bool Cluster::is_complete() const {
    bool any = false;
    for (const Block* const block : blocks)
        for (const auto& warp : block->warps) {
            if ((warp->alive & ~warp->arrived) != 0) return false;
            any |= warp->arrived != 0;
        }
    return any;
}

void Cluster::check_barrier() {
    if (!is_complete()) return;
    if (Checks* const checks = blocks[0]->checks) checks->complete_cluster_barrier(*this);
    for (Block* const block : blocks) {
        if (block->is_traced) block->note_contents();
        Observation::Step& counted = block->observed->step(block->step);
        ++counted.barriers, ++counted.cluster_barriers;
        ++block->step;
        for (const auto& warp : block->warps) {
            const std::uint32_t waiting = warp->waiting_at(CLUSTER_BARRIER);
            warp->passed = warp->arrived & ~waiting;
            warp->arrived = 0;
            if (waiting == 0) continue;
            if (block->checks) block->checks->leave_cluster_barrier(*warp, waiting);
            warp->release(CLUSTER_BARRIER);
        }
        ++*block->progress;
    }
}

}  // namespace sass
