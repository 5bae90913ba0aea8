#include "simt/runtime/work.h"

#include <algorithm>
#include <set>
#include <thread>
#include <utility>

#include "simt/run/grid.h"
#include "simt/run/memory.h"
#include "simt/runtime/host/host_guard.h"
#include "simt/runtime/state.h"

namespace simt_runtime {
namespace {

/// How long nothing may change, before launches that wait are given up: other threads of the program may
/// write what they wait for. And how long the program makes no call before late work runs.
constexpr std::chrono::milliseconds PATIENCE(500);

bool is_late() { return sass::Options::current().is_late; }
/// Of two pieces of work that nothing orders the later one goes first, and launches take turns.
bool is_reversed() { return is_late() && sass::Options::current().seed / 2 % 2 == 1; }

}  // namespace

std::vector<std::shared_ptr<Task>> Queue::predecessors(const CUstream_st& stream) const {
    std::vector<std::shared_ptr<Task>> before;
    const auto add = [&](const CUstream_st& other) {
        if (other.last != nullptr && !other.last->is_done()) before.push_back(other.last);
    };
    add(stream);
    State& state = State::get();
    Device& device = *state.devices[stream.device];
    if (stream.is_legacy) {
        add(device.thread_stream);
        for (const CUstream_st* other : state.streams)
            if (other->device == stream.device && other->is_blocking()) add(*other);
    } else if (stream.is_blocking()) {
        add(device.legacy_stream);
    }
    return before;
}

sass::Submitted Queue::next(const CUstream_st& stream) const {
    sass::Submitted place{merge(host_, stream.known), stream.serial, stream.submitted};
    State& state = State::get();
    const Device& device = *state.devices[stream.device];
    if (stream.is_legacy) {
        place.before = merge(place.before, device.thread_stream.known);
        for (const CUstream_st* other : state.streams)
            if (other->device == stream.device && other->is_blocking())
                place.before = merge(place.before, other->known);
    } else if (stream.is_blocking()) {
        place.before = merge(place.before, device.legacy_stream.known);
    }
    return place;
}

namespace {

/// An event of a stream that has nothing to do is ready before anything that the host waits for later.
bool is_marker_of_idle(const Task& task) { return task.is_marker() && !task.waits_for_others(); }

}  // namespace

void Queue::submit(CUstream_st& stream, std::shared_ptr<Task> task) {
    task->before_ = predecessors(stream);
    task->order_ = stream.known = next(stream).with_itself();
    ++stream.submitted;
    stream.last = task;
    if ((is_late() && !is_marker_of_idle(*task)) || !try_run(*task)) pending_.push_back(std::move(task));
    if (is_late() && !std::exchange(is_watched_, true)) std::thread([this] { run_when_idle(); }).detach();
}

void Queue::order_after(CUstream_st& stream, const std::shared_ptr<Task>& task) {
    if (task == nullptr) return;
    stream.known = merge(stream.known, task->order());
    if (task->is_done()) return;
    auto joined = std::make_shared<Action>(stream.device, [] {});
    joined->before_ = predecessors(stream);
    joined->before_.push_back(task);
    joined->order_ = stream.known;
    stream.last = joined;
    pending_.push_back(std::move(joined));
}

bool Queue::try_run(Task& task) {
    for (const auto& before : task.before_)
        if (!before->is_done()) return false;
    const bool is_broken = State::get().devices[task.device()]->error != cudaSuccess;
    if (!is_broken && !task.run()) return false;
    task.before_.clear();
    task.is_done_ = true;
    task.end_ = Clock::now();
    done_++;
    return true;
}

void Queue::turn(bool due) {
    if (is_running_ || pending_.empty() || (is_late() && !due))
        return;  // a callback must not start other work
    is_running_ = true;
    if (is_reversed()) pending_.reverse();
    const std::uint64_t before = changes();
    sass::Grid::take_turns(is_reversed() && pending_.size() > 1 && before != at_last_turn_);
    at_last_turn_ = before;
    for (auto at = pending_.begin(); at != pending_.end();)
        at = try_run(**at) ? pending_.erase(at) : std::next(at);
    sass::Grid::take_turns(false);
    if (is_reversed()) pending_.reverse();
    is_running_ = false;
}

/// Late work of which the task is the end, and nothing else: who waits for the wrong stream should see that.
void Queue::run_what_precedes(const std::shared_ptr<Task>& task) {
    if (is_running_) return;
    std::set<std::shared_ptr<Task>> wanted{task};
    for (auto at = pending_.rbegin(); at != pending_.rend(); ++at)
        if (wanted.count(*at)) wanted.insert((*at)->before_.begin(), (*at)->before_.end());
    is_running_ = true;
    for (auto at = pending_.begin(); at != pending_.end();)
        at = wanted.count(*at) && try_run(**at) ? pending_.erase(at) : std::next(at);
    is_running_ = false;
}

/// A program may wait for what late work writes by looking at memory alone.
void Queue::run_when_idle() {
    for (std::uint64_t seen = 0;; std::this_thread::sleep_for(PATIENCE)) {
        State& state = State::get();
        const std::lock_guard lock(state.lock);
        const HostGuard::Inside inside;
        if (state.calls == seen) turn(true);
        seen = state.calls;
    }
}

std::uint64_t Queue::changes() const {
    std::uint64_t sum = done_;
    for (const auto& task : pending_) sum += task->changes();
    return sum;
}

void Queue::wait(const std::function<bool()>& is_done) {
    if (is_running_) return;
    auto last_change = Clock::now();
    for (std::uint64_t before = changes(); !is_done(); before = changes()) {
        turn(true);
        const auto now = Clock::now();
        if (changes() != before) {
            last_change = now;
        } else if (now - last_change < PATIENCE) {
            State::get().lock.unlock();  // so that they can submit work, too
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            State::get().lock.lock();
        } else {
            for (const auto& task : pending_) {
                bool is_next = true;
                for (const auto& other : task->before_) is_next = is_next && other->is_done();
                if (is_next) task->give_up();
            }
            last_change = now;
        }
    }
    State::get().show_printed();
}

void Queue::finish(const std::shared_ptr<Task>& task) {
    if (is_late()) run_what_precedes(task);
    wait([&] { return task->is_done(); });
}

void Queue::wait_for(const std::shared_ptr<Task>& task) {
    if (task == nullptr) return;
    finish(task);
    learn(task->order());
}

std::function<bool(const sass::Submitted&)> Queue::known_to_all() const {
    std::vector<sass::SharedClock> all;
    const State& state = State::get();
    const auto add = [&](const CUstream_st& stream) {
        if (stream.is_in_use) all.push_back(next(stream).before);
    };
    for (const auto& device : state.devices) add(device->legacy_stream), add(device->thread_stream);
    for (const CUstream_st* stream : state.streams) add(*stream);
    for (const auto& task : pending_) all.push_back(task->order_);
    if (sass::Memory::of_device().has_host()) all.push_back(host_);  // which may access it
    return [all](const sass::Submitted& work) {
        return std::all_of(all.begin(), all.end(), [&](const sass::SharedClock& before) {
            return sass::Submitted{before}.follows(work);
        });
    };
}

bool Queue::is_idle(int device) const {
    for (const auto& task : pending_)
        if (task->device() == device) return false;
    return true;
}

void Queue::when_idle(std::function<void()> action) {
    if (pending_.size() > std::size_t(is_running_)) return when_idle_.push_back(std::move(action));
    action();
}

void Queue::wait_for_device(int device) {
    wait([&] { return is_idle(device); });
    if (pending_.empty())
        for (const auto& action : std::exchange(when_idle_, {})) action();
    const State& state = State::get();
    for (const CUstream_st* stream :
         {&state.devices[device]->legacy_stream, &state.devices[device]->thread_stream})
        learn(stream->known);
    for (const CUstream_st* stream : state.streams)
        if (stream->device == device) learn(stream->known);
    learn(state.devices[device]->left);
}

}  // namespace simt_runtime

std::uint32_t CUstream_st::next_serial() {
    static std::uint32_t serial = 0;
    return ++serial;
}
