// A worker runs blocks on one CPU thread. It runs a block to its end unless the block yields; then it starts
// another block or resumes one that yielded before.
#pragma once
#include <memory>
#include <random>
#include <vector>

#include "simt/job.h"

namespace simt {

class Worker {
   public:
    /// Run blocks of the job until none is left.
    void work(Job& job);

   private:
    struct Resident {
        std::unique_ptr<Block> block;
        unsigned position;
    };

    bool begin(Job& job);
    void run(Job& job, Tally& tally);
    void end(Job& job, const std::string& fault);
    void abandon(Job& job, const std::string& fault);
    void swap_in(Block* block);
    void end_round(Job& job);

    std::vector<Resident> resident_;
    std::vector<std::unique_ptr<Block>> idle_;
    std::size_t next_ = 0;         // index in resident_ of the block to run
    Block* swapped_in_ = nullptr;  // the resident block whose shared memory is swapped in
    std::uint64_t progress_ = 0;   // the job's progress as of the last round that changed it
    unsigned stalled_rounds_ = 0;  // rounds without progress since then
    std::mt19937_64 random_;
};

}  // namespace simt
