#include "simt/decode/operators.h"

#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

#include "simt/decode/decode.h"
#include "simt/loader/names.h"

namespace sass {
namespace {

using Opcodes = std::set<std::string>;

std::map<std::string, Opcodes> parsed(const std::string& list) {
    std::map<std::string, Opcodes> by_name;
    std::istringstream entries(list);
    for (std::string entry; std::getline(entries, entry, ';');) {
        const std::size_t colon = entry.find(':');
        if (colon == std::string::npos) throw std::runtime_error("no colon in the operator " + entry);
        std::istringstream name(entry.substr(0, colon)), opcodes(entry.substr(colon + 1));
        std::string word;
        name >> word;
        Opcodes& of = by_name[word];
        for (std::string opcode; opcodes >> opcode;) of.insert(opcode);
    }
    return by_name;
}

/// The class of "Flagged<int> Segmented<Sum<int> >::operator()<int>(..)": Segmented. "" if it is no such
/// function.
std::string class_of(const std::string& function) {
    std::size_t end = function.find("::operator()");
    if (end == std::string::npos) return "";
    int depth = 0;
    std::size_t begin = end;
    std::string name;
    while (begin > 0) {
        const char c = function[begin - 1];
        if (c == '>') ++depth;
        if (depth == 0 && (c == ' ' || c == ':')) break;
        if (depth == 0) name.insert(name.begin(), c);
        if (c == '<') --depth;
        --begin;
    }
    return name;
}

/// Addresses are integers, also in the operator of floats.
bool is_of_floats(const std::string& function) {
    return function.find("<float>") != std::string::npos || function.find("<double>") != std::string::npos;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Whether the name has the operator with another argument than float or double, or without any.
bool has_other_than_floats(const std::string& kernel, const std::string& name) {
    for (std::size_t at = kernel.find(name); at != std::string::npos; at = kernel.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at > 0 && is_word(kernel[at - 1])) || (end < kernel.size() && is_word(kernel[end]))) continue;
        const std::string argument = kernel.substr(end, 8);
        if (argument.rfind("<float>", 0) != 0 && argument.rfind("<double>", 0) != 0) return true;
    }
    return false;
}

}  // namespace

void mark_operators(Code& code, const std::string& list) {
    const std::map<std::string, Opcodes> operators = parsed(list);
    const std::vector<Place>& places = code.module->places();
    bool is_marked = false;
    for (Instruction& i : code.list) {
        i.is_operator = i.line->opcode.rfind("PMTRIG", 0) == 0;
        is_marked |= i.is_operator;
    }
    if (is_marked) return;
    const std::string kernel = demangled(code.kernel->name);
    for (const auto& [name, opcodes] : operators)
        if (has_other_than_floats(kernel, name)) code.shows_operators = false;
    for (Instruction& i : code.list) {
        if (i.line->place < 0) continue;
        const std::string& function = places[std::size_t(i.line->place)].function;
        const auto opcodes = operators.find(class_of(function));
        const std::string base = i.line->opcode.substr(0, i.line->opcode.find('.'));
        i.is_operator =
            opcodes != operators.end() && opcodes->second.count(base) > 0 && is_of_floats(function);
    }
}

}  // namespace sass
