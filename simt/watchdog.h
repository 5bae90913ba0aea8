// Ends the program if a lane runs on and on without reaching a barrier, a warp sync, or its end: an endless
// loop.
#pragma once
#include <cstddef>

namespace simt {

class Block;

/// Start to watch, once a process. A lane may run for SIMT_LIMIT seconds of CPU time, 60 by default; 0 sets
/// no limit.
void start_watchdog();

/// Bytes that the requests of the steps that run may take: SIMT_MEMORY MiB, by default half of the machine's
/// memory.
std::size_t memory_limit();

/// They would take more by the running lane's next, whose warp has made `requests` in this step: a fault.
[[noreturn]] void exceed_memory_limit(std::size_t requests);

/// This CPU thread resumes a lane of the block, or none.
void watch(Block* block);

/// On SIGUSR2: write to `file` where the program is, an instruction's offset and what runs there, and end it.
void report_place_on_signal(const char* file);

}  // namespace simt
