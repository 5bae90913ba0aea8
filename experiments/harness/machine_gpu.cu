// The harness on the GPU: cases share buffers, are checked, then timed with events, with a cold and a warm
// cache. The last result that is timed is checked again. A result that has the bytes of one that was found
// right is right; any other is compared with the host's, element by element.
#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

#include <cmath>
#include <cstring>
#include <map>
#include <stdexcept>
#include <tuple>

#include "experiments/harness/cub.h"
#include "experiments/harness/cuda_check.h"
#include "experiments/harness/gpu_timer.cuh"
#include "experiments/harness/gpu_vectors.h"
#include "experiments/harness/graph.h"
#include "experiments/harness/machine.h"
#include "experiments/program/fingerprint.h"

namespace harness {
namespace {

// Bytes of device memory reserved for block sums, CUB and the runtime.
constexpr long long WORKSPACES = 256LL << 20;
// Nanoseconds; longer than the CPU takes to queue any of the work.
constexpr long long SPIN = 100 * 1000;
// Seconds of idleness after which the GPU is woken again.
constexpr double LONG_IDLE = 0.2;

int attribute(cudaDeviceAttr which) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, 0), "cudaDeviceGetAttribute");
    return value;
}

cudaDeviceProp properties_of_gpu() {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    return properties;
}

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

struct Sample {
    double seconds = 0;
    double sm_clock_mhz = 0;
};

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
    std::uint64_t seed = 0;
    cudaStream_t stream = nullptr;
    long long flush_bytes = 0;
    std::unique_ptr<Buffer> flush;
    Work fill_cache;
    std::unique_ptr<SharedVectors> vectors;
    std::map<const Case*, Trial> trials;
    std::map<const Case*, std::unique_ptr<Graph>> graphs;  // of the cases submitted as graphs
    std::map<const Case*, Findings> findings;
    std::unique_ptr<SmClock> clock;
    std::unique_ptr<GpuTimer> timer;
    std::unique_ptr<Fingerprint> fingerprint;
    std::map<Result, std::uint64_t> right;  // the fingerprints of results that were found right
    bool awake = false;

    Trial prepare(const Case& c);
    void poison(const Case& c) const;
    void poison_shared(const Case& c) const;
    std::vector<DeviceBytes> on_device(const Case& c) const;
    std::string compare(const Case& c) const;
    std::string find_error(const Case& c);
    std::string find_last_error(const Case& c);
    void warm_up(const Case& c);
    void submit(const Case& c) const;
    void wake();
    Sample sample(const Case& c, const std::string& cache_state, bool poisoned);
};

std::vector<std::string> cache_states() { return {"cold", "warm"}; }

Machine::Machine(std::uint64_t seed) : state_(new State) {
    check(cudaSetDevice(0), "no GPU");
    state_->seed = seed;
    check(cudaStreamCreateWithFlags(&state_->stream, cudaStreamNonBlocking), "cudaStreamCreate");
    state_->clock = std::make_unique<SmClock>(state_->stream);
    state_->timer = std::make_unique<GpuTimer>(state_->stream);
    state_->fingerprint = std::make_unique<Fingerprint>(state_->stream);
    state_->flush_bytes = 2LL * attribute(cudaDevAttrL2CacheSize);
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    state_->vectors =
        std::make_unique<SharedVectors>(static_cast<long long>(free) - state_->flush_bytes - WORKSPACES);
}

Machine::~Machine() {
    state_->graphs.clear();
    state_->trials.clear();
    (void)cudaStreamDestroy(state_->stream);
}

std::vector<Skipped> Machine::make_room(std::vector<Case*>& cases) {
    std::vector<Skipped> skipped;
    std::vector<Case*> admitted;
    for (Case* c : cases) {
        const std::string reason = state_->vectors->admit(*c);
        if (reason.empty()) {
            admitted.push_back(c);
        } else {
            skipped.push_back({c->name(), reason});
        }
    }
    cases = std::move(admitted);
    state_->vectors->allocate(state_->seed);
    state_->flush = std::make_unique<Buffer>(Memory::device, state_->flush_bytes);
    check(cudaMemset(state_->flush->data(), 0, state_->flush_bytes), "cudaMemset");
    // The cache is filled by reads, not by writes: dirty lines would be written back during the sample, at
    // the expense of the work.
    state_->fill_cache = read_all(state_->flush->data(), state_->flush_bytes, nullptr, state_->stream);
    return skipped;
}

/// The case, ready to run, with the copies to the GPU and back if its vector lies on the host.
Trial Machine::State::prepare(const Case& c) {
    void* in = vectors->in(c, Memory::device);
    void* out = vectors->out(c, Memory::device);
    Trial trial = c.prepare(in, out, stream);
    if (c.vector == Memory::device) return trial;

    const void* host_in = vectors->in(c, c.vector);
    void* host_out = vectors->out(c, c.vector);
    const long long in_bytes = c.in_bytes(), out_bytes = c.out_bytes();
    const cudaStream_t queue = stream;
    trial.work = [=, on_gpu_work = trial.work] {
        (void)cudaMemcpyAsync(in, host_in, in_bytes, cudaMemcpyHostToDevice, queue);
        on_gpu_work();
        (void)cudaMemcpyAsync(host_out, out, out_bytes, cudaMemcpyDeviceToHost, queue);
    };
    return trial;
}

/// Overwrite the output, after whatever is queued and before whatever follows.
void Machine::State::poison(const Case& c) const {
    check(cudaStreamSynchronize(stream), "before the run");
    if (const Trial& trial = trials.at(&c); trial.poison)
        trial.poison();
    else
        poison_shared(c);
    check(cudaDeviceSynchronize(), "before the run");
}

void Machine::State::poison_shared(const Case& c) const {
    check(cudaMemset(vectors->out(c, Memory::device), POISON, c.out_bytes()), "cudaMemset");
    if (c.vector == Memory::device) return;
    check(cudaMemset(vectors->in(c, Memory::device), POISON, c.in_bytes()), "cudaMemset");
    std::memset(vectors->out(c, c.vector), POISON, c.out_bytes());
}

/// Run the work once without a graph and discard it: what the runtime loads on the first call cannot be
/// captured.
void Machine::State::warm_up(const Case& c) {
    const Trial trial = prepare(c);
    trial.work();
    check(cudaGetLastError(), "launch");
    check(cudaStreamSynchronize(stream), "run");
}

/// Queue the case's work, as calls or as a graph, whichever the case asks for.
void Machine::State::submit(const Case& c) const {
    if (c.submitted == Submitted::graph) {
        graphs.at(&c)->launch();
    } else {
        trials.at(&c).work();
    }
}

void Machine::check_case(const Case& c) {
    if (c.submitted == Submitted::graph) state_->warm_up(c);
    Trial& trial = state_->trials[&c];
    trial = state_->prepare(c);
    if (c.submitted == Submitted::graph)
        state_->graphs[&c] = std::make_unique<Graph>(state_->stream, trial.work);
    state_->poison(c);
    state_->submit(c);
    check(cudaGetLastError(), "launch");
    check(cudaStreamSynchronize(state_->stream), "run");
    const std::string error = state_->find_error(c);
    if (!error.empty()) throw std::runtime_error(error);
    if (trial.findings) state_->findings[&c] = trial.findings();
}

/// The result of the case's latest run; empty if it is not, or not known to be, on the device.
std::vector<DeviceBytes> Machine::State::on_device(const Case& c) const {
    if (c.element == nullptr) return trials.at(&c).result;
    if (c.vector != Memory::device) return {};
    return {{vectors->out(c, Memory::device), c.out_bytes()}};
}

std::string Machine::State::compare(const Case& c) const {
    const Trial& trial = trials.at(&c);
    return trial.find_error ? trial.find_error() : c.find_error(c, seed, vectors->out(c, c.vector));
}

/// "", or what is wrong with the result of the case's latest run.
std::string Machine::State::find_error(const Case& c) {
    const std::vector<DeviceBytes> result = on_device(c);
    if (result.empty()) return compare(c);
    const std::uint64_t found = fingerprint->of(result);
    const auto known = right.find(result_of(c));
    if (known != right.end() && known->second == found) return "";
    const std::string error = compare(c);
    if (error.empty()) right[result_of(c)] = found;
    return error;
}

std::map<std::string, double> Machine::counts(const Case&) const { return {}; }

std::vector<std::string> Machine::counted_quantities() { return {}; }

/// The same between samples: a GPU that was idle for long meanwhile must be woken before the next one.
std::string Machine::State::find_last_error(const Case& c) {
    const double started = seconds();
    const std::string error = find_error(c);
    if (seconds() - started > LONG_IDLE) awake = false;
    return error;
}

/// Keep the GPU busy before the first sample: an idle GPU runs at a low clock rate.
void Machine::State::wake() {
    if (!awake) clock->spin_for(300 * 1000 * 1000LL);
    awake = true;
}

/// poisoned: the output is overwritten before the clock starts, so that a result found later is this run's.
/// After the warm-up, which writes it; before the cache is flushed, or the output would be in it.
Sample Machine::State::sample(const Case& c, const std::string& cache_state, bool poisoned) {
    const bool cold = cache_state == "cold";
    if (const auto& own_sample = trials.at(&c).sample; own_sample) {
        clock->spin_for(SPIN);
        const double mhz = clock->mhz();
        return {own_sample(cold, poisoned ? trials.at(&c).poison : std::function<void()>()), mhz};
    }
    if (!cold) submit(c);
    if (poisoned) poison(c);
    if (cold) fill_cache();
    clock->spin_for(SPIN);
    // Work that begins on the host must not begin before the clock starts.
    if (c.begins_on_host()) check(cudaStreamSynchronize(stream), "before the run");
    timer->start();
    submit(c);
    const double seconds = timer->stop();
    return {seconds, clock->mhz()};
}

/// `throttled`: samples discarded before this one. `throttled_kept`: 1 if this one was throttled too but
/// kept.
void Machine::measure(benchmark::State& state, const Case& c, const std::string& cache_state, bool is_last) {
    Sample sample;
    int discarded = 0;
    try {
        state_->wake();
        for (auto _ : state) {
            sample = state_->sample(c, cache_state, is_last);
            for (; state_->clock->discard(sample.sm_clock_mhz); ++discarded)
                sample = state_->sample(c, cache_state, is_last);
            state.SetIterationTime(sample.seconds);
        }
        const std::string error = is_last ? state_->find_last_error(c) : "";
        if (!error.empty()) state.SkipWithError(wrong_last_result(c, error).c_str());
    } catch (const std::exception& error) {
        state.SkipWithError((c.name() + ": " + error.what()).c_str());
    }
    state.counters["bytes"] = double(c.bytes());
    state.counters["elements"] = double(c.n);
    state.counters["sm_clock_mhz"] = std::round(sample.sm_clock_mhz);
    state.counters["throttled"] = discarded;
    state.counters["throttled_kept"] = state_->clock->throttled(sample.sm_clock_mhz);
    for (const auto& [name, value] : state_->findings[&c]) state.counters[name] = value;
}

/// A graph runs the same kernels as the calls, so a profiler is given the calls.
void Machine::profile(benchmark::State& state, const Case& c, const std::string& cache_state,
                      const std::string& name) {
    const auto in_range = [this](const char* range, const Work& work) {
        nvtxRangePushA(range);
        work();
        (void)cudaStreamSynchronize(state_->stream);
        nvtxRangePop();
    };
    for (auto _ : state) {
        if (cache_state == "cold") state_->fill_cache();
        check(cudaStreamSynchronize(state_->stream), "before the run");
        (void)cudaProfilerStart();
        in_range(name.c_str(), state_->trials.at(&c).work);
        if (cache_state == "cold") in_range(("WRITE_BACK " + name).c_str(), state_->fill_cache);
        (void)cudaProfilerStop();
        check(cudaGetLastError(), "launch");
        state.SetIterationTime(0);
    }
    state.counters["bytes"] = double(c.bytes());
    state.counters["elements"] = double(c.n);
    state.counters["element_bytes"] = c.element_bytes();
}

std::string Machine::name() const { return properties_of_gpu().name; }

JsonObject Machine::describe() const {
    const cudaDeviceProp properties = properties_of_gpu();
    int driver = 0, gpus = 0;
    check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    check(cudaGetDeviceCount(&gpus), "cudaGetDeviceCount");
    JsonObject machine;
    machine.set("kind", "gpu")
        .set("name", properties.name)
        .set("gpus", gpus)
        .set("driver", "for CUDA " + version_text(driver))
        .set("cuda", version_text(CUDART_VERSION))
        .set("cub", cub_version());
    if constexpr (has_newest_cub) machine.set("cub_newest", newest::cub_version());
    return machine
        .set("compute_capability", std::to_string(properties.major) + "." + std::to_string(properties.minor))
        .set("sm_count", properties.multiProcessorCount)
        .set("sm_clock_mhz", attribute(cudaDevAttrClockRate) / 1000)
        .set("sm_clock_threshold_mhz", static_cast<int>(state_->clock->threshold_mhz()))
        .set("memory_clock_mhz", attribute(cudaDevAttrMemoryClockRate) / 1000)
        .set("memory_bytes", static_cast<long long>(properties.totalGlobalMem))
        .set("l2_bytes", properties.l2CacheSize);
}

std::string Machine::compiler() {
    return "nvcc " + std::to_string(__CUDACC_VER_MAJOR__) + "." + std::to_string(__CUDACC_VER_MINOR__) + "." +
           std::to_string(__CUDACC_VER_BUILD__) + ", g++ " + __VERSION__;
}

std::vector<std::pair<std::string, std::string>> Machine::files() const { return {}; }

}  // namespace harness
