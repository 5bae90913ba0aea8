#include "simt/loader/attributes.h"

#include <algorithm>
#include <cstring>

#include "simt/loader/architecture.h"

namespace sass {
namespace {

/// NVIDIA's numbers of the attributes (names as cuobjdump prints them, EIATTR_..).
enum Attribute {
    MAX_THREADS = 0x05,
    PARAM_CBANK = 0x0a,
    REQNTID = 0x10,
    FRAME_SIZE = 0x11,
    MIN_STACK_SIZE = 0x12,
    KPARAM_INFO = 0x17,
    REGCOUNT = 0x2f,
    CTA_PER_CLUSTER = 0x3d,
    KPARAM_INFO_V2 = 0x45,  ///< of a kernel with more than 4 KiB of parameters
};
constexpr int WITH_BYTES =
    4;  ///< format of an attribute that is followed by so many bytes; others are 4 bytes long

std::uint32_t word(const std::uint8_t* bytes, int index) {
    std::uint32_t value;
    std::memcpy(&value, bytes + 4 * index, sizeof value);
    return value;
}

template <class Visit>
void for_each_attribute(const Elf& elf, const std::string& name, Visit visit) {
    const int index = elf.section(name);
    if (index < 0 || elf.sections()[index].data == nullptr) return;
    const Section& section = elf.sections()[index];
    for (std::uint64_t at = 0; at + 4 <= section.size;) {
        const std::uint8_t* entry = section.data + at;
        const unsigned bytes = entry[0] == WITH_BYTES ? unsigned(entry[2]) | unsigned(entry[3]) << 8 : 0;
        if (bytes > section.size - at - 4) return;
        if (bytes > 0) visit(entry[1], entry + 4, bytes);
        at += 4 + bytes;
    }
}

/// Of one kernel: parameters, threads, cluster.
void read_own(const Elf& elf, Function& function) {
    for_each_attribute(
        elf, ".nv.info." + function.name, [&](int attribute, const std::uint8_t* value, unsigned bytes) {
            if ((attribute == KPARAM_INFO || attribute == KPARAM_INFO_V2) && bytes >= 12) {
                const std::size_t ordinal = word(value, 1) & 0xffff;
                if (function.parameters.size() <= ordinal) function.parameters.resize(ordinal + 1);
                function.parameters[ordinal] = {
                    int(word(value, 1) >> 16),
                    int(attribute == KPARAM_INFO ? word(value, 2) >> 18 : word(value, 2) & 0xffff)};
            } else if (attribute == PARAM_CBANK && bytes >= 8) {
                function.parameter_base = int(word(value, 1) & 0xffff);
            } else if ((attribute == MAX_THREADS || attribute == REQNTID) && bytes >= 12) {
                function.max_threads = int(word(value, 0) * word(value, 1) * word(value, 2));
            } else if (attribute == CTA_PER_CLUSTER && bytes >= 12) {
                for (int i = 0; i < 3; i++) function.cluster[i] = int(word(value, i));
            }
        });
}

}  // namespace

void read_attributes(const Elf& elf, int section, Function& function) {
    constexpr int IS_KERNEL = 0x10;
    for (const Symbol& symbol : elf.symbols())
        if (symbol.section == section && symbol.name == function.name && (symbol.other & IS_KERNEL))
            function.is_kernel = true;
    for_each_attribute(elf, ".nv.info", [&](int attribute, const std::uint8_t* value, unsigned bytes) {
        if (bytes < 8 || word(value, 0) >= elf.symbols().size()) return;
        const Symbol& symbol = elf.symbols()[word(value, 0)];
        if (symbol.name != function.name || symbol.section != section) return;
        if (attribute == REGCOUNT) function.registers = int(word(value, 1));
        if (attribute == FRAME_SIZE || attribute == MIN_STACK_SIZE)
            function.local_bytes = std::max(function.local_bytes, int(word(value, 1)));
    });
    function.parameter_base = architecture().parameter_base;
    read_own(elf, function);
    const int shared = elf.section(".nv.shared." + function.name);
    if (shared >= 0)
        function.shared_bytes =
            std::max(0, int(elf.sections()[shared].size) - int(architecture().first_shared_byte));
}

}  // namespace sass
