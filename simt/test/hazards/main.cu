// hazards --list     the programs as CSV: name, kind of order, expectation
// hazards <name>     one program
// hazards            all correct programs; fails on a wrong result
//
// On the SIMT machine simt/test/test_hazards.py runs them one by one, and compares what is found.
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

const char* name_of(Expected expected) {
    switch (expected) {
        case Expected::clean: return "clean";
        case Expected::race: return "race";
        case Expected::same_value: return "same_value";
        case Expected::first_read: return "first_read";
        case Expected::missing_acquire: return "missing_acquire";
        case Expected::uninitialised_read: return "uninitialised_read";
        case Expected::out_of_bounds: return "out_of_bounds";
        case Expected::misaligned: return "misaligned";
        case Expected::host_access: return "host_access";
        case Expected::ignored_error: return "ignored_error";
        case Expected::divergent_barrier: return "divergent_barrier";
        case Expected::divergent_warp: return "divergent_warp";
        case Expected::block_lifetime: return "block_lifetime";
        case Expected::deadlock: return "deadlock";
        case Expected::misuse: return "misuse";
        case Expected::wrong_result: return "wrong_result";
    }
    return "";
}

/// 0 if the program ran to its end and, if it is correct, with the right result.
int run_one(const Program& program) {
    if (program.on_gpu == OnGpu::hangs && dlsym(RTLD_DEFAULT, "simt_observer") == nullptr) {
        std::printf("skipped: %s would hang a GPU\n", program.name);
        return 0;
    }
    const std::string wrong = program.run();
    std::printf("%s: %s\n", program.name, wrong.empty() ? "the result is right" : wrong.c_str());
    return program.expected == Expected::clean && !wrong.empty() ? 1 : 0;
}

int run_all() {
    int failed = 0;
    for (const Program& program : bench())
        if (program.expected == Expected::clean) failed += run_one(program);
    return failed == 0 ? 0 : 1;
}

int list() {
    std::printf("name,kind,expected\n");
    for (const Program& program : bench())
        std::printf("%s,%s,%s\n", program.name, program.kind, name_of(program.expected));
    return 0;
}

int run_named(const std::string& name) {
    for (const Program& program : bench())
        if (program.name == name) return run_one(program);
    std::fprintf(stderr, "hazards: no program %s; --list lists them\n", name.c_str());
    return 2;
}

}  // namespace

int main(int arguments, char** argument) {
    // The order of files is that of their names, not that of the linker.
    std::stable_sort(bench().begin(), bench().end(), [](const Program& left, const Program& right) {
        return std::string(left.kind) < right.kind;
    });
    try {
        if (arguments < 2) return run_all();
        return argument[1] == std::string("--list") ? list() : run_named(argument[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "hazards: %s\n", error.what());
        return 1;
    }
}
