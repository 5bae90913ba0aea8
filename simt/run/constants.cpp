// The constants of a launch: bank 0, which the driver fills, and the rows of all constants that the kernel
// names.
#include <algorithm>
#include <cstring>

#include "simt/run/launch.h"

namespace sass {
namespace {

/// Bank 0, by byte offset.
class Bank {
   public:
    explicit Bank(std::size_t bytes) : bytes_(bytes) {}
    template <class Value>
    void put(std::size_t at, Value value) {
        std::memcpy(bytes_.data() + at, &value, sizeof(value));
    }
    void put(std::size_t at, const Dim3& dim) { put(at, dim.x), put(at + 4, dim.y), put(at + 8, dim.z); }
    std::vector<std::uint8_t> take() { return std::move(bytes_); }

   private:
    std::vector<std::uint8_t> bytes_;
};

}  // namespace

// Found by compiling a line of CUDA and looking which offset it reads.
std::vector<std::uint8_t> bank0_of(const Kernel& kernel) {
    const Launch& launch = kernel.launch;
    const std::size_t base = std::size_t(launch.kernel->parameter_base);
    Bank bank(base + launch.parameters.size() + 64);
    bank.put(0x0, launch.block);
    bank.put(0xc, launch.grid);
    bank.put(0x24, LOCAL_WINDOW);
    bank.put(0x28, kernel.local_bytes);  // where a thread's stack begins, to grow downwards
    bank.put(0x2c, launch.dynamic_shared_bytes);
    // Where the barrier of a cooperative grid counts: 64 bytes, made for each launch.
    const auto workspace = reinterpret_cast<std::uint64_t>(kernel.workspace.get());
    bank.put(0x44, std::uint32_t(workspace >> 32)), bank.put(0x48, std::uint32_t(workspace));
    bank.put(0xd0, launch.module->constants().data());  // for pointers to __constant__ variables
    bank.put(0x10c, MULTIPROCESSORS);
    bank.put(0x114, SYSTEM_SHARED_BYTES);
    bank.put(0x13c, 228u << 10);  // the most shared memory: a bound of %aggr_smem_size
    bank.put(0x144, Dim3());      // a cluster is one block: its size, its reciprocals, how many there are
    for (const std::size_t at : {0x150, 0x154, 0x158}) bank.put(at, 1.f);
    bank.put(0x15c, launch.grid);
    bank.put(0x188, 1u);
    bank.put(0x198, kernel.parameters.get());
    for (std::size_t k = 0; k < launch.parameters.size(); ++k) bank.put(base + k, launch.parameters[k]);
    return bank.take();
}

std::vector<std::uint32_t> rows_of(const Kernel& kernel) {
    const auto& constants = kernel.code->constants;
    std::vector<std::uint32_t> rows((constants.size() + 2) * LANES);
    for (std::size_t k = 0; k < constants.size(); ++k) {
        std::uint32_t value = constants[k].value;
        if (constants[k].bank >= 0) {
            const Function& of = constants[k].of == nullptr ? *kernel.launch.kernel : *constants[k].of;
            std::memcpy(&value, kernel.constant(constants[k].bank, constants[k].value, 4, of), 4);
        }
        std::fill_n(rows.begin() + std::ptrdiff_t(k * LANES), LANES, value);
    }
    return rows;
}

const std::uint8_t* Kernel::constant(int bank, std::uint32_t offset, unsigned bytes,
                                     const Function& of) const {
    const std::vector<std::uint8_t>& contents = bank == 0 ? bank0 : launch.module->bank(bank, of);
    if (std::size_t(offset) + bytes > contents.size())
        throw Fault{700, "a constant beyond the end of bank " + std::to_string(bank) + " is read"};
    return contents.data() + offset;
}

}  // namespace sass
