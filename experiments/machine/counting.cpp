#include "experiments/machine/counting.h"

#include <cstdlib>

#include "experiments/harness/suite.h"
#include "simt/loader/names.h"

namespace harness {
namespace {

using sass::Counts;
using simt_runtime::LaunchRecord;
using simt_runtime::Recording;

/// The operators of kernels/operators.cuh and kernels/segmented.cuh, and the instructions that stand for an
/// application of each on floats: simt/decode/operators.h. What becomes of integers is not told by any.
constexpr const char* OPERATORS =
    "Sum: FADD DADD; Max: FMNMX FSETP DSETP; Min: FMNMX FSETP DSETP; Product: FMUL DMUL;"
    "ComposeAffine: FMUL DMUL;"  // the product of the factors
    "Bicyclic: ; Segmented: ";
/// Quantities that are applications of the operator, or follow from them.
constexpr const char* OF_OPERATOR[] = {"ops", "warp_ops", "active_warps", "operator_steps"};
/// What is counted more often the longer a block waits: it then reads global memory again and again, in
/// strong loads.
constexpr const char* OF_WAITING[] = {"warp_instructions",
                                      "alu_instructions",
                                      "fp64_instructions",
                                      "xu_instructions",
                                      "mio_instructions",
                                      "thread_instructions",
                                      "thread_instructions_pred_on",
                                      "branches",
                                      "divergent_branches",
                                      "global_load_requests",
                                      "global_load_sectors",
                                      "volatile_load_requests",
                                      "volatile_load_sectors",
                                      "global_bytes_read",
                                      "shuffles",
                                      "votes",
                                      "ops",
                                      "warp_ops",
                                      "float_additions"};
/// Seeds of the orders in which a case is counted again, to see what depends on the order.
constexpr std::uint64_t OTHER_ORDERS[] = {1, 2};

std::string from_environment(const char* name, const char* otherwise) {
    const char* const text = std::getenv(name);
    return text == nullptr ? otherwise : text;
}

/// As the environment asks for, see simt-run.
sass::Options default_options() {
    sass::Options options;
    options.checks = from_environment("SIMT_CHECKS", "0") != "0";
    options.cores = std::stoi(from_environment("SIMT_CORES", "0"));
    options.seed = std::stoull(from_environment("SIMT_SEED", "0"));
    options.operators = from_environment("SIMT_OPERATORS", OPERATORS);
    return options;
}

Counts total_of(const Recording& recording) {
    Counts total;
    for (const LaunchRecord& launch : recording.launches) total += launch.total;
    return total;
}

/// Steps of all launches in which any block applies the operator.
long long operator_steps(const Recording& recording) {
    long long steps = 0;
    for (const LaunchRecord& launch : recording.launches)
        for (const Counts& step : launch.steps) steps += step.ops > 0 ? 1 : 0;
    return steps;
}

std::map<std::string, double> counts_of(const Recording& recording) {
    const Counts total = total_of(recording);
    std::map<std::string, double> row;
    Counts::for_each(total, [&](const char* name, std::int64_t value) { row[name] = double(value); });
    row["bank_conflicts"] = double(total.bank_conflicts());
    row["active_lanes"] = total.active_lanes();
    row["operator_steps"] = double(operator_steps(recording));
    row["launches"] = double(recording.launches.size());
    row["copies"] = double(recording.copies);
    row["bytes_to_device"] = double(recording.bytes_to_device);
    row["bytes_to_host"] = double(recording.bytes_to_host);
    row["global_bytes_read"] = 32.0 * double(total.global_load_sectors - total.volatile_load_sectors);
    row["global_bytes_written"] = 32.0 * double(total.global_store_sectors);
    return row;
}

/// A kernel with its template arguments: scan_tiles<Plain, 64> of "void scan_tiles<Plain, 64>(float*)".
std::string without_parameters(std::string signature) {
    const std::string own = "trial::", result = "void ";  // the namespace of kernels/
    for (std::size_t at = 0; (at = signature.find(own, at)) != std::string::npos;)
        signature.erase(at, own.size());
    const std::string name = sass::without_parameters(signature);
    return name.compare(0, result.size(), result) == 0 ? name.substr(result.size()) : name;
}

/// The same without its template arguments and an unnamed namespace.
std::string plain_name(const std::string& kernel) {
    const std::string anonymous = "(anonymous namespace)::";
    const std::size_t begin = kernel.find(anonymous) == 0 ? anonymous.size() : 0;
    return kernel.substr(begin, kernel.find('<', begin) - begin);
}

}  // namespace

bool on_gpu() {
    static const bool found = simt_runtime::observer() == nullptr;
    return found;
}

void order_blocks(std::uint64_t seed) {
    if (on_gpu()) return;
    sass::Options options = default_options();
    options.counts = false;
    options.seed = seed;
    if (seed == 0)
        (void)simt_runtime::observer()->end();
    else
        simt_runtime::observer()->begin(options);
}

Counting::Counting(simt_runtime::Observer& machine) : machine_(machine) {
    launches_ << "case,launch,kernel,blocks,threads,registers,shared_bytes,sectors_read,sectors_written\n";
}

void Counting::observe(const Case& c, const std::function<void()>& run) {
    sass::Options options = default_options();
    if (c.single_core) options.cores = 1;
    options.steps = true;
    options.trace = c.traced;
    options.contents = c.traced_contents;
    machine_.begin(options);
    run();
    const Recording recording = machine_.end();
    counts_[&c] = counts_of(recording);
    for (const LaunchRecord& launch : recording.launches)
        if (!launch.shows_operators)
            for (const char* const quantity : OF_OPERATOR) counts_[&c].erase(quantity);
    for (const LaunchRecord& launch : recording.launches)
        kernels_.insert(plain_name(without_parameters(launch.kernel)));
    if (c.has_steps) write_steps(c, recording);
    write_launches(c, recording);
    write_accesses(c, recording);
    note_what_varies(c, run);
}

void Counting::observe_marks(const Case& c, const std::function<void()>& run) {
    sass::Options options = default_options();
    options.steps = true;
    if (c.single_core) options.cores = 1;
    machine_.begin(options);
    run();
    const std::map<std::string, double> marked = counts_of(machine_.end());
    for (const char* const quantity : OF_OPERATOR) {
        counts_[&c][quantity] = marked.at(quantity);
        if (marked.at("volatile_load_requests") > 0) counts_[&c]["varies_" + std::string(quantity)] = 1;
    }
}

/// What blocks learn of one another depends on their order, and so do counts of what they then do: those that
/// differ in another order, and all that grow while a block waits.
void Counting::note_what_varies(const Case& c, const std::function<void()>& run) {
    std::map<std::string, double>& counts = counts_[&c];
    if (counts.at("volatile_load_requests") > 0)
        for (const char* const quantity : OF_WAITING)
            if (counts.count(quantity) > 0) counts["varies_" + std::string(quantity)] = 1;
    for (const std::uint64_t seed : OTHER_ORDERS) {
        sass::Options options = default_options();
        options.seed = seed;
        options.cores = 1;  // in that order, whatever the timing of this machine's cores
        options.steps = true;
        machine_.begin(options);
        run();
        for (const auto& [quantity, value] : counts_of(machine_.end()))
            if (counts.count(quantity) > 0 && counts.at(quantity) != value) counts["varies_" + quantity] = 1;
    }
}

std::vector<std::string> Counting::quantities() {
    std::vector<std::string> names;
    for (const auto& [name, value] : counts_of({})) names.push_back(name);
    return names;
}

std::string Counting::kernels() const {
    std::string names;
    for (const std::string& kernel : kernels_) names += (names.empty() ? "" : " ") + kernel;
    return names;
}

std::vector<std::pair<std::string, std::string>> Counting::files() const {
    std::vector<std::pair<std::string, std::string>> files = {{".launches.csv", launches_.str()}};
    if (const std::string steps = steps_.str(); !steps.empty()) {
        std::string names = "case,launch,kernel,step";
        const Counts none;
        Counts::for_each(none, [&](const char* name, std::int64_t) { names += std::string(",") + name; });
        files.emplace_back(".steps.csv", names + "\n" + steps);
    }
    const std::string trace = trace_.str();
    if (!trace.empty())
        files.emplace_back(".trace.csv", "case,launch,step,warp,request,kind,lane,word,words\n" + trace);
    const std::string shared = shared_.str();
    if (!shared.empty()) files.emplace_back(".shared.csv", "case,launch,step,array,word,value\n" + shared);
    return files;
}

void Counting::write_steps(const Case& c, const Recording& recording) {
    for (std::size_t l = 0; l < recording.launches.size(); ++l) {
        const LaunchRecord& launch = recording.launches[l];
        for (std::size_t s = 0; s < launch.steps.size(); ++s) {
            steps_ << c.name() << ',' << l << ",\"" << without_parameters(launch.kernel) << "\"," << s;
            Counts::for_each(launch.steps[s],
                             [&](const char*, std::int64_t value) { steps_ << ',' << value; });
            steps_ << '\n';
        }
    }
}

void Counting::write_launches(const Case& c, const Recording& recording) {
    for (std::size_t l = 0; l < recording.launches.size(); ++l) {
        const LaunchRecord& launch = recording.launches[l];
        launches_ << c.name() << ',' << l << ",\"" << without_parameters(launch.kernel) << "\","
                  << launch.blocks << ',' << launch.threads << ',' << launch.registers << ','
                  << launch.shared_bytes << ',' << launch.sectors_read << ',' << launch.sectors_written
                  << '\n';
    }
}

/// Words count from the first of the block's shared memory, whatever array they belong to.
void Counting::write_accesses(const Case& c, const Recording& recording) {
    for (std::size_t l = 0; l < recording.launches.size(); ++l) {
        for (const sass::Access& a : recording.launches[l].trace)
            trace_ << c.name() << ',' << l << ',' << a.step << ',' << a.warp << ',' << a.request << ','
                   << a.kind << ',' << a.lane << ',' << a.word << ',' << a.words << '\n';
        for (const sass::Word& w : recording.launches[l].contents)
            shared_ << c.name() << ',' << l << ',' << w.step << ",shared," << w.word << ',' << w.value
                    << '\n';
    }
}

}  // namespace harness
