// What the machine notes of launches and copies: for the program's observer, and for the file that SIMT_JSON
// names, which simt/try reads.
//
//     SIMT_JSON=<file>        counts of every launch, in total and by source line, and findings
//     SIMT_TRACED=<launch>    counted from 1: also its accesses to shared memory, of block 0
//     SIMT_LAUNCHES=<n>       end the program after so many launches
//     SIMT_LIMIT=<seconds>    end the program then, with exit status 124
//     SIMT_MEGABYTES=<n>      end the program once it takes more, with exit status 124
//     SIMT_PARTIAL=1          Ctrl-C ends it with what was counted until then, and exit status 130
//     SIMT_TRACED_BLOCK=<n>   of that launch another block than 0
//     SIMT_STRICT=1           what is benign on all GPUs that we know fails the program, too
//     SIMT_LEAKS=1            what is never freed is a finding
//     SIMT_SCHEDULES=<file>   what earlier runs of the program have found: see schedules.h
#pragma once
#include <atomic>
#include <chrono>
#include <map>
#include <utility>

#include "simt/runtime/observe.h"

namespace simt_runtime {

class Recorder : public Observer {
   public:
    static Recorder& get();

    void begin(const sass::Options& options) override;
    Recording end() override;

    /// Those of the launches that begin now.
    sass::Options options() const;
    /// A number for end_launch; -1 if nothing is noted.
    int begin_launch(const sass::Grid& grid);
    void end_launch(int number, const sass::Grid& grid);
    /// Prints what checks have found, each pair of source lines once. The program's exit status is then 3, if
    /// it would be 0.
    void add_findings(const std::vector<sass::Finding>& findings);
    /// A launch has ended so: a finding, if programs are checked.
    void failed(const sass::Failure& failure);
    /// A launch that did not come about.
    void refused(const std::string& kernel, const sass::Dim3& grid, const sass::Dim3& block,
                 const std::string& why);
    void copied(std::int64_t bytes_to_device, std::int64_t bytes_to_host);
    void filled(std::int64_t bytes) { memsets_.push_back(bytes); }
    void write() const;  ///< the file, and what other schedules are to know

   private:
    Recorder();
    void write_json() const;
    bool fails() const;  ///< is the exit status to say that something was found?
    void load_findings();
    void write_findings() const;
    std::string earlier_launches() const;
    using SourceLine = std::pair<std::string, int>;  ///< "", 0: that of no file of the user's
    struct Request {                                 ///< of the traced block, to shared memory
        SourceLine line;
        int step, warp, bytes, passes;  ///< bytes of a lane
        bool is_store;
        std::vector<std::pair<int, int>> lanes;  ///< lane, and byte of the block's shared memory
    };
    struct Summary {
        std::string kernel;
        sass::Dim3 grid, block;
        unsigned shared_bytes, registers;
        std::int64_t sectors_read, sectors_written;  ///< distinct ones
        sass::Counts total;
        std::vector<sass::Counts> steps;  ///< between block barriers
        std::map<SourceLine, sass::Counts> lines;
        std::vector<Request> requests;
        std::string refusal, clock;  ///< clock: what it says, see simt/clock/report.h
        std::uint64_t cluster_blocks = 1;
        std::vector<std::int64_t> memsets;  ///< bytes of each since the launch before
        bool names_lines = true;            ///< the program does, the user's or a library's
    };
    static std::map<SourceLine, sass::Counts> lines_of(const sass::Grid& grid);
    static std::vector<Request> requests_of(const sass::Grid& grid);
    void write_launch(std::FILE* file, const Summary& launch) const;
    void watch(int seconds, int megabytes, bool is_partial);
    std::string share_of(const sass::Grid& grid) const;
    void tell_share(const std::string& of_launch) const;
    void end_by(const char* why, const char* text, int status);
    [[noreturn]] void stop(const char* why, int status);

    bool is_recording_ = false;
    int first_ = 0;          ///< number of the first launch of the recording
    sass::Options options_;  ///< of the recording
    Recording recording_;
    std::string path_;                      ///< of the JSON file; empty: none
    std::vector<Summary> launches_;         ///< for that file
    std::vector<std::int64_t> memsets_;     ///< since the last of them
    std::map<int, std::size_t> summaries_;  ///< by number: which of them
    int launched_ = 0, ended_ = 0, traced_ = 0, most_launches_ = 0;
    std::atomic<bool> time_is_up_{false};
    const char* why_ = "time";  ///< then
    int why_status_ = 0;
    const char* stopped_ = nullptr;  ///< before its end: why
    std::vector<sass::Finding> findings_;
    std::vector<std::uint64_t> seeds_;  ///< of earlier schedules, and this one
};

}  // namespace simt_runtime
