// The constants of a launch: bank 0, which the driver fills, and the rows of all constants that the kernel
// names.
#include <algorithm>
#include <cstring>

#include "simt/run/cluster.h"

namespace sass {
namespace {

/// Bank 0, by byte offset.
class Bank {
   public:
    explicit Bank(std::size_t bytes) : bytes_(bytes) {}
    template <class Value>
    void put(int at, Value value) {
        if (at != Bank0::NONE) std::memcpy(bytes_.data() + at, &value, sizeof(value));
    }
    void put(int at, const Dim3& dim) {
        const unsigned words[] = {dim.x, dim.y, dim.z};
        for (int k = 0; k < 3 && at != Bank0::NONE; ++k) put(at + 4 * k, words[k]);
    }
    std::vector<std::uint8_t> take() { return std::move(bytes_); }

   private:
    std::vector<std::uint8_t> bytes_;
};

}  // namespace

std::vector<std::uint8_t> bank0_of(const Kernel& kernel) {
    const Launch& launch = kernel.launch;
    const Bank0& at = architecture().bank0;
    const int base = launch.kernel->parameter_base;
    Bank bank(std::size_t(base) + launch.parameters.size() + 64);
    bank.put(at.block, launch.block);
    bank.put(at.grid, launch.grid);
    bank.put(at.shared_window, SHARED_WINDOW);
    bank.put(at.local_window, LOCAL_WINDOW);
    bank.put(at.stack, kernel.local_bytes);
    bank.put(at.dynamic_shared, launch.dynamic_shared_bytes);
    // Where the barrier of a cooperative grid counts: 64 bytes, made for each launch.
    const auto workspace = reinterpret_cast<std::uint64_t>(kernel.workspace.get());
    bank.put(at.workspace, std::uint32_t(workspace >> 32)),
        bank.put(at.workspace + 4, std::uint32_t(workspace));
    bank.put(at.constants, launch.module->constants().data());
    bank.put(at.multiprocessors, architecture().multiprocessors);
    bank.put(at.reserved_shared, architecture().reserved_shared);
    bank.put(at.most_shared, architecture().shared << 10);
    bank.put(at.is_clustered, unsigned(launch.is_clustered));
    bank.put(at.cluster, launch.cluster);
    const unsigned sizes[] = {launch.cluster.x, launch.cluster.y, launch.cluster.z};
    for (int axis = 0; axis < 3 && at.reciprocals != Bank0::NONE; ++axis)
        bank.put(at.reciprocals + 4 * axis, 1.f / float(sizes[axis]));
    bank.put(at.clusters, clusters_of(launch));
    bank.put(at.cluster_blocks, unsigned(launch.cluster.count()));
    bank.put(at.parameters, kernel.parameters.get());
    bank.put(at.group_shared, kernel.groups_begin);
    for (std::size_t k = 0; k < launch.parameters.size(); ++k) bank.put(base + int(k), launch.parameters[k]);
    return bank.take();
}

std::vector<std::uint32_t> rows_of(const Kernel& kernel) {
    const auto& constants = kernel.code->constants;
    std::vector<std::uint32_t> rows((constants.size() + 2) * LANES);
    for (std::size_t k = 0; k < constants.size(); ++k) {
        std::uint32_t value = constants[k].value;
        if (constants[k].bank >= 0) {
            const Function& of = constants[k].of == nullptr ? *kernel.launch.kernel : *constants[k].of;
            const bool is_of_others = &of != kernel.launch.kernel &&
                                      !kernel.has_constant(constants[k].bank, constants[k].value, 4, of);
            if (is_of_others) continue;  // it is called by other kernels alone
            std::memcpy(&value, kernel.constant(constants[k].bank, constants[k].value, 4, of), 4);
        }
        std::fill_n(rows.begin() + std::ptrdiff_t(k * LANES), LANES, value);
    }
    return rows;
}

/// Those of a function that has none of its own, to sm_89, are the kernel's, whoever calls it.
const std::vector<std::uint8_t>& Kernel::bank(int number, const Function& of) const {
    if (number == 0) return bank0;
    const std::vector<std::uint8_t>& own = launch.module->bank(number, of);
    return own.empty() ? launch.module->bank(number, *launch.kernel) : own;
}

bool Kernel::has_constant(int bank, std::uint32_t offset, unsigned bytes, const Function& of) const {
    return std::size_t(offset) + bytes <= this->bank(bank, of).size();
}

const std::uint8_t* Kernel::constant(int bank, std::uint32_t offset, unsigned bytes,
                                     const Function& of) const {
    const std::vector<std::uint8_t>& contents = this->bank(bank, of);
    if (!has_constant(bank, offset, bytes, of))
        throw Fault{700, "a constant beyond the end of bank " + std::to_string(bank) + " is read"};
    return contents.data() + offset;
}

}  // namespace sass
