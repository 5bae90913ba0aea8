// The host gets what nothing has written: no kernel, no copy, no filling. That may be meant, as of an output
// of which a part is used, so it is a hint and no more.
#pragma once
#include <cstddef>
#include <cstdint>

#include "simt/order/unwritten.h"
#include "simt/runtime/host/host_line.h"

namespace simt_runtime {

/// One copy to the host, of one or more ranges of an allocation of the device.
class UnwrittenCopy {
   public:
    void add(std::uint64_t from, std::size_t bytes);
    void report(const CallSite& site) const;

   private:
    std::uint64_t allocation_ = 0;
    std::size_t copied_ = 0;
    sass::Unwritten all_;
};

/// Of a copy within the device: what nothing has written is not written by being copied.
void pass_on_what_is_written(std::uint64_t from, std::uint64_t to, std::size_t bytes);

/// The same of managed or pinned memory, which the host reads without a copy: of an allocation that launches
/// have written, but for its end.
void report_unwritten_end(std::uint64_t allocation, const CallSite& origin);

/// In words, as "128 bytes that nothing has written, bytes 3968 to 4095 of out, .., does the grid ..?".
std::string text_of(const sass::Unwritten& unwritten, std::uint64_t allocation, bool is_all);

}  // namespace simt_runtime
