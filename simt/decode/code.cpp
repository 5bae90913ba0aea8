// From functions to the code of a kernel; sources that are changed before they are used.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <unordered_map>

#include "simt/decode/decode.h"
#include "simt/decode/operators.h"
#include "simt/decode/pipes.h"
#include "simt/run/lanes.h"
#include "simt/run/launch.h"

namespace sass {
namespace {

/// Copies a source's row or rows into temporary ones, changed.
Source modified(Warp& w, Source source, std::uint16_t into) {
    const std::uint32_t* from = rows(w, source);
    std::uint32_t* to = w.row(into);
    const std::uint8_t m = source.modifier;
    if (m & of_double && m & (negate | invert)) {  // 64 bits
        const std::uint64_t one = m & negate ? 1 : 0;
        each_wide(to, ALL, [=](int l) { return ~wide(from, l) + one; });
        return {into, 0, 0};
    }
    if (m & of_double) {
        const std::uint32_t keep = m & clear_sign ? 0x7fffffff : ALL, flip = m & flip_sign ? 0x80000000 : 0;
        each(to, ALL, [=](int l) { return from[l]; });
        each(to + LANES, ALL, [=](int l) {
            const std::uint32_t upper = from[LANES + l];
            const bool is_nan = (upper & 0x7fffffff) + (from[l] != 0) > 0x7ff00000;
            return is_nan ? upper : (upper & keep) ^ flip;  // a NaN keeps its sign (seen on an H200)
        });
        return {into, 0, 0};
    }
    if (m & of_halves && m & negate) {
        for (int l = 0; l < LANES; ++l)
            to[l] = ((0 - (from[l] & 0xffff)) & 0xffff) | (0 - (from[l] & 0xffff0000));
        return {into, 0, 0};
    }
    const std::uint32_t clear = m & clear_sign ? (m & of_halves ? 0x7fff7fff : 0x7fffffff) : ALL;
    const std::uint32_t flip = m & flip_sign ? (m & of_halves ? 0x80008000 : 0x80000000) : 0;
    const std::uint32_t all = m & (invert | negate) ? ALL : 0, one = m & negate ? 1 : 0;
    for (int l = 0; l < LANES; ++l) {
        std::uint32_t word = from[l];
        if ((m & exchange) == exchange)
            word = (word << 16 | word >> 16) ^ 0x8000;
        else if (m & low_twice)
            word = (word & 0xffff) * 0x10001;
        else if (m & high_twice)
            word = (word >> 16) * 0x10001;
        to[l] = (((word & clear) ^ flip) ^ all) + one;
    }
    return {into, 0, 0};
}

void run_modified(Warp& w, const Instruction& i, std::uint32_t lanes) {
    Instruction plain = i;
    if (i.a.modifier) plain.a = modified(w, i.a, TEMPORARY);
    if (i.b.modifier) plain.b = modified(w, i.b, TEMPORARY + 2);
    if (i.c.modifier) plain.c = modified(w, i.c, TEMPORARY + 4);
    i.inner(w, plain, lanes);
}

/// What a program lacks on the machine, by the opcode that asks for it, and what to do instead; "" if that is
/// no known part of CUDA.
std::string part_of_cuda(const std::string& opcode) {
    const auto is_among = [&](std::initializer_list<const char*> names) {
        return std::any_of(names.begin(), names.end(),
                           [&](const char* name) { return begins(opcode, name); });
    };
    if (is_among({"HMMA", "IMMA", "DMMA", "BMMA", "QMMA", "HGMMA", "IGMMA", "QGMMA", "BGMMA", "WARPGROUP",
                  "MOVM", "LDSM", "STSM"}))
        return "tensor cores (" + opcode + "): multiply by ordinary instructions";
    if (is_among({"TEX", "TLD", "TMML", "TXD", "TXQ"}))
        return "textures (" + opcode + "): read the memory by a pointer";
    if (is_among({"SULD", "SUST", "SUATOM", "SURED", "SUQUERY"}))
        return "surfaces (" + opcode + "): use the memory by a pointer";
    return "";
}

[[noreturn]] void run_unknown(Warp&, const Instruction& i, std::uint32_t) {
    const std::string part = part_of_cuda(i.line->opcode);
    throw Fault{715, part.empty() ? "the machine does not know the instruction " + i.line->text()
                                  : "the machine has no " + part};
}

/// The first instruction of a function of the device's runtime, by which kernels launch kernels.
[[noreturn]] void run_device_runtime(Warp& w, const Instruction&, std::uint32_t lanes) {
    const Code& code = *w.block->kernel->code;
    const int lane = __builtin_ctz(lanes == 0 ? 1 : lanes);
    const std::string name = code.function_of[w.pc]->name;
    const std::uint64_t back = w.row(20)[lane] | std::uint64_t(w.row(21)[lane]) << 32;  // the caller
    if (const auto next = code.functions.upper_bound(back); next != code.functions.begin())
        w.pc = code.at(back) - 1;
    throw Fault{715, "the machine has no launches from kernels (" + name + "): launch from the host", lane};
}

const std::unordered_map<std::string, Make>& table() {
    static const auto* const made = [] {
        auto* all = new std::unordered_map<std::string, Make>;
        for (const Opcode& opcode : opcodes()) all->emplace(opcode.name, opcode.make);
        return all;
    }();
    return *made;
}

/// Of opcodes that can say so: the rest have none.
Ordering ordering_of(const Line& line) {
    Ordering found;
    const auto has = [&](const char* modifier) { return line.opcode.find(modifier) != std::string::npos; };
    const auto ptx_has = [&](const char* text) {
        return line.ptx != nullptr && line.ptx->find(text) != std::string::npos;
    };
    const bool of_block = has(".SM") || has(".CTA");
    if (begins(line.opcode, "ATOMS")) {
        found.scope = Scope::device;  // no other block has this memory
    } else if (has(".STRONG") || begins(line.opcode, "MEMBAR")) {
        found.scope = of_block ? Scope::block : Scope::device;
    }
    if (begins(line.opcode, "LD") || begins(line.opcode, "ST")) {
        // Of shared memory the modifiers do not tell.
        if (ptx_has("atom.") || ptx_has(" red.") || ptx_has("\tred."))  // made of a load and compare-and-swap
            found.scope = ptx_has(".cta") ? Scope::block : Scope::device;
        if (ptx_has(".volatile.") || ptx_has(".relaxed.") || ptx_has(".acquire.") || ptx_has(".release."))
            found.scope =
                std::max(found.scope, begins(line.opcode, "LDS") || begins(line.opcode, "STS") ? Scope::device
                                                                                               : found.scope);
        found.is_volatile = found.scope != Scope::none && ptx_has(".volatile.");
    }
    if (found.scope != Scope::none) {
        const bool may_be_vector = line.ptx == nullptr && (has(".64") || has(".128"));
        found.parts = may_be_vector ? 0 : ptx_has(".v2.") ? 2 : ptx_has(".v4.") ? 4 : 1;
    }
    found.acquires = ptx_has(".acquire.") || ptx_has(".acq_rel.");
    // bar.warp.sync becomes WARPSYNC, or NOP where the lanes are together anyway. Shuffles and votes wait for
    // lanes, too, but order no accesses to memory (CUDA C++ Programming Guide, "Warp Shuffle Functions").
    if (line.opcode == "NOP" || begins(line.opcode, "WARPSYNC"))
        found.syncs_warp = line.ptx == nullptr ? line.opcode != "NOP" : ptx_has("bar.warp.sync");
    if (found.syncs_warp && line.opcode == "NOP")  // its mask, if it is not in a register
        if (const std::string mask = line.ptx->substr(line.ptx->find_last_of(" \t") + 1);
            mask[0] == '-' || std::isdigit(mask[0]) != 0)
            found.mask = std::uint32_t(std::strtoll(mask.c_str(), nullptr, 0));
    return found;
}

void decode_line(Code& code, const Function& function, const Line& line, Instruction& out) {
    if (!line.guard.empty()) {
        const Operand guard = parse_operand(line.guard);
        const int first = guard.kind == Operand::uniform_predicate ? 8 : 0;
        out.guard = std::uint8_t((first + guard.index) | (guard.inverted ? INVERTED : 0));
    }
    out.line = &line;
    out.ordering = ordering_of(line);
    out.is_of_user = place_of_user(code.module->places(), line.place) != nullptr;
    // %reserved_smem_offset_1, which is 0 on an H200
    for (const std::string& operand : line.operands) {
        code.has_groups |= operand == "c[0x0][0x6c]";
        code.has_parameter_addresses |= operand == "c[0x0][0x198]";
    }
    try {
        Decoder decoder(code, function, line, out);
        auto found = table().find(decoder.base());
        // A uniform instruction is the ordinary one, with all lanes at work.
        if (decoder.base()[0] == 'U' && found == table().end())
            found = table().find(decoder.base().substr(1));
        if (found == table().end()) throw std::runtime_error("unknown opcode");
        out.is_uniform =
            decoder.base()[0] == 'U' && (decoder.base() == "UMOV" || found->first != decoder.base());
        out.pipe = pipe_of(decoder.base());
        found->second(decoder);
        decoder.refuse_others();
    } catch (const std::exception&) {
        out.run = run_unknown;
        out.is_control = false;
    }
}

/// Where the lanes of a warp add to one word, the compiler has them vote, and one add for all: vote and
/// atomic are made from one instruction of PTX.
void note_gathered(Code& code, const Function& function, std::size_t first) {
    constexpr std::size_t NEAR = 32;
    const std::vector<Line>& lines = function.lines;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].guard.empty() || (!begins(lines[i].opcode, "ATOM") && !begins(lines[i].opcode, "RED")))
            continue;
        for (std::size_t k = i > NEAR ? i - NEAR : 0; k < i; ++k)
            if (begins(lines[k].opcode, "VOTEU") && lines[k].ptx == lines[i].ptx)
                code.list[first + i].ordering.is_gathered = true;
    }
}

/// An atomic of 2 bytes loads its word, and then compares and swaps words until it has changed its half. PRMT
/// puts the half into the word.
void note_halves(Code& code, const Function& function, std::size_t first) {
    constexpr std::size_t NEAR = 32;
    const std::vector<Line>& lines = function.lines;
    const auto index_of = [](const std::string& text) {
        const Operand operand = parse_operand(text);
        return operand.kind == Operand::reg ? operand.index : -1;
    };
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string* const ptx = lines[i].ptx;  // none of what the compiler brings along
        if (!begins(lines[i].opcode, "ATOM") || lines[i].opcode.find(".CAS") == std::string::npos) continue;
        if (ptx != nullptr && ptx->find("f16") == std::string::npos && ptx->find(".b16") == std::string::npos)
            continue;
        int word = -1;
        for (std::size_t k = i; k-- > (i > NEAR ? i - NEAR : 0);) {
            const std::vector<std::string>& operands = lines[k].operands;
            if (operands.empty()) continue;
            if (word < 0 && begins(lines[k].opcode, "PRMT") &&
                index_of(operands[0]) == index_of(lines[i].operands.back()) && index_of(operands[2]) >= 0) {
                word = index_of(operands[1]);
                code.list[first + i].ordering.half = std::uint16_t(index_of(operands[2]));
            } else if (word >= 0 && begins(lines[k].opcode, "LD") && index_of(operands[0]) == word) {
                code.list[first + k].ordering.precedes_half = true;
                break;
            }
        }
    }
}

void decode_function(Code& code, const Function& function) {
    if (!code.functions.emplace(function.address, std::uint32_t(code.list.size())).second) return;
    const std::size_t first = code.list.size();
    code.list.resize(first + function.lines.size());
    code.function_of.resize(code.list.size(), &function);
    for (std::size_t i = 0; i < function.lines.size(); ++i)
        decode_line(code, function, function.lines[i], code.list[first + i]);
    if (begins(function.name, "__cudaCDP2") && !function.lines.empty()) {
        code.list[first].run = run_device_runtime;
        code.list[first].is_control = true;
    }
    note_gathered(code, function, first);
    note_halves(code, function, first);
    // What lanes are collected for: NOP stands for bar.warp.sync.
    for (std::size_t i = 0; i + 1 < function.lines.size(); ++i)
        if (begins(function.lines[i].opcode, "WARPSYNC.COLLECTIVE")) {
            const std::string& next = function.lines[i + 1].opcode;
            code.list[first + i].ordering.syncs_warp = next == "NOP" || next == "ENDCOLLECTIVE";
        }
}

}  // namespace

void Decoder::finish(Handler handler) {
    if (out.a.modifier || out.b.modifier || out.c.modifier) {
        out.inner = handler;
        out.run = run_modified;
    } else {
        out.run = handler;
    }
}

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
