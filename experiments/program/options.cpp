#include "experiments/program/options.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>

namespace harness {
namespace {

std::uint64_t number(const std::string& text) {
    if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos || text.size() > 18)
        throw std::runtime_error("not a number: " + text);
    return std::stoull(text);
}

int repetitions(const std::string& text) {
    const std::uint64_t times = number(text);
    if (times < 1 || times > 1000) throw std::runtime_error("--benchmark_repetitions: must be 1 to 1000");
    return static_cast<int>(times);
}

/// A flag alone is true, as in Google Benchmark.
bool truth(const std::string& text) {
    for (const char* const yes : {"", "1", "t", "true", "y", "yes", "on"})
        if (text == yes) return true;
    for (const char* const no : {"0", "f", "false", "n", "no", "off"})
        if (text == no) return false;
    throw std::runtime_error("not true or false: " + text);
}

Mode mode(const std::string& profile) {
    if (!on_gpu()) throw std::runtime_error("--profile needs a GPU: the SIMT machine always counts");
    if (profile == "counts") return Mode::counts;
    if (profile == "traffic") return Mode::traffic;
    throw std::runtime_error("--profile=" + profile + ": must be counts or traffic");
}

Format format(const std::string& name) {
    if (name == "console") return Format::console;
    if (name == "json") return Format::json;
    if (name == "csv") return Format::csv;
    throw std::runtime_error("no format " + name + ": must be console, json or csv");
}

/// A file that can be written later: its folder must be there.
std::string file(const std::string& path) {
    const auto folder = std::filesystem::absolute(path).parent_path();
    if (path.empty() || !std::filesystem::is_directory(folder))
        throw std::runtime_error("--benchmark_out=" + path + ": no folder " + folder.string());
    return path;
}

using Flag = void (*)(Options&, bool);
const std::map<std::string, Flag> FLAGS = {
    {"-h", [](Options& o, bool on) { o.help = on; }},
    {"--help", [](Options& o, bool on) { o.help = on; }},
    {"--quick", [](Options& o, bool on) { o.quick = on; }},
    {"--timed", [](Options& o, bool on) { o.timed = o.quick = on; }},
    {"--list", [](Options& o, bool on) { o.list = on; }},
    {"--benchmark_list_tests", [](Options& o, bool on) { o.list = on; }},
    {"--benchmark_report_aggregates_only", [](Options& o, bool on) { o.only_aggregates = on; }},
    {"--benchmark_display_aggregates_only", [](Options& o, bool on) { o.only_aggregates = on; }},
    {"--benchmark_dry_run", [](Options& o, bool on) { o.repetitions = on ? 1 : o.repetitions; }},
};

using Value = void (*)(Options&, const std::string&);
const std::map<std::string, Value> VALUES = {
    {"--out", [](Options& o, const std::string& value) { o.out = value; }},
    {"--seed", [](Options& o, const std::string& value) { o.seed = number(value); }},
    {"--profile", [](Options& o, const std::string& value) { o.mode = mode(value); }},
    {"--benchmark_filter", [](Options& o, const std::string& value) { o.filter = value; }},
    {"--benchmark_repetitions", [](Options& o, const std::string& v) { o.repetitions = repetitions(v); }},
    {"--benchmark_out", [](Options& o, const std::string& value) { o.file = file(value); }},
    {"--benchmark_out_format", [](Options& o, const std::string& value) { o.file_format = format(value); }},
    {"--benchmark_format",
     [](Options& o, const std::string& value) {
         o.format = format(value);
         o.format_given = true;
     }},
};

/// Options of Google Benchmark that have no effect here, and why.
const std::map<std::string, const char*> WITHOUT_EFFECT = {
    {"--benchmark_min_time", "a repetition is one sample of one run"},
    {"--benchmark_min_warmup_time", "a warm sample follows one run, a cold one a flush of the cache"},
    {"--benchmark_enable_random_interleaving", "timed repetitions are always interleaved at random"},
    {"--benchmark_time_unit", "times are in microseconds"},
};

void take(Options& options, const std::string& argument) {
    const std::size_t equals = std::min(argument.find('='), argument.size());
    const std::string name = argument.substr(0, equals);
    const std::string value = argument.substr(std::min(equals + 1, argument.size()));
    const auto needs_value = [&] { return value.empty() && name != "--benchmark_filter"; };
    if (const auto flag = FLAGS.find(name); flag != FLAGS.end()) {
        flag->second(options, truth(value));
    } else if (const auto option = VALUES.find(name); option != VALUES.end()) {
        if (needs_value()) throw std::runtime_error(name + " needs a value: " + name + "=...; see --help");
        option->second(options, value);
    } else if (const auto none = WITHOUT_EFFECT.find(name); none != WITHOUT_EFFECT.end()) {
        options.notes.push_back(name + " has no effect: " + none->second);
    } else {
        options.others.push_back(argument);
    }
}

/// On the GPU repetitions are interleaved at random, so that drift affects our cases, CUB and the copy alike.
void initialize_google_benchmark(char* program, const Options& options) {
    std::vector<std::string> texts = options.others;
    if (!options.once()) texts.push_back("--benchmark_enable_random_interleaving=true");
    std::vector<char*> arguments = {program};  // which it keeps, so it must not be a copy
    for (std::string& text : texts) arguments.push_back(text.data());
    int count = static_cast<int>(arguments.size());
    arguments.push_back(nullptr);
    benchmark::Initialize(&count, arguments.data());
    if (count > 1) throw std::runtime_error(std::string("unknown option ") + arguments[1] + "; see --help");
}

}  // namespace

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) take(options, argv[i]);
    if (options.filter.empty() || options.filter == "all") options.filter = ".";
    if (!on_gpu() && options.repetitions > 1)
        options.notes.push_back("--benchmark_repetitions has no effect: a count takes one run");
    if (!options.help) initialize_google_benchmark(argv[0], options);
    return options;
}

std::string help(const std::string& id) {
    const std::string what = on_gpu() ? "times it on this GPU" : "counts what it does on the SIMT machine";
    return "usage: " + id + " [option]...\n\nStates its claim, compares every case with the reference, " +
           what + ",\nand shows the results.\n" + R"(
  --list                          name the cases instead; also --benchmark_list_tests
  --quick                         small sizes
  --seed=<number>                 of the input; default: 1
  --out=<folder>                  write the results to <folder>/)" +
           id + R"(.json instead of showing them;
                                  scripts/convert.py makes recordings of these
  --profile=counts|traffic        on a GPU, under a profiler: run every case once (see scripts/counters.py)

Options of Google Benchmark:
  --benchmark_filter=<regex>      these cases only; with a leading '-' all others
  --benchmark_repetitions=<n>     samples of every case on a GPU; a count takes one run
  --benchmark_format=<format>     console, json or csv, on standard output; default: console
  --benchmark_out=<file>          the same in a file
  --benchmark_out_format=<format> of the file; default: json
  --benchmark_report_aggregates_only   no single repetitions in json and csv
  --benchmark_context=<key>=<value>    into the context of json
  --benchmark_min_time, --benchmark_min_warmup_time, --benchmark_time_unit and
  --benchmark_enable_random_interleaving have no effect: a repetition is one sample in microseconds,
  and timed repetitions are always interleaved at random.
)";
}

}  // namespace harness
