// Work that the program submits: copies, launches, callbacks. It runs at once, in the thread that submits it,
// unless it must wait for a launch that itself waits: for what another launch or the host writes. With
// Options::is_late it runs when somebody waits for it or asks whether it is done, or when the program has
// made no call for a while.
#pragma once
#include <cuda_runtime_api.h>

#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <vector>

#include "simt/order/vector_clock.h"

namespace simt_runtime {

using Clock = std::chrono::steady_clock;

/// A piece of work of a device.
class Task {
   public:
    explicit Task(int device) : device_(device) {}
    virtual ~Task() = default;
    /// True once it is done; false if it waits for others and is to be called again.
    virtual bool run() = 0;
    /// A number that differs whenever the task has changed what others may wait for.
    virtual std::uint64_t changes() const { return 0; }
    /// Ends a task for which nothing can come that it waits for.
    virtual void give_up() {}
    /// Does it only mark a place in its stream?
    virtual bool is_marker() const { return false; }

    int device() const { return device_; }
    bool is_done() const { return is_done_; }
    bool waits_for_others() const { return !before_.empty(); }
    const sass::SharedClock& order() const { return order_; }
    Clock::time_point end() const { return end_; }

   private:
    friend class Queue;
    int device_;
    std::vector<std::shared_ptr<Task>> before_;
    sass::SharedClock order_;  ///< what those know that come after it
    bool is_done_ = false;
    Clock::time_point end_;
};

/// The place of an event in its stream.
class Marker : public Task {
   public:
    using Task::Task;
    bool run() override { return true; }
    bool is_marker() const override { return true; }
};

/// Work that never waits by itself.
class Action : public Task {
   public:
    Action(int device, std::function<void()> action) : Task(device), action_(std::move(action)) {}
    bool run() override {
        action_();
        return true;
    }

   private:
    std::function<void()> action_;
};

}  // namespace simt_runtime

/// A stream: what was submitted last, and whether it is being captured into a graph.
struct CUstream_st {
    int device = 0;
    unsigned flags = 0;
    int priority = 0;
    unsigned long long id = 0;
    bool is_legacy = false;
    bool is_in_use = true;  ///< false: a branch of a graph that is not being launched
    std::shared_ptr<simt_runtime::Task> last;
    std::shared_ptr<struct Capture> capture;
    std::uint32_t serial = next_serial();  ///< unlike the id, of no other stream
    std::uint32_t submitted = 0;           ///< how much
    sass::SharedClock known;               ///< what happens before the work that is submitted next

    static std::uint32_t next_serial();
    /// Whether it keeps order with the legacy default stream.
    bool is_blocking() const { return (flags & cudaStreamNonBlocking) == 0; }
};

struct CUevent_st {
    unsigned flags = 0;
    int device = 0;
    std::shared_ptr<simt_runtime::Task> marker;  ///< null: never recorded
    std::shared_ptr<struct Capture> capture;     ///< in which it was recorded
};

namespace simt_runtime {

class Queue {
   public:
    /// The place of the work that is submitted to the stream next.
    sass::Submitted next(const CUstream_st& stream) const;
    /// Runs it, or keeps it until what comes before it in its stream is done.
    void submit(CUstream_st& stream, std::shared_ptr<Task> task);
    /// What is submitted to the stream from now on comes after the task.
    void order_after(CUstream_st& stream, const std::shared_ptr<Task>& task);
    /// Gives pending work another turn: what is late only if it is `due`.
    void turn(bool due = false);
    /// Runs pending work until `is_done`. If that cannot come about, the launches that wait are given up.
    void wait(const std::function<bool()>& is_done);
    void finish(const std::shared_ptr<Task>& task);
    /// And the host knows that it is done.
    void wait_for(const std::shared_ptr<Task>& task);
    void wait_for_device(int device);
    bool is_idle(int device) const;
    /// Once nothing is pending.
    void when_idle(std::function<void()> action);
    /// Whether the host has waited for a piece of work.
    bool host_knows(const sass::Submitted& work) const { return sass::Submitted{host_}.follows(work); }
    /// The host has learnt that this work is done.
    void learn(const sass::SharedClock& clock) { host_ = merge(host_, clock); }
    /// Whether a piece of work happens before all that has not begun yet.
    std::function<bool(const sass::Submitted&)> known_to_all() const;

   private:
    std::vector<std::shared_ptr<Task>> predecessors(const CUstream_st& stream) const;
    bool try_run(Task& task);
    void run_what_precedes(const std::shared_ptr<Task>& task);
    void run_when_idle();
    std::uint64_t changes() const;

    sass::SharedClock host_;                    ///< what the host has waited for
    std::list<std::shared_ptr<Task>> pending_;  ///< in the order of submission
    std::vector<std::function<void()>> when_idle_;
    bool is_running_ = false;
    bool is_watched_ = false;             ///< late work will run even if nobody waits
    std::uint64_t done_ = 0;              ///< how many tasks have ended
    std::uint64_t at_last_turn_ = ~0ull;  ///< changes(): launches that only wait are not interrupted
};

}  // namespace simt_runtime
