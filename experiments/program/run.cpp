// How every experiment runs: cases, check, measure, show, write.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include "experiments/machine/machine.h"
#include "experiments/program/console.h"
#include "experiments/program/measurements.h"
#include "experiments/program/options.h"
#include "experiments/program/report.h"

namespace harness {
namespace {

/// An experiment: what run() was called with.
struct Experiment {
    std::string id;
    const Claim& claim;
    std::string source() const { return id + ".cu"; }
};

/// The closed forms that the cases state, and those that equal the count.
struct ClosedForms {
    int stated = 0, equal = 0;
    /// Algorithms and quantities of which a case that differs has been named.
    std::set<std::string> named = {};
    std::string text() const {
        return std::to_string(equal) + " of " + std::to_string(stated) + " closed forms equal the count";
    }
};

/// Compare a case's closed forms with its counts, and name the first of each algorithm and quantity that
/// differs: at once, not after the last case.
void compare_closed_forms(const Experiment& experiment, const Case& c,
                          const std::map<std::string, double>& counts, Progress& progress,
                          ClosedForms& forms) {
    if (counts.empty()) return;
    for (const auto& [quantity, predicted] : c.predictions) {
        // What the machine code does not show, or what depends on the order, is not compared.
        if (counts.count(quantity) == 0 || counts.count("varies_" + quantity) > 0) continue;
        const double count = counts.at(quantity);
        ++forms.stated;
        forms.equal += count == double(predicted);
        if (count == double(predicted)) continue;
        if (!forms.named.insert(c.factors.kernel() + ' ' + quantity).second) continue;
        progress.say(experiment.id + ": differs: " + c.name() + ", " + quantity + ": predicted " +
                     with_commas(double(predicted)) + ", counted " + with_commas(count) +
                     "; nvcc has changed what the source does, or the closed form in " + experiment.source() +
                     " is wrong");
    }
}

ClosedForms check_all(Machine& machine, const std::vector<Case*>& cases, const Experiment& experiment) {
    double total = 0;
    for (const Case* c : cases) total += c->n;
    Progress progress(experiment.id + ": checking", total);
    ClosedForms forms;
    for (const Case* c : cases) {
        try {
            machine.check_case(*c);
        } catch (const std::exception& error) {
            throw std::runtime_error("wrong result, nothing was measured: " + c->name() + ", " +
                                     error.what());
        }
        compare_closed_forms(experiment, *c, machine.counts(*c), progress, forms);
        progress.advance(c->n);
    }
    return forms;
}

int repetitions(const Case& c, const Options& options) {
    if (options.once()) return 1;
    if (options.repetitions > 0) return options.repetitions;
    return options.quick ? std::min(c.repetitions, 3) : c.repetitions;
}

/// Run the measurements with Google Benchmark, which ignores its time cap with manual time, so iterations are
/// fixed. The last repetition of a case, in any cache state, is checked.
void measure_all(Machine& machine, const std::vector<Measurement>& measurements, const std::string& id,
                 const Options& options, Rows& rows) {
    std::map<const Case*, int> left;
    double total = 0;
    for (const Measurement& m : measurements) {
        left[m.tested] += repetitions(*m.tested, options);
        total += repetitions(*m.tested, options);
    }
    Progress progress(id + ": measuring", total);
    for (const Measurement& m : measurements) {
        const auto measure = [&, m](benchmark::State& state) {
            const bool is_last = --left[m.tested] == 0;
            if (options.mode == Mode::measure) {
                machine.measure(state, *m.tested, m.cache_state, is_last);
            } else {
                machine.profile(state, *m.tested, m.cache_state, m.name);
            }
            progress.advance(1);
        };
        benchmark::RegisterBenchmark(m.name.c_str(), measure)
            ->Iterations(1)
            ->Repetitions(repetitions(*m.tested, options))
            ->UseManualTime()
            ->Unit(benchmark::kMicrosecond);
    }
    benchmark::RunSpecifiedBenchmarks(&rows, ".");
    if (!rows.failure().empty()) throw std::runtime_error(rows.failure());
    for (const auto& [c, times] : left)
        if (times != 0) throw std::runtime_error(c->name() + " was not run as often as it should");
}

/// The factors of each measurement, by its name.
JsonObject describe(const std::vector<Measurement>& measurements) {
    JsonObject object;
    for (const Measurement& m : measurements) object.set_json(m.name, m.factors.json());
    return object;
}

JsonObject describe(const Experiment& experiment) {
    const Claim& claim = experiment.claim;
    return JsonObject()
        .set("id", experiment.id)
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

/// Of the GPU that the SIMT machine is.
std::string counted_architecture() {
    const char* const number = std::getenv("SIMT_ARCH");
    return number == nullptr ? "90" : number;
}

/// How the numbers were made. Counts belong to the kernels' machine code: on the SIMT machine nothing here
/// may differ from run to run or from computer to computer.
JsonObject provenance(const Options& options, double wall_seconds) {
    JsonObject result;
    result.set("compiler", Machine::compiler())
        .set("flags", std::string(HARNESS_FLAGS " -arch=sm_") +
                          (on_gpu() ? HARNESS_TIMED_ARCHITECTURE : counted_architecture()))
        .set("seed", static_cast<long long>(options.seed));
    if (on_gpu()) result.set("date", today()).set("wall_seconds", wall_seconds);
    return result;
}

/// Remove the cases that do not fit on this machine. What the results say about them.
std::vector<JsonObject> skip(Machine& machine, std::vector<Case*>& cases, const std::string& id) {
    std::vector<JsonObject> skipped;
    for (const Skipped& s : machine.make_room(cases)) {
        std::fprintf(stderr, "%s: skipped %s: %s\n", id.c_str(), s.name.c_str(), s.reason.c_str());
        skipped.push_back(JsonObject().set("case", s.name).set("reason", s.reason));
    }
    if (cases.empty()) throw std::runtime_error("no case fits on this machine");
    return skipped;
}

void print_machine(const Machine& machine) {
    print_paragraph(
        std::cout, "Machine",
        machine.name() + (on_gpu()
                              ? ": cases are timed, with a cold and with a warm cache, interleaved at random."
                              : ", on this CPU: kernels run and what they do is counted; nothing is timed."));
    std::cout.flush();
}

std::string number_of(std::size_t cases) { return std::to_string(cases) + (cases == 1 ? " case" : " cases"); }

void print_check(std::size_t cases) {
    print_paragraph(
        std::cout, "Check",
        number_of(cases) +
            " compared with the sequential reference, element by element: every result is right.");
    std::cout << std::endl;
}

void print(std::ostream& stream, Format format, const std::vector<Measurement>& measurements,
           const Rows& rows, const Options& options) {
    if (format == Format::console)
        print_table(stream, measurements, rows);
    else
        print_rows(stream, format, rows, options.only_aggregates);
}

void print_to_file(const std::vector<Measurement>& measurements, const Rows& rows, const Options& options) {
    std::ofstream stream(options.file);
    print(stream, options.file_format, measurements, rows, options);
    stream.close();
    if (!stream) throw std::runtime_error("cannot write " + options.file);
}

void run_suite(const Options& options, Suite& suite, const Experiment& experiment) {
    const double started = seconds();
    const std::string& id = experiment.id;
    std::vector<Measurement> measurements = select(suite, options);
    std::vector<Case*> cases = cases_of(measurements);
    if (!options.out.empty()) make_folder(options.out);  // now: a failure must not cost minutes of work
    const bool speaks = options.shows() && options.format == Format::console;
    if (speaks) print_claim(std::cout, experiment.claim);

    Machine machine(options.seed);
    if (speaks) print_machine(machine);
    const std::vector<JsonObject> skipped = skip(machine, cases, id);
    drop_skipped(measurements, cases);
    const ClosedForms forms = check_all(machine, cases, experiment);
    if (speaks) print_check(cases.size());
    Rows rows;
    measure_all(machine, measurements, id, options, rows);

    const double wall_seconds = seconds() - started;
    if (options.shows()) print(std::cout, options.format, measurements, rows, options);
    if (!options.file.empty()) print_to_file(measurements, rows, options);
    if (!options.out.empty()) {
        JsonObject context;
        context.set("schema", 1)
            .set("claim", describe(experiment))
            .set("machine", machine.describe())
            .set("provenance", provenance(options, wall_seconds))
            .set("factors", describe(measurements))
            .set("skipped", skipped);
        std::vector<std::pair<std::string, std::string>> files = {
            {id + ".json", results_file(context.text(), rows)}};
        for (const auto& [suffix, content] : machine.files()) files.emplace_back(id + suffix, content);
        write_files(options.out, files);
    }
    std::cout.flush();
    std::fprintf(stderr, "%s: %s checked and %s in %.1f s%s\n", id.c_str(), number_of(cases.size()).c_str(),
                 on_gpu() ? "measured" : "counted", wall_seconds,
                 forms.stated > 0 ? ("; " + forms.text()).c_str() : "");
}

}  // namespace

int run(int argc, char** argv, const std::string& id, const Claim& claim, void (*add_cases)(Suite&)) {
    try {
        const Experiment experiment{id, claim};
        const Options options = parse(argc, argv);
        if (options.help) {
            std::cout << help(id);
            return 0;
        }
        for (const std::string& note : options.notes) std::cerr << id << ": " << note << '\n';
        Suite suite(options.purpose(), options.quick);
        add_cases(suite);
        check_cases(suite, experiment.source());
        if (options.list) {
            for (const Measurement& m : select(suite, options)) std::cout << m.name << '\n';
        } else {
            run_suite(options, suite, experiment);
        }
        return 0;
    } catch (const std::exception& error) {
        std::cerr << id << ": " << error.what() << '\n';
        return 1;
    }
}

}  // namespace harness
