// hazards --list     the programs as CSV: name, kind of order, expectation
// hazards <name>     one program
// hazards            SIMT machine: all programs, under several seeds, as a table; fails on any difference
//                    GPU: all correct programs; fails on a wrong result
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "tests/simt/hazards/program.h"
#ifdef SIMT_MACHINE
#include "simt/simt.h"
#endif

using namespace hazards;

namespace {

const char* name_of(Expected expected) {
    switch (expected) {
        case Expected::clean: return "clean";
        case Expected::race: return "race";
        case Expected::same_value: return "same_value";
        case Expected::missing_acquire: return "missing_acquire";
        case Expected::uninitialised_read: return "uninitialised_read";
        case Expected::out_of_bounds: return "out_of_bounds";
        case Expected::divergent_barrier: return "divergent_barrier";
        case Expected::divergent_warp: return "divergent_warp";
        case Expected::deadlock: return "deadlock";
        case Expected::misuse: return "misuse";
        case Expected::wrong_result: return "wrong_result";
    }
    return "";
}

#ifdef SIMT_MACHINE

Expected kind_of(simt::Hazard hazard) {
    switch (hazard) {
        case simt::Hazard::race: return Expected::race;
        case simt::Hazard::missing_acquire: return Expected::missing_acquire;
        case simt::Hazard::uninitialised_read: return Expected::uninitialised_read;
        case simt::Hazard::out_of_bounds: return Expected::out_of_bounds;
        case simt::Hazard::divergent_barrier: return Expected::divergent_barrier;
        case simt::Hazard::divergent_warp: return Expected::divergent_warp;
        case simt::Hazard::deadlock: return Expected::deadlock;
        case simt::Hazard::assertion:
        case simt::Hazard::misuse:
        case simt::Hazard::endless_loop: return Expected::misuse;
    }
    return Expected::clean;
}

struct Finding {
    Expected kind;
    std::string text;
};

Finding find(const Program& program, int seed) {
    simt::set_seed(seed);
    try {
        const std::string wrong = program.run();
        return {wrong.empty() ? Expected::clean : Expected::wrong_result, wrong};
    } catch (const simt::Fault& fault) {
        return {kind_of(fault.hazard), fault.what()};
    }
}

/// Runs a program under each seed and prints what was found. Every seed must find what is expected; one wrong
/// result is enough where the result depends on the schedule.
bool as_expected(const Program& program) {
    std::string found, texts;
    bool right = true, wrong_result = false;
    for (const int seed : {0, 1, 2, 3}) {
        const Finding finding = find(program, seed);
        const std::string name = name_of(finding.kind);
        if (found.find(name) == std::string::npos) found += (found.empty() ? "" : ", ") + name;
        const bool may_be_clean =
            program.expected == Expected::wrong_result && finding.kind == Expected::clean;
        right = right && (finding.kind == program.expected || may_be_clean);
        wrong_result = wrong_result || finding.kind == Expected::wrong_result;
        if (!finding.text.empty()) texts += "    seed " + std::to_string(seed) + ": " + finding.text + "\n";
    }
    right = right && wrong_result == (program.expected == Expected::wrong_result);
    std::printf("%-36s %-20s %s\n", program.name, name_of(program.expected), found.c_str());
    if (!right) std::printf("    not as expected: %s\n%s", program.why, texts.c_str());
    std::fflush(stdout);
    return right;
}

int run_one(const Program& program) { return as_expected(program) ? 0 : 1; }

int run_all() {
    std::printf("%-36s %-20s %s\n", "program", "expected", "found");
    const long wrong = std::count_if(bench().begin(), bench().end(),
                                     [](const Program& program) { return !as_expected(program); });
    std::printf("%zu programs, %ld not as expected\n", bench().size(), wrong);
    return wrong == 0 ? 0 : 1;
}

#else

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

#endif

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
#ifdef SIMT_MACHINE
        simt::set_strict(true);
#endif
        if (arguments < 2) return run_all();
        return argument[1] == std::string("--list") ? list() : run_named(argument[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "hazards: %s\n", error.what());
        return 1;
    }
}
