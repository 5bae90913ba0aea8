#include "simt/simt-run/schedules.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "simt/order/findings.h"
#include "simt/simt-run/streams.h"

namespace {

constexpr int FOUND = 3;
volatile sig_atomic_t running = 0;  // the program's process

void pass_on(int number) {
    if (running > 0) kill(running, number);
}
constexpr const char* SAYS = "SIMT machine: ";

/// Runs the program. What it prints goes to `to`, but of the first schedule, whose is shown. Returns what
/// waitpid says of its end.
int run(std::uint64_t seed, bool is_first, int to, const char* program, char** arguments) {
    setenv("SIMT_SEED", std::to_string(seed).c_str(), 1);
    const pid_t parent = getpid(), child = fork();
    if (child < 0) throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
    if (child > 0) {
        running = child;
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
        running = 0;
        return status;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // it does not outlive simt-run
    if (getppid() != parent) _exit(1);
    signal(SIGINT, SIG_DFL);
    if (!is_first) {
        dup2(to, STDOUT_FILENO);
        dup2(open("/dev/null", O_RDWR), STDERR_FILENO);
    }
    execv(program, arguments);
    std::fprintf(stderr, "simt-run: cannot run %s: %s\n", program, std::strerror(errno));
    _exit(2);
}

/// How a schedule ended: with the program's own status, or stopped before its end.
struct Ending {
    int status;               ///< as waitpid has it
    std::string why;          ///< it was stopped; empty: it was not
    std::string failed = {};  ///< the last call of the runtime that did, as the machine has told
};

/// What the program's end means. A status of 3 or 124 may be the machine's or the program's own: the machine
/// has said which (Recorder, tell_outcome), if it came to that.
Ending ending_of(int status, const std::string& outcomes, std::size_t& known) {
    std::ifstream file(outcomes);
    std::string line, last;
    for (std::size_t count = 0; std::getline(file, line); ++count)
        if (count >= known) last = line, known = count + 1;
    if (last.empty()) return {status, ""};
    std::istringstream fields(last);
    int own = 0;
    std::string why;
    std::string failed;
    fields >> own >> why >> std::ws;
    std::getline(fields, failed);
    if (why != "-" && why != "launches") return {status, why};
    return {(own & 0xff) << 8, "", failed};
}

std::string text_of(const Ending& end) {
    const std::string failed = end.failed.empty() ? "" : " (" + end.failed + ")";
    return WIFSIGNALED(end.status) ? std::string("was ended by a signal: ") + strsignal(WTERMSIG(end.status))
                                   : "returned " + std::to_string(WEXITSTATUS(end.status)) + failed;
}

bool is_crash(int status) { return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV; }

/// The program and its arguments, for a shell.
std::string command_of(char** arguments) {
    std::string text;
    for (; *arguments != nullptr; ++arguments) {
        const std::string word = *arguments;
        const bool is_plain =
            !word.empty() && word.find_first_of(" \t\n\"'\\$`*?[]{}()<>|&;#~!") == std::string::npos;
        text += is_plain ? " " + word : " '" + word + "'";
    }
    return text;
}

/// Prints what was found first with this seed. Returns how much is known by now, but for hints. See
/// Recorder::load_findings.
int tell(const std::string& list, std::uint64_t seed, bool is_first) {
    int count = 0;
    std::ifstream file(list);
    std::string line;
    for (std::getline(file, line); std::getline(file, line);) {
        std::string fields[8];
        std::istringstream rest(line);
        for (std::string& field : fields) std::getline(rest, field, '\t');
        const bool is_hint = sass::is_hint(sass::Hazard(std::stoi(fields[0])));
        count += !is_hint;
        if (!is_first && fields[2] == std::to_string(seed))
            std::fprintf(stderr, "%s%s%s (first with --seed %s)\n", SAYS, is_hint ? "hint: " : "",
                         fields[7].c_str(), fields[2].c_str());
    }
    return count;
}

}  // namespace

int run_schedules(const Schedules& schedules, const char* program, char** arguments) {
    using Clock = std::chrono::steady_clock;
    const std::string list = "/proc/self/fd/" + std::to_string(memfd_create("schedules", 0));
    setenv("SIMT_SCHEDULES", list.c_str(), 1);
    signal(SIGINT, pass_on);  // the program's: if it ends by that, so does this
    const std::string own_outcomes = "/proc/self/fd/" + std::to_string(memfd_create("outcomes", 0));
    setenv("SIMT_OUTCOME", own_outcomes.c_str(), 0);
    const std::string outcomes = std::getenv("SIMT_OUTCOME");
    std::size_t known = 0;
    Input input;
    Printed printed;
    const auto started = Clock::now();
    const std::uint64_t end = schedules.first + schedules.count;
    int worst = 0, findings = 0;
    Ending first{0, ""};
    bool differs = false, is_found = false;
    std::uint64_t seed = schedules.first;
    for (double elapsed = 0; seed < end && (seed == schedules.first || elapsed < schedules.budget); ++seed) {
        const bool is_first = seed == schedules.first;
        if (!is_first && elapsed > 2 && isatty(STDERR_FILENO)) {
            const double each = elapsed / double(seed - schedules.first);
            std::fprintf(stderr, "%sschedule %llu of %llu, at most %.0f s left\n", SAYS,
                         static_cast<unsigned long long>(seed - schedules.first + 1),
                         static_cast<unsigned long long>(schedules.count), each * double(end - seed));
        }
        printed.begin();
        const int raw = run(seed, is_first, printed.to(), program, arguments);
        printed.end();
        input.again();
        const Ending now = ending_of(raw, outcomes, known);
        const int status = now.status;
        if (is_first) first = now;
        if (worst == 0) worst = status;
        is_found |= WIFEXITED(raw) && WEXITSTATUS(raw) == FOUND && status == 0;
        findings = tell(list, seed, is_first);
        if (!now.why.empty() && !is_first)
            std::fprintf(stderr, "%sthe schedule of --seed %llu was not run to its end: %s\n", SAYS,
                         static_cast<unsigned long long>(seed), now.why.c_str());
        // The host is followed in even schedules alone: what ends it there is a finding, and no difference.
        const bool is_trapped = findings > 0 && (is_crash(status) || is_crash(first.status));
        const bool are_results = now.why.empty() && first.why.empty();
        if (are_results && !is_trapped && status != first.status && !std::exchange(differs, true))
            std::fprintf(
                stderr, "%sthe result depends on the schedule: with --seed %llu the program %s, else it %s\n",
                SAYS, static_cast<unsigned long long>(seed), text_of(now).c_str(), text_of(first).c_str());
        if (now.why.empty() && !is_first) printed.compare(seed);
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) break;
        if (now.why == "interrupt") break;
        elapsed = std::chrono::duration<double>(Clock::now() - started).count();
    }
    const std::string command = command_of(arguments);
    std::fprintf(stderr, "%s%llu of %llu schedules run, %d found\n", SAYS,
                 static_cast<unsigned long long>(seed - schedules.first),
                 static_cast<unsigned long long>(schedules.count), findings);
    if (worst != 0 || is_found)
        std::fprintf(stderr, "%sone of them again: simt-run --seed N%s\n", SAYS, command.c_str());
    if (seed < end)
        std::fprintf(stderr,
                     "%sthe budget of %.0f s is used up; the rest: simt-run --seed %llu --seeds %llu%s\n",
                     SAYS, schedules.budget, static_cast<unsigned long long>(seed),
                     static_cast<unsigned long long>(end - seed), command.c_str());
    if (worst == 0 && is_found) return FOUND;
    if (WIFEXITED(worst)) return WEXITSTATUS(worst);
    signal(WTERMSIG(worst), SIG_DFL);
    raise(WTERMSIG(worst));
    return 128 + WTERMSIG(worst);
}
