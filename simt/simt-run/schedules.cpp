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

namespace {

constexpr int FOUND = 3, INTERRUPTED = 130;
volatile sig_atomic_t running = 0;  // the program's process

void pass_on(int number) {
    if (running > 0) kill(running, number);
}
constexpr const char* SAYS = "SIMT machine: ";

/// Runs the program. Returns what waitpid says of its end.
int run(std::uint64_t seed, bool is_first, const char* program, char** arguments) {
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
        const int nothing = open("/dev/null", O_RDWR);
        if (lseek(STDIN_FILENO, 0, SEEK_CUR) < 0) dup2(nothing, STDIN_FILENO);  // no file
        dup2(nothing, STDOUT_FILENO);
        dup2(nothing, STDERR_FILENO);
    }
    execv(program, arguments);
    std::fprintf(stderr, "simt-run: cannot run %s: %s\n", program, std::strerror(errno));
    _exit(2);
}

std::string ending(int status) {
    return WIFSIGNALED(status) ? std::string("was ended by a signal: ") + strsignal(WTERMSIG(status))
                               : "returned " + std::to_string(WEXITSTATUS(status));
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

/// Prints what was found first with this seed. Returns how much is known by now. See Recorder::load_findings.
int tell(const std::string& list, std::uint64_t seed, bool is_first) {
    int count = 0;
    std::ifstream file(list);
    std::string line;
    for (std::getline(file, line); std::getline(file, line); ++count) {
        std::string fields[8];
        std::istringstream rest(line);
        for (std::string& field : fields) std::getline(rest, field, '\t');
        if (!is_first && fields[2] == std::to_string(seed))
            std::fprintf(stderr, "%s%s (first with --seed %s)\n", SAYS, fields[7].c_str(), fields[2].c_str());
    }
    return count;
}

}  // namespace

int run_schedules(const Schedules& schedules, const char* program, char** arguments) {
    using Clock = std::chrono::steady_clock;
    const std::string list = "/proc/self/fd/" + std::to_string(memfd_create("schedules", 0));
    setenv("SIMT_SCHEDULES", list.c_str(), 1);
    signal(SIGINT, pass_on);  // the program's: if it ends by that, so does this
    const off_t begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
    const auto started = Clock::now();
    const auto result_of = [](int status) {
        return WIFEXITED(status) && WEXITSTATUS(status) == FOUND ? 0 : status;
    };
    const std::uint64_t end = schedules.first + schedules.count;
    int first = 0, worst = 0, findings = 0;
    bool differs = false;
    std::uint64_t seed = schedules.first;
    for (double elapsed = 0; seed < end && (seed == schedules.first || elapsed < schedules.budget); ++seed) {
        const bool is_first = seed == schedules.first;
        if (!is_first && elapsed > 2 && isatty(STDERR_FILENO)) {
            const double each = elapsed / double(seed - schedules.first);
            std::fprintf(stderr, "%sschedule %llu of %llu, at most %.0f s left\n", SAYS,
                         static_cast<unsigned long long>(seed - schedules.first + 1),
                         static_cast<unsigned long long>(schedules.count), each * double(end - seed));
        }
        if (begin >= 0) lseek(STDIN_FILENO, begin, SEEK_SET);
        const int status = run(seed, is_first, program, arguments);
        if (is_first) first = status;
        if (result_of(worst) == 0 && status != 0) worst = status;
        findings = tell(list, seed, is_first);
        // The host is followed in even schedules alone: what ends it there is a finding, and no difference.
        const bool is_trapped = findings > 0 && (is_crash(status) || is_crash(first));
        if (!is_trapped && result_of(status) != result_of(first) && !std::exchange(differs, true))
            std::fprintf(
                stderr, "%sthe result depends on the schedule: with --seed %llu the program %s, else it %s\n",
                SAYS, static_cast<unsigned long long>(seed), ending(result_of(status)).c_str(),
                ending(result_of(first)).c_str());
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) break;
        if (WIFEXITED(status) && WEXITSTATUS(status) == INTERRUPTED) break;
        elapsed = std::chrono::duration<double>(Clock::now() - started).count();
    }
    const std::string command = command_of(arguments);
    std::fprintf(stderr, "%s%llu of %llu schedules run, %d found\n", SAYS,
                 static_cast<unsigned long long>(seed - schedules.first),
                 static_cast<unsigned long long>(schedules.count), findings);
    if (worst != 0) std::fprintf(stderr, "%sone of them again: simt-run --seed N%s\n", SAYS, command.c_str());
    if (seed < end)
        std::fprintf(stderr,
                     "%sthe budget of %.0f s is used up; the rest: simt-run --seed %llu --seeds %llu%s\n",
                     SAYS, schedules.budget, static_cast<unsigned long long>(seed),
                     static_cast<unsigned long long>(end - seed), command.c_str());
    if (WIFEXITED(worst)) return WEXITSTATUS(worst);
    signal(WTERMSIG(worst), SIG_DFL);
    raise(WTERMSIG(worst));
    return 128 + WTERMSIG(worst);
}
