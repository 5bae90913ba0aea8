// The blocks of a cluster: they are resident together, on one core of the machine, and see one another's
// shared memory.
//
// The upper 8 bits of an address of shared memory are the rank of its block in the cluster; so are they of
// the lower word of a generic one. The cluster's barrier has two halves: a thread arrives (UCGABAR_ARV) and,
// later, waits (UCGABAR_WAIT) until all threads of the cluster have arrived that have not ended.
//
// Source: NVIDIA, PTX ISA, "barrier.cluster" and "mapa"; the bits of the address as ptxas makes them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "simt/run/launch.h"

namespace sass {

constexpr unsigned RANK_SHIFT = 24;  ///< of an address of shared memory
constexpr std::uint32_t OFFSET_BITS = (1u << RANK_SHIFT) - 1;

struct Cluster {
    std::vector<Block*> blocks;  ///< by rank
    unsigned running = 0;        ///< blocks that have not ended

    /// The lanes arrive at the barrier, which may let others go on.
    void arrive(Warp& w, const Instruction& i, std::uint32_t lanes);
    /// The lanes go on if the barrier that they have arrived at is over; else they wait.
    void wait(Warp& w, std::uint32_t lanes);
    /// Lets those that wait go on, if all have arrived that have not ended.
    void check_barrier();

   private:
    bool is_complete() const;
};

/// The block of the cluster whose shared memory this address is of. Throws Fault if there is none.
Block& block_at(const Warp& w, std::uint32_t address, int lane);

/// "the block of rank 1 of its cluster"
std::string rank_text(const Block& block);
constexpr const char* SYNC_AT_END =
    "cluster.sync() at the end of the kernel, behind the last access to another block's shared memory";

/// How many clusters the grid has along each axis, and the block of this rank in one of them.
Dim3 clusters_of(const Launch& launch);
std::uint64_t block_number(const Launch& launch, std::uint64_t cluster, unsigned rank);

}  // namespace sass
