// What the checks of a launch have found.
#pragma once
#include <cstdint>
#include <string>

namespace sass {
struct Code;
struct Dim3;

enum class Hazard : std::uint8_t {
    race,                ///< two accesses, at least one a write, that nothing orders
    same_value,          ///< a race of writes that write what is there already
    first_read,          ///< a plain read races with atomics, and an atomicCAS by its thread checks it
    missing_acquire,     ///< ordered but for the fence that acquires
    uninitialised_read,  ///< of memory that nothing has written
    divergent_barrier,   ///< threads wait at different barriers of the program
    divergent_warp,      ///< a shuffle from a lane that does not take part, a mask without its caller
    miscompiled,         ///< a uniform register gives a lane what is not its own
    fault,               ///< what ends the launch: an illegal address, a deadlock, ..
    host_access,         ///< the host accesses memory of the device
    ignored_error,       ///< a call has failed, and nobody has looked at its error
    leak,                ///< memory that is never freed
    unwritten_copy,      ///< the host gets what nothing has written
    past_array,          ///< an access beyond the end of its array of shared memory, into the next one
    block_lifetime,      ///< of another block's shared memory, before its begin or behind its end
    undefined_fetch      ///< of a texture or surface: what its own launch wrote, or of a destroyed object
};
const char* name_of(Hazard hazard);
/// What may be meant, and does not fail the program.
inline bool is_hint(Hazard hazard) { return hazard == Hazard::unwritten_copy; }
/// A race by the models of PTX and C++ that has no effect on any GPU we know.
inline bool is_benign(Hazard hazard) { return hazard == Hazard::same_value || hazard == Hazard::first_read; }

struct Finding {
    Hazard hazard;
    std::string line;          ///< kernel, source line, what, block and thread; one line
    std::int64_t times = 1;    ///< the same two instructions have been found so
    std::string kernel, file;  ///< where, again
    int source_line = 0;       ///< 0: unknown
    std::string other;         ///< the other access, as file:line; empty if there is none
    std::string cure;          ///< one sentence; empty: none is known
    std::uint64_t seed = 0;    ///< of the schedule in which it was found first
    std::string allowed;       ///< why, by a comment `// simt: allow <hazard> <why>` on its line; else empty
};

// Of what a finding says.
constexpr const char
    *ORDER_STREAMS =
        "submit both to one stream, or let the second wait: "
        "cudaStreamWaitEvent, cudaStreamSynchronize",
    *ORDER_FROM_KERNELS =
        "__syncthreads() before the launch for what other threads of the block have written; "
        "what comes after a child in a tail launch (cudaStreamTailLaunch) or in its stream",
    *UNORDERED = "; no stream, event or synchronisation orders the two";
std::string block_text(std::uint32_t number, const Dim3& grid);
std::string thread_text(unsigned number, const Dim3& block);
/// A byte of a place in global memory.
std::string global_place(std::uint64_t address);
/// An instruction's <file>:<line>.
std::string source_text(const Code& code, std::uint32_t site);
Finding finding_at(Hazard hazard, const Code& code, std::uint32_t site, const std::string& what,
                   const std::string& other, const std::string& cure);

}  // namespace sass
