// What a launch may ask for.
#include <algorithm>

#include "simt/run/launch.h"

namespace sass {
namespace {

constexpr unsigned MOST_THREADS = 1024, KIB = 1024;
constexpr int INVALID_VALUE = 1, OUT_OF_RESOURCES = 701;

}  // namespace

unsigned blocks_per_multiprocessor(const Kernel& kernel) {
    const unsigned warps = unsigned((kernel.launch.block.count() + LANES - 1) / LANES);
    // Each of the four partitions has a quarter of the registers, and gives them to a warp in units of 256.
    const unsigned of_warp =
        unsigned((std::max(kernel.launch.kernel->registers, 1) * LANES + 255) / 256 * 256);
    const unsigned by_registers = 65536 / 4 / of_warp * 4 / warps;
    const Architecture& on = architecture();
    const unsigned unit = unsigned(on.shared_unit),
                   shared = (kernel.shared_of_multiprocessor() + unit - 1) / unit * unit;
    return std::max(1u, std::min({unsigned(on.blocks), unsigned(on.warps) / warps, by_registers,
                                  unsigned(on.shared) * KIB / std::max(shared, 1u)}));
}

std::string refusal_of(const Kernel& kernel, int& error) {
    const Launch& launch = kernel.launch;
    const std::uint64_t threads = launch.block.count();
    const auto refuse = [&](int with, const std::string& why) {
        error = with;
        return why;
    };
    if (launch.grid.count() == 0 || threads == 0)
        return refuse(INVALID_VALUE, "the grid or the block is empty");
    if (threads > MOST_THREADS || launch.block.z > 64)
        return refuse(INVALID_VALUE, "a block has at most 1,024 threads, not " + std::to_string(threads));
    if (launch.grid.x > 0x7fffffffu || launch.grid.y > 65535 || launch.grid.z > 65535)
        return refuse(INVALID_VALUE, "the grid is too large");
    if (threads > unsigned(launch.kernel->max_threads))
        return refuse(INVALID_VALUE, "the kernel was compiled for blocks of at most " +
                                         std::to_string(launch.kernel->max_threads) + " threads");
    const unsigned registers = unsigned((launch.kernel->registers + 7) / 8 * 8);
    if (registers * ((threads + LANES - 1) / LANES) * LANES > 65536)
        return refuse(OUT_OF_RESOURCES, "a block of " + std::to_string(threads) +
                                            " threads needs more registers than there are");
    const unsigned most_shared = unsigned(architecture().most_shared_of_block);
    if (kernel.shared_bytes - system_shared_bytes() > most_shared * KIB)
        return refuse(INVALID_VALUE,
                      "a block has at most " + std::to_string(most_shared) + " KiB of shared memory");
    return "";
}

}  // namespace sass
