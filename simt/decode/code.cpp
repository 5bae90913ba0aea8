// From functions to the code of a kernel.
#include <algorithm>
#include <memory>

#include "simt/decode/decode.h"
#include "simt/decode/operators.h"
#include "simt/decode/ordering.h"
#include "simt/loader/architecture.h"
#include "simt/run/lanes.h"
#include "simt/run/launch.h"

namespace sass {
namespace {

/// What a program lacks on the machine, by the opcode that asks for it, and what to do instead; "" if that is
/// no known part of CUDA.
std::string part_of_cuda(const std::string& opcode) {
    const auto is_among = [&](std::initializer_list<const char*> names) {
        return std::any_of(names.begin(), names.end(),
                           [&](const char* name) { return begins(opcode, name); });
    };
    if (is_among({"HGMMA", "IGMMA", "QGMMA", "BGMMA", "WARPGROUP", "WARPSYNC.ARRIVE"}))
        return "products of matrices by a warpgroup (" + opcode + "): use mma.sync or wmma";
    if (is_among({"HMMA", "IMMA", "DMMA", "BMMA", "QMMA", "OMMA", "LDSM", "STSM"}))
        return "such a product or copy of matrices (" + opcode + "): use another shape or type";
    if (is_among({"TEX", "TLD", "TMML", "TXD", "TXQ"}))
        return "such texture instruction (" + opcode + "): do without sparse textures and mipmaps";
    if (is_among({"SULD", "SUST", "SUATOM", "SURED", "SUQUERY"}))
        return "such surface instruction (" + opcode + "): use surf2Dread and its kin";
    return "";
}

[[noreturn]] void run_unknown(Warp&, const Instruction& i, std::uint32_t) {
    if (i.line->opcode == "SYSCALL")
        throw Fault{715, "the driver's " + i.line->operands[0] +
                             " is not there: launch graphs from the host, and wait there for launches"};
    const std::string part = part_of_cuda(i.line->opcode);
    throw Fault{715, part.empty() ? "the machine does not know the instruction " + i.line->text()
                                  : "the machine has no " + part};
}

/// Is the operand that word of constant bank 0?
bool names_word(const std::string& operand, int offset) {
    if (!begins(operand, "c[0x0][")) return false;
    const Operand word = parse_operand(operand);
    return word.kind == Operand::constant && word.value == offset;
}

void decode_line(Code& code, const Function& function, const Line& line, Instruction& out) {
    if (!line.guard.empty()) {
        const Operand guard = parse_operand(line.guard);
        const int first = guard.kind == Operand::uniform_predicate ? 8 : 0;
        out.guard = std::uint8_t((first + guard.index) | (guard.inverted ? INVERTED : 0));
    }
    out.line = &line;
    out.is_of_user = place_of_user(code.module->places(), line.place) != nullptr;
    const Bank0& bank0 = architecture().bank0;
    for (const std::string& operand : line.operands) {
        code.has_groups |= names_word(operand, bank0.group_shared);
        code.has_parameter_addresses |= names_word(operand, bank0.parameters);
    }
    try {
        Decoder decoder(code, function, line, out);
        const Opcode* const opcode = find_opcode(decoder.base(), out.is_uniform);
        if (opcode == nullptr) throw std::runtime_error("unknown opcode");
        decoder.set_base(out.base = opcode->name);
        out.counted = opcode->counted;
        out.is_control = opcode->is_control;
        out.pipe = out.is_uniform ? Pipe::fast : opcode->pipe;
        out.ordering = ordering_of(*opcode, line);
        decoder.read(opcode->operands);
        decoder.finish(opcode->decode(decoder));
        decoder.refuse_others();
        if (opcode->operands[0] != '\0' && decoder.left() > 0) decoder.refuse("too many operands");
    } catch (const std::exception& why) {
        code.unknown.emplace_back(line.text(), why.what());
        out.run = run_unknown;
        out.is_control = false;
    }
}

void decode_function(Code& code, const Function& function) {
    if (!code.functions.emplace(function.address, std::uint32_t(code.list.size())).second) return;
    const std::size_t first = code.list.size();
    code.list.resize(first + function.lines.size());
    code.function_of.resize(code.list.size(), &function);
    for (std::size_t i = 0; i < function.lines.size(); ++i)
        decode_line(code, function, function.lines[i], code.list[first + i]);
    order_together(code, function, first);
}

}  // namespace

std::unique_ptr<Code> decode(Module& module, const Function& kernel, const std::string& operators) {
    auto code = std::make_unique<Code>();
    code->module = &module;
    code->kernel = &kernel;
    decode_function(*code, kernel);
    // What a kernel calls by address may be any function that the module has made known for it.
    bool calls = false;
    for (const Line& line : kernel.lines) calls |= begins(line.opcode, "CALL");
    if (calls)
        for (const auto& [address, function] : module.functions())
            if (!function->is_kernel) decode_function(*code, *function);
    mark_operators(*code, operators);
    return code;
}

std::uint32_t Code::at(std::uint64_t address) const {
    auto next = functions.upper_bound(address);
    if (next != functions.begin()) {
        const auto& [begin, index] = *--next;
        const std::uint64_t place = (address - begin) / 16;
        if (place < function_of[index]->lines.size() && address % 16 == 0)
            return index + std::uint32_t(place);
    }
    throw Fault{719, "a jump to no instruction"};
}

std::uint64_t Code::address(std::uint32_t index) const {
    const Function* const function = function_of[index];
    return function->address + 16 * (index - functions.at(function->address));
}

}  // namespace sass
