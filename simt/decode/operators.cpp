#include "simt/decode/operators.h"

#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

#include "simt/decode/decode.h"
#include "simt/loader/architecture.h"
#include "simt/loader/names.h"

namespace sass {
namespace {

using Opcodes = std::set<std::string>;

constexpr int HOISTS_FROM = 100;  ///< the architecture for which nvcc gives an application its call's line

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

/// What follows the operator in a kernel's name, for each time that it is there: <float> and what comes next.
std::vector<std::string> arguments(const std::string& kernel, const std::string& name) {
    std::vector<std::string> found;
    for (std::size_t at = kernel.find(name); at != std::string::npos; at = kernel.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at > 0 && is_word(kernel[at - 1])) || (end < kernel.size() && is_word(kernel[end]))) continue;
        found.push_back(kernel.substr(end));
    }
    return found;
}

bool begins_with_floats(const std::string& argument) {
    return argument.rfind("<float>", 0) == 0 || argument.rfind("<double>", 0) == 0;
}

/// Whether the line lies in no operator, nor in what one calls.
bool is_outside(const std::vector<Place>& places, int place) {
    for (; place >= 0; place = places[std::size_t(place)].caller)
        if (!class_of(places[std::size_t(place)].function).empty()) return false;
    return true;
}

bool is_comparison(const std::string& opcode) { return opcode.find("SETP") != std::string::npos; }

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
    Opcodes hoisted;  // opcodes that are an application on the line of its call, too
    for (const auto& [name, opcodes] : operators)
        for (const std::string& argument : arguments(kernel, name))
            if (!begins_with_floats(argument))
                code.shows_operators = false;
            else if (architecture().number >= HOISTS_FROM)
                hoisted.insert(opcodes.begin(), opcodes.end());
    for (Instruction& i : code.list) {
        if (i.line->place < 0) continue;
        const std::string base = i.line->opcode.substr(0, i.line->opcode.find('.'));
        if (is_outside(places, i.line->place)) {
            i.is_operator = hoisted.count(base) > 0 && !is_comparison(base);
            continue;
        }
        const std::string& function = places[std::size_t(i.line->place)].function;
        const auto opcodes = operators.find(class_of(function));
        i.is_operator =
            opcodes != operators.end() && opcodes->second.count(base) > 0 && is_of_floats(function);
    }
}

}  // namespace sass
