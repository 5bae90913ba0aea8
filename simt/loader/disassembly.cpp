#include "simt/loader/disassembly.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "simt/loader/nvdisasm.h"

namespace sass {
namespace {

constexpr std::size_t INSTRUCTION_BYTES = 16;
constexpr std::size_t PART_BYTES = 256 << 10;  ///< what takes nvdisasm about as long as its start

std::string trimmed(const std::string& text, const char* of = " \t") {
    const auto begin = text.find_first_not_of(of), end = text.find_last_not_of(of);
    return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

void erase_all(std::string& text, const std::string& part) {
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at))
        text.erase(at, part.size());
}

/// nvdisasm's output without offsets, headers and semicolons: one instruction a line.
std::string instructions_of(const std::string& output, std::size_t count) {
    std::string text;
    text.reserve(output.size() / 2);
    std::size_t printed = 0;
    for (std::size_t at = 0; at < output.size();) {
        const std::size_t end = std::min(output.find('\n', at), output.size());
        const auto open = output.find("/*", at), close = output.find("*/", at);
        if (open < end && close < end) {
            std::string line = trimmed(output.substr(close + 2, end - close - 2));
            line.resize(std::min(line.find(';'), line.size()));
            erase_all(line, ".reuse");
            text += trimmed(line) + '\n';
            printed++;
        }
        at = end + 1;
    }
    if (printed != count)
        throw std::runtime_error("nvdisasm printed " + std::to_string(printed) + " instructions of " +
                                 std::to_string(count));
    return text;
}

/// Before sm_90 some instructions have "c[0x2] [0x8]" or "c[0x2], [0x8]" for c[0x2][0x8].
void join_constants(std::string& text) {
    for (auto at = text.find("c[0x"); at != std::string::npos; at = text.find("c[0x", at + 1)) {
        const std::size_t end = text.find(']', at) + 1;
        const std::size_t next = text.find_first_not_of(", ", end);
        if (next != end && next != std::string::npos && text[next] == '[') text.erase(end, next - end);
    }
}

/// Splits at commas outside brackets.
std::vector<std::string> operands_of(const std::string& text) {
    std::vector<std::string> operands;
    int depth = 0;
    std::string operand;
    for (const char letter : text) {
        if (letter == '[' || letter == '{') depth++;
        if (letter == ']' || letter == '}') depth--;
        if (letter == ',' && depth == 0) {
            operands.push_back(trimmed(operand));
            operand.clear();
        } else {
            operand += letter;
        }
    }
    if (!trimmed(operand).empty()) operands.push_back(trimmed(operand));
    return operands;
}

std::string hexadecimal(std::uint64_t value) {
    char text[20];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

/// "BRX R6 -0x90" is relative to the next instruction, "RET.REL.NODEC R20 0x10000" and "CALL.REL R6 0x10000"
/// are not: each becomes two operands, register and address, whose sum is the target.
void split_target(Line& line, std::uint64_t address) {
    std::string& last = line.operands.back();
    const auto space = last.find(' ');
    if (space == std::string::npos) return;
    std::string target = trimmed(last.substr(space));
    last.erase(space);
    if (line.opcode.compare(0, 3, "BRX") == 0)
        target = hexadecimal(address + INSTRUCTION_BYTES + std::stoll(target, nullptr, 16));
    line.operands.push_back(target);
}

}  // namespace

Disassembly::Disassembly(std::string text) : text_(std::move(text)) {
    for (std::size_t at = 0, end; (end = text_.find('\n', at)) != std::string::npos; at = end + 1)
        begin_.push_back(std::uint32_t(at));
}

std::string Disassembly::operator[](std::size_t instruction) const {
    const std::size_t begin = begin_.at(instruction);
    return text_.substr(begin, text_.find('\n', begin) - begin);
}

Disassembly disassembled_before(const std::vector<std::uint8_t>& code, std::uint64_t address) {
    return Disassembly(cached(code, address));
}

Disassembly disassemble(const std::vector<std::uint8_t>& code, std::uint64_t address) {
    std::string text = cached(code, address);
    if (!text.empty()) return Disassembly(std::move(text));
    const std::size_t most = std::max(1u, std::thread::hardware_concurrency());
    const std::size_t parts = std::clamp<std::size_t>(code.size() / PART_BYTES, 1, most);
    const std::size_t step = (code.size() / parts / INSTRUCTION_BYTES + 1) * INSTRUCTION_BYTES;
    std::vector<Disassembler> running;
    for (std::size_t at = 0; at < code.size(); at += step)
        running.emplace_back(code.data() + at, std::min(step, code.size() - at), address + at);
    for (Disassembler& part : running)
        text += instructions_of(part.output(), part.bytes() / INSTRUCTION_BYTES);
    keep(code, address, text);
    return Disassembly(std::move(text));
}

Line parse_line(const std::string& text, std::uint64_t address, std::uint32_t immediate) {
    Line line;
    std::size_t at = 0;
    if (text[0] == '@') {
        at = text.find(' ');
        line.guard = text.substr(1, at - 1);
        at++;
    }
    const std::size_t space = std::min(text.find(' ', at), text.size());
    line.opcode = text.substr(at, space - at);
    std::string operands = text.substr(space);
    join_constants(operands);
    line.operands = operands_of(operands);
    if (!line.operands.empty()) split_target(line, address);
    const bool has_two_halves = line.opcode[0] == 'H' || line.opcode.compare(0, 2, "VH") == 0;
    for (std::string& operand : line.operands)
        if ((operand == "+QNAN" || operand == "-QNAN") && !has_two_halves) operand = hexadecimal(immediate);
    return line;
}

std::string Line::text() const {
    std::string text = guard.empty() ? opcode : "@" + guard + " " + opcode;
    for (std::size_t i = 0; i < operands.size(); i++) text += (i == 0 ? " " : ", ") + operands[i];
    return text;
}

}  // namespace sass
