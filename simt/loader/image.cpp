#include "simt/loader/image.h"

#include <cstring>
#include <iterator>
#include <stdexcept>

#include "simt/loader/architecture.h"
#include "simt/loader/names.h"
#include "simt/run/memory.h"

namespace sass {
namespace {

constexpr std::uint64_t FIRST_CODE = 0x10000, CODE_ALIGNMENT = 128;
const std::string CODE_PREFIX = ".text.";

/// NVIDIA's relocations that cubins have. ABS32_LO_32: the low word of an address at bit 32 of an
/// instruction; ABS55_16_34: the address of 4-byte units, 8 bits of it at bit 16 and 47 bits at bit 34;
/// ABS47_34: the whole of it at bit 34.
enum {
    R_NONE = 0,
    R_32 = 1,
    R_64 = 2,
    R_G32 = 3,
    R_G64 = 4,
    R_FUNCTION_64 = 35,  // of a pointer to a function
    R_ABS32_LO_32 = 56,
    R_ABS32_HI_32 = 57,
    R_KERNEL_LO_32 = 62,  // as the two above, of a kernel that a kernel launches
    R_KERNEL_HI_32 = 63,
    R_ABS47_34 = 58,
    R_ABS55_16_34 = 75
};

bool begins_with(const std::string& text, const std::string& with) {
    return text.compare(0, with.size(), with) == 0;
}

/// e_flags holds the architecture in its lowest byte; from version 8 of NVIDIA's ELF in the second.
int architecture_of(const Elf64_Ehdr& header) {
    return int(header.e_ident[EI_ABIVERSION] >= 8 ? header.e_flags >> 8 & 0xff : header.e_flags & 0xff);
}

void write(std::uint8_t* at, std::uint64_t value, std::size_t bytes) { std::memcpy(at, &value, bytes); }

/// `upper`: 47 bits at bit 34 of an instruction.
void write_upper(std::uint8_t* instruction, std::uint64_t upper) {
    std::uint64_t half[2];
    std::memcpy(half, instruction, sizeof half);
    half[0] = (half[0] & 0x3ffffffff) | upper << 34;
    half[1] = (half[1] & ~std::uint64_t(0x1ffff)) | upper >> 30;
    std::memcpy(instruction, half, sizeof half);
}

/// False if the type is unknown.
bool apply(unsigned type, std::uint8_t* at, std::uint64_t value) {
    switch (type) {
        case R_NONE: return true;
        case R_32:
        case R_G32: write(at, value, 4); return true;
        case R_64:
        case R_FUNCTION_64:
        case R_G64: write(at, value, 8); return true;
        case R_KERNEL_LO_32:
        case R_ABS32_LO_32: write(at + 4, value & 0xffffffff, 4); return true;
        case R_KERNEL_HI_32:
        case R_ABS32_HI_32: write(at + 4, value >> 32, 4); return true;
        case R_ABS47_34: write_upper(at, value >> 2); return true;
        case R_ABS55_16_34: write(at + 2, value >> 2, 1), write_upper(at, value >> 10); return true;
        default: return false;
    }
}

}  // namespace

Image::Image(std::vector<std::uint8_t> file) : elf_(std::move(file)) {
    constexpr int CUDA = 190;
    if (elf_.header().e_machine != CUDA) throw std::runtime_error("an ELF file, but no cubin");
    const int is = architecture_of(elf_.header());
    if (!runs(architecture(), is))
        throw std::runtime_error("a cubin of sm_" + std::to_string(is) + ", not of sm_" +
                                 std::to_string(architecture().number));
    place_code();
    place_variables();
}

Image::~Image() {
    for (const auto& [name, variable] : variables_)
        if (!variable.is_constant) Memory::of_device().free(reinterpret_cast<void*>(variable.address));
}

void Image::place_code() {
    std::uint64_t address = FIRST_CODE;
    for (std::size_t i = 0; i < elf_.sections().size(); i++) {
        const Section& section = elf_.sections()[i];
        if (!begins_with(section.name, CODE_PREFIX) || section.data == nullptr || section.size == 0) continue;
        code_.push_back({section.name.substr(CODE_PREFIX.size()), int(i), address, section.size});
        address += section.size;
    }
    next_system_function_ = (address + CODE_ALIGNMENT - 1) / CODE_ALIGNMENT * CODE_ALIGNMENT;
}

void Image::place_variables() {
    constexpr int IS_MANAGED = 4;  // STO_CUDA_MANAGED
    for (const Symbol& symbol : elf_.symbols()) {
        if (symbol.type != STT_OBJECT || symbol.section <= 0 || symbol.section >= int(elf_.sections().size()))
            continue;
        const Section& section = elf_.sections()[symbol.section];
        const bool is_constant = begins_with(section.name, ".nv.constant3");
        if (!is_constant && !begins_with(section.name, ".nv.global")) continue;
        const auto [at, is_new] = by_place_.emplace(std::make_pair(symbol.section, symbol.value),
                                                    Module::Variable{symbol.value, symbol.size, is_constant});
        if (is_new && !is_constant) {
            void* memory =
                Memory::of_device().allocate(std::max<std::uint64_t>(symbol.size, 1),
                                             (symbol.other & IS_MANAGED) != 0, demangled(symbol.name));
            if (memory == nullptr)
                throw std::runtime_error("no memory for variable " + demangled(symbol.name));
            at->second.address = reinterpret_cast<std::uint64_t>(memory);
        }
        variables_[symbol.name] = at->second;
    }
    std::map<int, std::vector<std::uint8_t>> contents;  // addresses within them need all variables
    for (const auto& [place, variable] : by_place_) {
        if (variable.is_constant) continue;
        const auto [section, is_new] = contents.try_emplace(place.first);
        if (is_new) section->second = relocated(place.first);
        if (place.second + variable.bytes > section->second.size())
            throw std::runtime_error("a broken cubin");
        std::memcpy(reinterpret_cast<void*>(variable.address), section->second.data() + place.second,
                    variable.bytes);
    }
}

std::uint64_t Image::address_of(const Symbol& symbol, std::int64_t addend) {
    if (symbol.section == SHN_UNDEF) {
        for (const auto& [address, name] : system_functions_)
            if (name == symbol.name) return address + addend;
        const std::uint64_t address = next_system_function_;
        next_system_function_ += CODE_ALIGNMENT;
        system_functions_[address] = symbol.name;
        return address + addend;
    }
    for (const Code& code : code_)
        if (code.section == symbol.section) return code.address + symbol.value + addend;
    const std::uint64_t offset = symbol.type == STT_SECTION ? addend : symbol.value;
    const auto after = by_place_.upper_bound({symbol.section, offset});
    if (after != by_place_.begin() && std::prev(after)->first.first == symbol.section) {
        const auto& [place, variable] = *std::prev(after);
        return variable.address + (symbol.value + addend - place.second);
    }
    throw std::runtime_error("the SIMT machine does not know where " + demangled(symbol.name) + " lies");
}

std::vector<std::uint8_t> Image::relocated(int index) {
    std::vector<std::uint8_t> bytes = elf_.contents(index);
    for (const Relocation& relocation : elf_.relocations(index)) {
        if (relocation.offset > bytes.size() || bytes.size() - relocation.offset < 8)
            throw std::runtime_error("a relocation outside " + elf_.sections()[index].name);
        const Symbol& symbol = elf_.symbols()[relocation.symbol];
        if (!apply(relocation.type, &bytes[relocation.offset], address_of(symbol, relocation.addend)))
            throw std::runtime_error("the SIMT machine does not know relocation " +
                                     std::to_string(relocation.type) + " of " + demangled(symbol.name) +
                                     " in " + elf_.sections()[index].name);
    }
    return bytes;
}

}  // namespace sass
