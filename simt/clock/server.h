// Something that serves one after another, in the order of asking: a pipe, a port, a memory at its rate.
#pragma once
#include <algorithm>

namespace sass::clock {

class Server {
   public:
    /// When it has served one that comes at `at` and takes so many cycles.
    double serve(double at, double cycles) {
        free_ = std::max(free_, at) + cycles;
        return free_;
    }
    void hold(double until) { free_ = std::max(free_, until); }  ///< serves nobody before
    double free() const { return free_; }

   private:
    double free_ = 0;
};

}  // namespace sass::clock
