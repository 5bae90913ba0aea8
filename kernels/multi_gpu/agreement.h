// Agreement: before ranks scan together, each states its terms, and all compare the terms.
//
// A rank that sums ints next to one that sums doubles, or whose part does not begin where the previous one
// ends, would cause a wrong result or a deadlock. All ranks compare the same terms, so all agree.
#pragma once
#include <cxxabi.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <typeinfo>
#include <vector>

#include "kernels/prefix.cuh"

namespace trial {

/// What one rank is about to do. Fixed size, no pointers: it is sent as its bytes.
struct Terms {
    char type[96], op[96];              ///< as C++ names them, truncated
    std::uint64_t type_hash, op_hash;   ///< of the full names
    std::uint64_t type_size;            ///< bytes
    int form;                           ///< a Form
    int parts;                          ///< number of parts that this rank assumes
    long long begin, length, elements;  ///< of this part, of this part, of the vector
    char problem[96];                   ///< why this rank cannot participate, or ""
};

namespace agreement {

inline std::string name(const std::type_info& type) {
    int status = 0;
    char* const readable = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
    const std::string result = readable == nullptr ? type.name() : readable;
    std::free(readable);
    return result;
}

/// FNV-1a.
inline std::uint64_t hash(const std::string& text) {
    std::uint64_t result = 14695981039346656037ull;
    for (const char c : text) result = (result ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    return result;
}

template <std::size_t SIZE>
void put(char (&place)[SIZE], const std::string& text) {
    std::snprintf(place, SIZE, "%s", text.c_str());
}

}  // namespace agreement

/// The terms of a rank with elements [begin, begin + length) of a vector of `elements`.
template <class T, class Op>
Terms terms_of(Form form, int parts, long long begin, long long length, long long elements,
               const std::string& problem = "") {
    Terms terms;
    std::memset(&terms, 0, sizeof(terms));
    const std::string type = agreement::name(typeid(T)), op = agreement::name(typeid(Op));
    agreement::put(terms.type, type);
    agreement::put(terms.op, op);
    agreement::put(terms.problem, problem);
    terms.type_hash = agreement::hash(type);
    terms.op_hash = agreement::hash(op);
    terms.type_size = sizeof(T);
    terms.form = static_cast<int>(form);
    terms.parts = parts;
    terms.begin = begin;
    terms.length = length;
    terms.elements = elements;
    return terms;
}

/// Why a rank cannot have a GPU to itself on its host, or "".
inline std::string device_problem(int ranks_of_host, int devices_of_host) {
    if (ranks_of_host == devices_of_host) return "";
    return "its host has " + std::to_string(ranks_of_host) + " ranks and " + std::to_string(devices_of_host) +
           " GPUs; start one rank a GPU";
}

/// Why these ranks cannot scan together, in one line, or "". all[r]: the terms of rank r; not empty.
inline std::string disagreement(const std::vector<Terms>& all) {
    const auto rank = [](std::size_t r) { return "rank " + std::to_string(r); };
    const auto differ = [&](std::size_t r, const std::string& what, const std::string& first,
                            const std::string& other) {
        return "the ranks differ in the " + what + ": " + rank(0) + " has " + first + ", " + rank(r) +
               " has " + other;
    };
    const auto type = [](const Terms& t) {
        return std::string(t.type) + ", " + std::to_string(t.type_size) + " bytes";
    };
    const auto form = [](const Terms& t) {
        return std::string(t.form == static_cast<int>(Form::inclusive) ? "inclusive" : "exclusive");
    };
    const Terms& first = all.front();
    for (std::size_t r = 0; r < all.size(); ++r)
        if (all[r].problem[0] != '\0') return rank(r) + " cannot take part: " + all[r].problem;
    long long end = 0;
    for (std::size_t r = 0; r < all.size(); ++r) {
        const Terms& t = all[r];
        if (t.type_hash != first.type_hash || t.type_size != first.type_size)
            return differ(r, "type", type(first), type(t));
        if (t.op_hash != first.op_hash) return differ(r, "operator", first.op, t.op);
        if (t.form != first.form) return differ(r, "form", form(first), form(t));
        if (t.elements != first.elements)
            return differ(r, "length", std::to_string(first.elements), std::to_string(t.elements));
        if (t.parts != static_cast<int>(all.size()))
            return rank(r) + " has a vector in " + std::to_string(t.parts) + " parts, but there are " +
                   std::to_string(all.size()) + " ranks";
        if (t.length < 0) return rank(r) + " has a part of " + std::to_string(t.length) + " elements";
        if (t.begin != end)
            return "the part of " + rank(r) + " begins at element " + std::to_string(t.begin) +
                   ", but what comes before it ends at " + std::to_string(end);
        end += t.length;
    }
    if (end != first.elements)
        return "the parts have " + std::to_string(end) + " elements, but the vector has " +
               std::to_string(first.elements);
    return "";
}

}  // namespace trial
