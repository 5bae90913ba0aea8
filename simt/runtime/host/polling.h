// A host that has not waited for a launch may read what that writes by atomics of the system's scope, or by
// volatile accesses, if it polls: if it reads the word again and again until it changes. To know who does,
// the machine shows it at first what was there before. Who never reads again has raced.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "simt/order/device.h"
#include "simt/runtime/host/host_line.h"

namespace simt_runtime {

/// The host's access to its memory races with what `seen` says.
sass::Finding race_of_host(const HostLine& line, std::uint64_t address, bool is_write,
                           const sass::GlobalOrder::OfHost& seen);

class Polling {
   public:
    static Polling& get();
    /// The host reads what may not be written yet. Returns whether it polls by now.
    bool read(std::uint64_t address, std::uint64_t instruction, const sass::GlobalOrder::OfHost& seen);
    /// The host makes a call: if that asks whether work is done, it polls in another way; else it has read
    /// once.
    void end();

    /// Puts what was there before in the place of what is there now, and the converse.
    void show_kept(std::uint64_t address);
    void show_present();

   private:
    struct Read {
        std::vector<std::uint64_t> instructions;
        CallSite site;
        sass::GlobalOrder::OfHost seen;
    };
    std::map<std::uint64_t, Read> open_;                ///< by address
    std::map<std::uint64_t, std::uint32_t> present_{};  ///< of words that show what was there before
};

}  // namespace simt_runtime
