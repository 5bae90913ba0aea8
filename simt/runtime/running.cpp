#include "simt/runtime/running.h"

#include <algorithm>
#include <utility>

#include "simt/order/order.h"
#include "simt/runtime/recorder.h"
#include "simt/runtime/state.h"

namespace simt_runtime {

struct Running::Child {
    sass::AskedLaunch asked;
    std::unique_ptr<Running> running = nullptr;  ///< null: it has not begun, or is over
    bool is_over = false;
    std::vector<sass::Blocks> over = {};  ///< once it is: what a launch that follows it knows to be over
};

Running::Running(std::unique_ptr<sass::Grid> grid)
    : grid_(std::move(grid)),
      record_(Recorder::get().begin_launch(*grid_)),
      origin_(grid_->launch().origin) {}
Running::~Running() = default;

bool Running::run() {
    for (bool moves = true; moves && failure_.error == 0;) {
        if (grid_ != nullptr) {
            const bool is_over = grid_->run() == sass::Grid::State::done;
            take_asked();
            if (grid_->failure().error != 0)
                fail(grid_->failure());
            else if (is_over)
                end();
        }
        moves = failure_.error == 0 && go_on_with_children();
    }
    const auto is_over = [](const Child& child) { return child.is_over; };
    return failure_.error != 0 ||
           (grid_ == nullptr && std::all_of(children_.begin(), children_.end(), is_over));
}

void Running::take_asked() {
    for (sass::AskedLaunch& asked : grid_->take_asked()) children_.push_back({std::move(asked)});
}

/// Of launches that nothing orders the later one goes first under every other seed.
bool Running::go_on_with_children() {
    bool moves = false;
    const bool is_reversed = sass::Options::current().seed / 2 % 2 == 1;
    for (std::size_t i = 0; i < children_.size() && failure_.error == 0; ++i) {
        Child& child = children_[is_reversed ? children_.size() - 1 - i : i];
        if (child.running != nullptr || (!child.is_over && is_ready(child))) moves |= go_on(child);
    }
    return moves;
}

bool Running::is_ready(const Child& child) const {
    const sass::AskedLaunch& asked = child.asked;
    if (asked.is_tail && grid_ != nullptr) return false;
    for (const Child& other : children_) {
        const bool is_before = asked.is_tail ? !other.asked.is_tail || &other < &child
                                             : std::find(asked.after.begin(), asked.after.end(),
                                                         other.asked.number) != asked.after.end();
        if (is_before && !other.is_over) return false;
    }
    return true;
}

void Running::begin(Child& child) {
    sass::Launch& launch = child.asked.launch;
    if (launch.origin != nullptr) {
        if (origin_ != nullptr) launch.origin->over = origin_->over;
        const auto add = [&](const std::vector<sass::Blocks>& over) {
            for (const sass::Blocks& blocks : over) sass::Blocks::add(launch.origin->over, blocks);
        };
        if (child.asked.is_tail) {
            add(over_);
        } else {
            for (const Child& other : children_)
                if (std::find(child.asked.after.begin(), child.asked.after.end(), other.asked.number) !=
                    child.asked.after.end())
                    add(other.over);
        }
    }
    auto grid = std::make_unique<sass::Grid>(launch, Recorder::get().options());
    if (grid->failure().error != 0) return fail(grid->failure());
    child.running = std::make_unique<Running>(std::move(grid));
}

/// Returns whether anything has changed.
bool Running::go_on(Child& child) {
    if (child.running == nullptr) begin(child);
    if (child.running == nullptr) return true;
    Running& running = *child.running;
    const std::uint64_t before = running.progress();
    const bool is_over = running.run();
    if (running.failure().error != 0) stop(running.failure());
    if (!is_over) return running.progress() != before;
    child.is_over = true;
    child.over =
        child.asked.launch.origin == nullptr ? std::vector<sass::Blocks>() : child.asked.launch.origin->over;
    for (const sass::Blocks& blocks : running.over_) {
        sass::Blocks::add(child.over, blocks);
        sass::Blocks::add(over_, blocks);
    }
    progress_ += running.progress() + 1;
    child.running.reset();
    child.asked.launch = {};
    return true;
}

void Running::end() {
    State::get().printed += grid_->printed();
    Recorder::get().add_findings(grid_->findings());
    Recorder::get().end_launch(record_, *grid_);
    progress_ += grid_->progress() + 1;
    if (grid_->blocks().end != 0) sass::Blocks::add(over_, grid_->blocks());
    grid_.reset();
}

/// The failure is told before the launch's end, which may end the program.
void Running::fail(const sass::Failure& failure) {
    Recorder::get().failed(failure);
    stop(failure);
}

/// Ends all that is at work.
void Running::stop(const sass::Failure& failure) {
    failure_ = failure;
    if (grid_ != nullptr) end();
    for (Child& child : children_)
        if (child.running != nullptr && child.running->failure_.error == 0) child.running->stop(failure);
}

void Running::give_up() {
    if (grid_ != nullptr) return fail(grid_->deadlock());
    for (Child& child : children_)
        if (child.running != nullptr) {
            child.running->give_up();
            return stop(child.running->failure());
        }
}

std::uint64_t Running::progress() const {
    std::uint64_t sum = progress_ + (grid_ == nullptr ? 0 : grid_->progress());
    for (const Child& child : children_)
        if (child.running != nullptr) sum += child.running->progress();
    return sum;
}

}  // namespace simt_runtime
