// What the machine counts, by launch, by step between block barriers, and by instruction. The names are those
// of the results and of the analysis.
#pragma once
#include <algorithm>
#include <cstdint>

namespace sass {

struct Counts {
    std::int64_t warp_instructions = 0;  ///< issued by warps, also where the guard is false for all lanes
    /// Of these, those of pipes that are slower than issue: see Pipe.
    std::int64_t alu_instructions = 0, fp64_instructions = 0, xu_instructions = 0, mio_instructions = 0;
    std::int64_t thread_instructions = 0;          ///< lanes at work, summed over all
    std::int64_t thread_instructions_pred_on = 0;  ///< those whose guard is true
    std::int64_t branches = 0;                     ///< branches issued: smsp__sass_branch_targets
    std::int64_t divergent_branches = 0;           ///< branches whose lanes part
    std::int64_t ops = 0;                          ///< applications of the operator, by lane
    std::int64_t warp_ops = 0;                     ///< the same, by warp instruction
    std::int64_t shared_load_requests = 0;  ///< warp loads from shared memory with at least one active lane
    std::int64_t shared_store_requests = 0;
    std::int64_t shared_loads_of_8_bytes = 0;
    std::int64_t shared_loads_of_16_bytes = 0;
    std::int64_t shared_load_wavefronts = 0;  ///< passes over the banks
    std::int64_t shared_store_wavefronts = 0;
    std::int64_t shared_atomic_requests = 0;
    std::int64_t shared_atomic_wavefronts = 0;
    std::int64_t ideal_wavefronts = 0;  ///< the fewest passes that all of these need
    std::int64_t global_load_requests = 0;
    std::int64_t global_store_requests = 0;
    std::int64_t global_load_sectors = 0;  ///< distinct 32-byte sectors, summed over the requests
    std::int64_t global_store_sectors = 0;
    std::int64_t volatile_load_requests =
        0;  ///< of the loads, those that are strong: volatile, relaxed, acquire
    std::int64_t volatile_load_sectors = 0;
    std::int64_t local_load_requests = 0;
    std::int64_t local_store_requests = 0;
    std::int64_t atomic_requests = 0;  ///< warp atomics and reductions, shared and global
    std::int64_t atomic_lanes = 0;     ///< active lanes of these
    std::int64_t atomic_sectors = 0;   ///< distinct sectors of the global ones
    std::int64_t request_lanes = 0;    ///< active lanes, summed over the memory requests of lane_requests
    std::int64_t active_warps = 0;     ///< warps that applied an operator, summed over steps
    std::int64_t barriers = 0;         ///< block barriers passed, summed over blocks
    std::int64_t shuffles = 0, votes = 0, warp_reductions = 0;  ///< warp instructions
    std::int64_t bulk_bytes_loaded = 0, bulk_bytes_stored = 0, bulk_sectors_stored = 0;
    std::int64_t mbarrier_arrivals = 0;  ///< by lane
    // For advice, and not compared with a GPU's: see for_each_hint.
    std::int64_t lane_requests = 0;      ///< memory requests but strong ones, which poll and signal
    std::int64_t padded_wavefronts = 0;  ///< passes, if padding as wide as an access followed every 32 words
    std::int64_t ideal_sectors = 0;      ///< of loads and stores: the fewest that as many lanes could need
    std::int64_t global_lanes = 0, global_lane_bytes = 0;  ///< of these
    std::int64_t atomic_words = 0;                      ///< distinct addresses, summed over atomic requests
    std::int64_t shared_stride = 0, global_stride = 0;  ///< bytes from lane to lane, as most requests have it
    std::int64_t shared_width = 0;    ///< bytes of a lane's widest access to shared memory, a word at least
    std::int64_t copy_conflicts = 0;  ///< of bank_conflicts(), those of asynchronous copies by single threads

    template <class Self, class Visit>
    static void for_each_hint(Self& self, Visit visit) {
        visit("lane_requests", self.lane_requests);
        visit("padded_wavefronts", self.padded_wavefronts);
        visit("ideal_sectors", self.ideal_sectors);
        visit("global_lanes", self.global_lanes);
        visit("global_lane_bytes", self.global_lane_bytes);
        visit("atomic_words", self.atomic_words);
    }
    template <class Self, class Visit>
    static void for_each(Self& self, Visit visit) {
#define SASS_COUNT(name) visit(#name, self.name)
        SASS_COUNT(warp_instructions);
        SASS_COUNT(alu_instructions);
        SASS_COUNT(fp64_instructions);
        SASS_COUNT(xu_instructions);
        SASS_COUNT(mio_instructions);
        SASS_COUNT(thread_instructions);
        SASS_COUNT(thread_instructions_pred_on);
        SASS_COUNT(branches);
        SASS_COUNT(divergent_branches);
        SASS_COUNT(ops);
        SASS_COUNT(warp_ops);
        SASS_COUNT(shared_load_requests);
        SASS_COUNT(shared_store_requests);
        SASS_COUNT(shared_loads_of_8_bytes);
        SASS_COUNT(shared_loads_of_16_bytes);
        SASS_COUNT(shared_load_wavefronts);
        SASS_COUNT(shared_store_wavefronts);
        SASS_COUNT(shared_atomic_requests);
        SASS_COUNT(shared_atomic_wavefronts);
        SASS_COUNT(ideal_wavefronts);
        SASS_COUNT(global_load_requests);
        SASS_COUNT(global_store_requests);
        SASS_COUNT(global_load_sectors);
        SASS_COUNT(global_store_sectors);
        SASS_COUNT(volatile_load_requests);
        SASS_COUNT(volatile_load_sectors);
        SASS_COUNT(local_load_requests);
        SASS_COUNT(local_store_requests);
        SASS_COUNT(atomic_requests);
        SASS_COUNT(atomic_lanes);
        SASS_COUNT(atomic_sectors);
        SASS_COUNT(request_lanes);
        SASS_COUNT(active_warps);
        SASS_COUNT(barriers);
        SASS_COUNT(shuffles);
        SASS_COUNT(votes);
        SASS_COUNT(warp_reductions);
        SASS_COUNT(bulk_bytes_loaded);
        SASS_COUNT(bulk_bytes_stored);
        SASS_COUNT(bulk_sectors_stored);
        SASS_COUNT(mbarrier_arrivals);
#undef SASS_COUNT
    }

    Counts& operator+=(const Counts& other) {
        const std::int64_t banks = bank_conflicts(), other_banks = other.bank_conflicts(),
                           sectors = wasted_sectors(), other_sectors = other.wasted_sectors();
        std::int64_t terms[64];
        int count = 0, k = 0;
        const auto take = [&](const char*, const std::int64_t& value) { terms[count++] = value; };
        const auto add = [&](const char*, std::int64_t& value) { value += terms[k++]; };
        for_each(other, take), for_each_hint(other, take);
        for_each(*this, add), for_each_hint(*this, add);
        // That of the instruction that wastes most.
        if (other_banks > banks || shared_stride == 0) shared_stride = other.shared_stride;
        if (other_sectors > sectors || global_stride == 0) global_stride = other.global_stride;
        shared_width = std::max(shared_width, other.shared_width);
        copy_conflicts += other.copy_conflicts;
        return *this;
    }
    std::int64_t wasted_sectors() const { return global_load_sectors + global_store_sectors - ideal_sectors; }
    /// Mean number of lanes, out of 32, that take part in a memory request; 0 if there was none.
    double active_lanes() const {
        return lane_requests == 0 ? 0 : double(request_lanes) / double(lane_requests);
    }
    std::int64_t bank_conflicts() const {
        return shared_load_wavefronts + shared_store_wavefronts + shared_atomic_wavefronts -
               ideal_wavefronts + copy_conflicts;
    }
};

}  // namespace sass
