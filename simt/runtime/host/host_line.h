// Lines of the host's source: where the program calls the runtime, and where it accesses memory. They are
// there if the program was compiled with -Xcompiler -g1, as simt/try does; addr2line tells them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "simt/order/findings.h"

namespace simt_runtime {

/// Where the calling thread is: return addresses, those in the runtime itself and in system libraries left
/// out.
using CallSite = std::vector<std::uint64_t>;
CallSite call_site();
/// The function of the runtime that the program has called, as "cudaMalloc"; "" if that is not known.
std::string called();
/// The same for a thread that a signal has stopped at this instruction.
CallSite call_site(std::uint64_t instruction);
/// Whether the instruction is one of this library.
bool is_own(std::uint64_t instruction);

struct HostLine {
    std::string file;
    int number = 0;  ///< 0: unknown
    std::string text() const;
    std::string place() const;  ///< file:line, without the folder
    /// The call of the runtime that begins on it, as "cudaMalloc"; of a launch "<<< >>>"; "" if there is
    /// none.
    /// Of several that of `function`, if there is one.
    std::string call(const std::string& function = "") const;
    /// Whether the line makes that call and has no use for its result. `(void)` says that this is meant.
    bool discards_result(const std::string& function) const;
    /// The variable whose address the line gives to its only call; "" if that is not clear.
    std::string variable() const;
};
/// The innermost of the user's; or all, outwards.
HostLine line_of(const CallSite& site);
std::vector<HostLine> lines_of(const CallSite& site, bool only_first = false);
/// A finding on a line of the host's, which may be unknown.
sass::Finding finding_on(const HostLine& line, sass::Hazard hazard, const std::string& what,
                         const std::string& cure);

}  // namespace simt_runtime
