// What the host accesses by itself. On a GPU it cannot reach the device's memory; and pinned or managed
// memory that the device uses is its own again once it has waited. So outside of calls the machine takes the
// pages away: all of the device's memory, and of the other what launches and copies have touched that the
// host has not waited for. Each access to these is a fault, which this looks at byte by byte: it is reported
// if it races, and then done by a single step.
//
// Only with checks, and with schedules that do their work at once.
#pragma once
#include <cstddef>

namespace simt_runtime {

class HostGuard {
   public:
    /// Within a call of the runtime.
    class Inside {
       public:
        Inside();
        ~Inside();
        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;
    };
    /// Memory of its own pages. is_host: the host may access it, too.
    static void add(void* address, std::size_t bytes, bool is_host);
    /// Before its pages are given back.
    static void remove(void* address);
};

}  // namespace simt_runtime
