#pragma once
#include <string>

namespace harness {

/// A line on stderr: how far, and how many seconds are left. Rewritten in place on a terminal; elsewhere a
/// new line now and then.
class Progress {
   public:
    /// `total` is what the weights handed to advance() add up to.
    Progress(std::string what, double total);
    ~Progress();
    void advance(double weight);

   private:
    std::string what_;
    double total_, done_ = 0, started_, said_;
    bool terminal_, spoke_ = false;
};

/// Seconds on a clock that never goes back.
double seconds();

}  // namespace harness
