// What a GPU charges for: latencies, widths and rates, each measured by a kernel that does nothing else. They
// are a table, results/<gpu>/clock.csv: price, value, unit, where it comes from. Nothing of a GPU is in the
// code.
#pragma once
#include <string>

namespace sass::clock {

/// Cycles are those of a multiprocessor.
struct Prices {
    double clock_mhz;
    double multiprocessors;
    // Starts.
    double launch_us;       ///< a kernel of one empty block, beyond what its block takes
    double block_ns;        ///< from the start of a block to that of the next one, anywhere on the GPU
    double block_start;     ///< cycles from a block's start to its first instruction
    double taken_branch;    ///< cycles that a taken branch takes beyond its stall count
    double parting_branch;  ///< and one at which lanes part
    double try_wait;        ///< cycles until a wait for an mbarrier is tried again
    // Units of a scheduler: cycles for which a warp instruction holds one.
    double float_cycles;  ///< of two units for floats; one of them also multiplies integers
    double alu_cycles;
    double double_cycles;
    double special_cycles;  ///< special functions, conversions, population counts
    double uniform_cycles;  ///< the unit for what all lanes have in common
    // Products of matrices; 0: not known.
    double tensor_cycles;          ///< HMMA, IMMA and BMMA, if A has four registers
    double tensor_half_cycles;     ///< if it has fewer
    double tensor_operand_cycles;  ///< until a warp goes on, beyond the stall count
    double tensor_double_cycles;   ///< DMMA, for each four columns of A
    double tensor_double_latency;  ///< beyond these, to the result of eight rows
    double matrix_load_latency;    ///< LDSM
    double matrix_move_latency;    ///< MOVM
    bool knows_tensor_cores() const { return tensor_cycles > 0; }
    double patience_cycles;  ///< for which a warp that could issue gives way to younger ones of its block
    // The pipe to memory that all schedulers share.
    double queue_entries;           ///< instructions of one scheduler that wait to be sent to the pipe
    double global_entries;          ///< the same, for global and local memory
    double pipe_entries;            ///< of all schedulers that have been sent, and wait for it
    double barrier_entries;         ///< warps of one scheduler that wait for the unit for barriers
    double scheduler_pass_cycles;   ///< a pass, if only one scheduler asks for them
    double operand_cycles;          ///< until an instruction has read its registers
    double barrier_passes;          ///< cycles for which a block's barrier holds it
    double barrier_warp_passes;     ///< and each of the block's warps
    double barrier_cycles;          ///< for which a warp at a barrier holds the unit for barriers
    double cluster_barrier_cycles;  ///< the same, of a cluster's barrier
    double far_cycles;  ///< for which a request to another block's shared memory holds its way there
    // Cycles from issue to the result.
    double special_latency;
    double register_latency;  ///< S2R and the like
    double constant_latency;  ///< LDC
    double shuffle_latency;
    double reduction_latency;  ///< of a warp, by one instruction
    double shared_latency;
    double shared_atomic_latency;
    double barrier_latency;  ///< after the last warp has come
    double l1_latency;
    double l2_latency;
    double atomic_latency;
    double dram_latency;
    double dram_spread;              ///< by which the latency of a line is longer or shorter, at most
    double dram_late_share;          ///< of lines that come later still, as if their bank were refreshed
    double dram_late_cycles;         ///< by so much, at most
    double far_latency;              ///< in another block's shared memory
    double cluster_barrier_latency;  ///< after the last warp of the cluster has come
    double atomic_backlog;           ///< cycles by which L2 may be behind with atomics before more must wait
    double half_cycles;              ///< for which a line moves from one half of L2 to the other
    double hit_backlog;              ///< cycles of reads that what L2 holds waits for, if DRAM is behind
    double fence_latency;            ///< of a fence beyond its block, after what it waits for
    // Memory of the GPU.
    double l1_bytes;  ///< of a multiprocessor, shared memory included
    double l2_bytes;
    double l2_bytes_per_cycle;           ///< of the GPU
    double l2_loads_per_cycle;           ///< requests for one sector
    double l2_stored_bytes_per_cycle;    ///< into it
    double l2_partial_lines_per_cycle;   ///< what a line takes besides, if a sector of it is not whole
    double l2_own_factor;                ///< by which stores to a thread's own memory take longer there
    double port_bytes_per_cycle;         ///< of a multiprocessor, from L2
    double port_loads_per_cycle;         ///< requests for one sector
    double port_stored_bytes_per_cycle;  ///< to L2
    double port_partial_cycles;   ///< for which a line holds it besides, if a sector of it is not whole
    double copy_bytes_per_cycle;  ///< as port_bytes_per_cycle, for bulk copies
    double dram_read_bytes_per_ns;
    double dram_write_bytes_per_ns;
    double dram_queue_cycles;       ///< of a request, for others at the same bank
    double dram_burst_bytes;        ///< what a miss reads at least
    double dram_row_bytes;          ///< bytes for which a row that is not open costs as much
    double partial_sectors_per_ns;  ///< stores that fill a sector in part
    double atomic_sectors_per_ns;   ///< of requests to many words
    double atomic_pass_cycles;      ///< a slice of L2: one word of each sector, all sectors in turn
    double atomic_float_cycles;     ///< from one addition of floats to a word to the next
    double l2_slices;               ///< places at which L2 serves atomics
    static Prices read(const std::string& path);  ///< throws std::runtime_error, one line

    double cycles_of_ns(double ns) const { return ns * clock_mhz / 1000; }
};

}  // namespace sass::clock
