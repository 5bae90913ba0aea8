// The host's own memory, which a GPU cannot reach: a pointer to it is no use to a kernel.
#pragma once
#include <cstdint>
#include <string>

namespace sass {

struct HostMemory {
    std::string what;  ///< ", in the host's memory: its stack"; empty: it is not there
    std::string cure;
};
HostMemory host_memory(std::uint64_t address);

}  // namespace sass
