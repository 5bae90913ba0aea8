// Something that serves one after another, in the order of asking: a pipe, a port, a memory at its rate.
#pragma once
#include <algorithm>

namespace sass::clock {

/// What a request for some sectors of one line takes: the longer of what a request does, and what they do.
struct Rate {
    double request, sector;
    double of(int sectors) const { return std::max(request, sectors * sector); }
    /// Of one more sector of a line, of which this is the k-th, from 1.
    double next(int k) const { return k == 1 ? of(1) : of(k) - of(k - 1); }
};

class Server {
   public:
    /// When it has served one that comes at `at` and takes so many cycles.
    double serve(double at, double cycles) {
        fade(at);
        recent_ += cycles;
        free_ = std::max(free_, at) + cycles;
        return free_;
    }
    void hold(double until) { free_ = std::max(free_, until); }  ///< serves nobody before
    double free() const { return free_; }
    /// The share of the last WINDOW cycles for which it was asked to serve.
    double load(double at) {
        fade(at);
        return recent_ / WINDOW;
    }

   private:
    static constexpr double WINDOW = 2000;
    void fade(double at) {
        if (at <= seen_) return;
        recent_ *= std::max(0.0, 1 - (at - seen_) / WINDOW);
        seen_ = at;
    }
    double free_ = 0, seen_ = 0, recent_ = 0;
};

}  // namespace sass::clock
