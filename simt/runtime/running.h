// A grid at work, and the launches that its kernel asks for.
#pragma once
#include <memory>
#include <vector>

#include "simt/run/from_kernels.h"

namespace simt_runtime {

class Running {
   public:
    explicit Running(std::unique_ptr<sass::Grid> grid);
    ~Running();

    /// True once the grid and all that it has launched are over, or one of them has failed; false if they
    /// wait for what others must do.
    bool run();
    /// Nothing can come that those wait for which are not over.
    void give_up();
    /// Of the first that failed; error 0: none has.
    const sass::Failure& failure() const { return failure_; }
    std::uint64_t progress() const;

   private:
    struct Child;
    bool is_ready(const Child& child) const;
    void begin(Child& child);
    bool go_on(Child& child);
    bool go_on_with_children();
    void take_asked();
    void end();
    void fail(const sass::Failure& failure);
    void stop(const sass::Failure& failure);

    std::unique_ptr<sass::Grid> grid_;  ///< null: it is over
    int record_;
    std::shared_ptr<sass::Origin> origin_;  ///< null: it is no launch from a kernel, or without checks
    std::uint64_t progress_ = 0;            ///< of what is over
    std::vector<Child> children_;           ///< in the order in which they were asked for
    std::vector<sass::Blocks> over_;  ///< its blocks, and those of all that is over of what it has launched
    sass::Failure failure_;
};

}  // namespace simt_runtime
