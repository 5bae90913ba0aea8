// What the clock says of a launch, for a file and for a reader.
//
//     {"us": 8.1, "launch_us": 2.4, "cycles": .., "multiprocessors": 132, "blocks": 256, "is_sample": false,
//      "halves_us": [], "blocks_per_us": .., "unknown": "",
//      "busy": {"issue": 0.31, "pipe": 0.12, "bytes": 0.92, "starts": 0.04},
//      "stalls": {"selected": 0.31, ..},
//      "lines": [{"file": .., "line": .., "cycles": .., "stalls": {..}}, ..],
//      "instructions": [{"address": .., "text": .., "stall": 4, "sets_at_result": 7, "sets_at_read": 7,
//                        "waits_for": 1, "file": .., "line": .., "cycles": .., ..}, ..],
//      "trace": [[warp, place in instructions, "barrier", 812, 835], ..]}
//
// stall, .., waits_for: its control bits, see control.h. trace: if a block is traced, what each of its warps
// does from one cycle to before another.
// busy: see Busy. cycles of a line or an instruction: those of all warps that were clocked; stalls: their
// shares by reason.
#pragma once
#include <string>

#include "simt/run/grid.h"

namespace sass::clock {

std::string json_of(const Grid& grid);
/// The time, the first reasons, and the lines at which warps spend most.
std::string text_of(const Grid& grid);

}  // namespace sass::clock
