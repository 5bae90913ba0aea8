// A suite's programs in one binary: build.py writes the units that define them, each in a namespace.
#pragma once
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace suite {

struct Program {
    const char *name, *kind, *expected;
    int (*run)(int, char**);  ///< its main()
};

inline std::vector<Program> programs;

struct Entry {
    explicit Entry(const Program& program) { programs.push_back(program); }
};

/// Has a program said that its result is another than it should be?
inline bool differs;

/// In the place of printf; of what a kernel prints nothing is heard.
template <typename... Values>
__host__ __device__ void hear([[maybe_unused]] const char* format, Values...) {
#ifndef __CUDA_ARCH__
    differs = differs || std::strstr(format, "differs") != nullptr;
#endif
}

/// In the place of fprintf: who says that a call has failed ends there. Some would go on for ever.
template <typename... Values>
void complain(FILE*, const char* format, Values...) {
    if (std::strstr(format, "ERROR") != nullptr) std::exit(1);
}

inline int call(int (*main)(), int, char**) { return main(); }
inline int call(int (*main)(int, char**), int count, char** argument) { return main(count, argument); }

}  // namespace suite
