#include "simt/decode/decode.h"

#include <algorithm>
#include <cmath>

#include "simt/instructions/arithmetic/half.h"

namespace sass {

Decoder::Decoder(Code& code, const Function& in, const Line& line, Instruction& instruction)
    : out(instruction), function(in), code_(code), line_(line) {
    const std::vector<std::string> parts = split(line.opcode, '.');
    base_ = parts[0];
    modifiers_.assign(parts.begin() + 1, parts.end());
    understood_.assign(modifiers_.size(), false);
    for (const std::string& operand : line.operands) operands_.push_back(parse_operand(operand));
    out.line = &line;
}

void Decoder::refuse(const std::string& why) const {
    throw std::runtime_error("cannot decode " + line_.text() + ": " + why);
}

bool Decoder::has(const std::string& modifier) {
    bool is_printed = false;
    for (std::size_t i = 0; i < modifiers_.size(); ++i)
        if (modifiers_[i] == modifier) is_printed = understood_[i] = true;
    return is_printed;
}

std::uint8_t Decoder::flags(std::initializer_list<const char*> modifiers) {
    int bits = 0, k = 0;
    for (const char* modifier : modifiers) bits |= int(has(modifier)) << k++;
    return std::uint8_t(bits);
}

int Decoder::one_of(std::initializer_list<const char*> modifiers) {
    int which = -1, k = 0;
    for (const char* modifier : modifiers) {
        if (has(modifier)) which = k;
        ++k;
    }
    return which;
}

int Decoder::one_of(std::initializer_list<const char*> modifiers, const char* what) {
    const int which = one_of(modifiers);
    if (which < 0) refuse(what);
    return which;
}

void Decoder::ignore(std::initializer_list<const char*> modifiers) { (void)one_of(modifiers); }

void Decoder::refuse_others() const {
    for (std::size_t i = 0; i < modifiers_.size(); ++i)
        if (!understood_[i]) refuse("modifier ." + modifiers_[i]);
}

const Operand& Decoder::operand(std::size_t number) const {
    if (number >= operands_.size()) refuse("too few operands");
    return operands_[number];
}

const Operand& Decoder::take() {
    const Operand& operand = peek();
    ++next_;
    return operand;
}

std::uint16_t Decoder::destination() {
    const Operand& operand = take();
    if (operand.kind == Operand::reg) return operand.index == 255 ? NOWHERE : std::uint16_t(operand.index);
    if (operand.kind == Operand::uniform && operand.index == URZ) return NOWHERE;
    if (operand.kind == Operand::uniform) {
        if (UNIFORM + operand.index + 4 > NOWHERE) refuse("uniform register " + operand.text);
        code_.uniform_registers = std::max(code_.uniform_registers, operand.index + 4);  // four words at most
        return std::uint16_t(UNIFORM + operand.index);
    }
    refuse("destination " + operand.text);
}

bool Decoder::next_is_predicate() const {
    return left() > 0 && (peek().kind == Operand::predicate || peek().kind == Operand::uniform_predicate);
}

std::uint8_t Decoder::predicate_destination() {
    const Operand& operand = take();
    if (operand.index == 7) return NO_PREDICATE;
    if (operand.kind == Operand::predicate) return std::uint8_t(operand.index);
    if (operand.kind == Operand::uniform_predicate) return std::uint8_t(8 + operand.index);
    refuse("predicate " + operand.text);
}

std::uint8_t Decoder::predicate_source() {
    const Operand& operand = take();
    const int index = operand.kind == Operand::predicate           ? operand.index
                      : operand.kind == Operand::uniform_predicate ? 8 + operand.index
                                                                   : -1;
    if (index < 0) refuse("predicate " + operand.text);
    return std::uint8_t(index | (operand.inverted ? INVERTED : 0));
}

Source Decoder::constant_row(const Constant& constant) {
    auto& all = code_.constants;
    // Few enough in a kernel that a search from the end, where neighbours are, is quick.
    for (std::size_t i = all.size(); i-- > 0;)
        if (!(all[i] < constant) && !(constant < all[i])) return {std::uint16_t(i), 1, 0};
    all.push_back(constant);
    if (all.size() > 65000) refuse("too many constants in one kernel");
    return {std::uint16_t(all.size() - 1), 1, 0};
}

Source Decoder::immediate_row(std::uint32_t value) { return constant_row({-1, value, nullptr}); }

const std::uint32_t* Decoder::value_of(const Source& source) const {
    if (source.of == 0 || source.modifier != 0 || code_.constants[source.row].bank >= 0) return nullptr;
    return &code_.constants[source.row].value;
}

std::uint8_t Decoder::convergence_barrier() {
    const std::string& name = take().text;
    if (name.size() < 2 || name[0] != 'B' || name.find_first_not_of("0123456789", 1) != std::string::npos)
        refuse("barrier " + name);
    const int index = std::stoi(name.substr(1));
    if (index > 15) refuse("barrier " + name);
    return std::uint8_t(index);
}

/// A row alone would be followed by another constant: the pair stands together.
Source Decoder::constant_pair(const Constant& low, const Constant& high) {
    code_.constants.push_back(low);
    code_.constants.push_back(high);
    return {std::uint16_t(code_.constants.size() - 2), 1, 0};
}

Source Decoder::immediate(const Operand& operand, Type type) {
    const std::uint32_t low = std::uint32_t(operand.value);
    switch (type) {
        case f64:
        case upper: {
            const auto word =
                operand.is_float ? bits<std::uint64_t>(operand.fraction) : std::uint64_t(operand.value) << 32;
            Source pair =
                constant_pair({-1, std::uint32_t(word), nullptr}, {-1, std::uint32_t(word >> 32), nullptr});
            pair.row += type == upper;
            return pair;
        }
        case upper_integer: return constant_pair({-1, 0, nullptr}, {-1, low, nullptr});
        case wide_integer:
            return constant_pair({-1, low, nullptr}, {-1, std::uint32_t(operand.value >> 32), nullptr});
        case f32:
            if (!operand.is_float) break;
            return immediate_row(std::isnan(operand.fraction) ? 0x7fffffff : u32(float(operand.fraction)));
        case halves:
        case bfloats: {  // two, of the upper and of the lower half, are one
            const bool is_alone = left() == 0 || peek().kind != Operand::immediate;
            if (is_alone && !operand.is_float) break;
            const auto half = [&](const Operand& each) {
                return half_bits(each.is_float ? each.fraction : double(each.value), type == bfloats);
            };
            if (is_alone) return immediate_row(half(operand));  // of a conversion: FRND.F16 R0, 40.15625
            return immediate_row(std::uint32_t(half(operand)) << 16 | half(take()));
        }
        default: break;
    }
    return immediate_row(low);
}

Source Decoder::constant(const Operand& operand, Type type) {
    if (operand.index != 255 || operand.uniform_index != URZ) refuse("indexed constant " + operand.text);
    const Function* of = operand.bank == 2 || operand.bank == 4 ? &function : nullptr;
    const auto offset = std::uint32_t(operand.value);
    if (type != f64 && type != wide_integer && type != upper_integer)
        return constant_row({operand.bank, offset, of});
    return constant_pair({operand.bank, offset, of}, {operand.bank, offset + 4, of});
}

Source Decoder::word_of_bank(int bank, std::uint32_t word) {
    return constant_row({bank, 4 * word, bank == 2 || bank == 4 ? &function : nullptr});
}

Source Decoder::source(Type type) {
    const Operand& operand = take();
    Source made;
    switch (operand.kind) {
        case Operand::reg: made.row = operand.index == 255 ? ZERO : std::uint16_t(operand.index); break;
        case Operand::uniform:
            made.row = operand.index == URZ ? ZERO : std::uint16_t(UNIFORM + operand.index);
            break;
        case Operand::immediate: return immediate(operand, type);
        case Operand::constant: made = constant(operand, type); break;
        default: refuse("source " + operand.text);
    }
    const bool is_pair = type == halves || type == bfloats;
    const bool floating = type == f32 || type == upper || type == f64 || is_pair;
    const bool becomes_half = type == halves && operand.suffix == "F32";
    if (floating ? operand.inverted : operand.absolute) refuse("modifier of " + operand.text);
    std::uint8_t modifier = 0;
    if (operand.absolute) modifier |= clear_sign;
    if (operand.negated) modifier |= floating ? flip_sign : negate;
    if (operand.inverted) modifier |= invert;
    const bool is_wide = type == f64 || type == wide_integer || type == upper_integer;
    if (modifier != 0 && is_wide) modifier |= of_double;
    if (modifier != 0 && (is_pair || type == integer_halves) && !becomes_half) modifier |= of_halves;
    if (modifier != 0 && type == integer_bytes) modifier |= of_bytes;
    if (becomes_half)
        modifier |= as_half;
    else if (is_pair && operand.suffix == "H0_H0")
        modifier |= low_twice;
    else if (is_pair && operand.suffix == "H1_H1")
        modifier |= high_twice;
    else if (is_pair && operand.suffix == "H0_NH1")
        modifier |= exchange;
    else if (!operand.suffix.empty() && !takes_parts())
        refuse("part " + operand.text);
    made.modifier = modifier;
    return made;
}

/// Do the functions that decode it themselves look at which half or byte of a source is meant?
bool Decoder::takes_parts() const {
    for (const char* name :
         {"F2I", "F2IP", "I2F", "I2FP", "F2F", "F2FP", "FRND", "MUFU", "R2P", "PLOP3", "IMMA", "BMMA"})
        if (base_ == name) return true;
    return false;
}

std::uint32_t Decoder::number() {
    const Operand& operand = take();
    if (operand.kind != Operand::immediate) refuse("number " + operand.text);
    return std::uint32_t(operand.value);
}

void Decoder::address() {
    const Operand& operand = take();
    if (operand.kind != Operand::address) refuse("address " + operand.text);
    out.a = {operand.index == 255 ? ZERO : std::uint16_t(operand.index), 0, 0};
    out.b = {operand.uniform_index == URZ ? ZERO : std::uint16_t(UNIFORM + operand.uniform_index), 0, 0};
    out.offset = operand.value;
    // Without a descriptor .E says what .64 says otherwise: LDG.E R0, [R4].
    const bool is_wide = operand.is_wide || (has("E") && operand.text[0] == '[' && !operand.is_narrow);
    out.is_wide = is_wide && operand.index != 255;
    out.scale = std::uint8_t(operand.scale);
}

std::uint32_t Decoder::index_of(std::uint64_t address) const {
    const std::uint64_t place = (address - function.address) / 16;
    if (address < function.address || place >= function.lines.size())
        refuse("target outside of the function");
    return code_.functions.at(function.address) + std::uint32_t(place);
}

}  // namespace sass
