// Every case is checked before it is measured, and the last result that is timed is checked again: one that
// has the bytes of a result that was found right is right; any other is compared with the host's, element by
// element.
#include "experiments/machine/machine.h"

#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

#include <cmath>
#include <map>
#include <stdexcept>
#include <tuple>

#include "experiments/harness/cub.h"
#include "experiments/harness/cuda_check.h"
#include "experiments/machine/counting.h"
#include "experiments/machine/fingerprint.h"
#include "experiments/machine/timing.h"
#include "experiments/machine/trials.h"

namespace harness {
namespace {

// Bytes of device memory reserved for block sums, CUB and the runtime.
constexpr long long WORKSPACES = 256LL << 20;

cudaDeviceProp properties_of_gpu() {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    return properties;
}

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Cases with the same expected result; `own`: a case that brings its own vectors, and so its own result.
using Result = std::tuple<decltype(Case::find_error), Expected::Kind, long long, long long, const Case*>;

Result result_of(const Case& c) {
    return {c.find_error, c.expected.kind, c.expected.segment, c.n, c.element ? nullptr : &c};
}

std::string wrong_last_result(const Case& c, const std::string& error) {
    return "wrong result after the last repetition: " + c.name() + ", " + error;
}

}  // namespace

struct Machine::State {
    std::unique_ptr<Trials> trials;
    std::unique_ptr<Counting> counting;  // on the SIMT machine
    std::unique_ptr<Timing> timing;      // on a GPU
    std::unique_ptr<Fingerprint> fingerprint;
    std::map<const Case*, Findings> findings;
    std::map<Result, std::uint64_t> right;  // the fingerprints of results that were found right

    std::string find_error(const Case& c);
    std::string find_last_error(const Case& c);
    Timed timed(const Case& c, bool is_last) const;
    Sample sample(benchmark::State& state, const Case& c, bool cold, bool is_last);
};

std::vector<std::string> cache_states() {
    return on_gpu() ? std::vector<std::string>{"cold", "warm"} : std::vector<std::string>{""};
}

Machine::Machine(std::uint64_t seed) : state_(new State) {
    check(cudaSetDevice(0), "no GPU");
    State& s = *state_;
    if (auto* const machine = simt_runtime::observer(); machine != nullptr) {
        s.counting = std::make_unique<Counting>(*machine);
        s.trials = std::make_unique<Trials>(seed, WORKSPACES);
    } else {
        s.trials = std::make_unique<Trials>(seed, WORKSPACES + Timing::room());
        s.timing = std::make_unique<Timing>(s.trials->stream());
        s.fingerprint = std::make_unique<Fingerprint>(s.trials->stream());
    }
}

Machine::~Machine() = default;

std::vector<Skipped> Machine::make_room(std::vector<Case*>& cases) {
    if (state_->counting) return {};
    const auto refused = state_->trials->hold({cases.begin(), cases.end()});
    std::vector<Skipped> skipped;
    std::vector<Case*> admitted;
    for (Case* c : cases) {
        const auto reason = refused.find(c);
        if (reason == refused.end())
            admitted.push_back(c);
        else
            skipped.push_back({c->name(), reason->second});
    }
    cases = std::move(admitted);
    state_->timing->allocate();
    return skipped;
}

void Machine::check_case(const Case& c) {
    State& s = *state_;
    if (s.counting)
        for (const auto& [refused, reason] : s.trials->hold({&c})) throw std::runtime_error(reason);
    s.trials->prepare(c);
    s.trials->poison(c);
    if (s.counting) {
        s.counting->observe(c, [&] { s.trials->run(c); });
        if (c.prepare_marked) s.counting->observe_marks(c, [&] { s.trials->run_marked(c); });
    } else {
        s.trials->run(c);
    }
    const std::string error = s.find_error(c);
    if (!error.empty()) throw std::runtime_error(error);
    if (const Trial& trial = s.trials->trial(c); trial.findings) s.findings[&c] = trial.findings();
    if (s.counting) s.trials->drop(c);
}

/// "", or what is wrong with the result of the case's latest run.
std::string Machine::State::find_error(const Case& c) {
    const std::vector<DeviceBytes> result = trials->result_on_device(c);
    if (counting || result.empty()) return trials->find_error(c);
    const std::uint64_t found = fingerprint->of(result);
    const auto known = right.find(result_of(c));
    if (known != right.end() && known->second == found) return "";
    const std::string error = trials->find_error(c);
    if (error.empty()) right[result_of(c)] = found;
    return error;
}

/// The same between samples, during which a GPU must not be idle for long.
std::string Machine::State::find_last_error(const Case& c) {
    const double started = seconds();
    const std::string error = find_error(c);
    timing->has_paused(seconds() - started);
    return error;
}

/// is_last: the output is overwritten before the clock starts, so that a result found later is this run's.
Timed Machine::State::timed(const Case& c, bool is_last) const {
    const Trial& trial = trials->trial(c);
    std::function<void()> poison;
    if (is_last) poison = trial.sample ? trial.poison : [this, &c] { trials->poison(c); };
    return {[this, &c] { trials->submit(c); }, poison, trial.sample, c.begins_on_host()};
}

Sample Machine::State::sample(benchmark::State& state, const Case& c, bool cold, bool is_last) {
    Sample sample;
    try {
        timing->wake();
        for (auto _ : state) {
            sample = timing->sample(timed(c, is_last), cold);
            state.SetIterationTime(sample.seconds);
        }
        const std::string error = is_last ? find_last_error(c) : "";
        if (!error.empty()) state.SkipWithError(wrong_last_result(c, error).c_str());
    } catch (const std::exception& error) {
        state.SkipWithError((c.name() + ": " + error.what()).c_str());
    }
    return sample;
}

std::map<std::string, double> Machine::counts(const Case& c) const {
    return state_->counting ? state_->counting->counts(c) : std::map<std::string, double>{};
}

std::vector<std::string> Machine::counted_quantities() { return Counting::quantities(); }

void Machine::measure(benchmark::State& state, const Case& c, const std::string& cache_state, bool is_last) {
    auto& counters = state.counters;
    if (state_->counting) {  // nothing is run: the one run that is counted has been compared
        for (auto _ : state) state.SetIterationTime(0);
        for (const auto& [name, value] : counts(c)) counters[name] = value;
        if (c.element != nullptr && !c.element->is_number) counters["elements_of_parts"] = 1;
        for (const auto& [quantity, value] : c.predictions) counters["predicted_" + quantity] = double(value);
    } else {
        const Sample sample = state_->sample(state, c, cache_state == "cold", is_last);
        counters["bytes"] = double(c.bytes());
        counters["elements"] = double(c.n);
        counters["sm_clock_mhz"] = std::round(sample.sm_clock_mhz);
        counters["throttled"] = sample.discarded;
        counters["throttled_kept"] = sample.throttled;
    }
    for (const auto& [name, value] : state_->findings[&c]) counters[name] = value;
}

/// A graph runs the same kernels as the calls, so a profiler is given the calls.
void Machine::profile(benchmark::State& state, const Case& c, const std::string& cache_state,
                      const std::string& name) {
    const auto in_range = [this](const std::string& range, const Work& work) {
        nvtxRangePushA(range.c_str());
        work();
        (void)cudaStreamSynchronize(state_->trials->stream());
        nvtxRangePop();
    };
    const Work& fill_cache = state_->timing->fill_cache();
    for (auto _ : state) {
        if (cache_state == "cold") fill_cache();
        check(cudaStreamSynchronize(state_->trials->stream()), "before the run");
        (void)cudaProfilerStart();
        in_range(name, state_->trials->trial(c).work);
        if (cache_state == "cold") in_range("WRITE_BACK " + name, fill_cache);
        (void)cudaProfilerStop();
        check(cudaGetLastError(), "launch");
        state.SetIterationTime(0);
    }
    state.counters["bytes"] = double(c.bytes());
    state.counters["elements"] = double(c.n);
    state.counters["element_bytes"] = c.element_bytes();
}

std::string Machine::name() const { return state_->counting ? "SIMT machine" : properties_of_gpu().name; }

JsonObject Machine::describe() const {
    JsonObject machine;
    if (state_->counting)
        return machine.set("kind", "simt")
            .set("name", name())
            .set("warp", 32)
            .set("banks", 32)
            .set("sector_bytes", 32)
            .set("kernels", state_->counting->kernels());
    const cudaDeviceProp properties = properties_of_gpu();
    int driver = 0, gpus = 0;
    check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    check(cudaGetDeviceCount(&gpus), "cudaGetDeviceCount");
    machine.set("kind", "gpu")
        .set("name", properties.name)
        .set("gpus", gpus)
        .set("driver", "for CUDA " + version_text(driver))
        .set("cuda", version_text(CUDART_VERSION))
        .set("cub", cub_version());
    if (has_newest_cub()) machine.set("cub_newest", newest::cub_version());
    return machine
        .set("compute_capability", std::to_string(properties.major) + "." + std::to_string(properties.minor))
        .set("sm_count", properties.multiProcessorCount)
        .set("sm_clock_mhz", attribute(cudaDevAttrClockRate) / 1000)
        .set("sm_clock_threshold_mhz", static_cast<int>(state_->timing->threshold_mhz()))
        .set("memory_clock_mhz", attribute(cudaDevAttrMemoryClockRate) / 1000)
        .set("memory_bytes", static_cast<long long>(properties.totalGlobalMem))
        .set("l2_bytes", properties.l2CacheSize);
}

std::string Machine::compiler() {
    return on_gpu() ? HARNESS_CUDA_COMPILER ", g++ " __VERSION__ : HARNESS_CUDA_COMPILER;
}

std::vector<std::pair<std::string, std::string>> Machine::files() const {
    return state_->counting ? state_->counting->files() : std::vector<std::pair<std::string, std::string>>{};
}

}  // namespace harness
