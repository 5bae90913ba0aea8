// Which cases a run measures, and whether they are fit to be measured.
#pragma once
#include <string>
#include <vector>

#include "experiments/harness/suite.h"
#include "experiments/program/options.h"

namespace harness {

/// A case in one cache state: one benchmark.
struct Measurement {
    Case* tested;
    std::string cache_state;
    Factors factors;  ///< with the cache state and n
    std::string name;
};

/// The measurements that the options ask for. Throws std::runtime_error if there are none.
std::vector<Measurement> select(Suite& suite, const Options& options);

/// The cases of the measurements, each once, in order.
std::vector<Case*> cases_of(const std::vector<Measurement>& measurements);

/// Drop the measurements of cases that were not admitted.
void drop_skipped(std::vector<Measurement>& measurements, const std::vector<Case*>& admitted);

/// Throw std::runtime_error if a case's factors make no name, if two cases have the same ones, or if a closed
/// form is of something that is not counted. `source`: the file to mend.
void check_cases(Suite& suite, const std::string& source);

}  // namespace harness
