#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "experiments/harness/report.h"

namespace harness {
namespace {

/// Why a repetition could not be measured; "" if it was. Google Benchmark 1.8 renamed the fields.
template <class Run>
auto failure_of(const Run& run, int) -> decltype(run.error_message) {
    return run.error_occurred ? run.error_message : "";
}
template <class Run>
std::string failure_of(const Run& run, long) {
    return run.skipped ? run.skip_message : "";
}

}  // namespace

void RowReporter::ReportRuns(const std::vector<Run>& runs) {
    std::vector<Run> rows;
    for (Run run : runs) {
        const std::string failure = failure_of(run, 0);
        if (!failure.empty() && failure_.empty()) failure_ = run.run_name.function_name + ": " + failure;
        if (run.run_type == Run::RT_Aggregate || !failure.empty()) continue;
        run.run_name.iterations.clear();
        run.run_name.repetitions.clear();
        run.run_name.time_type.clear();
        run.cpu_accumulated_time = 0;  // the CPU's time says nothing about a case
        rows.push_back(run);
    }
    if (!rows.empty()) JSONReporter::ReportRuns(rows);
}

std::string RowReporter::file(const std::string& context) const {
    return "{\n  \"context\": " + JsonObject::indent(context) + ",\n  \"benchmarks\": [\n" + rows_.str();
}

void make_folder(const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw std::runtime_error("cannot make the folder " + folder + ": " + error.message());
}

void write_files(const std::string& folder, const std::vector<std::pair<std::string, std::string>>& files) {
    namespace fs = std::filesystem;
    const auto temporary = [&](const std::string& name) { return fs::path(folder) / ("." + name + ".part"); };
    try {
        for (const auto& [name, content] : files) {
            std::ofstream stream(temporary(name), std::ios::binary);
            stream << content;
            stream.close();
            if (!stream) throw std::runtime_error("cannot write " + (fs::path(folder) / name).string());
        }
        std::for_each(files.rbegin(), files.rend(), [&](const auto& file) {
            fs::rename(temporary(file.first), fs::path(folder) / file.first);
        });
    } catch (...) {
        std::error_code ignored;
        for (const auto& file : files) fs::remove(temporary(file.first), ignored);
        throw;
    }
}

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Progress::Progress(std::string what, double total)
    : what_(std::move(what)),
      total_(total),
      started_(seconds()),
      said_(started_),
      terminal_(isatty(STDERR_FILENO)) {}

Progress::~Progress() {
    if (terminal_ && spoke_) std::fprintf(stderr, "\r\033[K");
}

void Progress::advance(double weight) {
    done_ += weight;
    const double now = seconds();
    if (now - said_ < (terminal_ ? 0.2 : 10.0)) return;
    said_ = now;
    spoke_ = true;
    const double left = (now - started_) * (total_ - done_) / done_;
    std::fprintf(stderr, "%s%s: %3.0f %%, %.0f s left%s", terminal_ ? "\r\033[K" : "", what_.c_str(),
                 100 * done_ / total_, left, terminal_ ? "" : "\n");
}

}  // namespace harness
