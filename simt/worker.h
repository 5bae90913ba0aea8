// A worker runs blocks on one CPU thread: one after another, unless a block waits for others. Then it begins
// another one, or goes on with one that waited before.
#pragma once
#include <memory>
#include <random>
#include <vector>

#include "simt/job.h"

namespace simt {

class Worker {
   public:
    /// Run blocks until none is left.
    void work(Job& job);

   private:
    struct InFlight {
        std::unique_ptr<Block> block;
        unsigned turn;
    };

    bool begin(Job& job);
    void run(Job& job, Tally& tally);
    void end(Job& job, const std::string& fault);
    void give_up(Job& job, const std::string& fault);
    void make_resident(Block* block);
    void watch(Job& job);

    std::vector<InFlight> in_flight_;
    std::vector<std::unique_ptr<Block>> idle_;
    std::size_t next_ = 0;       // in flight, whose turn it is
    Block* resident_ = nullptr;  // whose shared memory is in its place, if it is in flight
    std::uint64_t seen_ = 0;     // progress
    unsigned in_vain_ = 0;       // rounds since it moved
    std::mt19937_64 turns_;
};

}  // namespace simt
