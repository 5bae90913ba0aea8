#include "experiments/harness/progress.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace harness {

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Progress::Progress(std::string what, double total)
    : what_(std::move(what)),
      total_(total),
      started_(seconds()),
      said_(started_),
      terminal_(isatty(STDERR_FILENO)) {}

Progress::~Progress() {
    if (terminal_ && spoke_) std::fprintf(stderr, "\r\033[K");
}

void Progress::advance(double weight) {
    done_ += weight;
    const double now = seconds();
    if (now - said_ < (terminal_ ? 0.2 : 10.0)) return;
    said_ = now;
    spoke_ = true;
    const double left = (now - started_) * (total_ - done_) / done_;
    std::fprintf(stderr, "%s%s: %3.0f %%, %.0f s left%s", terminal_ ? "\r\033[K" : "", what_.c_str(),
                 100 * done_ / total_, left, terminal_ ? "" : "\n");
}

}  // namespace harness
