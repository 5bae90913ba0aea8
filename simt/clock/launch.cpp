#include "simt/clock/launch.h"

#include "simt/run/cluster.h"

namespace sass::clock {
namespace {

// Cycles without any progress, 2 ms: the launch waits for ever. One whose blocks do not wait for one another
// may compute for as long.
constexpr Cycle PATIENCE = 4'000'000, WITH_NOBODY = 100 * PATIENCE;

bool multiplies_matrices(const Kernel& kernel) {
    const auto& all = kernel.code->list;
    return std::any_of(all.begin(), all.end(), [](const Instruction& i) { return i.pipe == Pipe::tensor; });
}

/// What shared memory leaves of the multiprocessor's memory.
double l1_bytes(const Kernel& kernel, const Plan& plan, const Prices& prices) {
    return std::max(0.0, prices.l1_bytes - double(plan.resident) * kernel.shared_bytes);
}

bool uses_textures(const Kernel& kernel) {
    const std::vector<Instruction>& all = kernel.code->list;
    return std::any_of(all.begin(), all.end(),
                       [](const Instruction& i) { return i.counted == Class::texture; });
}

}  // namespace

Launch::Launch(const Kernel& kernel, const Prices& prices)
    : kernel_(&kernel),
      plan_(plan_of(kernel, prices)),
      gpu_{prices, traits_of(kernel, prices), Memory(prices, plan_.share), {}, {}, {}, nullptr, {}, {}},
      has_begun_(kernel.launch.grid.count() / plan_.size, false),
      room_(plan_.multiprocessors, plan_.resident),
      all_room_(std::size_t(plan_.multiprocessors) * plan_.resident) {
    for (unsigned k = 0; k < plan_.multiprocessors; ++k)
        multiprocessors_.emplace_back(gpu_, k, l1_bytes(kernel, plan_, prices));
    gpu_.stalls.resize(kernel.code->list.size());
    timing_.stalls = gpu_.stalls;
    timing_.unknown = "the launch has failed";  // until it has not
    lacks_prices_ = !prices.knows_tensor_cores() && multiplies_matrices(kernel);
}

void Launch::run(const Blocks& blocks) {
    blocks_ = &blocks;
    while (start_next(0)) {
    }
    for (std::uint64_t steps = 1; !turns_.empty() || !gpu_.events.empty(); ++steps) {
        if (turns_.empty()) {
            happen(gpu_.events.begin()->first);
            continue;
        }
        const Turn turn = turns_.top();
        turns_.pop();
        step(turn);
        if (steps % 65536 == 0 && is_stuck()) break;
    }
    conclude();
}

/// The next cluster, its blocks where there is most room; false if there is none, or no room.
bool Launch::start_next(Cycle now) {
    if (next_ == plan_.clusters.size() || all_room_ < plan_.size) return false;
    const std::uint64_t number = plan_.clusters[next_++];
    const double interval = gpu_.prices.cycles_of_ns(gpu_.prices.block_ns) / plan_.share;
    has_begun_[number] = true;
    for (std::unique_ptr<Block>& block : blocks_->begin(number)) {
        const Cycle first = whole(starter_.serve(double(now), interval) + gpu_.prices.block_start);
        const auto most = std::max_element(room_.begin(), room_.end());
        const std::size_t at = std::size_t(most - room_.begin());
        --*most, --all_room_;
        multiprocessors_[at].begin(*block, first);
        resident_.push_back({std::move(block), at});
        turns_.push({first, at});
    }
    return true;
}

void Launch::step(const Turn& turn) {
    Multiprocessor& multiprocessor = multiprocessors_[turn.multiprocessor];
    if (multiprocessor.next() > turn.at) return;  // it has another turn
    now_ = turn.at;
    happen(now_);
    multiprocessor.step(now_, [&](Block& block) { end(turn.multiprocessor, block, now_); });
    if (multiprocessor.next() != NEVER) turns_.push({multiprocessor.next(), turn.multiprocessor});
    for (const auto& [cluster, at] : std::exchange(gpu_.arrived, {})) release(*cluster, at);
}

/// What waited at its barrier, wherever its blocks are.
void Launch::release(const Cluster& cluster, Cycle at) {
    for (const Resident& each : resident_) {
        if (each.block->cluster.get() != &cluster) continue;
        Multiprocessor& multiprocessor = multiprocessors_[each.multiprocessor];
        multiprocessor.release(*each.block, at);
        if (multiprocessor.next() != NEVER) turns_.push({multiprocessor.next(), each.multiprocessor});
    }
}

void Launch::end(std::size_t multiprocessor, Block& block, Cycle now) {
    for (auto event = gpu_.events.begin(); event != gpu_.events.end();) {  // nobody has waited for these
        if (event->second.block == &block) event->second.happen();
        event = event->second.block == &block ? gpu_.events.erase(event) : std::next(event);
    }
    const auto at = std::find_if(resident_.begin(), resident_.end(),
                                 [&](const Resident& each) { return each.block.get() == &block; });
    std::unique_ptr<Block> own = std::move(at->block);
    resident_.erase(at);
    block.request = nullptr;
    blocks_->end(std::move(own));
    ends_.push_back(now);
    ++room_[multiprocessor], ++all_room_;
    while (start_next(now)) {
    }
}

void Launch::happen(Cycle until) {
    while (!gpu_.events.empty() && gpu_.events.begin()->first <= until) {
        const auto event = gpu_.events.extract(gpu_.events.begin());
        event.mapped().happen();
    }
}

bool Launch::is_stuck() {
    if (interrupted) return true;
    const std::uint64_t progress = blocks_->progress();
    if (progress != progress_) progressed_ = now_;
    progress_ = progress;
    return now_ - progressed_ > (plan_.may_wait ? PATIENCE : WITH_NOBODY);
}

std::vector<std::unique_ptr<Block>> Launch::left_over() {
    happen(NEVER);
    std::vector<std::unique_ptr<Block>> left;
    for (Resident& each : resident_) each.block->request = nullptr, left.push_back(std::move(each.block));
    return left;
}

Busy Launch::busy(double cycles) const {
    std::array<double, UNITS> units = {};
    double pipes = 0;
    for (const Multiprocessor& each : multiprocessors_) {
        pipes += each.pipe_busy();
        for (std::size_t k = 0; k < units.size(); ++k) units[k] += each.units_busy()[k];
    }
    const double all = std::max(1.0, cycles), multiprocessors = all * double(multiprocessors_.size());
    const double most = *std::max_element(units.begin(), units.end());
    return {most / (multiprocessors * Multiprocessor::SCHEDULERS), pipes / multiprocessors,
            gpu_.memory.dram_busy() / all, starter_.busy() / all};
}

/// The time of all blocks of the grid from that of the blocks that were clocked.
void Launch::conclude() {
    for (Multiprocessor& each : multiprocessors_)
        each.account(now_), stored_ = std::max(stored_, each.stored());
    const double end = std::max(double(now_), stored_), mhz = gpu_.prices.clock_mhz;
    timing_ = {
        "", 0,  gpu_.prices.launch_us, end, 0, plan_.multiprocessors, ends_.size(), plan_.is_sample, {}, 0,
        {}, {}, std::move(gpu_.trace)};
    timing_.busy = busy(end);
    timing_.stalls = gpu_.stalls;
    std::uint64_t of_warps = 0;
    for (const Stalls& each : gpu_.stalls) of_warps += each.sum();
    timing_.warps = double(of_warps) / (std::max(1.0, end) * plan_.multiprocessors);
    if (uses_textures(*kernel_)) timing_.unknown = "it uses textures or surfaces, whose units have no prices";
    // In which order those of many multiprocessors come is not known. How many are many is not measured.
    if (constexpr std::size_t MANY = 8; gpu_.again * 2 > gpu_.compared && gpu_.contenders.size() > MANY)
        timing_.unknown =
            "most of its compare-and-swaps fail and are tried again: how many depends on their order";
    if (ends_.size() < plan_.clusters.size() * plan_.size)
        timing_.unknown = "not all of its blocks have ended";
    if (lacks_prices_) timing_.unknown = "the GPU's table has no prices of tensor cores";
    const auto us = [&](double cycles) { return gpu_.prices.launch_us + cycles / mhz; };
    timing_.us = us(end);
    const std::size_t wave = std::size_t(plan_.resident) * plan_.multiprocessors;
    const double rest = plan_.all_blocks * plan_.share - double(ends_.size());
    if (rest > 0 && ends_.size() < 3 * wave && timing_.unknown.empty())
        timing_.unknown = "its grid is too small to be taken as longer";
    if (ends_.size() < 3 * wave) return;
    const std::size_t first = wave, last = ends_.size() - wave, middle = (first + last) / 2;
    const auto rate = [&](std::size_t from, std::size_t to) {
        return double(to - from) / double(std::max<Cycle>(1, ends_[to] - ends_[from]));
    };
    timing_.blocks_per_us = rate(first, last) * mhz / plan_.share;
    if (rest <= 0) return;
    timing_.us = us(end + rest / rate(first, last));
    timing_.halves_us[0] = us(end + rest / rate(first, middle));
    timing_.halves_us[1] = us(end + rest / rate(middle, last));
}

}  // namespace sass::clock
