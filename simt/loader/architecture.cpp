#include "simt/loader/architecture.h"

namespace sass {
namespace {

constexpr int KIB = 1 << 10, MIB = 1 << 20, NONE = Bank0::NONE;

// Bank 0 was found by compiling a line of CUDA for each special register and looking which word it reads.
// Of sm_90 what is read was compared with an H200. From sm_100 on some words are read at an offset of
// -160 times SR_CgaSize, which the machine says is 0.
// clang-format off: tables
//                             block  grid   shared local  stack  dynamic work-  const- multi- reserved most
//                                           window window        shared  space  ants   procs  shared   shared
constexpr Bank0 TO_SM_89    = {0x0,   0xc,   0x1c,  0x24,  0x28,  0x2c,   0x8c,  0x50,  0x10c, 0x114,   NONE,
//                             cluster recip. clusters blocks parameters groups is_clustered
                               NONE,   NONE,  NONE,    NONE,  0x40,      0x124, NONE};
constexpr Bank0 SM_90       = {0x0,   0xc,   NONE,  0x24,  0x28,  0x2c,   0x44,  0xd0,  0x10c, 0x114,   0x13c,
                               0x144,  0x150, 0x15c,   0x188, 0x198,     0x6c,  0x140};
constexpr Bank0 FROM_SM_100 = {0x360, 0x370, NONE,  0x2fc, 0x37c, 0x2ac,  0x254, 0x120, 0x2d0, 0x16c,   0x2bc,
                               0x2a0,  0x2b0, 0x2c0,   0x2cc, 0x348,     0x27c, 0x36c};

}  // namespace

const std::vector<Architecture>& architectures() {
    static const auto& all = *new std::vector<Architecture>{
        // warps, blocks, KiB of shared memory of a multiprocessor, of a block; reserved, unit; splits
        // multiprocessors, clock, memory's clock, bits of its bus, L2; first byte, parameters
        {75, "T4", 32, 16, 64, 64, 0, 256, {32, 64},
         40, 1590000, 5001000, 256, 4 * MIB, 0, 0x160, TO_SM_89},
        {80, "A100", 64, 32, 164, 163, KIB, 128, {0, 8, 16, 32, 64, 100, 132, 164},
         108, 1410000, 1512000, 5120, 40 * MIB, 0, 0x160, TO_SM_89},
        {86, "GeForce RTX 3090", 48, 16, 100, 99, KIB, 128, {0, 8, 16, 32, 64, 100},
         82, 1695000, 9751000, 384, 6 * MIB, 0, 0x160, TO_SM_89},
        {89, "GeForce RTX 4090", 48, 24, 100, 99, KIB, 128, {0, 8, 16, 32, 64, 100},
         128, 2520000, 10501000, 384, 72 * MIB, 0, 0x160, TO_SM_89},
        {90, "H200", 64, 32, 228, 227, KIB, 128, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228},
         132, 1980000, 3201000, 6016, 60 * MIB, KIB, 0x210, SM_90},
        {100, "B200", 64, 32, 228, 227, KIB, 128, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228},
         148, 1965000, 3996000, 8192, 126 * MIB, KIB, 0x380, FROM_SM_100},
        {120, "GeForce RTX 5090", 48, 24, 100, 99, KIB, 128, {0, 8, 16, 32, 64, 100},
         170, 2407000, 14001000, 512, 96 * MIB, KIB, 0x380, FROM_SM_100}};
    return all;
}
// clang-format on

namespace {

int& chosen() {
    static int number = 90;
    return number;
}

const Architecture* find(int number) {
    for (const Architecture& each : architectures())
        if (each.number == number) return &each;
    return nullptr;
}

}  // namespace

const Architecture& architecture() {
    static const Architecture& is = *find(chosen());
    return is;
}

bool select(int number) {
    if (find(number) == nullptr) return false;
    chosen() = number;
    return true;
}

bool runs(const Architecture& machine, int code) {
    return code / 10 == machine.number / 10 && code <= machine.number;
}

std::string names_of_architectures() {
    std::string names;
    for (const Architecture& each : architectures())
        names += (names.empty() ? "sm_" : ", sm_") + std::to_string(each.number) + " (" + each.gpu + ")";
    return names;
}

}  // namespace sass
