// An operand of an instruction as nvdisasm prints it, taken apart.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sass {

constexpr int URZ = 255;

/// An operand, understood.
struct Operand {
    enum Kind {
        reg,
        uniform,
        predicate,
        uniform_predicate,
        immediate,
        constant,
        address,
        other
    } kind = other;
    int index = 0;  ///< of a register or predicate; 255, URZ, 7 for RZ, URZ, PT
    bool negated = false, absolute = false, inverted = false;  ///< -x, |x|, ~x or !x
    std::string suffix;                                        ///< "H0_H0", "64", "B1", ..
    std::string text;                                          ///< as printed
    std::int64_t value = 0;                                    ///< immediate
    bool is_float = false;  ///< the immediate was printed as a decimal fraction, INF or QNAN
    double fraction = 0;
    int bank = 0;             ///< constant: offset is `value`, plus register `index` unless that is 255
    int uniform_index = URZ;  ///< address: base register `index` (+ uniform register) + value
    bool is_narrow = false;   ///< address: its register is printed as one of 32 bits, R2.U32
    int scale = 1;            ///< address: of the base register
    bool is_wide = false;     ///< address: the base is a pair of registers
};
Operand parse_operand(const std::string& text);

/// The parts between separators.
std::vector<std::string> split(const std::string& text, char by);
bool begins(const std::string& text, const char* with);

}  // namespace sass
