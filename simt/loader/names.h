// Names as a reader of the source knows them.
#pragma once
#include <cxxabi.h>

#include <cstdlib>
#include <string>

namespace sass {

/// A mangled C++ name as it is written; any other name as it is. With -rdc nvcc puts a prefix before the
/// names of one file, which says which.
inline std::string demangled(const std::string& name) {
    const std::size_t prefix = name.rfind("__nv_static_", 0) == 0 ? name.find("__Z") : std::string::npos;
    const std::string mangled = prefix == std::string::npos ? name : name.substr(prefix + 1);
    int status = 0;
    char* text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
    std::string result = status == 0 && text != nullptr ? text : name;
    std::free(text);
    return result;
}

/// A demangled name without the function's parameters: the last pair of parentheses, for there may be others,
/// as in "(anonymous namespace)::f(int*)" or "void f<int (*)(float)>(int*)".
inline std::string without_parameters(const std::string& signature) {
    int depth = 0;
    for (std::size_t at = signature.size(); at-- > 0;) {
        depth += (signature[at] == ')') - (signature[at] == '(');
        if (depth == 0) return signature[at] == '(' ? signature.substr(0, at) : signature;
    }
    return signature;
}

}  // namespace sass
