#include "simt/runtime/host/polling.h"

#include <algorithm>
#include <utility>

#include "simt/runtime/recorder.h"

namespace simt_runtime {

sass::Finding race_of_host(const HostLine& line, std::uint64_t address, bool is_write,
                           const sass::GlobalOrder::OfHost& seen) {
    const std::string once = seen.is_signal && !seen.is_race ? ", nor does it poll" : "",
                      atomics = seen.is_strong
                                    ? "; if it is to poll instead, atomics of the system's scope "
                                      "(atomicAdd_system, cuda::thread_scope_system), read in a loop"
                                    : "";
    sass::Finding finding = finding_on(
        line, sass::Hazard::race,
        "data race on memory of the host, " + sass::global_place(address) + ": the host's " +
            (is_write ? "write" : "read") + " and " + seen.other + "; the host has not waited for it" + once,
        "cudaDeviceSynchronize, or wait for the stream, before this line" + atomics);
    finding.other = seen.place;
    return finding;
}

Polling& Polling::get() {
    static Polling& one = *new Polling();
    return one;
}

bool Polling::read(std::uint64_t address, std::uint64_t instruction, const sass::GlobalOrder::OfHost& seen) {
    sass::GlobalOrder& order = sass::GlobalOrder::get();
    Read& mine = open_[address];
    auto& before = mine.instructions;
    if (order.kept(address).empty() || std::find(before.begin(), before.end(), instruction) != before.end()) {
        open_.clear();
        order.forget_kept();
        return true;
    }
    if (before.empty()) mine.site = call_site(instruction), mine.seen = seen;
    before.push_back(instruction);
    return false;
}

void Polling::end() {
    if (open_.empty()) return;
    const auto reads = std::exchange(open_, {});
    if (called().find("Query") != std::string::npos) return;
    for (const auto& [address, read] : reads)
        Recorder::get().add_findings({race_of_host(line_of(read.site), address, false, read.seen)});
}

void Polling::show_kept(std::uint64_t address) {
    for (const auto& [word, before] : sass::GlobalOrder::get().kept(address))
        present_[word] = std::exchange(*reinterpret_cast<std::uint32_t*>(word), before);
}

void Polling::show_present() {
    for (const auto& [word, now] : present_) *reinterpret_cast<std::uint32_t*>(word) = now;
    present_.clear();
}

}  // namespace simt_runtime
