#include "simt/order/liveness.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace sass {
namespace {

/// Calls visit(n) for every register R<n> that the operand names.
template <class Visit>
void each_register(const std::string& operand, Visit visit) {
    for (std::size_t at = operand.find('R'); at != std::string::npos; at = operand.find('R', at + 1)) {
        const bool is_part = at > 0 && std::isalnum(operand[at - 1]) != 0;  // UR4, SR_TID
        if (!is_part && at + 1 < operand.size() && std::isdigit(operand[at + 1]) != 0)
            visit(std::stoi(operand.substr(at + 1)));
    }
}

/// How many registers an operand stands for at most, from the one that it names on. An address has two.
int registers_of(const Line& line, const std::string& operand) {
    const auto has = [&](const char* part) { return line.opcode.find(part) != std::string::npos; };
    if (operand.find('[') == std::string::npos && (has("128") || has("X4") || has("MMA"))) return 4;
    const bool is_wide = has("64") || has("128") || has("WIDE") || line.opcode[0] == 'D';
    return is_wide || operand.find(".64") != std::string::npos ? 2 : 1;
}

/// The operand that is written, a register after any predicates; -1 if there is none.
int destination_of(const Instruction& i) {
    if (i.d >= ZERO) return -1;  // none, RZ, a uniform one
    const std::vector<std::string>& operands = i.line->operands;
    const auto is_predicate = [](const std::string& operand) { return operand[0] == 'P'; };
    return int(std::find_if_not(operands.begin(), operands.end(), is_predicate) - operands.begin());
}

enum class Effect { nothing, read, overwritten };

Effect effect_of(const Instruction& i, int r) {
    const std::vector<std::string>& operands = i.line->operands;
    const int destination = destination_of(i);
    bool reads = false, writes = false;
    for (std::size_t k = 0; k < operands.size(); ++k) {
        const int count = registers_of(*i.line, operands[k]);
        each_register(operands[k], [&](int n) {
            if (n <= r && r < n + count) (int(k) == destination ? writes : reads) = true;
        });
    }
    if (reads) return Effect::read;
    return writes && i.line->guard.empty() ? Effect::overwritten : Effect::nothing;
}

bool is_used(const Code& code, std::uint32_t site, int r) {
    std::vector<std::uint32_t> open{site + 1};
    std::set<std::uint32_t> seen;
    while (!open.empty()) {
        const std::uint32_t at = open.back();
        open.pop_back();
        if (!seen.insert(at).second) continue;
        if (at >= code.list.size() || seen.size() > FARTHEST) return true;
        const Instruction& i = code.list[at];
        const Line& line = *i.line;
        const Effect effect = effect_of(i, r);
        if (effect == Effect::read) return true;
        if (effect == Effect::overwritten) continue;
        if (begins(line.opcode, "EXIT") && line.guard.empty()) continue;
        if (begins(line.opcode, "BRA")) {
            open.push_back(i.number);
            if (line.guard.empty() && line.operands.size() == 1) continue;
        } else if (i.counted == Class::branch) {
            return true;  // calls and the like
        }
        open.push_back(at + 1);
    }
    return false;
}

}  // namespace

std::uint8_t words_used(const Code& code, std::uint32_t site) {
    const Instruction& load = code.list[site];
    const int destination = destination_of(load);
    int first = -1;
    if (destination >= 0)
        each_register(load.line->operands[std::size_t(destination)], [&](int n) { first = n; });
    std::uint8_t used = 0;
    for (int k = 0; k < load.bytes / 4; ++k)
        if (first < 0 || is_used(code, site, first + k)) used |= std::uint8_t(1u << k);
    return used;
}

/// Does the program only copy what the instruction loads, or use some bytes of it? A struct has padding,
/// which a load of whole words reads, too.
bool uses_parts(const Code& code, std::uint32_t site) {
    const Line& load = *code.list[site].line;
    if (load.operands.empty()) return false;
    const std::string& loaded = load.operands[0];
    const auto names = [&](const std::string& operand) {
        const auto at = operand.find(loaded);
        return at != std::string::npos &&
               (at + loaded.size() == operand.size() || !std::isdigit(operand[at + loaded.size()]));
    };
    const auto has = [](const Line& line, const char* operand) {
        return std::find(line.operands.begin(), line.operands.end(), operand) != line.operands.end();
    };
    for (std::uint32_t next = site + 1; next < code.list.size() && next < site + FARTHEST; ++next) {
        const Line& line = *code.list[next].line;
        for (std::size_t k = 0; k < line.operands.size(); ++k)
            if (names(line.operands[k]))
                return (begins(line.opcode, "ST") && k + 1 == line.operands.size()) ||
                       begins(line.opcode, "PRMT") || begins(line.opcode, "MOV") ||
                       (begins(line.opcode, "SHFL") && k == 2) ||
                       (begins(line.opcode, "LOP3") &&
                        (has(line, "0x1") || has(line, "0xff") || has(line, "0xffff")));
    }
    return false;
}

namespace {

/// Is the next line perhaps not the one that follows? After a barrier it is.
bool goes_elsewhere(const Instruction& i) {
    const std::string& name = i.line->opcode;
    const bool is_barrier =
        begins(name, "BAR") || (begins(name, "WARPSYNC") && !begins(name, "WARPSYNC.COLLECTIVE"));
    return i.is_control && !is_barrier;
}

}  // namespace

bool only_copies(const Code& code, std::uint32_t site) {
    std::set<int> holding;  // registers with the word
    const auto first_register = [](const std::string& operand) {
        int first = -1;
        each_register(operand, [&](int n) { first = first < 0 ? n : first; });
        return first;
    };
    holding.insert(first_register(code.list[site].line->operands[0]));
    bool is_stored = false;
    for (std::uint32_t at = site + 1; !holding.empty(); ++at) {
        if (at >= code.list.size() || at > site + FARTHEST) return false;
        const Instruction& i = code.list[at];
        // A call, as of __syncwarp without optimisation, is no use of what was stored before it.
        if (goes_elsewhere(i)) return is_stored && begins(i.line->opcode, "CALL");
        const std::vector<std::string>& operands = i.line->operands;
        const int to = destination_of(i) < 0 ? -1 : first_register(operands[std::size_t(destination_of(i))]);
        const bool is_copy = begins(i.line->opcode, "MOV"), is_store = begins(i.line->opcode, "ST");
        const bool reads = std::any_of(holding.begin(), holding.end(),
                                       [&](int r) { return effect_of(i, r) == Effect::read; });
        const bool is_value =
            reads && !operands.empty() && holding.count(first_register(operands.back())) != 0;
        if (reads && !(is_value && (is_copy || is_store))) return false;
        is_stored |= reads && is_store;
        for (auto each = holding.begin(); each != holding.end();)
            each = effect_of(i, *each) == Effect::overwritten ? holding.erase(each) : std::next(each);
        if (reads && is_copy)
            holding.insert(to);
        else
            holding.erase(to);
    }
    return is_stored;
}

}  // namespace sass
