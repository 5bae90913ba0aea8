#include "simt/decode/ordering.h"

#include <cctype>
#include <cstdlib>

namespace sass {
namespace {

constexpr std::size_t FAR = 256;  ///< how far back what belongs together is looked for

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

/// Of a strong access or a fence.
Scope scope_of(Order order, const Line& line) {
    const auto ptx_has = [&](const char* text) { return line.ptx != nullptr && has(*line.ptx, text); };
    // Of sm_90's instructions those for the cluster are those for the device. Before shared::cluster, which
    // names memory, stand two colons.
    const Scope widest = ptx_has(".cluster") ? Scope::cluster : Scope::device;
    if (order == Order::shared_atomic) return widest;
    const bool is_access = order == Order::access || order == Order::shared_access;
    if (order == Order::shared_access)
        for (const char* strong : {".volatile.", ".relaxed.", ".acquire.", ".release.", "mbarrier.test_wait"})
            if (ptx_has(strong)) return widest;
    if (is_access && (ptx_has("atom.") || ptx_has(" red.") || ptx_has("\tred.")))
        return ptx_has(".cta") ? Scope::block : widest;  // made of a load and compare-and-swap
    if (order != Order::fence && !has(line.opcode, ".STRONG")) return Scope::none;
    return has(line.opcode, ".SM") || has(line.opcode, ".CTA") ? Scope::block : widest;
}

/// Is the line of PTX a load of one word, or of less, from shared memory?
bool loads_a_word(const std::string& ptx) {
    const std::size_t begin = ptx.find("ld.shared.");
    if (begin == std::string::npos) return false;
    const std::string form = ptx.substr(begin, ptx.find_first_of(" \t", begin) - begin);
    return !has(form, ".v") && !has(form, "64") && !has(form, "128");
}

/// The lanes that a NOP names, if they are not in a register.
std::uint32_t mask_of(const std::string& ptx) {
    const std::string mask = ptx.substr(ptx.find_last_of(" \t") + 1);
    if (mask[0] != '-' && std::isdigit(mask[0]) == 0) return ~0u;
    return std::uint32_t(std::strtoll(mask.c_str(), nullptr, 0));
}

}  // namespace

Ordering ordering_of(const Opcode& opcode, const Line& line) {
    Ordering ordering;
    const auto ptx_has = [&](const char* text) { return line.ptx != nullptr && has(*line.ptx, text); };
    const bool is_access = opcode.order == Order::access || opcode.order == Order::shared_access;
    ordering.scope = scope_of(opcode.order, line);
    if (ordering.scope != Scope::none) {
        ordering.is_volatile = is_access && ptx_has(".volatile.");
        ordering.is_of_system = has(line.opcode, ".SYS");
        const bool may_be_vector =
            line.ptx == nullptr && (has(line.opcode, ".64") || has(line.opcode, ".128"));
        const bool is_mbarrier = ptx_has("mbarrier.");  // of which a part may be looked at, or counted
        ordering.parts = may_be_vector || is_mbarrier ? 0 : ptx_has(".v2.") ? 2 : ptx_has(".v4.") ? 4 : 1;
    }
    const bool is_of_word = !has(line.opcode, ".64") && !has(line.opcode, ".128");
    const bool is_wide = begins(line.opcode, "LDS") && !is_of_word;  // on sm_75 LDS.U.128
    ordering.is_merged = is_wide && line.ptx != nullptr && loads_a_word(*line.ptx);
    ordering.is_of_long = is_of_word && ordering.scope != Scope::none && opcode.order != Order::fence &&
                          (ptx_has(".b64") || ptx_has(".u64") || ptx_has(".s64") || ptx_has("mbarrier.")) &&
                          !ptx_has(".v");
    ordering.acquires = ptx_has(".acquire.") || ptx_has(".acq_rel.") || ptx_has("mbarrier.test_wait");
    // bar.warp.sync becomes WARPSYNC, or NOP where the lanes are together anyway. Shuffles and votes wait for
    // lanes, too, but order no accesses to memory (CUDA C++ Programming Guide, "Warp Shuffle Functions").
    // Without -lineinfo there is no PTX to ask: then every NOP is taken for one.
    if (opcode.order == Order::warp_sync)
        ordering.syncs_warp = line.ptx == nullptr || ptx_has("bar.warp.sync");
    if (opcode.order == Order::nop) ordering.syncs_warp = line.ptx == nullptr || ptx_has("bar.warp.sync");
    if (opcode.order == Order::nop && ptx_has("bar.warp.sync")) ordering.mask = mask_of(*line.ptx);
    return ordering;
}

namespace {

bool is_atomic(const Instruction& i) {
    return i.counted == Class::global_atomic || i.counted == Class::shared_atomic;
}

/// Do the lanes vote before this atomic, or its fence, is executed by one of them for all? All are made from
/// one instruction of PTX.
bool is_gathered(Instruction* instructions, const std::vector<Line>& lines, std::size_t at) {
    if (lines[at].ptx == nullptr) return false;
    for (std::size_t k = at; k-- > (at > FAR ? at - FAR : 0);)
        if (begins(lines[k].opcode, "VOTE") && lines[k].ptx == lines[at].ptx)
            return instructions[k].ordering.gathers = true;
    return false;
}

int register_of(const std::string& text) {
    const Operand operand = parse_operand(text);
    return operand.kind == Operand::reg ? operand.index : -1;
}

/// Before this line the last one that writes the register, through copies of it; -1: none is near.
int definition_of(int wanted, const std::vector<Line>& lines, std::size_t before) {
    for (std::size_t k = before; wanted >= 0 && k-- > (before > FAR ? before - FAR : 0);) {
        const std::vector<std::string>& operands = lines[k].operands;
        if (operands.empty() || register_of(operands[0]) != wanted) continue;
        const bool is_product = begins(lines[k].opcode, "IMAD.MOV");
        if (!begins(lines[k].opcode, "MOV") && !is_product) return int(k);
        const std::string& last = operands.back();  // MOV R0, R4; IMAD.MOV R0, RZ, RZ, R4 or R0, R4, 0x1, RZ
        wanted = register_of(is_product && last != "RZ" ? last : operands[1]);
    }
    return -1;
}

/// An atomic that the GPU lacks is a load of its word, and a compare-and-swap that is tried until it
/// succeeds. Of 2 bytes, PRMT puts the half into the word, by a choice of two selectors. What is compared
/// comes from the load, which is no access of its own: the program has one atomic there (PTX 8.8).
void note_emulated(Instruction* instructions, const std::vector<Line>& lines, std::size_t atomic) {
    const std::string* const ptx = lines[atomic].ptx;
    const std::vector<std::string>& operands = lines[atomic].operands;
    if (!has(lines[atomic].opcode, ".CAS") || operands.size() < 2) return;
    int word = register_of(operands[operands.size() - 2]);  // that is compared
    const int swap = definition_of(register_of(operands.back()), lines, atomic);
    // The compiler leaves out some lines: then that of another instruction seems to be this one's.
    const bool is_known = ptx != nullptr && has(*ptx, "atom");
    const bool may_be_half = !is_known || has(*ptx, "f16") || has(*ptx, ".b16");
    bool is_emulated = has(lines[atomic].opcode, ".CAST");
    if (may_be_half && swap >= 0 && begins(lines[std::size_t(swap)].opcode, "PRMT")) {
        const std::vector<std::string>& parts = lines[std::size_t(swap)].operands;
        const int selector = register_of(parts[2]);  // chosen outside of an unrolled loop, it may be far away
        if (selector >= 0) {
            word = register_of(parts[1]);
            instructions[atomic].ordering.which_half = std::uint16_t(selector);
            is_emulated = true;
        }
    }
    const int load =
        is_emulated ? definition_of(word, lines, std::size_t(swap >= 0 ? swap : int(atomic))) : -1;
    if (load >= 0 && begins(lines[std::size_t(load)].opcode, "LD"))
        instructions[load].ordering.is_for_atomic = true;
}

/// barrier.cluster.arrive releases by a fence before it, unless it is .relaxed.
bool follows_fence(const std::vector<Line>& lines, std::size_t arrival) {
    for (std::size_t k = arrival; k-- > 0;) {
        if (begins(lines[k].opcode, "MEMBAR")) return !has(lines[k].opcode, ".CTA");
        if (lines[k].opcode != "ERRBAR" && lines[k].opcode != "CGAERRBAR" && lines[k].opcode != "NOP")
            return false;
    }
    return false;
}

bool is_wait(const std::vector<Line>& lines, std::size_t at) {
    while (at + 1 < lines.size() && lines[at].opcode == "NOP") ++at;
    return lines[at].opcode == "UCGABAR_WAIT";
}

}  // namespace

void order_together(Code& code, const Function& function, std::size_t first) {
    const std::vector<Line>& lines = function.lines;
    Instruction* const instructions = code.list.data() + first;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        Ordering& ordering = instructions[i].ordering;
        if (is_atomic(instructions[i])) {
            ordering.is_gathered = is_gathered(instructions, lines, i);
            note_emulated(instructions, lines, i);
        } else if (begins(lines[i].opcode, "MEMBAR")) {
            ordering.is_gathered = is_gathered(instructions, lines, i);
        } else if (begins(lines[i].opcode, "WARPSYNC.COLLECTIVE") && i + 1 < lines.size()) {
            const std::string& next = lines[i + 1].opcode;  // what lanes are collected for
            ordering.syncs_warp = next == "NOP" || next == "ENDCOLLECTIVE";
        } else if (lines[i].opcode == "UCGABAR_ARV") {
            ordering.releases = follows_fence(lines, i);
            ordering.is_sync = ordering.releases && i + 1 < lines.size() && is_wait(lines, i + 1);
        }
    }
}

}  // namespace sass
