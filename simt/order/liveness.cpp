#include "simt/order/liveness.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <set>
#include <string>
#include <tuple>
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

/// How many registers an operand stands for at most, from the one that it names on. An address has two, of
/// shared memory one.
int registers_of(const Line& line, const std::string& operand, bool is_written) {
    const auto has = [&](const char* part) { return line.opcode.find(part) != std::string::npos; };
    const bool is_address = operand.find('[') != std::string::npos;
    const bool is_shared =
        begins(line.opcode, "LDS") || begins(line.opcode, "STS") || begins(line.opcode, "ATOMS");
    if (is_address) return is_shared ? 1 : 2;
    // Of products of matrices, and of stored ones, at least what is written and at most what is read.
    if (has("MMA") && line.opcode[1] == 'M') return is_written ? 2 : line.opcode[0] == 'D' ? 16 : 4;
    if (has("128") || has("X4") || begins(line.opcode, "STSM")) return 4;
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

enum class Effect { nothing, read, overwritten, overwritten_if_guarded };

Effect effect_of(const Instruction& i, int r) {
    const std::vector<std::string>& operands = i.line->operands;
    const int destination = destination_of(i);
    bool reads = false, writes = false;
    for (std::size_t k = 0; k < operands.size(); ++k) {
        const int count = registers_of(*i.line, operands[k], int(k) == destination);
        each_register(operands[k], [&](int n) {
            if (n <= r && r < n + count) (int(k) == destination ? writes : reads) = true;
        });
    }
    if (reads) return Effect::read;
    if (!writes) return Effect::nothing;
    return i.line->guard.empty() ? Effect::overwritten : Effect::overwritten_if_guarded;
}

constexpr unsigned ALL_BYTES = 0xf;

/// Where a path through the code has come to. guard: under this one the register has been overwritten on it.
/// bytes: a bit for each that still has what the load brought.
struct Path {
    std::uint32_t at;
    std::string guard;
    unsigned bytes;
    bool operator<(const Path& other) const {
        return std::tie(at, guard, bytes) < std::tie(other.at, other.guard, other.bytes);
    }
};

/// PRMT D, A, selector, C: a byte of D for each digit of the selector, the lowest first: its lower three bits
/// choose a byte of C:A, the fourth repeats that byte's sign.
bool permutes_bytes(const Line& line) {
    return line.opcode == "PRMT" && line.guard.empty() && line.operands.size() == 4 &&
           begins(line.operands[2], "0x");
}

/// A bit for each byte of its result that these bytes of R<r> decide.
unsigned permuted(const Line& line, int r, unsigned bytes) {
    const auto selector = unsigned(std::stoul(line.operands[2], nullptr, 16));
    unsigned decided = 0;
    for (unsigned k = 0; k < 4; ++k) {
        const unsigned source = selector >> (4 * k) & 7;
        each_register(line.operands[source < 4 ? 1 : 3], [&](int n) {
            if (n == r && (bytes >> source % 4 & 1) != 0) decided |= 1u << k;
        });
    }
    return decided;
}

/// The guard, if it still says the same after this instruction; else "".
std::string kept(const std::string& guard, const Instruction& i) {
    if (guard.empty()) return "";
    const std::string predicate = guard.substr(guard.find_first_not_of('!'));
    for (const std::string& operand : i.line->operands)
        if (operand == predicate) return "";
    return guard;
}

bool is_used(const Code& code, std::uint32_t site, int r) {
    std::vector<Path> open{{site + 1, "", ALL_BYTES}};
    std::set<Path> seen;
    while (!open.empty()) {
        const Path path = open.back();
        open.pop_back();
        const std::uint32_t at = path.at;
        if (!seen.insert(path).second) continue;
        if (at >= code.list.size() || seen.size() > FARTHEST) return true;
        const Instruction& i = code.list[at];
        const Line& line = *i.line;
        Effect effect = effect_of(i, r);
        unsigned bytes = path.bytes;
        if (effect == Effect::read && permutes_bytes(line)) {
            const unsigned decided = permuted(line, r, bytes);
            const bool is_result = i.d == r;
            if (is_result) bytes = decided;
            if (is_result || decided == 0)
                effect = is_result && decided == 0 ? Effect::overwritten : Effect::nothing;
        }
        const bool is_covered = !line.guard.empty() && line.guard == path.guard;
        if (effect == Effect::read && !is_covered) return true;
        if (effect == Effect::overwritten) continue;
        const bool covers = effect == Effect::overwritten_if_guarded;
        const std::string guard = kept(covers ? line.guard : path.guard, i);
        if (begins(line.opcode, "EXIT") && line.guard.empty()) continue;
        if (begins(line.opcode, "BRA")) {
            open.push_back({i.number, guard, bytes});
            if (line.guard.empty() && line.operands.size() == 1) continue;
        } else if (i.counted == Class::branch) {
            return true;  // calls and the like
        }
        open.push_back({at + 1, guard, bytes});
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

namespace {

/// What a load in PTX adds its offset to: "%rd3" of "ld.u32 %r5, [%rd3+4]". Empty: that is not known.
std::string base_of(const Line& line) {
    if (line.ptx == nullptr || line.ptx->find("ld.") == std::string::npos) return "";
    const std::size_t begin = line.ptx->find('[');
    return begin == std::string::npos ? ""
                                      : line.ptx->substr(begin, line.ptx->find_first_of("+]", begin) - begin);
}

/// The same of the load at `site`; also "%rd3" of "add.s64 %rd4, %rd3, 8;" and "ld.u32 %r5, [%rd4+4]", if
/// that sum is at `begin` or later.
std::string base_of_struct(const Code& code, std::uint32_t begin, std::uint32_t site) {
    const std::string base = base_of(*code.list[site].line);
    if (base.empty()) return "";
    for (std::uint32_t k = site; k-- > begin;) {
        const std::string* const ptx = code.list[k].line->ptx;
        char sum[16] = "", of[16] = "";
        if (long long n = 0; ptx != nullptr &&
                             std::sscanf(ptx->c_str(), " add.s64 %15[^,], %15[^,], %lld", sum, of, &n) == 3 &&
                             base.substr(1) == sum)
            return std::string("[") + of;
    }
    return base;
}

}  // namespace

bool loads_a_neighbour(const Code& code, std::uint32_t site) {
    constexpr std::int64_t NEAR = 64, BESIDE = 16;  // instructions, bytes
    const Instruction& load = code.list[site];
    const auto begin = std::max<std::int64_t>(0, std::int64_t(site) - NEAR);
    const auto end = std::min<std::int64_t>(std::int64_t(code.list.size()), std::int64_t(site) + NEAR);
    // Without optimisation each address is computed, some of another one.
    const std::string base = base_of_struct(code, std::uint32_t(begin), site);
    for (std::int64_t k = begin; k < end; ++k) {
        const Instruction& other = code.list[std::size_t(k)];
        const std::int64_t distance = std::abs(other.offset - load.offset);
        if (other.counted != load.counted) continue;
        if (other.a.row == load.a.row && other.b.row == load.b.row && distance != 0 && distance <= BESIDE)
            return true;
        if (!base.empty() && base == base_of_struct(code, std::uint32_t(begin), std::uint32_t(k)) &&
            *load.line->ptx != *other.line->ptx)
            return true;
    }
    return false;
}

}  // namespace sass
