// Linked into a program that scripts/try runs: writes what the machine observes to the file that the
// environment names, a line of JSON for each launch, and the fault or the stop that ends it. Of the sites,
// which it gives as offsets, scripts/try_cuda/observed.py finds the lines.
//
//     SIMT_TRIAL=<file>              where to write; without it nothing is observed
//     SIMT_TRACED=<launch>,<block>   whose accesses are written, too
//     SIMT_UNSET=1                   reads of what was never written are warnings
//     SIMT_LAUNCHES=<n>              end the program after so many launches
// On SIGUSR2 the program writes to <file>.place where it is, and ends.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "simt/source_counts.h"
#include "simt/watchdog.h"

namespace {

std::FILE* out = nullptr;
long long launches_left = 0;  // 0 for no limit

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return result + '"';
}

void write_counters(const simt::Counters& counters) {
    const char* separator = "{";
    simt::Counters::for_each(counters, [&](const char* name, std::int64_t value) {
        if (value == 0) return;
        std::fprintf(out, "%s\"%s\":%lld", separator, name, static_cast<long long>(value));
        separator = ",";
    });
    std::fputs(*separator == '{' ? "{}" : "}", out);
}

void write_launch(const simt::ObservedLaunch& launch) {
    std::fprintf(out, "{\"launch\":%s,\"entry\":%u,\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u]",
                 quoted(launch.kernel).c_str(), launch.entry, launch.grid[0], launch.grid[1], launch.grid[2],
                 launch.block[0], launch.block[1], launch.block[2]);
    std::fprintf(out, ",\"static_shared_bytes\":%zu,\"dynamic_shared_bytes\":%zu,\"error\":%d,\"total\":",
                 launch.static_shared_bytes, launch.dynamic_shared_bytes, launch.error);
    write_counters(launch.total);
    std::fputs(",\"sites\":{", out);
    const char* separator = "";
    for (const auto& [site, counters] : launch.sites) {
        std::fprintf(out, "%s\"%u\":", separator, site);
        write_counters(counters);
        separator = ",";
    }
    std::fputs("},\"warnings\":[", out);
    separator = "";
    for (const std::string& warning : launch.warnings) {
        std::fprintf(out, "%s%s", separator, quoted(warning).c_str());
        separator = ",";
    }
    std::fputs("],\"trace\":[", out);
    separator = "";
    for (const simt::SiteAccess& access : launch.trace) {
        std::fprintf(out, "%s[%u,%d,%d,%d,%d,\"%s\",%zu,\"%s\",%u,%d]", separator, access.site, access.step,
                     access.warp, access.request, access.lane, access.kind, std::size_t(access.address),
                     access.array, access.size, access.cost);
        separator = ",";
    }
    std::fputs("]}\n", out);
    std::fflush(out);
    if (launches_left == 0 || --launches_left > 0) return;
    std::fputs("{\"stopped\":true}\n", out);
    std::fclose(out);
    std::fflush(nullptr);
    _exit(0);
}

/// A fault ends the program: what it would do with the results is of no interest.
void write_fault(const simt::Fault& fault) {
    std::fprintf(out, "{\"fault\":%s}\n", quoted(fault.what()).c_str());
    std::fclose(out);
    std::fflush(nullptr);
    _exit(3);
}

__attribute__((constructor)) void start() {
    const char* const file = std::getenv("SIMT_TRIAL");
    if (file == nullptr || (out = std::fopen(file, "w")) == nullptr) return;
    static const std::string place = std::string(file) + ".place";
    simt::report_place_on_signal(place.c_str());
    if (std::getenv("SIMT_UNSET") != nullptr) simt::set_uninitialised_reads_allowed(true);
    if (const char* const launches = std::getenv("SIMT_LAUNCHES")) launches_left = std::atoll(launches);
    simt::LaunchObserver observer;
    observer.launched = write_launch;
    observer.faulted = write_fault;
    if (const char* const traced = std::getenv("SIMT_TRACED")) {
        char* rest = nullptr;
        observer.traced_launch = std::strtoll(traced, &rest, 10);
        if (*rest == ',') observer.traced_block = unsigned(std::strtoul(rest + 1, nullptr, 10));
    }
    simt::set_observer(std::move(observer));
    std::atexit([] { std::fclose(out); });
}

}  // namespace

/// The linker is told to find it, so that this file is part of the program.
extern "C" void simt_trial() {}

// 227 KiB, as a block of an H200 may have.
alignas(1024) thread_local char simt_dynamic_shared[227 * 1024];
