#include "experiments/program/measurements.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "experiments/machine/machine.h"
#include "simt/runtime/host/pattern.h"

namespace harness {
namespace {

/// The cache states in which a case is run.
std::vector<std::string> states_of(const Case& c, Mode mode) {
    if (mode == Mode::counts) return {""};
    if (mode == Mode::measure) return cache_states();
    if (c.skip_profiling) return {};
    // A profiler sees kernels, not copies over the bus.
    return c.vector == Memory::device ? std::vector<std::string>{"cold"} : std::vector<std::string>{};
}

/// "", or what is wrong with the factors of a case.
std::string wrong_factors(const Case& c) {
    std::vector<std::string> words = {c.factors.operation, c.factors.algorithm};
    std::set<std::string> taken = {"operation", "algorithm", "n", "cache"};
    for (const auto& [factor, level] : c.factors.levels) {
        if (!taken.insert(factor).second) return "has a factor " + factor + " too many";
        words.insert(words.end(), {factor, level.text()});
    }
    for (const std::string& word : words)
        if (word.empty() || word.find_first_of("/:,\" \t\n") != std::string::npos)
            return "has '" + word + "' for a word: it may not be empty, or hold / : , \" or a blank";
    return "";
}

std::string joined(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) line += (line.empty() ? "" : ", ") + word;
    return line;
}

void check_predictions(const Case& c, const std::vector<std::string>& known, const std::string& source) {
    for (const auto& [quantity, value] : c.predictions)
        if (std::find(known.begin(), known.end(), quantity) == known.end())
            throw std::runtime_error("mend " + source + ": " + c.name() + " predicts \"" + quantity +
                                     "\", which is not counted; counted are " + joined(known));
}

}  // namespace

std::vector<Measurement> select(Suite& suite, const Options& options) {
    const bool others = options.filter.front() == '-';
    const simt_runtime::Pattern pattern(options.filter.substr(others ? 1 : 0));
    std::vector<Measurement> selected;
    for (Case& c : suite.cases()) {
        for (const std::string& state : states_of(c, options.mode)) {
            const Levels cache = state.empty() ? Levels{} : Levels{{"cache", state}};
            const Factors factors = c.factors.with(cache + Levels{{"n", c.n}});
            const std::string name = factors.name();
            if (pattern.matches(name).empty() == others) selected.push_back({&c, state, factors, name});
        }
    }
    if (selected.empty() && options.mode != Mode::traffic)
        throw std::runtime_error("no case matches " + options.filter + "; --list names them");
    return selected;
}

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

void check_cases(Suite& suite, const std::string& source) {
    const std::vector<std::string> known = Machine::counted_quantities();
    std::set<std::string> names;
    for (const Case& c : suite.cases()) {
        if (const std::string wrong = wrong_factors(c); !wrong.empty())
            throw std::runtime_error("mend " + source + ": the case " + c.name() + " " + wrong);
        if (!names.insert(c.name()).second)
            throw std::runtime_error("mend " + source + ": two cases are named " + c.name());
        check_predictions(c, known, source);
    }
}

}  // namespace harness
