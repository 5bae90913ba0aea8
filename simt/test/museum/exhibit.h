// The museum: published bugs of well-known projects, each written anew as a small program of its shape, in
// the form of the bench (simt/test/hazards/program.h). An exhibit is a file of its name, with a faulty
// program and `<name>_cured`, its cure: the project's, where it has one. exhibits.csv says where each was
// published. The lines that make the fault end in `// fault`: what the machine reports must be at such a
// line.
#pragma once
#include "simt/test/hazards/program.h"

namespace hazards {

constexpr unsigned ALL = 0xffffffff;

/// result_of for a kernel that may end in an error.
template <class T = int, class... Parameters, class... Arguments>
std::string outcome_of(void (*kernel)(Parameters...), int blocks, int threads, const std::vector<T>& expected,
                       const Arguments&... arguments) {
    try {
        return result_of<T>(kernel, blocks, threads, expected, arguments...);
    } catch (const std::exception& error) {
        return error.what();
    }
}

inline std::vector<int> ones(int n) { return repeated(n, 1); }

/// 0, 1, .. n - 1.
inline std::vector<int> numbers(int n) {
    std::vector<int> values;
    for (int i = 0; i < n; ++i) values.push_back(i);
    return values;
}

}  // namespace hazards
