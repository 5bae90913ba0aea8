// Counts by instruction, for reports line by line: what each instruction of a launch adds to its counters.
//
// An instruction is identified by its site, the return address of its hook, as an offset from the program's
// first byte. Debug information leads from there to the line of the source.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "simt/simt.h"

namespace simt {

/// By site. The values of one launch add up to its counters; but for `active_warps`, which belongs to steps.
using SiteCounters = std::unordered_map<std::uint32_t, Counters>;

/// One lane's part in one memory request of the traced block.
struct SiteAccess {
    std::uint32_t site;
    int step, warp, request, lane;
    const char* kind;        ///< "shared load", "global store", ...
    std::uintptr_t address;  ///< of shared memory: the byte in its array
    const char* array;       ///< name of the shared array; "" for global memory
    unsigned size;           ///< bytes
    int cost;                ///< of the whole request: passes over the banks, or sectors
};

/// A launch that has completed, or that the machine refused: then only `error` is not 0.
struct ObservedLaunch {
    std::string kernel;
    std::uint32_t entry = 0;  ///< the kernel's first instruction
    unsigned grid[3] = {}, block[3] = {};
    std::size_t static_shared_bytes = 0, dynamic_shared_bytes = 0;
    int error = 0;  ///< a cudaError_t
    Counters total;
    SiteCounters sites;
    std::vector<SiteAccess> trace;
    std::vector<std::string> warnings;
};

/// Who is told of each launch, in order, and of the fault that ends one; which launch and block are traced.
struct LaunchObserver {
    std::function<void(const ObservedLaunch&)> launched;
    std::function<void(const Fault&)> faulted;
    std::int64_t traced_launch = -1;  ///< number of the launch, from 0; -1 for none
    unsigned traced_block = 0;
};
void set_observer(LaunchObserver observer);

}  // namespace simt
