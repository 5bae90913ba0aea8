#include "simt/runtime/host/host_line.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include "simt/runtime/host/pattern.h"

namespace simt_runtime {
namespace {

constexpr int MOST_FRAMES = 24;

bool has_any(const std::string& text, std::initializer_list<const char*> parts) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const char* part) { return text.find(part) != std::string::npos; });
}

/// Of the system, the compiler or CUDA.
bool is_of_others(const std::string& file) {
    return has_any(file, {"/usr/", "cuda_runtime", "/crt/", ".stub.c", "/include/thrust/", "/include/cub/",
                          "/include/cuda/", "cooperative_groups", "launch_functions.h"});
}

const void* own_base() {
    static const void* const base = [] {
        Dl_info info{};
        dladdr(reinterpret_cast<void*>(&is_own), &info);
        return info.dli_fbase;
    }();
    return base;
}

/// What a program prints; "" if it cannot be run.
std::string output_of(std::vector<std::string> words) {
    int ends[2];
    if (pipe(ends) != 0) return "";
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    const bool runs = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    std::string text;
    char part[4096];
    for (ssize_t length; runs && (length = read(ends[0], part, sizeof part)) > 0;)
        text.append(part, std::size_t(length));
    close(ends[0]);
    if (runs) waitpid(child, nullptr, 0);
    return text;
}

/// Of a template nvcc keeps the line, but names its own file, /tmp/tmpxft_.._name.cudafe1.cpp: name.cu then.
std::string source_of(const std::string& file) {
    static const Pattern& OWN = *new Pattern("/tmpxft_[0-9a-f]+_[0-9a-f]+-[0-9]+_(.+)[.]cudafe1[.]cpp$");
    const std::vector<Pattern::Match> found = OWN.matches(file);
    return found.empty() ? file : found.front().group + ".cu";
}

/// The lines of the user's at an address, the innermost first, of what is inlined there.
std::vector<HostLine> lines_at(std::uint64_t address) {
    Dl_info info{};
    if (dladdr(reinterpret_cast<void*>(address), &info) == 0 || info.dli_fname == nullptr) return {};
    // The base of a program that is linked to fixed addresses is in them already.
    const auto base = reinterpret_cast<std::uint64_t>(info.dli_fbase);
    const auto* type = reinterpret_cast<const std::uint16_t*>(base + 16);
    char offset[32];
    std::snprintf(offset, sizeof offset, "0x%llx",
                  static_cast<unsigned long long>(address - (*type == 2 /* ET_EXEC */ ? 0 : base)));
    char own[4096];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    const bool is_program = std::string(info.dli_fname).find(".so") == std::string::npos;
    const std::string module =
        is_program && length > 0 ? std::string(own, std::size_t(length)) : info.dli_fname;
    std::istringstream output(output_of({"addr2line", "-i", "-e", module, offset}));
    std::vector<HostLine> lines;
    for (std::string line; std::getline(output, line);) {
        const std::size_t colon = line.rfind(':');
        const int number = colon == std::string::npos ? 0 : std::atoi(line.c_str() + colon + 1);
        const std::string file = source_of(line.substr(0, colon));
        if (number > 0 && !is_of_others(file)) lines.push_back({file, number});
    }
    return lines;
}

std::string line_in(const std::string& file, int number) {
    std::ifstream source(file);
    std::string text;
    for (int at = 0; at < number && std::getline(source, text); ++at) continue;
    return source ? text : "";
}

// Never destroyed: lines are asked for at the program's very end.
const Pattern& CALL = *new Pattern("\\b(cuda[A-Z]\\w*)\\s*(<[^()]*>)?\\s*\\(|<<<");

/// The call of this function on a line, or the first if there is none. Exported names may have a suffix, as
/// cudaGetDeviceProperties_v2. A launch, <<<, has no group.
std::optional<Pattern::Match> find_call(const std::string& line, const std::string& function) {
    const std::vector<Pattern::Match> calls = CALL.matches(line);
    for (const Pattern::Match& call : calls) {
        const bool is_launch = function.find("LaunchKernel") != std::string::npos;
        if (call.group.empty() ? is_launch : function.compare(0, call.group.size(), call.group) == 0)
            return call;
    }
    return calls.empty() ? std::nullopt : std::optional<Pattern::Match>(calls.front());
}

}  // namespace

bool is_own(std::uint64_t instruction) {
    Dl_info info{};
    return dladdr(reinterpret_cast<void*>(instruction), &info) != 0 && info.dli_fbase == own_base();
}

CallSite call_site() {
    void* frames[MOST_FRAMES];
    const int count = backtrace(frames, MOST_FRAMES);
    CallSite site;
    for (int k = 0; k < count; ++k) {
        Dl_info info{};
        if (dladdr(frames[k], &info) == 0 || info.dli_fbase == own_base()) continue;
        const std::string module = info.dli_fname == nullptr ? "" : info.dli_fname;
        if (module.compare(0, 5, "/lib/") == 0 || module.compare(0, 9, "/usr/lib/") == 0) continue;
        site.push_back(reinterpret_cast<std::uint64_t>(frames[k]) - 1);  // in the call, not after it
    }
    return site;
}

std::string called() {
    void* frames[MOST_FRAMES];
    const int count = backtrace(frames, MOST_FRAMES);
    std::string outermost;
    for (int k = 0; k < count; ++k) {
        Dl_info info{};
        if (dladdr(frames[k], &info) == 0 || info.dli_fbase != own_base()) break;
        if (info.dli_sname != nullptr) outermost = info.dli_sname;
    }
    return outermost;
}

CallSite call_site(std::uint64_t instruction) {
    CallSite site = call_site();
    const auto here = std::find(site.begin(), site.end(), instruction - 1);
    if (here != site.end()) *here = instruction;
    return site;
}

std::vector<HostLine> lines_of(const CallSite& site, bool only_first) {
    static auto& known = *new std::map<std::uint64_t, std::vector<HostLine>>();
    std::vector<HostLine> all;
    for (const std::uint64_t address : site) {
        const auto [here, is_new] = known.try_emplace(address);
        if (is_new) here->second = lines_at(address);
        all.insert(all.end(), here->second.begin(), here->second.end());
        if (only_first && !all.empty()) break;
    }
    return all;
}

HostLine line_of(const CallSite& site) {
    const std::vector<HostLine> lines = lines_of(site, true);
    return lines.empty() ? HostLine() : lines.front();
}

std::string HostLine::text() const { return number == 0 ? "" : line_in(file, number); }

std::string HostLine::place() const {
    return number == 0 ? "" : file.substr(file.rfind('/') + 1) + ":" + std::to_string(number);
}

std::string HostLine::call(const std::string& function) const {
    const std::optional<Pattern::Match> call = find_call(text(), function);
    if (!call) return "";
    return call->group.empty() ? "<<< >>>" : call->group;
}

bool HostLine::discards_result(const std::string& function) const {
    const std::string line = text();
    const std::optional<Pattern::Match> call = find_call(line, function);
    if (!call) return false;
    if (call->group.empty()) return true;  // a launch has none
    std::string before = line.substr(0, call->begin);
    const auto last = before.find_last_not_of(" \t");
    before = last == std::string::npos ? "" : before.substr(0, last + 1);
    static const Pattern& STATEMENT = *new Pattern("[;{}]$|\\b(if|for|while)\\s*\\(.*\\)$|\\belse$");
    if (before.empty()) {  // of the line before, only if its statement goes on
        const std::string above = line_in(file, number - 1);
        const auto end = above.find_last_not_of(" \t\r");
        return end == std::string::npos || std::string(";{}/:").find(above[end]) != std::string::npos ||
               !STATEMENT.matches(above.substr(0, end + 1)).empty();
    }
    if (before.size() >= 2 && before.compare(before.size() - 2, 2, "::") == 0) return false;
    return !STATEMENT.matches(before).empty() && before.find("(void)") == std::string::npos;
}

std::string HostLine::variable() const {
    const std::string line = text();
    // ] first: POSIX has no escapes there.
    static const Pattern& POINTER = *new Pattern("&\\s*([A-Za-z_][]A-Za-z0-9_.[]*)");
    if (CALL.matches(line).size() != 1) return "";
    const std::vector<Pattern::Match> pointers = POINTER.matches(line);
    return pointers.empty() ? "" : pointers.front().group;
}

sass::Finding finding_on(const HostLine& line, sass::Hazard hazard, const std::string& what,
                         const std::string& cure) {
    sass::Finding finding{};
    finding.hazard = hazard;
    finding.line = (line.number == 0 ? "" : line.place() + ": ") + what;
    finding.file = line.file;
    finding.source_line = line.number;
    finding.cure = cure;
    return finding;
}

}  // namespace simt_runtime
