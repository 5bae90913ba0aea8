// How every experiment runs: options, cases, check, measure, write.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "experiments/harness/machine.h"
#include "experiments/harness/report.h"

#ifndef HARNESS_COMPILE_FLAGS
#define HARNESS_COMPILE_FLAGS "unknown"
#endif

namespace harness {
namespace {

/// What is done with the cases. In the last two modes each case runs once under a profiler
/// (scripts/counters.py runs ncu). `counts`: the quantities that the SIMT machine counts, for the same cases.
/// `traffic`: the bytes that the timed cases, cold, move to and from memory.
enum class Mode { measure, counts, traffic };

struct Options {
    std::string out;
    std::string filter = ".";
    std::uint64_t seed = 1;
    Mode mode = Mode::measure;
    bool quick = false;
    bool list = false;

    Purpose purpose() const { return on_gpu && mode != Mode::counts ? Purpose::times : Purpose::counts; }
};

/// A case in one cache state: one benchmark.
struct Measurement {
    Case* tested;
    std::string cache_state;
    std::string name;
};

constexpr char USAGE[] =
    "usage: --out=<folder> [--quick] [--benchmark_filter=<regex>] [--seed=<number>] [--list] "
    "[--profile=counts|traffic]";

std::uint64_t number(const std::string& text) {
    if (text.find_first_not_of("0123456789") != std::string::npos || text.size() > 18)
        throw std::runtime_error("not a number: " + text);
    return std::stoull(text);
}

Mode mode(const std::string& profile) {
    if (!on_gpu) throw std::runtime_error("--profile needs a GPU: the SIMT machine always counts");
    if (profile == "counts") return Mode::counts;
    if (profile == "traffic") return Mode::traffic;
    throw std::runtime_error("--profile=" + profile + ": must be counts or traffic");
}

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const auto value_of = [&](const std::string& option) {
            const bool matches =
                argument.compare(0, option.size(), option) == 0 && argument.size() > option.size();
            return matches ? argument.substr(option.size()) : "";
        };
        if (argument == "--quick") {
            options.quick = true;
        } else if (argument == "--list") {
            options.list = true;
        } else if (const std::string out = value_of("--out="); !out.empty()) {
            options.out = out;
        } else if (const std::string filter = value_of("--benchmark_filter="); !filter.empty()) {
            options.filter = filter;
        } else if (const std::string seed = value_of("--seed="); !seed.empty()) {
            options.seed = number(seed);
        } else if (const std::string profile = value_of("--profile="); !profile.empty()) {
            options.mode = mode(profile);
        } else {
            throw std::runtime_error("unknown option " + argument + "; " + USAGE);
        }
    }
    if (options.out.empty() && !options.list) throw std::runtime_error(std::string("no --out; ") + USAGE);
    return options;
}

/// The cache states in which a case is run.
std::vector<std::string> states_of(const Case& c, Mode mode) {
    if (mode == Mode::counts) return {""};
    if (mode == Mode::measure) return cache_states();
    if (c.skip_profiling) return {};
    // A profiler sees kernels, not copies over the bus.
    return c.vector == Memory::device ? std::vector<std::string>{"cold"} : std::vector<std::string>{};
}

std::vector<Measurement> select(Suite& suite, const Options& options) {
    const std::string& filter = options.filter;
    std::regex pattern;
    try {
        pattern = std::regex(filter, std::regex::extended);
    } catch (const std::regex_error&) {
        throw std::runtime_error("not a regular expression: " + filter);
    }
    std::vector<Measurement> selected;
    for (Case& c : suite.cases()) {
        for (const std::string& state : states_of(c, options.mode)) {
            const std::string cache = state.empty() ? "" : "/cache:" + state;
            const std::string name = c.stem + cache + "/n:" + std::to_string(c.n);
            if (std::regex_search(name, pattern)) selected.push_back({&c, state, name});
        }
    }
    if (selected.empty() && options.mode != Mode::traffic)
        throw std::runtime_error("no case matches " + filter);
    return selected;
}

/// The cases of the measurements, each once, in order.
std::vector<Case*> cases_of(const std::vector<Measurement>& measurements) {
    std::vector<Case*> cases;
    for (const Measurement& m : measurements)
        if (cases.empty() || cases.back() != m.tested) cases.push_back(m.tested);
    return cases;
}

void drop_skipped(std::vector<Measurement>& measurements, const std::vector<Case*>& admitted) {
    std::vector<Measurement> rest;
    for (const Measurement& m : measurements)
        if (std::find(admitted.begin(), admitted.end(), m.tested) != admitted.end()) rest.push_back(m);
    measurements = std::move(rest);
}

void check_all(Machine& machine, const std::vector<Case*>& cases, const char* id) {
    double total = 0;
    for (const Case* c : cases) total += c->n;
    Progress progress(std::string(id) + ": checking", total);
    for (const Case* c : cases) {
        try {
            machine.check_case(*c);
        } catch (const std::exception& error) {
            throw std::runtime_error("wrong result, nothing was measured: " + c->name() + ", " +
                                     error.what());
        }
        progress.advance(c->n);
    }
}

/// Run the measurements with Google Benchmark. On the GPU repetitions are interleaved at random, so that
/// drift affects our cases, CUB and the copy alike. Google Benchmark ignores its time cap with manual time,
/// so iterations are fixed.
void measure_all(Machine& machine, const std::vector<Measurement>& measurements, const char* id,
                 const Options& options, RowReporter& reporter) {
    const bool once = !on_gpu || options.mode != Mode::measure;
    const auto repetitions = [&](const Case& c) {
        return once ? 1 : options.quick ? std::min(c.repetitions, 3) : c.repetitions;
    };
    double total = 0;
    for (const Measurement& m : measurements) total += repetitions(*m.tested);
    Progress progress(std::string(id) + ": measuring", total);
    for (const Measurement& m : measurements) {
        benchmark::RegisterBenchmark(m.name.c_str(),
                                     [&machine, &progress, &options, m](benchmark::State& state) {
                                         if (options.mode == Mode::measure) {
                                             machine.measure(state, *m.tested, m.cache_state);
                                         } else {
                                             machine.profile(state, *m.tested, m.cache_state, m.name);
                                         }
                                         progress.advance(1);
                                     })
            ->Iterations(1)
            ->Repetitions(repetitions(*m.tested))
            ->UseManualTime()
            ->Unit(benchmark::kMicrosecond);
    }
    std::string program = id, interleaving = "--benchmark_enable_random_interleaving=true";
    char* arguments[] = {program.data(), interleaving.data(), nullptr};
    int count = once ? 1 : 2;
    benchmark::Initialize(&count, arguments);
    benchmark::RunSpecifiedBenchmarks(&reporter, ".");
    if (!reporter.failure().empty()) throw std::runtime_error(reporter.failure());
}

/// The text on one line, whatever the line breaks in its source.
std::string one_line(const char* text) {
    std::istringstream words(text);
    std::string line, word;
    while (words >> word) line += (line.empty() ? "" : " ") + word;
    return line;
}

JsonObject describe(const Claim& claim) {
    return JsonObject()
        .set("id", claim.id)
        .set("order", claim.order)
        .set("title", one_line(claim.title))
        .set("claim", one_line(claim.claim))
        .set("source", one_line(claim.source))
        .set("prediction", one_line(claim.prediction))
        .set("method", one_line(claim.method))
        .set("fails_if", one_line(claim.fails_if));
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    char text[32];
    std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
    return text;
}

/// How the numbers were made. Counts belong to the source: on the SIMT machine nothing here may differ from run
/// to run or from compiler to compiler.
JsonObject provenance(const Options& options, double wall_seconds) {
    JsonObject result;
    if constexpr (on_gpu) result.set("compiler", Machine::compiler());
    result.set("flags", HARNESS_COMPILE_FLAGS).set("seed", static_cast<long long>(options.seed));
    if (on_gpu) result.set("date", today()).set("wall_seconds", wall_seconds);
    return result;
}

void run_suite(const Options& options, Suite& suite, const Claim& claim) {
    const double started = seconds();
    std::vector<Measurement> measurements = select(suite, options);
    std::vector<Case*> cases = cases_of(measurements);
    make_folder(options.out);  // now, so that a failure does not cost minutes of work

    Machine machine(options.seed);
    std::vector<JsonObject> skipped;
    for (const Skipped& s : machine.make_room(cases)) {
        std::fprintf(stderr, "%s: skipped %s: %s\n", claim.id, s.name.c_str(), s.reason.c_str());
        skipped.push_back(JsonObject().set("case", s.name).set("reason", s.reason));
    }
    drop_skipped(measurements, cases);
    if (cases.empty()) throw std::runtime_error("no case fits on this machine");

    check_all(machine, cases, claim.id);
    RowReporter reporter;
    measure_all(machine, measurements, claim.id, options, reporter);

    const double wall_seconds = seconds() - started;
    JsonObject context;
    context.set("schema", 1)
        .set("claim", describe(claim))
        .set("machine", machine.describe())
        .set("provenance", provenance(options, wall_seconds))
        .set("skipped", skipped);
    std::vector<std::pair<std::string, std::string>> files = {
        {std::string(claim.id) + ".json", reporter.file(context.text())}};
    for (const auto& [suffix, content] : machine.files()) files.emplace_back(claim.id + suffix, content);
    write_files(options.out, files);
    std::fprintf(stderr, "%s: %zu cases checked and measured in %.1f s\n", claim.id, cases.size(),
                 wall_seconds);
}

}  // namespace

int run(int argc, char** argv, const Claim& claim, void (*add_cases)(Suite&)) {
    try {
        const Options options = parse(argc, argv);
        Suite suite(options.purpose(), options.quick);
        add_cases(suite);
        if (options.list) {
            for (const Measurement& m : select(suite, options)) std::cout << m.name << '\n';
        } else {
            run_suite(options, suite, claim);
        }
        return 0;
    } catch (const std::exception& error) {
        std::cerr << claim.id << ": " << error.what() << '\n';
        return 1;
    }
}

}  // namespace harness
