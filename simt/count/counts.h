// What the machine counts, by launch, by step between block barriers, and by instruction. The names are those
// of the results and of the analysis.
#pragma once
#include <algorithm>
#include <cstdint>

namespace sass {

struct Counts {
#define COUNT(name) std::int64_t name = 0;
#define HINT COUNT
#include "simt/count/counts.def"
    // Of several instructions, those of the one that wastes most; 0: not known.
    std::int64_t shared_stride = 0, global_stride = 0;  ///< bytes from lane to lane, as most requests have it
    std::int64_t shared_width = 0;    ///< bytes of a lane's widest access to shared memory, a word at least
    std::int64_t shared_narrow = 0;   ///< of its narrowest
    std::int64_t copy_conflicts = 0;  ///< of bank_conflicts(), those of asynchronous copies by single threads

    template <class Self, class Visit>
    static void for_each(Self& self, Visit visit) {
#define COUNT(name) visit(#name, self.name);
#define HINT(name)
#include "simt/count/counts.def"
    }
    template <class Self, class Visit>
    static void for_each_hint(Self& self, Visit visit) {
#define COUNT(name)
#define HINT(name) visit(#name, self.name);
#include "simt/count/counts.def"
    }

    Counts& operator+=(const Counts& other) {
        if (other.bank_conflicts() > bank_conflicts() || shared_stride == 0)
            shared_stride = other.shared_stride;
        if (other.wasted_sectors() > wasted_sectors() || global_stride == 0)
            global_stride = other.global_stride;
        shared_width = std::max(shared_width, other.shared_width);
        if (shared_narrow == 0 || (other.shared_narrow != 0 && other.shared_narrow < shared_narrow))
            shared_narrow = other.shared_narrow;
        copy_conflicts += other.copy_conflicts;
#define COUNT(name) name += other.name;
#define HINT COUNT
#include "simt/count/counts.def"
        return *this;
    }
    std::int64_t wasted_sectors() const { return global_load_sectors + global_store_sectors - ideal_sectors; }
    /// Mean number of lanes, out of 32, that take part in a memory request; 0 if there was none.
    double active_lanes() const {
        return lane_requests == 0 ? 0 : double(request_lanes) / double(lane_requests);
    }
    std::int64_t bank_conflicts() const {
        return shared_load_wavefronts + shared_store_wavefronts + shared_atomic_wavefronts +
               matrix_load_wavefronts + matrix_store_wavefronts - ideal_wavefronts + copy_conflicts;
    }
};

}  // namespace sass
