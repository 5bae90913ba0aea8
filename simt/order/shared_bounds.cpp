#include "simt/order/shared_bounds.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

namespace sass {
namespace {

using Operands = std::vector<std::string>;

/// The first register that is named: "R6" of "desc[UR4][R6.64+0x4]"; empty if there is none.
std::string register_in(const std::string& operand) {
    for (std::size_t at = operand.find('R'); at != std::string::npos; at = operand.find('R', at + 1)) {
        const std::size_t end = operand.find_first_not_of("0123456789", at + 1);
        const bool is_own = at == 0 || operand[at - 1] != 'U';  // not a uniform one
        if (is_own && end != at + 1) return operand.substr(at, end == std::string::npos ? end : end - at);
    }
    return "";
}

bool is_number(const std::string& operand) { return operand.compare(0, 2, "0x") == 0; }

/// Walks back in a block of instructions, which begins at `begin`.
class Backwards {
   public:
    Backwards(const Code& code, std::uint32_t begin) : code_(code), begin_(begin) {}

    /// What is added to the address of the block's shared memory to make what is in the register.
    std::optional<std::uint64_t> begin_of_array(const std::string& name, std::uint32_t before) {
        const auto at = definition(name, before);
        if (!at) return {};
        const Operands& operands = code_.list[*at].line->operands;
        if (is(*at, "LEA") && operands.size() == 4 && operands[3] == "0x18") return value(operands[2], *at);
        if (is(*at, "MOV")) return begin_of_array(operands.back(), *at);
        if (!is(*at, "IADD3")) return {};
        std::optional<std::uint64_t> found;
        for (std::size_t k = 1; k < operands.size(); ++k)
            if (const auto one = begin_of_array(operands[k], *at)) {
                if (found) return {};
                found = one;
            }
        return found;
    }

   private:
    bool is(std::uint32_t at, const char* name) const {
        const std::string& opcode = code_.list[at].line->opcode;
        return opcode == name || begins(opcode, (std::string(name) + ".U32").c_str());
    }

    /// The sum of numbers that the operand holds.
    std::optional<std::uint64_t> value(const std::string& operand, std::uint32_t before) {
        if (operand == "RZ") return 0;
        if (is_number(operand)) return std::strtoull(operand.c_str(), nullptr, 16);
        const auto at = definition(operand, before);
        if (!at || !(is(*at, "MOV") || is(*at, "IADD3"))) return {};
        const Operands& operands = code_.list[*at].line->operands;
        std::uint64_t sum = 0;
        for (std::size_t k = 1; k < operands.size(); ++k) {
            const auto part = value(operands[k], *at);
            if (!part) return {};
            sum += *part;
        }
        return sum;
    }

    std::optional<std::uint32_t> definition(const std::string& name, std::uint32_t before) {
        if (name.empty() || name != register_in(name) || ++steps_ > MOST_STEPS) return {};
        for (std::uint32_t at = before; at-- > begin_;) {
            const Line& line = *code_.list[at].line;
            if (!line.operands.empty() && line.operands[0] == name)
                return line.guard.empty() ? std::optional(at) : std::nullopt;
        }
        return {};
    }

    static constexpr unsigned MOST_STEPS = 256;
    const Code& code_;
    std::uint32_t begin_;
    unsigned steps_ = 0;
};

}  // namespace

/// Where control may come from elsewhere, no further. A barrier is no such place.
std::uint32_t SharedBounds::begin_of_block(std::uint32_t site) {
    constexpr std::uint32_t FARTHEST_BLOCK = 512;
    if (targets_.empty()) {
        targets_.resize(code_.list.size());
        for (const Instruction& i : code_.list)
            if (i.is_control && i.number < targets_.size()) targets_[i.number] = true;
    }
    for (std::uint32_t at = site; at > 0; --at) {
        const Instruction& before = code_.list[at - 1];
        const std::string& name = before.line->opcode;
        const bool goes_on = begins(name, "BAR") || name == "WARPSYNC.ALL" || name == "WARPSYNC";
        if ((before.is_control && !goes_on) || site - at > FARTHEST_BLOCK || targets_[at]) return at;
    }
    return 0;
}

const SharedArray* SharedBounds::meant_by(std::uint32_t site) {
    const auto [known, is_new] = known_.try_emplace(site, nullptr);
    if (!is_new) return known->second;
    const Operands& operands = code_.list[site].line->operands;
    const auto is_address = [](const std::string& operand) { return operand.find('[') != std::string::npos; };
    const auto address = std::find_if(operands.begin(), operands.end(), is_address);
    if (address == operands.end()) return nullptr;
    const auto begin = Backwards(code_, begin_of_block(site)).begin_of_array(register_in(*address), site);
    for (const SharedArray& array : arrays_)
        if (begin && array.offset == *begin) known->second = &array;
    return known->second;
}

}  // namespace sass
