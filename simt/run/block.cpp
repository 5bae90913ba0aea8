#include <algorithm>
#include <cstring>

#include "simt/instructions/memory/copies.h"
#include "simt/order/checker.h"
#include "simt/run/cluster.h"
#include "simt/run/from_kernels.h"
#include "simt/run/lanes.h"
#include "simt/run/warp.h"

namespace sass {

std::atomic<const char*> interrupted{nullptr};

Block::Block() : copies(std::make_unique<Copies>()) {}
Block::~Block() = default;

void Block::start(const Kernel& of, std::uint64_t its_number, Observation& into, std::uint64_t& counter,
                  std::uint64_t seed) {
    kernel = &of;
    number = its_number;
    observed = &into;
    progress = &counter;
    const Dim3& grid = of.launch.grid;
    index = {unsigned(number % grid.x), unsigned(number / grid.x % grid.y),
             unsigned(number / grid.x / grid.y)};
    threads = unsigned(of.launch.block.count());
    const unsigned bytes = std::max(of.shared_bytes, of.groups_end);
    shared.reserve(bytes + 15);  // what a load of 16 bytes, or an atomic on 2 bytes of a word, reaches into
    shared.assign(bytes, 0xa7);
    std::fill(shared.begin() + of.groups_begin, shared.begin() + of.groups_end, 0);
    for (BlockBarrier& barrier : barriers) barrier = {};
    copies->clear();
    launches.reset();
    polls = has_given_way = false;
    polling = silent = 0;
    forget_circle();
    awaited_barriers = 0;
    step = 0;
    cluster = std::make_shared<Cluster>();
    cluster->blocks = {this};
    cluster->running = 1;
    window = 0;
    has_ended = false;
    is_traced = number == of.options.traced_block && (of.options.trace || of.options.contents);
    if (is_traced) written.assign(of.shared_bytes / 4, false);
    const int count = int((threads + LANES - 1) / LANES);
    while (int(warps.size()) < count) warps.push_back(std::make_unique<Warp>());
    warps.resize(std::size_t(count));
    for (int k = 0; k < count; ++k) {
        const unsigned rest = threads - unsigned(k) * LANES;
        warps[std::size_t(k)]->start(*this, k, rest >= unsigned(LANES) ? ALL : (1u << rest) - 1);
    }
    if (checks) checks->begin_block(*this);
    if (seed != 0) {  // another order of the warps
        std::uint64_t x = seed * 0x9e3779b97f4a7c15ull + number;
        for (std::size_t k = warps.size(); k > 1; --k) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            std::swap(warps[k - 1], warps[x % k]);
        }
    }
}

Block::State Block::run(const Warp*& at, bool one_turn) {
    constexpr unsigned PATIENCE = 1000, LATER = 16, SILENT = 3;  // rounds
    bool has_polled = false;
    for (int idle = 0;;) {
        const std::uint64_t before = *progress;
        polls = false;
        if (const char* const why = interrupted)
            throw Fault{TIMEOUT, std::string(why) + "; this is where the launch is"};
        bool any = false, all_done = true;
        for (auto& warp : warps) {
            if (warp->done()) continue;
            at = warp.get();
            any |= warp->run();
            all_done &= warp->done();
        }
        if (all_done) {
            (void)copies->catch_up();
            if (is_traced) note_contents();
            return State::done;
        }
        if (!any)  // only waits that may fail are left, if these are
            for (auto& warp : warps) {
                warp->waits_in_vain = true;
                any |= warp->try_without_convergence();
            }
        idle = *progress != before ? 0 : idle + 1;
        if (idle == 0) forget_circle();
        if (idle > 1 && copies->catch_up()) idle = 0;  // what is late may be what is waited for
        has_polled |= polls;
        if (idle > 1 && (has_polled || !any)) return State::waiting;
        if (idle > 0 && goes_in_circle()) return State::waiting;
        if (one_turn && any) return *progress != before || !polls ? State::turned : State::waiting;
        silent = polls ? 0 : silent + 1;
        polling = silent < SILENT ? polling + 1 : 0;
        if (polling >= (has_given_way ? LATER : PATIENCE)) {
            polling = 0;
            has_given_way = true;
            return State::turned;
        }
    }
}

bool Warp::only_waits() const {
    return !running && std::none_of(groups.begin(), groups.end(),
                                    [](const Group& group) { return group.state == Group::ready; });
}

template <class Part>
bool Warp::every_part(Part part) const {
    const auto value = [&](const auto& it) { return part(&it, sizeof(it)); };
    const auto all = [&](const auto& vector) {
        const std::size_t bytes = vector.size() * sizeof(vector[0]);
        return value(bytes) && part(vector.data(), bytes);
    };
    const auto registers = [&](int first, int count) {
        return part(&rows[std::size_t(first * LANES)], std::size_t(count * LANES) * sizeof(rows[0]));
    };
    const Kernel& kernel = *block->kernel;
    return value(pc) && value(active) && value(alive) && value(backward) && value(running) && value(p) &&
           registers(0, registers_of(kernel)) && registers(UNIFORM, kernel.code->uniform_registers) &&
           value(b) && value(late) && all(groups) && all(local);
}

bool Block::goes_in_circle() {
    constexpr unsigned FIRST = 16;    // not earlier: most kernels write again soon
    constexpr unsigned TRUSTED = 64;  // rounds for which a circle, once seen, is taken to go on
    if (++quiet < FIRST) return false;
    const auto every_part = [&](auto part) {
        for (const auto& warp : warps) {
            // One that waits stays as it is: if it passes a barrier, that counts as written.
            if (warp->done() || warp->only_waits()) continue;
            if (!part(&warp, sizeof(warp)) || !warp->every_part(part)) return false;
        }
        return part(shared.data(), shared.size());
    };
    // Brent's algorithm: what was remembered after 16, 32, 64 .. rounds comes again if there is a circle.
    const unsigned since = 1u << (31 - __builtin_clz(quiet));
    if (quiet == since) {
        remembered.clear();
        every_part([&](const void* part, std::size_t bytes) {
            const auto* const begin = static_cast<const std::uint8_t*>(part);
            remembered.insert(remembered.end(), begin, begin + bytes);
            return true;
        });
    } else {
        std::size_t at = 0;
        const bool same = every_part([&](const void* part, std::size_t bytes) {
            const bool fits = at + bytes <= remembered.size();
            at += bytes;
            return fits && std::memcmp(remembered.data() + at - bytes, part, bytes) == 0;
        });
        if (same && at == remembered.size()) circles_until = quiet + std::min(quiet - since, TRUSTED);
    }
    return quiet <= circles_until;
}

void Block::check_barrier(std::uint8_t k) {
    BlockBarrier& barrier = barriers[k];
    unsigned waiting = 0;
    for (auto each = warps.rbegin(); each != warps.rend(); ++each) {  // the last ones come last
        const Warp& warp = **each;
        if (warp.done()) continue;
        const std::uint32_t there = warp.waiting_at(k);
        if (there != 0 && there == warp.alive)
            waiting += LANES;
        else if (barrier.expected == 0)
            return;
    }
    if (waiting + barrier.arrived == 0 || waiting + barrier.arrived < barrier.expected) return;
    if (checks) note_barrier(k);
    if (is_traced) note_contents();
    Observation::Step& counted = observed->step(step);
    ++counted.barriers;
    if (const Group* const first = first_at(k)) ++counted.tallies[first->pc - 1].other;
    for (auto& warp : warps) warp->release(k);
    ++step;
    barrier = {};
    awaited_barriers &= ~(1u << k);
    ++*progress;
}

const Group* Block::first_at(std::uint8_t k) const {
    for (const auto& warp : warps)
        for (const Group& group : warp->groups)
            if (group.state == Group::at_block_barrier && group.barrier == k) return &group;
    return nullptr;
}

void Block::note_barrier(std::uint8_t k) {
    std::vector<std::pair<const Warp*, const Group*>> waiting;
    for (const auto& warp : warps)
        for (const Group& group : warp->groups)
            if (group.state == Group::at_block_barrier && group.barrier == k)
                waiting.emplace_back(warp.get(), &group);
    const BlockBarrier& barrier = barriers[k];
    checks->barrier(*this, k, waiting,
                    barrier.arrived == 0 && (barrier.expected == 0 || barrier.expected >= threads));
}

void Block::note_contents() {
    if (!kernel->options.contents) return;
    for (std::size_t word = system_shared_bytes() / 4; word < written.size(); ++word) {
        if (!written[word]) continue;
        std::int32_t value;
        std::memcpy(&value, &shared[4 * word], 4);
        observed->contents.push_back({step, int(word - system_shared_bytes() / 4), value});
        written[word] = false;
    }
}

void record_access(Warp& w, const char* kind, const std::uint32_t* addresses, std::uint32_t lanes,
                   unsigned bytes) {
    Block& block = *w.block;
    const int request = w.request++;
    const int place = block.kernel->code->list[w.pc].line->place;
    for_lanes(lanes, [&](int l) {
        if (addresses != nullptr && addresses[l] < system_shared_bytes()) return;
        const int word = addresses == nullptr ? -1 : int((addresses[l] - system_shared_bytes()) / 4);
        const int words = addresses == nullptr ? 0 : bytes < 4 ? 1 : int(bytes / 4);
        if (kind[0] == 's')
            for (int k = 0; k < words; ++k)
                block.written[std::size_t(word + k) + system_shared_bytes() / 4] = true;
        if (block.kernel->options.trace)
            block.observed->trace.push_back({w.step, w.number, request, kind, l, word, words, place});
    });
}

}  // namespace sass
