// What differs between generations of NVIDIA's GPUs, in one table: architecture.cpp. The machine is one
// of them at a time, all its devices alike.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sass {

/// Byte offsets in constant bank 0 of what the driver puts there; NONE: nothing.
struct Bank0 {
    static constexpr int NONE = -1;
    int block, grid;     ///< three words each
    int shared_window;   ///< upper word of a generic address of shared memory
    int local_window;    ///< the same of local memory
    int stack;           ///< where a thread's stack begins, to grow downwards
    int dynamic_shared;  ///< bytes
    int workspace;       ///< of a cooperative grid: upper word of its address, then the lower one
    int constants;       ///< address of bank 3
    int multiprocessors;
    int reserved_shared;  ///< bytes of SR_SMEMSZ that are the system's
    int most_shared;      ///< a bound of %aggr_smem_size
    int cluster, reciprocals,
        clusters;        ///< of one: its blocks along each axis, 1 over them as floats; of the grid
    int cluster_blocks;  ///< the blocks of a cluster
    int parameters;      ///< address of the parameters in global memory
    int group_shared;    ///< %reserved_smem_offset_1, where cooperative groups keep what is their own
    int is_clustered;    ///< %is_explicit_cluster
};

struct Architecture {
    int number;       ///< 86: sm_86
    const char* gpu;  ///< the card of this architecture that the device's attributes describe
    // Of a multiprocessor, by the CUDA programming guide's table of compute capabilities. Shared memory
    // in KiB.
    int warps, blocks, shared, most_shared_of_block;
    int reserved_shared;             ///< bytes that the system takes of each block's share
    int shared_unit;                 ///< bytes, by which it is given to blocks
    std::vector<int> shared_splits;  ///< KiB: how much of what L1 also uses can be shared memory
    // Of the card, by its data sheet.
    int multiprocessors, clock_khz, memory_clock_khz, bus_bits, l2_bytes;
    unsigned first_shared_byte;  ///< of a block's window: those before it are the system's
    int parameter_base;          ///< in bank 0, where the cubin does not say
    Bank0 bank0;
};

/// The one that the machine is. As long as it has not been asked for, select() can choose it.
const Architecture& architecture();
/// False if the machine cannot be sm_<number>.
bool select(int number);
/// Does such a GPU run code of sm_<code>? As it does that of lower minor versions.
bool runs(const Architecture& machine, int code);
const std::vector<Architecture>& architectures();
/// "sm_75 (T4), sm_80 (A100), ..": for messages.
std::string names_of_architectures();

}  // namespace sass
