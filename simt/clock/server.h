// What serves one after another, a pipe, a port, a memory at its rate, and what waits for it.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sass::clock {

/// What a request for some sectors of one line takes: the longer of what a request does, and what they do.
struct Rate {
    double request, sector;
    double of(int sectors) const { return std::max(request, sectors * sector); }
    /// Of one more sector of a line, of which this is the k-th, from 1.
    double next(int k) const { return k == 1 ? of(1) : of(k) - of(k - 1); }
};

/// What waits in the order of coming: when the last of them left.
class Queue {
   public:
    void add(double leaves) { left_[count_++ % MOST] = leaves; }
    /// When there is room, if there are so many places; of more than MOST, if there are these.
    double leaves(std::size_t places) const {
        places = std::min(places, MOST);
        return count_ < places ? 0 : left_[(count_ - places) % MOST];
    }

   private:
    static constexpr std::size_t MOST = 64;
    std::array<double, MOST> left_ = {};
    std::size_t count_ = 0;
};

/// For how much of the last WINDOW cycles something was asked to serve.
class Load {
   public:
    void add(double at, double cycles) {
        (void)share(at);
        recent_ += cycles;
    }
    double share(double at) {
        if (at > seen_) recent_ *= std::max(0.0, 1 - (at - seen_) / WINDOW), seen_ = at;
        return recent_ / WINDOW;
    }

   private:
    static constexpr double WINDOW = 2000;
    double seen_ = 0, recent_ = 0;
};

/// Serves in the order of asking.
class Server {
   public:
    /// When it has served one that comes at `at` and takes so many cycles.
    double serve(double at, double cycles) {
        busy_ += cycles;
        return free_ = std::max(free_, at) + cycles;
    }
    double free() const { return free_; }
    double busy() const { return busy_; }  ///< for so many cycles until now

   private:
    double free_ = 0, busy_ = 0;
};

/// Serves in the order of coming, whoever is asked for first: each takes cycles that are left from then on.
class Calendar {
   public:
    /// So many slots as the longest queue fills, at most.
    explicit Calendar(std::size_t slots) : slots_(slots) {}

    double serve(double at, double cycles) {
        busy_ += cycles;
        std::uint64_t slot = begins(std::uint64_t(at / CYCLES));
        for (double left = cycles;; slot = begins(slot + 1)) {
            Slot& own = slots_[slot % slots_.size()];
            const double taken = std::min(left, CYCLES - own.used);
            own.used += taken, left -= taken;
            if (left <= 0) return std::max(at + cycles, double(slot) * CYCLES + own.used);
        }
    }
    /// When one that comes at `at` would be served.
    double free(double at) {
        const std::uint64_t slot = begins(std::uint64_t(at / CYCLES));
        return std::max(at, double(slot) * CYCLES + slots_[slot % slots_.size()].used);
    }
    double busy() const { return busy_; }

   private:
    static constexpr double CYCLES = 32;  // of a slot
    struct Slot {
        std::uint64_t number = 0, next = 1;
        double used = 0;
    };
    Slot& of(std::uint64_t number) {
        Slot& slot = slots_[number % slots_.size()];
        if (slot.number != number) slot = {number, number + 1, 0};
        return slot;
    }
    /// The first slot from here on that is not full.
    std::uint64_t begins(std::uint64_t slot) {
        std::uint64_t first = slot;
        while (of(first).used >= CYCLES) first = of(first).next;
        while (slot != first) slot = std::exchange(of(slot).next, first);
        return first;
    }
    std::vector<Slot> slots_;
    double busy_ = 0;
};

}  // namespace sass::clock
