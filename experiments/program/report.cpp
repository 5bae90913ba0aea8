#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "experiments/program/report.h"

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

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // its CSV, which is still an option of its own
std::unique_ptr<benchmark::BenchmarkReporter> reporter_of(Format format) {
    if (format == Format::csv) return std::make_unique<benchmark::CSVReporter>();
    return std::make_unique<benchmark::JSONReporter>();
}
#pragma GCC diagnostic pop

}  // namespace

bool Rows::ReportContext(const Context& context) {
    context_.emplace(context);
    return true;
}

void Rows::ReportRuns(const std::vector<Run>& runs) {
    for (Run run : runs) {
        const std::string failure = failure_of(run, 0);
        if (failure_.empty()) failure_ = failure;
        if (!failure.empty()) continue;
        run.run_name.iterations.clear();
        run.run_name.repetitions.clear();
        run.run_name.time_type.clear();
        run.cpu_accumulated_time = 0;  // the CPU's time says nothing about a case
        runs_.push_back(run);
    }
}

std::vector<Rows::Run> Rows::repetitions() const {
    std::vector<Run> found;
    for (const Run& run : runs_)
        if (run.run_type == Run::RT_Iteration) found.push_back(run);
    return found;
}

std::vector<Rows::Run> Rows::only_aggregates() const {
    std::vector<Run> found;
    for (const Run& run : runs_)
        if (run.run_type == Run::RT_Aggregate || run.repetitions == 1) found.push_back(run);
    return found;
}

std::string results_file(const std::string& context, const Rows& rows) {
    std::ostringstream text;
    text << "{\n  \"context\": " << JsonObject::indent(context) << ",\n  \"benchmarks\": [\n";
    benchmark::JSONReporter reporter;
    reporter.SetOutputStream(&text);
    reporter.ReportRuns(rows.repetitions());
    reporter.Finalize();
    return text.str();
}

/// All rows at once: the columns of CSV are those of its first call.
void print_rows(std::ostream& stream, Format format, const Rows& rows, bool only_aggregates) {
    const auto reporter = reporter_of(format);
    reporter->SetOutputStream(&stream);
    reporter->SetErrorStream(&std::cerr);
    reporter->ReportContext(rows.context());
    reporter->ReportRuns(only_aggregates ? rows.only_aggregates() : rows.with_aggregates());
    reporter->Finalize();
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

void Progress::clear() const {
    if (terminal_ && spoke_) std::fprintf(stderr, "\r\033[K");
}

void Progress::say(const std::string& line) {
    clear();
    std::fprintf(stderr, "%s\n", line.c_str());
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
