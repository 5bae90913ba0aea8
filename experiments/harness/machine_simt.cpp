// The harness on the SIMT machine: every case runs once, and the run is both checked and counted. No times
// are measured.
#include <map>
#include <set>
#include <sstream>

#include "experiments/harness/cuda_check.h"
#include "experiments/harness/machine.h"

namespace harness {
namespace {

/// A device buffer for one case, of exactly the right size, so that accesses past its end are detected.
class Buffer {
   public:
    explicit Buffer(long long bytes) { check(cudaMalloc(&data_, bytes), "cudaMalloc"); }
    ~Buffer() { (void)cudaFree(data_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    void* data() { return data_; }

   private:
    char* data_ = nullptr;
};

/// The machine's settings for a case. One whose blocks communicate runs on one core, any other on all. Every
/// fence that the memory model asks for must be there.
class Settings {
   public:
    explicit Settings(const Case& c) {
        simt::set_cores(c.single_core ? 1 : 0);
        simt::set_strict(true);
    }
    ~Settings() { simt::set_cores(0); }
    Settings(const Settings&) = delete;
    Settings& operator=(const Settings&) = delete;
};

/// Number of steps of all launches in which any block applies the operator.
long long operator_steps(const simt::Recording& recording) {
    long long steps = 0;
    for (const simt::Launch& launch : recording.launches)
        for (const simt::Counters& step : launch.steps) steps += step.ops > 0 ? 1 : 0;
    return steps;
}

/// The counts of a run, by the names of the results.
std::map<std::string, double> counts_of(const simt::Recording& recording) {
    const simt::Counters total = recording.total();
    std::map<std::string, double> row;
    simt::Counters::for_each(total, [&](const char* name, std::int64_t value) { row[name] = double(value); });
    row["bank_conflicts"] = double(total.bank_conflicts());
    row["active_lanes"] = total.active_lanes();
    row["operator_steps"] = double(operator_steps(recording));
    row["launches"] = double(recording.launches.size());
    row["copies"] = double(recording.copies);
    row["bytes_to_device"] = double(recording.bytes_to_device);
    row["bytes_to_host"] = double(recording.bytes_to_host);
    row["global_bytes_read"] = 32.0 * double(total.global_load_sectors);
    row["global_bytes_written"] = 32.0 * double(total.global_store_sectors);
    return row;
}

}  // namespace

struct Machine::State {
    std::uint64_t seed;
    std::map<const Case*, simt::Recording> recordings;
    std::map<const Case*, Findings> findings;
    std::ostringstream steps, trace, shared;

    void write_steps(const Case& c, const simt::Recording& recording);
    void write_trace(const Case& c, const simt::Recording& recording);
    void write_shared(const Case& c, const simt::Recording& recording);
};

std::vector<std::string> cache_states() { return {""}; }

Machine::Machine(std::uint64_t seed) : state_(new State{seed, {}, {}, {}, {}, {}}) {
    state_->steps << "case,launch,kernel,step";
    const simt::Counters names;
    simt::Counters::for_each(names, [&](const char* name, std::int64_t) { state_->steps << ',' << name; });
    state_->steps << '\n';
}

Machine::~Machine() = default;

std::vector<Skipped> Machine::make_room(std::vector<Case*>&) { return {}; }

void Machine::check_case(const Case& c) {
    const Settings settings(c);
    Buffer in(c.in_bytes()), out(c.out_bytes());
    if (c.element != nullptr) c.element->fill(in.data(), c.n, state_->seed);
    check(cudaMemset(out.data(), POISON, c.out_bytes()), "cudaMemset");
    const Trial trial = c.prepare(in.data(), out.data(), nullptr);
    if (trial.poison) trial.poison();

    simt::Recording recording = simt::record(trial.work, c.traced);
    check(cudaGetLastError(), "launch");
    const std::string error =
        trial.find_error ? trial.find_error() : c.find_error(c, state_->seed, out.data());
    if (!error.empty()) throw std::runtime_error(error);
    if (trial.findings) state_->findings[&c] = trial.findings();

    if (!c.omit_steps) state_->write_steps(c, recording);
    state_->write_trace(c, recording);
    if (c.traced_contents) state_->write_shared(c, recording);
    recording.trace.clear();
    recording.shared.clear();
    state_->recordings[&c] = std::move(recording);
}

std::map<std::string, double> Machine::counts(const Case& c) const {
    return counts_of(state_->recordings.at(&c));
}

std::vector<std::string> Machine::counted_quantities() {
    std::vector<std::string> names;
    for (const auto& [name, value] : counts_of({})) names.push_back(name);
    return names;
}

/// Nothing is run: the one run that is counted has been compared.
void Machine::measure(benchmark::State& state, const Case& c, const std::string&, bool) {
    for (auto _ : state) state.SetIterationTime(0);
    for (const auto& [name, value] : counts(c)) state.counters[name] = value;
    if (c.element != nullptr && !c.element->is_number) state.counters["elements_of_parts"] = 1;
    for (const auto& [name, value] : state_->findings[&c]) state.counters[name] = value;
    for (const auto& [quantity, value] : c.predictions)
        state.counters["predicted_" + quantity] = double(value);
}

void Machine::profile(benchmark::State& state, const Case&, const std::string&, const std::string&) {
    state.SkipWithError("the SIMT machine has no profiler");
}

std::string Machine::name() const { return "SIMT machine"; }

JsonObject Machine::describe() const {
    std::set<std::string> kernels;
    for (const auto& [c, recording] : state_->recordings)
        for (const simt::Launch& launch : recording.launches) kernels.insert(launch.kernel);
    std::string names;
    for (const std::string& kernel : kernels) {
        const std::string anonymous = "(anonymous namespace)::";
        const std::size_t begin = kernel.find(anonymous) == 0 ? anonymous.size() : 0;
        const std::string name = kernel.substr(begin, kernel.find('<', begin) - begin);
        if ((" " + names + " ").find(" " + name + " ") == std::string::npos)
            names += (names.empty() ? "" : " ") + name;
    }
    return JsonObject()
        .set("kind", "simt")
        .set("name", name())
        .set("warp", 32)
        .set("banks", 32)
        .set("sector_bytes", 32)
        .set("kernels", names);
}

std::vector<std::pair<std::string, std::string>> Machine::files() const {
    std::vector<std::pair<std::string, std::string>> files = {{".steps.csv", state_->steps.str()}};
    const std::string trace = state_->trace.str();
    if (!trace.empty())
        files.emplace_back(".trace.csv", "case,launch,step,warp,request,kind,lane,word,words\n" + trace);
    const std::string shared = state_->shared.str();
    if (!shared.empty()) files.emplace_back(".shared.csv", "case,launch,step,array,word,value\n" + shared);
    return files;
}

void Machine::State::write_steps(const Case& c, const simt::Recording& recording) {
    for (std::size_t l = 0; l < recording.launches.size(); ++l) {
        const simt::Launch& launch = recording.launches[l];
        for (std::size_t s = 0; s < launch.steps.size(); ++s) {
            steps << c.name() << ',' << l << ",\"" << launch.kernel << "\"," << s;
            simt::Counters::for_each(launch.steps[s],
                                     [&](const char*, std::int64_t value) { steps << ',' << value; });
            steps << '\n';
        }
    }
}

void Machine::State::write_trace(const Case& c, const simt::Recording& recording) {
    for (const simt::Access& a : recording.trace) {
        trace << c.name() << ',' << a.launch << ',' << a.step << ',' << a.warp << ',' << a.request << ','
              << a.kind << ',' << a.lane << ',' << a.word << ',' << a.words << '\n';
    }
}

void Machine::State::write_shared(const Case& c, const simt::Recording& recording) {
    for (const simt::Word& w : recording.shared) {
        shared << c.name() << ',' << w.launch << ',' << w.step << ',' << w.array << ',' << w.word << ','
               << w.value << '\n';
    }
}

}  // namespace harness
