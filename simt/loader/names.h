// Names as a reader of the source knows them.
#pragma once
#include <cxxabi.h>

#include <cstdlib>
#include <string>

namespace sass {

/// A mangled C++ name as it is written; any other name as it is.
inline std::string demangled(const std::string& name) {
    int status = 0;
    char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
    std::string result = status == 0 && text != nullptr ? text : name;
    std::free(text);
    return result;
}

}  // namespace sass
