#include "simt/runtime/recorder.h"

#include <unistd.h>
#include <cstdio>

#include <cstdlib>

#include "simt/loader/names.h"
#include "simt/runtime/state.h"

namespace simt_runtime {
namespace {

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') result += '\\';
        result += letter;
    }
    return result + '"';
}

std::string array(const sass::Dim3& dim) {
    return "[" + std::to_string(dim.x) + ", " + std::to_string(dim.y) + ", " + std::to_string(dim.z) + "]";
}

/// Mean number of active lanes of a memory request but strong loads, out of 32; 0 if there was none.
double active_lanes(const sass::Counts& counts) {
    const std::int64_t requests = counts.shared_load_requests + counts.shared_store_requests +
                                  counts.global_load_requests - counts.volatile_load_requests +
                                  counts.global_store_requests + counts.atomic_requests;
    return requests == 0 ? 0 : double(counts.request_lanes) / double(requests);
}

}  // namespace

Recorder::Recorder() {
    on_exit(
        [](int status, void*) {
            if (status != 0 || get().findings_.empty()) return;
            std::fflush(nullptr);
            _exit(3);
        },
        nullptr);
    const char* path = std::getenv("SIMT_JSON");
    if (path == nullptr || *path == '\0') return;
    path_ = path;
    std::atexit([] { get().write_json(); });
}

Recorder& Recorder::get() {
    static Recorder& recorder = *new Recorder();
    return recorder;
}

void Recorder::begin(const sass::Options& options) {
    const std::lock_guard lock(State::get().lock);
    options_ = options;
    recording_ = {};
    first_ = launched_;
    is_recording_ = true;
}

Recording Recorder::end() {
    const std::lock_guard lock(State::get().lock);
    for (const auto& device : State::get().devices) State::get().queue.wait_for_device(device->index);
    is_recording_ = false;
    return std::move(recording_);
}

sass::Options Recorder::options() const {
    if (is_recording_) return options_;
    sass::Options options = sass::Options::current();
    options.counts = options.counts && !path_.empty();
    return options;
}

int Recorder::begin_launch(const sass::Grid& grid) {
    const sass::Launch& launch = grid.launch();
    const std::string name = sass::demangled(launch.kernel->name);
    if (is_recording_) {
        LaunchRecord record;
        record.kernel = name;
        record.blocks = launch.grid.count();
        record.threads = unsigned(launch.block.count());
        recording_.launches.push_back(std::move(record));
    }
    if (!path_.empty())
        launches_.push_back({name,
                             launch.grid,
                             launch.block,
                             unsigned(launch.kernel->shared_bytes) + launch.dynamic_shared_bytes,
                             {}});
    return launched_++;
}

void Recorder::end_launch(int number, const sass::Grid& grid) {
    if (!path_.empty()) launches_[number].total = grid.total();
    if (!is_recording_ || number < first_) return;
    LaunchRecord& record = recording_.launches[number - first_];
    record.total = grid.total();
    record.shows_operators = grid.shows_operators();
    record.steps = grid.steps();
    record.trace = grid.trace();
    record.contents = grid.contents();
}

void Recorder::found(const std::vector<sass::Finding>& findings) {
    for (const sass::Finding& finding : findings) {
        complain(finding.line);
        findings_.push_back(finding);
    }
}

void Recorder::copied(std::int64_t bytes_to_device, std::int64_t bytes_to_host) {
    if (!is_recording_) return;
    recording_.copies++;
    recording_.bytes_to_device += bytes_to_device;
    recording_.bytes_to_host += bytes_to_host;
}

void Recorder::write_json() const {
    std::FILE* file = std::fopen(path_.c_str(), "w");
    if (file == nullptr) return complain("cannot write " + path_);
    std::fputs("{\"launches\": [", file);
    const char* separator = "\n";
    for (const Summary& launch : launches_) {
        std::fprintf(file, "%s{\"kernel\": %s, \"grid\": %s, \"block\": %s, \"shared_bytes\": %u", separator,
                     quoted(launch.kernel).c_str(), array(launch.grid).c_str(), array(launch.block).c_str(),
                     launch.shared_bytes);
        const auto write = [&](const char* name, std::int64_t value) {
            std::fprintf(file, ", \"%s\": %lld", name, static_cast<long long>(value));
        };
        sass::Counts::for_each(launch.total, write);
        write("bank_conflicts", launch.total.bank_conflicts());
        std::fprintf(file, ", \"active_lanes\": %.17g}", active_lanes(launch.total));
        separator = ",\n";
    }
    std::fputs("\n]}\n", file);
    std::fclose(file);
}

}  // namespace simt_runtime

extern "C" simt_runtime::Observer* simt_observer() { return &simt_runtime::Recorder::get(); }
