// The machine that runs the cases: a GPU, or the SIMT machine in its place. The same program runs on either,
// and finds out when it begins.
#pragma once
#include <benchmark/benchmark.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "experiments/harness/suite.h"
#include "experiments/program/report.h"

namespace harness {

/// The cache states in which a case is measured: "cold" and "warm" on a GPU; one unnamed state on the SIMT
/// machine, which has no cache.
std::vector<std::string> cache_states();

/// A case that this machine cannot run, and why.
struct Skipped {
    std::string name;
    std::string reason;
};

/// Prepares, runs and checks the cases. What is measured besides is counting.h's on the SIMT machine, and
/// timing.h's on a GPU.
class Machine {
   public:
    explicit Machine(std::uint64_t seed);
    ~Machine();

    /// Remove the cases that do not fit, and allocate memory for the rest. Returns those removed.
    std::vector<Skipped> make_room(std::vector<Case*>& cases);

    /// Run the case once on fresh input and compare every element; throws std::runtime_error.
    void check_case(const Case& c);

    /// What was counted in that run, by the names of the results; empty on a GPU.
    std::map<std::string, double> counts(const Case& c) const;
    /// The names that counts() gives to every case on the SIMT machine.
    static std::vector<std::string> counted_quantities();

    /// The body of one repetition of a benchmark. is_last: what is timed is compared too, after the sample.
    void measure(benchmark::State& state, const Case& c, const std::string& cache_state, bool is_last);

    /// The same for a profiler: one run of the case in an NVTX range called `name`. If cold, a second range,
    /// "WRITE_BACK " and the name, flushes the case's last bytes from the cache to memory. Not timed. GPU
    /// only.
    void profile(benchmark::State& state, const Case& c, const std::string& cache_state,
                 const std::string& name);

    std::string name() const;
    /// What the results say about the machine, and about how the binary was compiled.
    JsonObject describe() const;
    static std::string compiler();

    /// Further result files: the suffix after the claim's id, and the content.
    std::vector<std::pair<std::string, std::string>> files() const;

   private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace harness
