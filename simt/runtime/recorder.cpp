#include "simt/runtime/recorder.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "simt/clock/report.h"
#include "simt/loader/architecture.h"
#include "simt/loader/names.h"
#include "simt/run/launch.h"
#include "simt/runtime/state.h"

namespace simt_runtime {
namespace {

constexpr int FOUND = 3, TIME_IS_UP = 124, INTERRUPTED = 130;  // exit statuses
constexpr const char* FINDINGS = ",\n\"findings\": [";

std::string place_of(const sass::Finding& finding) {
    return finding.file.substr(finding.file.rfind('/') + 1) + ":" + std::to_string(finding.source_line);
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') result += '\\';
        result += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
    }
    return result + '"';
}

std::string array(const sass::Dim3& dim) {
    return "[" + std::to_string(dim.x) + ", " + std::to_string(dim.y) + ", " + std::to_string(dim.z) + "]";
}

int number_of(const char* variable) {
    const char* text = std::getenv(variable);
    return text == nullptr ? 0 : std::atoi(text);
}

int resident_megabytes() {
    std::ifstream file("/proc/self/statm");
    long long all = 0, resident = 0;
    file >> all >> resident;
    return int(resident * sysconf(_SC_PAGESIZE) >> 20);
}

/// What would cure a launch that ends with this error.
const char* cure_of(int error) {
    switch (cudaError_t(error)) {
        case cudaErrorIllegalAddress:
            return "let only threads whose index is within the array access it: if (i < n)";
        case cudaErrorMisalignedAddress:
            return "an address that is a multiple of the size of what is accessed";
        case cudaErrorLaunchTimeout:
            return "let what is waited for come about before, in every order of threads";
        case cudaErrorHardwareStackError:
            return "less recursion, or cudaDeviceSetLimit(cudaLimitStackSize, ..)";
        default: return "";
    }
}

/// How the program ended, for who runs it: its own status, why it was stopped, and if it says that something
/// failed, the last call that did. The status that a shell sees may be the machine's.
void tell_outcome(int status, const char* why) {
    const char* const path = std::getenv("SIMT_OUTCOME");
    std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "a");
    if (file == nullptr) return;
    std::fprintf(file, "%d %s %s\n", status, why, status == 0 ? "" : Call::last_failed().c_str());
    std::fclose(file);
}

}  // namespace

Recorder::Recorder() {
    on_exit(
        [](int status, void*) {
            tell_outcome(status, "-");
            if (status != 0 || !get().fails()) return;
            std::fflush(nullptr);
            _exit(FOUND);
        },
        nullptr);
    std::atexit([] {  // launches that nothing has waited for
        const std::lock_guard lock(State::get().lock);
        const HostGuard::Inside inside;
        for (const auto& device : State::get().devices) State::get().queue.wait_for_device(device->index);
        Call::report_ignored();
        report_unwritten();
        if (number_of("SIMT_LEAKS") != 0) report_leaks();
        get().write();
    });
    load_findings();
    seeds_.push_back(sass::Options::current().seed);
    traced_ = number_of("SIMT_TRACED");
    most_launches_ = number_of("SIMT_LAUNCHES");
    const int seconds = number_of("SIMT_LIMIT"), megabytes = number_of("SIMT_MEGABYTES");
    const bool is_partial = number_of("SIMT_PARTIAL") != 0;
    if (is_partial) {  // the watch waits for it, in this thread or any other
        sigset_t interrupt;
        sigemptyset(&interrupt);
        sigaddset(&interrupt, SIGINT);
        pthread_sigmask(SIG_BLOCK, &interrupt, nullptr);
    }
    if (seconds != 0 || megabytes != 0 || is_partial) watch(seconds, megabytes, is_partial);
    const char* path = std::getenv("SIMT_JSON");
    if (path == nullptr || *path == '\0') return;
    path_ = path;
}

Recorder& Recorder::get() {
    static Recorder& recorder = *new Recorder();
    return recorder;
}

void Recorder::begin(const sass::Options& options) {
    const std::lock_guard lock(State::get().lock);
    options_ = options;
    recording_ = {};
    first_ = launched_;
    is_recording_ = true;
}

Recording Recorder::end() {
    const std::lock_guard lock(State::get().lock);
    for (const auto& device : State::get().devices) State::get().queue.wait_for_device(device->index);
    is_recording_ = false;
    return std::move(recording_);
}

sass::Options Recorder::options() const {
    sass::Options options = is_recording_ ? options_ : sass::Options::current();
    options.clock = sass::Options::current().clock;
    if (is_recording_) return options;
    options.counts = options.counts && !path_.empty() && seeds_.size() == 1;
    options.steps = options.hints = options.counts;
    options.traced_block = std::uint64_t(number_of("SIMT_TRACED_BLOCK"));
    options.trace = !path_.empty() && int(launches_.size()) + 1 == traced_;
    return options;
}

int Recorder::begin_launch(const sass::Grid& grid) {
    const sass::Launch& launch = grid.launch();
    const std::string name = sass::demangled(launch.kernel->name);
    const unsigned registers = unsigned(launch.kernel->registers);
    const unsigned shared_bytes = unsigned(launch.kernel->shared_bytes) + launch.dynamic_shared_bytes;
    if (is_recording_) {
        LaunchRecord record;
        record.kernel = name;
        record.blocks = launch.grid.count();
        record.threads = unsigned(launch.block.count());
        record.registers = registers;
        record.shared_bytes = shared_bytes;
        recording_.launches.push_back(std::move(record));
    }
    if (!path_.empty()) {
        summaries_[launched_] = launches_.size();
        launches_.push_back(
            {name, launch.grid, launch.block, shared_bytes, registers, 0, 0, {}, {}, {}, {}, "", ""});
        launches_.back().cluster_blocks = launch.cluster.count();
        launches_.back().memsets = std::exchange(memsets_, {});
    }
    return launched_++;
}

void Recorder::end_launch(int number, const sass::Grid& grid) {
    if (!path_.empty()) {
        Summary& launch = launches_[summaries_[number]];
        launch.names_lines = !grid.launch().module->places().empty();
        launch.total = grid.total();
        launch.steps = grid.steps();
        launch.sectors_read = grid.sectors_read();
        launch.sectors_written = grid.sectors_written();
        launch.lines = lines_of(grid);
        if (grid.timing() != nullptr) launch.clock = sass::clock::json_of(grid);
        launch.requests = requests_of(grid);
    }
    if (grid.timing() != nullptr && path_.empty()) std::fputs(sass::clock::text_of(grid).c_str(), stderr);
    if (time_is_up_) {
        tell_share(share_of(grid));
        stop(why_, why_status_);
    }
    ++ended_;
    if (number + 1 == most_launches_) stop("launches", fails() ? FOUND : 0);
    if (!is_recording_ || number < first_) return;
    LaunchRecord& record = recording_.launches[number - first_];
    record.total = grid.total();
    record.shows_operators = grid.shows_operators();
    record.steps = grid.steps();
    record.sectors_read = grid.sectors_read();
    record.sectors_written = grid.sectors_written();
    record.trace = grid.trace();
    record.contents = grid.contents();
}

std::map<Recorder::SourceLine, sass::Counts> Recorder::lines_of(const sass::Grid& grid) {
    std::map<SourceLine, sass::Counts> lines;
    const auto& places = grid.launch().module->places();
    for (const sass::InstructionCounts& each : grid.by_instruction()) {
        const sass::Place* const place = sass::place_of_user(places, each.place);
        lines[place == nullptr ? SourceLine{"", 0} : SourceLine{place->file, place->line}] += each.counts;
    }
    return lines;
}

std::vector<Recorder::Request> Recorder::requests_of(const sass::Grid& grid) {
    std::vector<Request> requests;
    const auto& places = grid.launch().module->places();
    const sass::Access* last = nullptr;
    for (const sass::Access& access : grid.trace()) {
        if (access.word < 0) continue;  // an operator's
        if (last == nullptr || last->step != access.step || last->warp != access.warp ||
            last->request != access.request) {
            const sass::Place* const place = sass::place_of_user(places, access.place);
            requests.push_back({place == nullptr ? SourceLine{"", 0} : SourceLine{place->file, place->line},
                                access.step,
                                access.warp,
                                access.words * 4,
                                0,
                                access.kind[0] == 's',
                                {}});
        }
        last = &access;
        requests.back().lanes.emplace_back(access.lane, access.word * 4);
    }
    for (Request& request : requests) {
        std::uint32_t addresses[32] = {}, lanes = 0;
        for (const auto& [lane, byte] : request.lanes)
            addresses[lane] = std::uint32_t(byte), lanes |= 1u << lane;
        request.passes = sass::passes_of(addresses, lanes, unsigned(request.bytes), request.is_store).taken;
    }
    return requests;
}

namespace {

/// Why the line of the file allows the hazard: // simt: allow <hazard> <why>
std::string allowed_by(const std::string& file, int line, const char* hazard) {
    std::ifstream source(file);
    std::string text;
    for (int at = 0; at < line && std::getline(source, text); ++at) continue;
    const std::string sign = "simt: allow ";
    const auto at = text.find(sign);
    if (!source || at == std::string::npos) return "";
    std::istringstream rest(text.substr(at + sign.size()));
    std::string kind, why;
    rest >> kind >> std::ws;
    std::getline(rest, why);
    const bool is_race = std::string(hazard) == "same_value" || std::string(hazard) == "first_read";
    return kind == hazard || (kind == "race" && is_race) ? why : "";
}

std::string allowance(const sass::Finding& finding) {
    const char* const hazard = sass::name_of(finding.hazard);
    std::string why = allowed_by(finding.file, finding.source_line, hazard);
    const auto colon = finding.other.rfind(':');
    const std::string name = finding.file.substr(finding.file.rfind('/') + 1);
    if (why.empty() && colon != std::string::npos && finding.other.substr(0, colon) == name)
        why = allowed_by(finding.file, std::atoi(finding.other.c_str() + colon + 1), hazard);
    return why;
}

}  // namespace

bool Recorder::fails() const {
    const bool is_strict = number_of("SIMT_STRICT") != 0;
    return std::any_of(findings_.begin(), findings_.end(), [&](const sass::Finding& each) {
        return each.allowed.empty() && !sass::is_hint(each.hazard) &&
               (is_strict || !sass::is_benign(each.hazard));
    });
}

void Recorder::add_findings(const std::vector<sass::Finding>& findings) {
    const char* const allowed = std::getenv("SIMT_ALLOWED");
    for (const sass::Finding& finding : findings) {
        const std::string place = place_of(finding);
        if (allowed != nullptr && (place == allowed || finding.other == allowed)) continue;
        const auto is_same = [&](const sass::Finding& known) {
            if (known.hazard != finding.hazard) return false;
            const bool is_turned = place_of(known) == finding.other && known.other == place;
            return is_turned || (known.kernel == finding.kernel && known.file == finding.file &&
                                 known.source_line == finding.source_line && known.other == finding.other);
        };
        const auto known = std::find_if(findings_.begin(), findings_.end(), is_same);
        if (known != findings_.end()) {
            known->times += finding.times;
            continue;
        }
        findings_.push_back(finding);
        findings_.back().seed = seeds_.back();
        findings_.back().allowed = allowance(finding);
        const char* const kind = !findings_.back().allowed.empty() ? "allowed: "
                                 : sass::is_hint(finding.hazard)   ? "hint: "
                                                                   : "";
        complain(kind + finding.line);
    }
}

/// A line of seeds, then one for each finding.
void Recorder::load_findings() {
    const char* const path = std::getenv("SIMT_SCHEDULES");
    std::ifstream file(path == nullptr ? "" : path);
    std::string line, field;
    std::getline(file, line);
    for (std::istringstream seeds(line); seeds >> field;) seeds_.push_back(std::stoull(field));
    while (std::getline(file, line)) {
        std::vector<std::string> fields;
        for (std::istringstream rest(line); std::getline(rest, field, '\t');) fields.push_back(field);
        fields.resize(10);
        findings_.push_back({sass::Hazard(std::stoi(fields[0])), fields[7], std::stoll(fields[1]), fields[4],
                             fields[5], std::stoi(fields[3]), fields[6], fields[8], std::stoull(fields[2]),
                             fields[9]});
    }
}

void Recorder::write_findings() const {
    const char* const path = std::getenv("SIMT_SCHEDULES");
    if (path == nullptr) return;
    std::ofstream file(path);
    for (const std::uint64_t seed : seeds_) file << seed << ' ';
    for (const sass::Finding& each : findings_)
        file << '\n'
             << int(each.hazard) << '\t' << each.times << '\t' << each.seed << '\t' << each.source_line
             << '\t' << each.kernel << '\t' << each.file << '\t' << each.other << '\t' << each.line << '\t'
             << each.cure << '\t' << each.allowed;
}

void Recorder::failed(const sass::Failure& failure) {
    if (!time_is_up_ && sass::Options::current().checks)
        add_findings(
            {{sass::Hazard::fault, failure.line, 1, failure.kernel, failure.file, failure.source_line, "",
              failure.cure.empty() ? cure_of(failure.error) : failure.cure, 0, ""}});
    else
        complain(failure.line);
}

void Recorder::refused(const std::string& kernel, const sass::Dim3& grid, const sass::Dim3& block,
                       const std::string& why) {
    if (path_.empty()) return;
    launches_.push_back({kernel, grid, block, 0, 0, 0, 0, {}, {}, {}, {}, why, ""});
}

void Recorder::watch(int seconds, int megabytes, bool is_partial) {
    std::thread([=] {
        using namespace std::chrono;
        const auto end = steady_clock::now() + std::chrono::seconds(seconds);
        sigset_t interrupt;
        sigemptyset(&interrupt);
        sigaddset(&interrupt, SIGINT);
        constexpr timespec A_WHILE = {0, 50'000'000};
        for (;;) {
            if (!is_partial)
                std::this_thread::sleep_for(milliseconds(50));
            else if (sigtimedwait(&interrupt, nullptr, &A_WHILE) == SIGINT)
                return end_by("interrupt", "interrupted", INTERRUPTED);
            if (seconds != 0 && steady_clock::now() >= end)
                return end_by("time", "the time is up", TIME_IS_UP);
            if (megabytes != 0 && resident_megabytes() > megabytes)
                return end_by("memory", "the memory is used up", TIME_IS_UP);
        }
    }).detach();
}

/// How much of a launch has run that has not ended by itself.
std::string Recorder::share_of(const sass::Grid& grid) const {
    const std::uint64_t ended = grid.blocks_ended(), all = grid.launch().grid.count();
    return ", and " + std::to_string(ended) + " of the " + std::to_string(all) + " blocks (" +
           std::to_string(ended * 100 / all) + "%) of " + sass::demangled(grid.launch().kernel->name);
}

void Recorder::tell_share(const std::string& of_launch) const {
    const char* const what = sass::Options::current().checks ? "checked until then: " : "run until then: ";
    complain(what + std::to_string(ended_) + (ended_ == 1 ? " whole launch" : " whole launches") + of_launch);
}

/// A launch that runs now ends, and the program with it.
void Recorder::end_by(const char* why, const char* text, int status) {
    why_ = why, why_status_ = status;
    time_is_up_ = true;
    sass::Grid::interrupt(text);
    State::get().lock.lock();
    const HostGuard::Inside inside;
    tell_share("");
    stop(why, status);
}

void Recorder::stop(const char* why, int status) {
    stopped_ = why;
    State::get().show_printed();
    std::fflush(nullptr);
    write();
    tell_outcome(status, why);
    _exit(status);
}

void Recorder::write() const {
    write_json();
    write_findings();
}

void Recorder::copied(std::int64_t bytes_to_device, std::int64_t bytes_to_host) {
    if (!is_recording_) return;
    recording_.copies++;
    recording_.bytes_to_device += bytes_to_device;
    recording_.bytes_to_host += bytes_to_host;
}

void Recorder::write_launch(std::FILE* file, const Summary& launch) const {
    std::fprintf(file, "{\"kernel\": %s, \"grid\": %s, \"block\": %s, \"shared_bytes\": %u",
                 quoted(launch.kernel).c_str(), array(launch.grid).c_str(), array(launch.block).c_str(),
                 launch.shared_bytes);
    if (!launch.refusal.empty()) std::fprintf(file, ", \"refused\": %s", quoted(launch.refusal).c_str());
    const auto write = [&](const char* name, std::int64_t value) {
        std::fprintf(file, ", \"%s\": %lld", name, static_cast<long long>(value));
    };
    sass::Counts::for_each(launch.total, write);
    sass::Counts::for_each_hint(launch.total, write);
    write("bank_conflicts", launch.total.bank_conflicts());
    write("registers", launch.registers);
    if (launch.cluster_blocks > 1) write("cluster_blocks", std::int64_t(launch.cluster_blocks));
    write("sectors_read", launch.sectors_read);
    write("sectors_written", launch.sectors_written);
    if (!launch.names_lines) std::fputs(", \"names_lines\": false", file);
    if (!launch.clock.empty()) std::fprintf(file, ", \"clock\": %s", launch.clock.c_str());
    for (std::size_t k = 0; k < launch.memsets.size(); ++k)
        std::fprintf(file, "%s%lld%s", k == 0 ? ", \"memsets\": [" : ", ", (long long)launch.memsets[k],
                     k + 1 == launch.memsets.size() ? "]" : "");
    std::fprintf(file, ", \"active_lanes\": %.17g, \"steps\": [", launch.total.active_lanes());
    const auto write_counted = [&](const sass::Counts& counts) {
        const auto write_some = [&](const char* name, std::int64_t value) {
            if (value != 0) write(name, value);
        };
        sass::Counts::for_each(counts, write_some);
        sass::Counts::for_each_hint(counts, write_some);
        write_some("shared_stride", counts.shared_stride);
        write_some("global_stride", counts.global_stride);
        write_some("shared_width", counts.shared_width);
        write_some("shared_narrow", counts.shared_narrow);
        std::fputs("}", file);
    };
    const char* separator = "";
    for (std::size_t k = 0; k < launch.steps.size(); ++k) {
        std::fprintf(file, "%s\n {\"step\": %zu", separator, k);
        write_counted(launch.steps[k]);
        separator = ",";
    }
    std::fputs("], \"lines\": [", file);
    separator = "";
    for (const auto& [line, counts] : launch.lines) {
        std::fprintf(file, "%s\n {\"file\": %s, \"line\": %d", separator, quoted(line.first).c_str(),
                     line.second);
        write_counted(counts);
        separator = ",";
    }
    std::fputs("]", file);
    separator = ", \"requests\": [";
    for (const Request& request : launch.requests) {
        std::fprintf(file,
                     "%s\n {\"file\": %s, \"line\": %d, \"kind\": \"%s\", \"step\": %d, \"warp\": %d, "
                     "\"bytes\": %d, \"passes\": %d, \"lanes\": [",
                     separator, quoted(request.line.first).c_str(), request.line.second,
                     request.is_store ? "store" : "load", request.step, request.warp, request.bytes,
                     request.passes);
        for (std::size_t k = 0; k < request.lanes.size(); k++)
            std::fprintf(file, "%s[%d,%d]", k == 0 ? "" : ",", request.lanes[k].first,
                         request.lanes[k].second);
        std::fputs("]}", file);
        separator = ",";
    }
    std::fputs(launch.requests.empty() ? "}" : "]}", file);
}

/// Of several schedules the first one's launches are told, as it wrote them.
std::string Recorder::earlier_launches() const {
    if (seeds_.size() == 1) return "";
    std::ifstream file(path_);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    return text.substr(0, text.rfind(FINDINGS));
}

void Recorder::write_json() const {
    if (path_.empty()) return;
    const std::string earlier = earlier_launches();
    std::FILE* file = std::fopen(path_.c_str(), "w");
    if (file == nullptr) return complain("cannot write " + path_);
    std::fputs(earlier.empty() ? "{\"launches\": [" : earlier.c_str(), file);
    const char* separator = "\n";
    for (std::size_t k = 0; earlier.empty() && k < launches_.size(); k++) {
        std::fputs(separator, file);
        write_launch(file, launches_[k]);
        separator = ",\n";
    }
    if (earlier.empty())
        std::fprintf(file, "\n],\n\"stopped\": %s", stopped_ == nullptr ? "null" : quoted(stopped_).c_str());
    std::fputs(FINDINGS, file);
    separator = "\n";
    for (const sass::Finding& finding : findings_) {
        std::fprintf(file,
                     "%s{\"hazard\": \"%s\", \"times\": %lld, \"seed\": %llu, \"kernel\": %s, \"file\": %s, "
                     "\"line\": %d, \"other\": %s, \"cure\": %s, \"allowed\": %s, \"text\": %s}",
                     separator, sass::name_of(finding.hazard), static_cast<long long>(finding.times),
                     static_cast<unsigned long long>(finding.seed), quoted(finding.kernel).c_str(),
                     quoted(finding.file).c_str(), finding.source_line, quoted(finding.other).c_str(),
                     quoted(finding.cure).c_str(), quoted(finding.allowed).c_str(),
                     quoted(finding.line).c_str());
        separator = ",\n";
    }
    std::fprintf(file, "\n],\n\"architecture\": %d,\n\"seeds\": [", sass::architecture().number);
    separator = "";
    for (const std::uint64_t seed : seeds_) {
        std::fprintf(file, "%s%llu", separator, static_cast<unsigned long long>(seed));
        separator = ", ";
    }
    std::fputs("]}\n", file);
    std::fclose(file);
}

}  // namespace simt_runtime

extern "C" simt_runtime::Observer* simt_observer() { return &simt_runtime::Recorder::get(); }

/// A time limit begins with the program.
[[maybe_unused]] static const auto& started = simt_runtime::Recorder::get();
