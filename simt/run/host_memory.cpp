#include "simt/run/host_memory.h"

#include <fstream>
#include <sstream>

namespace sass {
namespace {

/// A line of /proc/self/maps.
struct Mapping {
    std::uint64_t begin = 0, end = 0;
    bool is_writable = false;
    std::string name;  ///< of a file, "[stack]", "[heap]"; empty: of none

    explicit Mapping(const std::string& line) {
        std::istringstream fields(line);
        std::string flags, offset, device, inode;
        char dash = 0;
        fields >> std::hex >> begin >> dash >> end >> flags >> offset >> device >> inode >> std::ws;
        is_writable = flags.size() > 1 && flags[1] == 'w';
        std::getline(fields, name);
    }
    bool is_of_file() const { return !name.empty() && name[0] == '/'; }
};

/// Variables without a first value lie behind those that have one, in pages of no file.
bool is_behind(const Mapping& mapping, const Mapping& before) {
    return mapping.name.empty() && before.is_of_file() && before.is_writable && mapping.begin == before.end;
}

constexpr const char *COPY = "cudaMalloc and cudaMemcpy, and pass that pointer; or cudaMallocManaged",
                     *VARIABLE =
                         "cudaMalloc and cudaMemcpy, and pass that pointer; or, of a __device__ "
                         "variable, the pointer of cudaGetSymbolAddress";

HostMemory described(const Mapping& mapping, const Mapping& before) {
    const std::string host = ", in the host's memory: ";
    if (mapping.name == "[stack]") return {host + "a variable on its stack", COPY};
    if (is_behind(mapping, before) || (mapping.is_of_file() && mapping.is_writable))
        return {host + "a global variable", VARIABLE};
    if (mapping.is_of_file()) return {host + "a constant, as a text in quotes", COPY};
    return {host + "its heap, as of malloc, new or std::vector", COPY};
}

}  // namespace

HostMemory host_memory(std::uint64_t address) {
    std::ifstream file("/proc/self/maps");
    Mapping before("");
    for (std::string line; std::getline(file, line);) {
        const Mapping mapping(line);
        if (address >= mapping.begin && address < mapping.end) return described(mapping, before);
        before = mapping;
    }
    return {};
}

}  // namespace sass
