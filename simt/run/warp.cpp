#include "simt/run/warp.h"

#include <algorithm>
#include <cstring>

#include "simt/order/checker.h"
#include "simt/run/cluster.h"
#include "simt/run/lanes.h"

namespace sass {
namespace {

/// After so many backward branches another group gets its turn: a lock within a warp would never be given
/// back. On an H200, loops of 420 rounds ran to their end while others waited.
constexpr std::uint32_t TURN = 1024;
/// So often a group yields to others that only wait for it, before they lose their patience.
constexpr int MOST_VAIN_YIELDS = 64;
/// After about so many instructions another warp gets its turn; with a seed, sooner, and each warp at a pace
/// of its own.
constexpr int SLICE = 2048, SHORT_SLICE = 8;
int slice_of(std::uint64_t seed, std::uint64_t block, int warp) {
    if (seed == 0) return SLICE;
    std::uint64_t x =
        (seed * 0x9e3779b97f4a7c15ull) ^ (block * 0xbf58476d1ce4e5b9ull) ^ (std::uint64_t(warp) << 20);
    x ^= x >> 29, x *= 0x94d049bb133111ebull, x ^= x >> 32;
    return SHORT_SLICE << x % 8;
}

}  // namespace

/// A warp is used again for other blocks of a launch: most often it keeps its threads.
void Warp::number_threads(int its_number, const Dim3& size) {
    rows.assign(std::size_t(WARP_ROWS) * LANES, 0);
    base[0] = rows.data();
    number = its_number;
    for (int l = 0; l < LANES; ++l) {
        const unsigned t = unsigned(its_number) * LANES + unsigned(l);
        row(TID_X)[l] = t % size.x;
        row(TID_Y)[l] = t / size.x % size.y;
        row(TID_Z)[l] = t / size.x / size.y;
        row(LANE)[l] = std::uint32_t(l);
    }
}

void Warp::start(Block& in, int its_number, std::uint32_t lanes) {
    block = &in;
    slice = slice_of(in.kernel->options.seed, in.number, its_number);
    const Kernel& kernel = *in.kernel;
    const Dim3& size = kernel.launch.block;
    if (rows.empty() || number != its_number) number_threads(its_number, size);
    base[1] = const_cast<std::uint32_t*>(kernel.rows.data());
    // Registers hold nothing in particular, but the same in every run.
    std::memset(row(0), 0, std::size_t(registers_of(kernel)) * LANES * 4);
    std::memset(row(UNIFORM), 0, std::size_t(kernel.code->uniform_registers) * LANES * 4);
    std::memset(p, 0, sizeof(p));
    p[PT] = p[UPT] = ALL;

    local.clear();
    undefined.clear();
    uniform.clear();
    active = alive = lanes;
    arrived = passed = 0;
    pc = kernel.code->functions.at(kernel.launch.kernel->address);
    running = true;
    waits = waits_in_vain = yields = applied = false;
    backward = 0;
    vain_yields_ = 0;
    step = request = 0;
    std::fill_n(caller, LANES, NO_CALLER);
    groups.clear();
    std::memset(b, 0, sizeof(b));
    tally = in.observed->step(0).tallies.data();
}

std::uint32_t Warp::site(int lane, std::uint32_t at) const {
    return block->kernel->code->list[at].is_of_user || caller[lane] == NO_CALLER ? at : caller[lane];
}

template <bool TRACED>
int Warp::execute() {
    const Instruction* const code = block->kernel->code->list.data();
    int executed = 0;
    while (running && backward < TURN && executed < slice && !yields) {
        const Instruction& i = code[pc];
        const std::uint32_t on = active & predicate(i.guard);
        Tally& t = tally[pc];
        ++t.issued;
        t.lanes += __builtin_popcount(active);
        t.on += __builtin_popcount(on);
        if (undefined.any()) block->checks->follow(*this, i);
        if (uniform.any()) block->checks->read_uniform(*this, i);
        if (i.is_control) {
            const int lanes = __builtin_popcount(active);
            i.run(*this, i, on);
            if (waits) {  // as if it had not been issued
                --t.issued;
                t.lanes -= lanes;
                t.on -= __builtin_popcount(on);
                break;
            }
        } else {
            if (on != 0) {
                if (i.is_operator) applied = true, ++t.other;
                if (TRACED && i.is_operator) record_access(*this, "op", nullptr, on, 0);
                const std::uint32_t lanes = i.is_uniform ? ALL : on;
                if (block->checks && (active != alive || uniform.any()) && is_uniform(i.d))
                    block->checks->run_uniform(*this, i, lanes);
                else
                    i.run(*this, i, lanes);
            }
            ++pc;
        }
        ++executed;
    }
    return executed;
}

void Warp::look_at_barriers() {
    const std::uint32_t there = waiting_to_converge();
    for (Group& g : groups) {
        if (g.state != Group::at_convergence) continue;
        const std::uint32_t awaited = b[g.awaited] & alive;
        g.may_go = (g.lanes & ~awaited) != 0 || is_complete(g) || (awaited & ~there) == 0;
    }
}

bool Warp::next_group() {
    look_at_barriers();
    const auto is_ready = [](const Group& g) {
        return g.state == Group::ready || (g.state == Group::at_convergence && g.may_go);
    };
    const auto place = [](const Group& g) { return g.pc - (g.state == Group::at_convergence); };
    const auto is_next = [&](const Group& g) { return is_ready(g) && g.is_next; };
    auto next = std::find_if(groups.rbegin(), groups.rend(), is_next);
    if (next == groups.rend()) next = std::find_if(groups.rbegin(), groups.rend(), is_ready);
    if (next == groups.rend()) return false;
    if (next->yielded) try_again();
    const bool alone = next->is_next;
    active = next->lanes;
    pc = place(*next);
    groups.erase(std::next(next).base());
    running = true;
    if (alone) return true;
    // With it all that are at this instruction; those that wait there, at BSYNC, only are counted.
    for (std::size_t k = 0; k < groups.size();) {
        const Group& g = groups[k];
        if (is_ready(g) && place(g) == pc) {
            active |= g.lanes;
            groups.erase(groups.begin() + std::ptrdiff_t(k));
            continue;
        }
        if (g.state == Group::at_convergence && g.pc == pc + 1) {
            tally[pc].lanes += __builtin_popcount(g.lanes);
            tally[pc].on += __builtin_popcount(g.lanes);
        }
        ++k;
    }
    return true;
}

bool Warp::prepare() {
    if (running) return true;
    if (!next_group()) return false;
    backward = 0;
    return true;
}

bool Warp::run() {
    int spent = 0;
    while (spent < slice) {
        if (!prepare()) break;
        waits = yields = false;
        const int executed = block->is_traced ? execute<true>() : execute<false>();
        spent += executed;
        // That the warp's turn ends changes nothing for its groups: else counts would depend on the order of
        // warps.
        if (!running || (backward < TURN && !yields && !waits)) continue;
        const bool has_run_long = backward >= TURN;
        backward = 0;
        // The group's turn is over, or it cannot go on yet: others first.
        const bool alone = std::none_of(groups.begin(), groups.end(),
                                        [](const Group& g) { return g.state == Group::ready; });
        if (!alone) {
            groups.insert(groups.begin(), Group{active, pc});
            groups.front().yielded = yields;
            running = false;
        } else if (has_run_long || (yields && ++vain_yields_ > MOST_VAIN_YIELDS)) {
            vain_yields_ = 0;
            lose_patience();
        } else if (yields) {
            try_again();
        }
        if (yields || (waits && (alone || executed == 0))) break;
    }
    return spent > 0;
}

void Warp::part(const Group& first, const Group& next) {
    for (Group& g : groups) g.is_next = false;
    groups.push_back(next);
    groups.back().is_next = true;
    active = first.lanes;
    backward += first.pc <= pc;
    pc = first.pc;
}

bool Warp::is_complete(const Group& waiting) const {
    std::uint32_t there = 0;
    for (const Group& group : groups)
        if (group.waits_to_converge(waiting.awaited)) there |= group.lanes;
    return (b[waiting.awaited] & alive & ~there) == 0;
}

std::uint32_t Warp::waiting_to_converge() const {
    std::uint32_t lanes = 0;
    for (const Group& group : groups)
        if (group.state == Group::at_convergence && !is_complete(group)) lanes |= group.lanes;
    return lanes;
}

bool Warp::converges(std::uint8_t barrier) {
    const std::uint32_t awaited = b[barrier] & alive, mine = active & awaited;
    if ((awaited & ~(active | waiting_to_converge())) == 0) {
        for (Group& group : groups)
            if (mine != 0 && group.waits_to_converge(barrier) && group.pc == pc) {
                active |= group.lanes & awaited;
                group.lanes &= ~awaited;
            }
        groups.erase(
            std::remove_if(groups.begin(), groups.end(), [](const Group& g) { return g.lanes == 0; }),
            groups.end());
        return true;
    }
    if (mine == active) return wait(Group::at_convergence, barrier, 0), false;
    if (mine != 0) groups.push_back({mine, pc, Group::at_convergence, 0, barrier});
    active &= ~mine;
    return true;
}

void Warp::leave_barriers(std::uint32_t lanes) {
    for (std::uint32_t& barrier : b) barrier &= ~lanes;
}

void Warp::lose_patience() {
    for (Group& group : groups) {
        if (group.is_patient) continue;
        b[group.awaited] &= ~group.lanes;
        group.state = Group::ready;
        group.is_patient = true;
    }
}

void Warp::wait(Group::State state, std::uint32_t awaited, std::uint8_t barrier) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& g) {
        return state == Group::at_warp_sync && g.state == state && g.pc == pc && g.awaited == awaited;
    });
    if (same != groups.end())
        same->lanes |= active;
    else
        groups.push_back({active, pc, state, barrier, awaited});
    running = false;
    if (state == Group::at_block_barrier) {
        block->awaited_barriers |= 1u << barrier;
        late &= ~active;  // they have waited for one another, however they came
    }
    if (state != Group::at_warp_sync) return;
    meet();
    for (Group& g : groups) g.is_next |= (g.lanes & active) != 0;  // if they were the last to come
}

void Warp::issue_again(const Group& waiting) {
    Tally& t = tally[waiting.pc - 1];
    ++t.issued;
    t.lanes += __builtin_popcount(waiting.lanes);
    t.on += __builtin_popcount(waiting.lanes);
}

void Warp::try_again() {
    for (const Group& group : groups)
        if (group.state == Group::at_warp_sync) issue_again(group);
}

void Warp::exit(std::uint32_t lanes) {
    alive &= ~lanes;
    active &= ~lanes;
    if (active == 0) running = false;
    if (!groups.empty()) meet();
    if (block->awaited_barriers != 0 && !running)
        for (std::uint8_t k = 0; k < CLUSTER_BARRIER; ++k)
            if (block->awaited_barriers >> k & 1) block->check_barrier(k);
    if (!running) block->cluster->check_barrier();
    if (alive == 0) {
        block->observed->step(step).active_warps += applied;
        applied = false;
        ++*block->progress;
    }
}

/// Takes these groups out. Those at one place are one.
template <class IsMeant>
std::vector<Group> Warp::taken(IsMeant is_meant) {
    std::vector<Group> met;
    const auto take = [&](const Group& group) {
        if (!is_meant(group)) return false;
        const auto same =
            std::find_if(met.begin(), met.end(), [&](const Group& m) { return m.pc == group.pc; });
        if (same == met.end())
            met.push_back({group.lanes, group.pc});
        else
            same->lanes |= group.lanes;
        return true;
    };
    groups.erase(std::remove_if(groups.begin(), groups.end(), take), groups.end());
    return met;
}

/// A group whose awaited lanes have all come. Lanes at one sync must not be taken for those that another one
/// waits for, as long as they are complete among themselves: the one with the fewest lanes is first.
const Group* Warp::complete() const {
    const Group* best = nullptr;
    int fewest = LANES + 1;
    for (const Group& group : groups) {
        if (group.state != Group::at_warp_sync) continue;
        std::uint32_t there = 0;
        for (const Group& other : groups)
            if (other.state == Group::at_warp_sync) there |= other.lanes;
        const std::uint32_t awaited = group.awaited & alive;
        const int count = __builtin_popcount(awaited);
        if (awaited != 0 && (awaited & ~there) == 0 && count < fewest) best = &group, fewest = count;
    }
    return best;
}

void Warp::meet() {
    while (const Group* const found = complete()) {
        const Group group = *found;
        if (give_up_elsewhere(group)) continue;
        const std::uint32_t awaited = group.awaited & alive;
        // All that were awaited go on, those at one place together.
        std::vector<Group> met = taken([&](const Group& other) {
            return other.state == Group::at_warp_sync && (other.lanes & awaited) != 0;
        });
        synchronise(group, awaited, met);
        groups.insert(groups.end(), met.begin(), met.end());
    }
}

bool Warp::give_up_elsewhere(const Group& at) {
    const auto place = [&](const Group& of) { return block->kernel->code->list[of.pc - 1].line->place; };
    std::uint32_t may_come = 0, doubted = 0;  // those here, and those that are on their way
    for (const Group& group : groups) {
        const bool is_here = group.state == Group::at_warp_sync && place(group) == place(at);
        if (is_here) doubted |= group.awaited & group.doubted;
        if (is_here || group.state == Group::ready) may_come |= group.lanes;
    }
    const std::uint32_t lost = doubted & ~may_come;
    for (Group& group : groups)
        if (group.state == Group::at_warp_sync && place(group) == place(at)) give_up(group, lost);
    return lost != 0;
}

void Warp::give_up(Group& group, std::uint32_t lanes) const {
    lanes &= group.awaited & group.doubted;
    if (lanes == 0) return;
    group.awaited &= ~lanes;
    group.doubted &= ~lanes;
    if (block->checks)
        block->checks->add(Hazard::divergent_warp, *this, __builtin_ctz(group.lanes), group.pc - 1,
                           "divergent warp: the mask names lanes that do not come here", 0, 0, "",
                           MASK_OF_ALL);
}

/// Those that met at a warp sync.
void Warp::synchronise(const Group& at, std::uint32_t awaited, std::vector<Group>& met) {
    if (block->checks && block->kernel->code->list[at.pc - 1].ordering.syncs_warp) {
        std::uint32_t there = 0;
        for (const Group& group : met) there |= group.lanes;
        block->checks->warp_sync(*this, awaited & there);
    }
    if (met.size() > 1) {
        if (block->checks) compare_met(met);
        collect(met);
    }
    for (const Group& group : met) issue_again(group);
}

/// Lanes that waited for one another must do so for the same: a shuffle, a vote, a __syncwarp.
void Warp::compare_met(const std::vector<Group>& met) {
    const auto what = [&](const Group& group) {
        const Instruction &sync = block->kernel->code->list[group.pc - 1],
                          &next = block->kernel->code->list[group.pc];
        if (sync.ordering.syncs_warp) return std::string();
        return next.line->opcode.substr(0, next.line->opcode.find('.'));
    };
    for (const Group& group : met)
        if (what(group) != what(met.front()))
            return block->checks->add(Hazard::divergent_warp, *this, __builtin_ctz(group.lanes), group.pc - 1,
                                      "divergent warp: other lanes of the mask wait for this one elsewhere",
                                      0, 0, "", MASK_OF_ALL);
}

void Warp::collect(std::vector<Group>& met) const {
    const Instruction* const code = block->kernel->code->list.data();
    const auto is_collective = [&](const Group& group) { return code[group.pc - 1].is_collective; };
    const auto first = std::find_if(met.begin(), met.end(), is_collective);
    if (first == met.end()) return;
    for (auto other = met.end(); --other != first;) {
        if (!is_collective(*other)) continue;
        for (std::uint32_t at = 0; code[first->pc + at].line->opcode != "ENDCOLLECTIVE"; ++at)
            if (code[first->pc + at].line->text() != code[other->pc + at].line->text())
                throw Fault{715, "the machine does not know how copies of a collective instruction differ: " +
                                     code[other->pc + at].line->text()};
        first->lanes |= other->lanes;
        met.erase(other);
    }
}

bool Warp::try_without_convergence() {
    std::uint32_t converging = 0, needed = 0, given_up = 0;
    for (const Group& group : groups)
        if (group.state == Group::at_convergence) converging |= group.lanes;
    for (Group& group : groups) {
        if (group.state != Group::at_warp_sync) continue;
        const std::uint32_t elsewhere = group.awaited & converging;
        needed |= elsewhere;
        const Instruction& sync = block->kernel->code->list[group.pc - 1];
        const bool is_of_compiler = sync.line->opcode == "WARPSYNC.ALL" && !sync.ordering.syncs_warp;
        if (!is_of_compiler) group.doubted |= elsewhere;
    }
    for (Group& group : groups)
        group.is_patient = group.state != Group::at_convergence || (group.lanes & needed) == 0;
    if (needed != 0) return lose_patience(), true;
    // They have gone on, and have not come: to a barrier of the block, perhaps.
    for (Group& group : groups) {
        if (group.state != Group::at_warp_sync) continue;
        given_up |= group.awaited & group.doubted;
        give_up(group, ALL);
    }
    if (given_up != 0) meet();
    return given_up != 0;
}

std::uint32_t Warp::waiting_at(std::uint8_t barrier) const {
    std::uint32_t lanes = 0;
    for (const Group& group : groups)
        if (group.state == Group::at_block_barrier && group.barrier == barrier) lanes |= group.lanes;
    return lanes;
}

void Warp::release(std::uint8_t barrier) {
    const std::vector<Group> met = taken([&](const Group& group) {
        return group.state == Group::at_block_barrier && group.barrier == barrier;
    });
    if (met.empty()) return;
    groups.insert(groups.end(), met.begin(), met.end());
    reduced = block->barriers[barrier];
    begin_step();
}

void Warp::begin_step() {
    Observation& observed = *block->observed;
    observed.step(step).active_warps += applied;
    applied = false;
    ++step;
    request = 0;
    tally = observed.step(step).tallies.data();
}

}  // namespace sass
