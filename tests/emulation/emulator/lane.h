// What a lane may ask of the emulator while it runs. The stand-ins for CUDA's headers are made of this.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace emulation {

class CopyEngine;

/// Let other lanes have their schedule.
void yield();

/// Sleep until the counter has another value. what: completes "waits for ..", should it never come.
void wait_for_change(const unsigned& counter, const char* what);

/// Wait for all 32 lanes of the warp. Returns their values, by lane, which stay until the lane calls again.
const std::uint64_t* sync_warp(std::uint64_t value);

/// Wait for all lanes of the block.
void sync_block();

/// Write `bytes` bytes, 16 at most, in one go, but later: other words that are written may overtake them.
void write_late(void* to, const void* word, std::size_t bytes);

/// Wait until all that this lane wrote late is there.
void fence();

/// Tell that the grid comes nearer to its end; polling does not. Without it for long, it is a deadlock.
void note_progress();

/// The copy engine of this lane's block.
CopyEngine& copy_engine();

/// End the grid with a Fault that names block and thread. Called by a lane.
[[noreturn]] void fail(const std::string& what);

}  // namespace emulation
