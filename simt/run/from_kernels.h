// Launches from kernels (CUDA dynamic parallelism): what the threads of a block ask for, and who answers.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "simt/run/grid.h"

namespace sass {

/// A launch that a thread has asked for.
struct AskedLaunch {
    Launch launch;
    std::uint64_t number = 0;          ///< unlike any other's of the grid
    std::vector<std::uint64_t> after;  ///< those that must be over first, with all that they have launched
    bool is_tail = false;              ///< begins when the grid is over, and all that it has launched before
};

/// What kernels ask the device for. Kinds of attributes and limits, and errors, are CUDA's.
class DeviceRuntime {
   public:
    virtual ~DeviceRuntime() = default;
    /// With which error a GPU refuses the launch; 0: it does not.
    virtual int refusal(const Launch& launch) = 0;
    virtual int resident_blocks(const Launch& launch) = 0;  ///< of such a launch, on one multiprocessor
    // False: there is no such.
    virtual bool attribute(int kind, int& value) = 0;
    virtual bool attribute(const Launch& launch, int kind, int& value) = 0;  ///< of its kernel
    virtual bool limit(int kind, std::uint64_t& value) = 0;
    /// Of a conditional node.
    virtual bool set_condition(std::uint64_t handle, unsigned value) = 0;
};

/// What the threads of one block have made to launch from.
struct LaunchesOfBlock {
    struct Buffer {
        Launch launch;
        std::shared_ptr<void> parameters;  ///< global memory
    };
    std::map<std::uint64_t, Buffer> buffers;  ///< by the address of their parameters
    /// By stream and by event: what comes next must follow these launches.
    std::map<std::uint64_t, std::vector<std::uint64_t>> streams, events;
    std::map<unsigned, int> errors;  ///< the last one, by thread
    std::uint64_t made = 0;          ///< handles and launches
};

/// Global memory of the machine's own; `what` it is, in words.
std::shared_ptr<void> system_memory(std::size_t bytes, const char* what);

}  // namespace sass
