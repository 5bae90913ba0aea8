// The emulator's interface for running lanes. The stand-ins for CUDA's headers are built on it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace emulation {

class CopyEngine;

/// Let other lanes run.
void yield();

/// Sleep until the counter changes. what: completes "waits for .." in the message of a deadlock.
void wait_for_change(const unsigned& counter, const char* what);

/// Wait for all 32 lanes of the warp. Returns their values, by lane, valid until the lane's next call.
const std::uint64_t* sync_warp(std::uint64_t value);

/// Wait for all lanes of the block.
void sync_block();

/// Write at most 16 bytes in one access, but later: other words may become visible first.
void write_late(void* to, const void* word, std::size_t bytes);

/// Wait until all late writes of this lane are visible.
void fence();

/// Report progress of the grid; a poll is none. Many rounds without progress are a deadlock.
void note_progress();

/// The copy engine of this lane's block.
CopyEngine& copy_engine();

/// Abort the grid with a Fault that names block and thread. Called by a lane.
[[noreturn]] void fail(const std::string& what);

}  // namespace emulation
