#include "simt/decode/decode.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "simt/run/lanes.h"

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
    bool found = false;
    for (std::size_t i = 0; i < modifiers_.size(); ++i)
        if (modifiers_[i] == modifier) found = understood_[i] = true;
    return found;
}

void Decoder::ignore(std::initializer_list<const char*> modifiers) {
    for (const char* modifier : modifiers) has(modifier);
}

void Decoder::refuse_others() const {
    for (std::size_t i = 0; i < modifiers_.size(); ++i)
        if (!understood_[i]) refuse("modifier ." + modifiers_[i]);
}

const Operand& Decoder::peek(std::size_t ahead) const {
    if (next_ + ahead >= operands_.size()) refuse("too few operands");
    return operands_[next_ + ahead];
}

const Operand& Decoder::take() {
    const Operand& operand = peek();
    ++next_;
    return operand;
}

std::uint16_t Decoder::destination() {
    const Operand& operand = take();
    if (operand.kind == Operand::reg) return operand.index == 255 ? NOWHERE : std::uint16_t(operand.index);
    if (operand.kind == Operand::uniform && operand.index == 63) return NOWHERE;
    if (operand.kind == Operand::uniform) {
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

namespace {
std::uint32_t bits_of(float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, 4);
    return bits;
}
}  // namespace

Source Decoder::source(Type type) {
    const Operand& operand = take();
    Source found;
    switch (operand.kind) {
        case Operand::reg: found.row = operand.index == 255 ? ZERO : std::uint16_t(operand.index); break;
        case Operand::uniform:
            found.row = operand.index == 63 ? ZERO : std::uint16_t(UNIFORM + operand.index);
            break;
        case Operand::immediate: {
            std::uint32_t low = std::uint32_t(operand.value);
            if (type == f32 && operand.is_float) {
                low = std::isnan(operand.fraction) ? 0x7fffffff : bits_of(float(operand.fraction));
            } else if (type == f64) {
                double value = operand.fraction;
                std::uint64_t bits;
                if (operand.is_float)
                    std::memcpy(&bits, &value, 8);
                else
                    bits = std::uint64_t(operand.value) << 32;
                // A row alone would be followed by another constant: the pair stands together.
                code_.constants.push_back({-1, std::uint32_t(bits), nullptr});
                code_.constants.push_back({-1, std::uint32_t(bits >> 32), nullptr});
                return {std::uint16_t(code_.constants.size() - 2), 1, 0};
            }
            if (type == wide_integer) {
                code_.constants.push_back({-1, low, nullptr});
                code_.constants.push_back({-1, operand.value < 0 ? ALL : 0, nullptr});
                return {std::uint16_t(code_.constants.size() - 2), 1, 0};
            }
            return immediate_row(low);
        }
        case Operand::constant: {
            if (operand.index != 255 || operand.uniform_index != 63)
                refuse("indexed constant " + operand.text);
            const Function* of = operand.bank == 2 || operand.bank == 4 ? &function : nullptr;
            if (type == f64 || type == wide_integer) {
                code_.constants.push_back({operand.bank, std::uint32_t(operand.value), of});
                code_.constants.push_back({operand.bank, std::uint32_t(operand.value) + 4, of});
                found = {std::uint16_t(code_.constants.size() - 2), 1, 0};
            } else {
                found = constant_row({operand.bank, std::uint32_t(operand.value), of});
            }
            break;
        }
        default: refuse("source " + operand.text);
    }
    std::uint8_t modifier = 0;
    const bool floating = type == f32 || type == f64 || type == halves;
    if (operand.absolute) modifier |= clear_sign;
    if (operand.negated) modifier |= floating ? flip_sign : negate;
    if (operand.inverted) modifier |= invert;
    if (modifier != 0 && type == f64) modifier |= of_double;
    if (modifier != 0 && (type == halves || type == integer_halves)) modifier |= of_halves;
    if (type == halves) {
        if (operand.suffix.find("H0_H0") != std::string::npos) modifier |= low_twice;
        if (operand.suffix.find("H1_H1") != std::string::npos) modifier |= high_twice;
        if (operand.suffix.find("H0_NH1") != std::string::npos) modifier |= exchange;
    }
    if (modifier != 0 && type == wide_integer) modifier |= of_double;
    found.modifier = modifier;
    return found;
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
    out.b = {operand.uniform_index == 63 ? ZERO : std::uint16_t(UNIFORM + operand.uniform_index), 0, 0};
    out.offset = operand.value;
    // Without a descriptor .E says what .64 says otherwise: LDG.E R0, [R4].
    const bool is_wide = operand.is_wide || (has("E") && operand.text[0] == '[');
    out.is_wide = is_wide && operand.index != 255;
    out.number = std::uint32_t(operand.scale);
}

std::uint32_t Decoder::index_of(std::uint64_t address) const {
    const std::uint64_t place = (address - function.address) / 16;
    if (address < function.address || place >= function.lines.size())
        refuse("target outside of the function");
    return code_.functions.at(function.address) + std::uint32_t(place);
}

}  // namespace sass
