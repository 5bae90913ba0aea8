#include "simt/decode/operand.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace sass {

bool begins(const std::string& text, const char* with) { return text.rfind(with, 0) == 0; }

namespace {

/// "R12" with prefix "R" gives 12; "RZ" gives `zero`; -1 if it is neither.
int numbered(const std::string& text, const std::string& prefix, int zero) {
    if (!begins(text, prefix.c_str()) || text.size() == prefix.size()) return -1;
    const std::string rest = text.substr(prefix.size());
    if (rest == "Z" || rest == "T") return zero;
    if (rest.find_first_not_of("0123456789") != std::string::npos) return -1;
    return std::stoi(rest);
}

bool parse_number(const std::string& text, Operand& out) {
    if (text.empty()) return false;
    char* end = nullptr;
    if (begins(text, "0x") || begins(text, "-0x")) {
        const bool minus = text[0] == '-';
        out.value = std::int64_t(std::strtoull(text.c_str() + (minus ? 1 : 0), &end, 16));
        if (minus) out.value = -out.value;
        return *end == 0;
    }
    const std::string bare = text[0] == '+' || text[0] == '-' ? text.substr(1) : text;
    if (bare == "INF" || bare == "QNAN" || bare == "SNAN") {
        out.is_float = true;
        out.fraction = bare == "INF" ? INFINITY : NAN;
        if (text[0] == '-') out.fraction = -out.fraction;
        return true;
    }
    out.fraction = std::strtod(text.c_str(), &end);
    if (*end != 0) return false;
    out.value = std::strtoll(text.c_str(), nullptr, 10);
    out.is_float = true;  // decimal: a float where one is expected
    return true;
}

/// The base of an address: "R2.64+UR4+0x10", "R6.X4+-0x4", "UR5+0x44".
void parse_address(const std::string& inside, Operand& out) {
    out.kind = Operand::address;
    out.index = 255;
    for (std::string term : split(inside, '+')) {
        const std::vector<std::string> parts = split(term, '.');
        if (parts.empty()) continue;
        if (const int u = numbered(parts[0], "UR", URZ); u >= 0) {
            out.uniform_index = u;
        } else if (const int r = numbered(parts[0], "R", 255); r >= 0) {
            out.index = r;
        } else {
            Operand number;
            if (!parse_number(term, number)) throw std::runtime_error("address " + inside);
            out.value += number.value;
            continue;
        }
        for (std::size_t i = 1; i < parts.size(); ++i) {
            if (parts[i] == "64")
                out.is_wide |= term[0] == 'R';
            else if (parts[i] == "X4" || parts[i] == "X8" || parts[i] == "X16")
                out.scale = std::stoi(parts[i].substr(1));
            else if (parts[i] == "U32")
                out.is_narrow = true;
            else if (parts[i] != "reuse")
                throw std::runtime_error("address " + inside);
        }
    }
}

}  // namespace

std::vector<std::string> split(const std::string& text, char by) {
    std::vector<std::string> parts;
    for (std::size_t at = 0, end; at < text.size(); at = end + 1) {
        end = std::min(text.find(by, at), text.size());
        parts.push_back(text.substr(at, end - at));
    }
    return parts;
}

Operand parse_operand(const std::string& printed) {
    Operand out;
    out.text = printed;
    std::string text = printed;
    if (begins(text, "desc[")) {  // desc[UR6][R2.64+0x10]: the descriptor says nothing that is needed here
        text = text.substr(text.find(']') + 1);
    }
    if (begins(text, "[")) {
        parse_address(text.substr(1, text.rfind(']') - 1), out);
        return out;
    }
    if (parse_number(text, out)) {
        out.kind = Operand::immediate;
        return out;
    }
    for (bool more = true; more && !text.empty();) {
        more = true;
        if (text[0] == '-')
            out.negated = true;
        else if (text[0] == '~' || text[0] == '!')
            out.inverted = true;
        else if (text[0] == '|')
            out.absolute = true;
        else
            more = false;
        if (more) text.erase(0, 1);
    }
    if (out.absolute) text.erase(std::remove(text.begin(), text.end(), '|'), text.end());
    if (begins(text, "c[") || begins(text, "cx[")) {
        out.kind = Operand::constant;
        const std::size_t open = text.find("][");
        out.bank = int(std::strtol(text.c_str() + text.find('[') + 1, nullptr, 16));
        Operand inside;
        const std::size_t close = text.find(']', open + 2);
        parse_address(text.substr(open + 2, close - open - 2), inside);
        out.index = inside.index;
        out.uniform_index = inside.uniform_index;
        out.value = inside.value;
        if (close + 1 < text.size() && text[close + 1] == '.') out.suffix = text.substr(close + 2);
        return out;
    }
    std::vector<std::string> parts = split(text, '.');
    if (parts.empty()) return out;
    for (std::size_t i = 1; i < parts.size(); ++i)
        if (parts[i] != "reuse") out.suffix += (out.suffix.empty() ? "" : ".") + parts[i];
    const auto is = [&](const char* prefix, int zero, Operand::Kind kind) {
        const int index = numbered(parts[0], prefix, zero);
        if (index < 0) return false;
        out.kind = kind;
        out.index = index;
        return true;
    };
    is("UP", 7, Operand::uniform_predicate) || is("UR", URZ, Operand::uniform) ||
        is("R", 255, Operand::reg) || is("P", 7, Operand::predicate);
    return out;
}

}  // namespace sass
