#include "simt/clock/memory.h"

namespace sass::clock {
namespace {

constexpr std::uint64_t ROW_BYTES = 2048, OPEN_ROWS = 2048;  // of the GPU: channels by banks
constexpr std::uint64_t SLICE_BYTES = 512;                   // in a row in one slice of L2
constexpr unsigned NEIGHBOURS = 8;                           // multiprocessors in a row at one half of L2

std::uint64_t scattered(std::uint64_t x) { return x * 0x9e3779b97f4a7c15ull >> 20; }

}  // namespace

Memory::Memory(const Prices& prices, double share)
    : prices_(prices),
      share_(share),
      loads_{1 / (prices.l2_loads_per_cycle * share), SECTOR / (prices.l2_bytes_per_cycle * share)},
      stored_(SECTOR / (prices.l2_stored_bytes_per_cycle * share)),
      partial_line_(1 / (prices.l2_partial_lines_per_cycle * share)),
      dram_read_(prices.cycles_of_ns(1 / (prices.dram_read_bytes_per_ns * share))),
      dram_write_(prices.cycles_of_ns(1 / (prices.dram_write_bytes_per_ns * share))),
      partial_(prices.cycles_of_ns(1 / (prices.partial_sectors_per_ns * share))),
      atomic_(prices.cycles_of_ns(1 / (prices.atomic_sectors_per_ns * share))),
      l2_(prices.l2_bytes * share),
      open_rows_(std::max<std::uint64_t>(1, std::uint64_t(OPEN_ROWS * share)), ~0ull) {}

bool Memory::opens_row(std::uint64_t sector) {
    const std::uint64_t row = sector * SECTOR / ROW_BYTES;
    std::uint64_t& open = open_rows_[scattered(row) % open_rows_.size()];
    const bool is_new = open != row;
    open = row;
    return is_new;
}

double Memory::read_dram(double at, std::uint64_t sector) {
    const auto sectors = std::uint64_t(prices_.dram_burst_bytes) / SECTOR;
    const std::uint64_t first = sector / sectors * sectors;
    const double bytes = prices_.dram_burst_bytes + (opens_row(sector) ? prices_.dram_row_bytes : 0);
    const double cycles = bytes * dram_read_;
    dram_load_.add(at, cycles), reads_load_.add(at, cycles);
    const double arrives = dram_.serve(at, cycles) + prices_.dram_latency + spread(sector) + queued(at);
    for (std::uint64_t each = first; each < first + sectors; ++each) l2_.touch(each).arrives = arrives;
    return arrives;
}

/// One line takes longer than another, and one row than another; who waits for many waits for the slowest. On
/// average 0.
double Memory::spread(std::uint64_t sector) const {
    constexpr std::uint64_t STEPS = 4096;
    const auto drawn = [&](std::uint64_t of) { return double(scattered(of) % STEPS) / (STEPS - 1); };
    const double late =
        drawn(sector * SECTOR / ROW_BYTES + 1) / prices_.dram_late_share;  // beyond 1: not late
    return prices_.dram_spread * (2 * drawn(sector / 4) - 1) +
           prices_.dram_late_cycles * ((late < 1 ? late : 0) - prices_.dram_late_share / 2);
}

/// As if at each bank requests came at random, and each took the same time (Pollaczek and Khinchine).
double Memory::queued(double at) {
    constexpr double MOST = 0.9;
    const double load = std::min(MOST, dram_load_.share(at));
    return prices_.dram_queue_cycles * load / (2 * (1 - load));
}

/// What L2 holds is behind some of the reads that wait for DRAM, which takes writes in turn with them.
double Memory::behind_misses(double at) {
    const double all = dram_load_.share(at), reads = reads_load_.share(at);
    if (reads <= 0) return 0;
    const double waiting = (dram_.free(at) - at) * reads / all;
    return std::min(waiting, prices_.hit_backlog) * std::min(2.0, all / reads);
}

/// When the multiprocessor's half of L2 has the line. A write takes it from the other half, and while it
/// moves nobody has it; who reads what the other half has written waits as long.
double Memory::moved(double at, Cache::Halves& halves, std::uint64_t line, bool writes,
                     unsigned multiprocessor) {
    const unsigned own = multiprocessor / (share_ < 1 ? 1 : NEIGHBOURS) % 2, other = 1 - own;
    const bool moves = writes ? halves.has[other] : halves.is_written && !halves.has[own];
    halves.has[own] = true;
    if (writes) halves.has[other] = false, halves.is_written = true;
    const auto last = moves_.find(line);
    const double there = last == moves_.end() ? at : std::max(at, last->second);
    if (!moves) return there;
    if (!writes) return std::max(there, at + prices_.half_cycles);
    return moves_[line] = there + prices_.half_cycles;
}

double Memory::load(double at, std::uint64_t sector, int k, unsigned multiprocessor) {
    double served = l2_pipe_.serve(at, loads_.next(k));
    const Cache::Sector found = l2_.touch(sector);
    if (!found.is_there) return read_dram(served, sector);
    served = moved(served, found.halves, sector / 4, false, multiprocessor);
    return std::max(served + prices_.l2_latency + behind_misses(served), found.arrives);
}

double Memory::take(double at, bool begins_partial_line, double factor) {
    return l2_stores_.serve(at, factor * (stored_ + (begins_partial_line ? partial_line_ : 0)));
}

double Memory::store_locally(double at, bool begins_partial_line) {
    return take(at, begins_partial_line, prices_.l2_own_factor) + prices_.l2_latency;
}

double Memory::store(double at, const Request::Sector& sector, bool begins_partial_line,
                     unsigned multiprocessor) {
    const double served = take(at, begins_partial_line, 1);
    const Cache::Sector found = l2_.touch(sector.number, true);
    const bool joins_others = found.was_written;
    (void)moved(served, found.halves, sector.number / 4, true, multiprocessor);
    if (sector.bytes != ~0u)
        return (joins_others ? served : partials_.serve(served, partial_)) + prices_.l2_latency;
    const double cycles = SECTOR * dram_write_;
    dram_load_.add(served, cycles);
    return dram_.serve(served, cycles) - cycles + prices_.l2_latency;
}

/// In a part of a GPU, where m of its k multiprocessors have asked, so have as many of the others.
double Memory::serve(Place& place, double at, double cycles, unsigned multiprocessor) const {
    place.of |= std::uint64_t(1) << multiprocessor % 64;
    const double others = share_ < 1 ? (1 / share_ - 1) / (prices_.multiprocessors * share_ - 1) : 0;
    return place.server.serve(at, cycles * (1 + others * (__builtin_popcountll(place.of) - 1)));
}

double Memory::atomic(double at, const Request& request, unsigned multiprocessor) {
    double last = at;
    for (const Request::Sector& sector : request.sectors) {
        const double served = atomics_.serve(at, atomic_);
        const bool is_there = l2_.touch(sector.number).is_there;
        last = std::max(last, is_there ? served : read_dram(served, sector.number) - prices_.l2_latency);
        const std::uint64_t at_once = sector.number / (SLICE_BYTES / SECTOR);
        Place& slice = slices_[share_ < 1 ? at_once : scattered(at_once) % std::uint64_t(prices_.l2_slices)];
        const double passes = request.lanes_of_a_word(sector.number);
        last = std::max(last, serve(slice, at, passes * prices_.atomic_pass_cycles, multiprocessor));
    }
    if (request.adds_floats)
        for (const std::uint64_t word : request.words)
            last = std::max(last, serve(words_[word], at, prices_.atomic_float_cycles, multiprocessor));
    return last + prices_.atomic_latency;
}

}  // namespace sass::clock
