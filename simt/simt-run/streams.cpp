#include "simt/simt-run/streams.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <stdexcept>

Input::Input() : begin_(lseek(STDIN_FILENO, 0, SEEK_CUR)) {
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

void Input::again() {
    if (pump_.joinable()) {
        end();
        signal(SIGPIPE, SIG_DFL);
        dup2(kept_, STDIN_FILENO);
        begin_ = 0;
    }
    if (begin_ >= 0) lseek(STDIN_FILENO, begin_, SEEK_SET);
}

void Input::end() {
    is_over_ = true;
    if (pump_.joinable()) pump_.join();
}

void Input::pump(int to) {
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

namespace {

using Lines = Printed::Lines;

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

}  // namespace

Printed::Printed() {
    if (pipe2(ends_, O_CLOEXEC) != 0)
        throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
}

Printed::~Printed() { close(ends_[0]), close(ends_[1]); }

void Printed::begin() {
    text_.clear(), is_over_ = false;
    reader_ = std::thread([this] { read_on(); });
}

void Printed::end() {
    is_over_ = true;
    reader_.join();
}

void Printed::compare(std::uint64_t seed) {
    const Lines now = lines_of(text_);
    if (!is_known_) known_ = now, of_ = seed, is_known_ = true;
    const std::string here = alone(now, known_), there = alone(known_, now);
    if (is_told_ || here.empty() || there.empty()) return;
    is_told_ = true;
    std::fprintf(
        stderr,
        "SIMT machine: hint: what the program prints depends on the schedule: with --seed %llu \"%s\", with "
        "--seed %llu \"%s\"\n",
        static_cast<unsigned long long>(of_), there.c_str(), static_cast<unsigned long long>(seed),
        here.c_str());
}

void Printed::read_on() {
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
