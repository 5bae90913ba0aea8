#pragma once
#include <benchmark/benchmark.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace harness {

/// Google Benchmark's JSON rows, one a repetition: no aggregates, and plain case names. Rows are kept
/// in memory until the run has ended well.
class RowReporter : public benchmark::JSONReporter {
   public:
    RowReporter() { SetOutputStream(&rows_); }
    bool ReportContext(const Context&) override { return true; }  // ours is known only at the end
    void ReportRuns(const std::vector<Run>& runs) override;

    /// The whole file: `context` is a JSON object's text.
    std::string file(const std::string& context) const;

    /// Why a repetition could not be measured; "" if all were.
    const std::string& failure() const { return failure_; }

   private:
    std::ostringstream rows_;
    std::string failure_;
};

/// Throws std::runtime_error.
void make_folder(const std::string& folder);

/// Write all files (name and content) into `folder`, or none: under temporary names first. The first file is
/// the last to appear. Throws std::runtime_error.
void write_files(const std::string& folder, const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace harness
