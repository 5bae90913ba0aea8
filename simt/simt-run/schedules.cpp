#include "simt/simt-run/schedules.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "simt/order/findings.h"

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

/// What the program reads, for every schedule the same. A file is read again from where it was. Of anything
/// else the first schedule gets what comes, and the others what had come by its end.
class Input {
   public:
    Input() : begin_(lseek(STDIN_FILENO, 0, SEEK_CUR)) {
        int ends[2];
        if (begin_ >= 0 || fcntl(STDIN_FILENO, F_GETFD) < 0 || pipe2(ends, O_CLOEXEC) < 0) return;
        signal(SIGPIPE, SIG_IGN);
        source_ = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
        kept_ = memfd_create("input", MFD_CLOEXEC);
        fcntl(ends[1], F_SETFL, O_NONBLOCK);
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        pump_ = std::thread([this, to = ends[1]] { pump(to); });
    }
    ~Input() { end(); }
    /// The next schedule is to read the same.
    void again() {
        if (pump_.joinable()) {
            end();
            signal(SIGPIPE, SIG_DFL);
            dup2(kept_, STDIN_FILENO);
            begin_ = 0;
        }
        if (begin_ >= 0) lseek(STDIN_FILENO, begin_, SEEK_SET);
    }

   private:
    void end() {
        is_over_ = true;
        if (pump_.joinable()) pump_.join();
    }
    void pump(int to) {
        char text[4096];
        while (!is_over_) {
            pollfd ready{source_, POLLIN, 0};
            if (poll(&ready, 1, 20) == 0) continue;
            const ssize_t count = read(source_, text, sizeof text);
            if (count <= 0) break;
            if (write(kept_, text, std::size_t(count)) < 0) break;
            for (ssize_t done = 0; done < count && !is_over_;) {
                pollfd room{to, POLLOUT, 0};
                if (poll(&room, 1, 20) == 0) continue;  // the program need not read it
                const ssize_t part = write(to, text + done, std::size_t(count - done));
                if (part > 0) done += part;
                if (part < 0 && errno != EAGAIN) break;
            }
        }
        close(to);
    }
    off_t begin_;
    int source_ = -1, kept_ = -1;
    std::atomic<bool> is_over_{false};
    std::thread pump_;
};

using Lines = std::map<std::string, std::string>;  ///< by their text without numbers

/// What is printed, but for numbers and the order of lines, which may differ from run to run.
Lines lines_of(const std::string& text) {
    Lines lines;
    std::istringstream rest(text);
    for (std::string line; std::getline(rest, line);) {
        std::string plain, word;
        const auto end_word = [&] {
            const bool is_number =
                std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) != 0; }) ||
                word == "nan" || word == "inf";
            if (!is_number)
                plain += word;
            else if (plain.empty() || plain.back() != '#')  // "1e-05" is one
                plain += '#';
            word.clear();
        };
        for (const char c : line) {
            const bool is_of_word = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_';
            if (is_of_word)
                word += c;
            else if (end_word(); c != '-' && c != '+')
                plain += c;
        }
        end_word();
        lines.emplace(plain, line);
    }
    return lines;
}
/// A line that is not among the others, or "".
std::string alone(const Lines& lines, const Lines& others) {
    for (const auto& [plain, line] : lines)
        if (others.count(plain) == 0) return line;
    return "";
}
/// Of the schedules but the first: does one of them print other words?
class Printed {
   public:
    Printed() {
        if (pipe2(ends_, O_CLOEXEC) != 0)
            throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
    }
    ~Printed() { close(ends_[0]), close(ends_[1]); }
    int to() const { return ends_[1]; }
    void begin() {
        text_.clear(), is_over_ = false;
        reader_ = std::thread([this] { read_on(); });
    }
    void end() {
        is_over_ = true;
        reader_.join();
    }
    void compare(std::uint64_t seed) {
        const Lines now = lines_of(text_);
        if (!is_known_) known_ = now, of_ = seed, is_known_ = true;
        const std::string here = alone(now, known_), there = alone(known_, now);
        if (is_told_ || here.empty() || there.empty()) return;
        is_told_ = true;
        std::fprintf(stderr,
                     "%shint: what the program prints depends on the schedule: with --seed %llu \"%s\", with "
                     "--seed %llu \"%s\"\n",
                     SAYS, static_cast<unsigned long long>(of_), there.c_str(),
                     static_cast<unsigned long long>(seed), here.c_str());
    }

   private:
    void read_on() {
        constexpr std::size_t MOST = 1 << 20;  // bytes; the rest is not compared
        char part[4096];
        for (;;) {
            pollfd ready{ends_[0], POLLIN, 0};
            if (poll(&ready, 1, 20) == 0) {
                if (is_over_) return;
                continue;
            }
            const ssize_t count = read(ends_[0], part, sizeof part);
            if (count > 0) text_.append(part, std::min(std::size_t(count), MOST - text_.size()));
        }
    }
    int ends_[2] = {-1, -1};
    std::string text_;
    std::atomic<bool> is_over_{false};
    std::thread reader_;
    Lines known_;
    std::uint64_t of_ = 0;
    bool is_known_ = false, is_told_ = false;
};

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
