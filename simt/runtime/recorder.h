// What the machine notes of launches and copies: for the program's observer, and for the file that SIMT_JSON
// names.
#pragma once
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
    /// Prints what checks have found. The program's exit status is then 3, if it would be 0.
    void found(const std::vector<sass::Finding>& findings);
    void copied(std::int64_t bytes_to_device, std::int64_t bytes_to_host);
    void write_json() const;

   private:
    Recorder();
    struct Summary {
        std::string kernel;
        sass::Dim3 grid, block;
        unsigned shared_bytes;
        sass::Counts total;
    };

    bool is_recording_ = false;
    int first_ = 0;          ///< number of the first launch of the recording
    sass::Options options_;  ///< of the recording
    Recording recording_;
    std::string path_;               ///< of the JSON file; empty: none
    std::vector<Summary> launches_;  ///< for that file
    int launched_ = 0;
    std::vector<sass::Finding> findings_;
};

}  // namespace simt_runtime
