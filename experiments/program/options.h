// The command line of an experiment: its own options, and those of Google Benchmark.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "experiments/harness/suite.h"
#include "experiments/program/report.h"

namespace harness {

/// What is done with the cases. In the last two modes each case runs once under a profiler (counters.py of
/// experiments/record runs ncu). `counts`: the quantities that the SIMT machine counts, for the same cases.
/// `traffic`: the bytes that the timed cases, cold, move to and from memory.
enum class Mode { measure, counts, traffic };

struct Options {
    std::string out;           ///< folder of the results; "": none are written
    std::string filter = ".";  ///< of the cases; a leading '-' selects all others
    std::uint64_t seed = 1;
    int repetitions = 0;  ///< of every case; 0: as many as each case asks for
    Mode mode = Mode::measure;
    bool quick = false;
    bool timed = false;  ///< on the SIMT machine: what a GPU times, for its clock
    bool list = false;
    bool help = false;

    bool format_given = false;
    Format format = Format::console;    ///< on standard output
    std::string file;                   ///< the same in a file; "": none
    Format file_format = Format::json;  ///< of that file
    bool only_aggregates = false;

    std::vector<std::string> others;  ///< for Google Benchmark to parse
    std::vector<std::string> notes;   ///< on options that have no effect, for stderr

    Purpose purpose() const {
        return (on_gpu() || timed) && mode != Mode::counts ? Purpose::times : Purpose::counts;
    }
    /// Cases run once, unless they are timed.
    bool once() const { return !on_gpu() || mode != Mode::measure; }
    /// Results that are written as files are not shown too, unless a format asks for it.
    bool shows() const { return mode == Mode::measure && (out.empty() || format_given); }
};

/// Parse the command line and initialise Google Benchmark with its own options. Throws std::runtime_error.
Options parse(int argc, char** argv);

/// What --help prints.
std::string help(const std::string& id);

}  // namespace harness
