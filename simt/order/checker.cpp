#include "simt/order/checker.h"

#include <algorithm>

#include "simt/order/liveness.h"
#include "simt/run/cluster.h"
#include "simt/run/lanes.h"

namespace sass {

Checks::Checks(const Kernel& kernel)
    : kernel_(kernel),
      first_block_(GlobalOrder::get().begin_launch(kernel, concurrent_, copies_)),
      bounds_(*kernel.code) {
    for (const Instruction& i : kernel.code->list)
        compares_ |= begins(i.line->opcode, "ATOM") && i.line->opcode.find(".CAS") != std::string::npos;
}

Checks::OfBlock& Checks::looked_up(const Block& block) {
    std::unique_ptr<OfBlock>& of_block = blocks_[&block];
    if (of_block == nullptr) of_block = std::make_unique<OfBlock>();
    recent_ = &block;
    return *(recent_of_ = of_block.get());
}

void Checks::begin_block(const Block& block) {
    OfBlock& mine = of(block);
    mine.block = &block;
    mine.order.begin(first_block_ + U(block.number), block.threads, first_block_, concurrent_);
    if (const Origin* const origin = kernel_.launch.origin.get())
        for (unsigned t = 0; t < block.threads; ++t) mine.order.learn(t, origin->known);
    mine.shadow.clear();
    mine.reads.clear();
    mine.is_only_read = block.cluster->blocks.size() == 1;
    mine.has_copies = false;
    const std::size_t reached = kernel_.shared_bytes + 15;  // by a load of 16 bytes, see Block::start
    mine.cells.assign((reached + 3) / 4, {});
    if (mine.written == nullptr) mine.written = std::make_unique<Written>(reached);
    mine.written->clear();
    mine.written->set(0, system_shared_bytes());
    mine.released.clear();
    mine.observers.clear();
    for (auto& events : mine.events) events.resize(block.warps.size());
    if (compares_) mine.first_reads.assign(block.warps.size() * LANES, {});
    mine.arrived.clear();
    mine.visits.clear();
    mine.barrier = {};
}

/// A bit for each lane that the next one's address follows by `step`.
template <class Address>
static U steps_by(const Address* addresses, Address step) {
    U lanes = 0;
    for (unsigned l = 0; l + 1 < unsigned(LANES); ++l)
        lanes |= U(addresses[l + 1] - addresses[l] == step) << l;
    return lanes;
}

/// Lanes that follow one another often have one address, or elements in a row. False if an address lies
/// nowhere: the access itself is a fault.
template <class Address, class Each>
bool Checks::by_chunks(Chunk chunk, const Address* addresses, U lanes, OfBlock& memory, Each each) const {
    const unsigned bytes = chunk.element;
    chunk.addresses = addresses, chunk.at_work = lanes;
    for (U left = lanes; left != 0; left &= ~chunk.lanes) {
        chunk.lane = __builtin_ctz(left);
        const U after = left >> chunk.lane >> 1;  // from the next lane on
        const Address address = addresses[chunk.lane],
                      step = after & 1 ? addresses[chunk.lane + 1] - address : 0;
        int count = 1;
        if (step == 0 || (step == bytes && bytes >= 4))
            count += __builtin_ctzll(~U64(after & steps_by(addresses, step) >> chunk.lane));
        chunk.lanes = (count == LANES ? ALL : (1u << count) - 1) << chunk.lane;
        chunk.is_row = step != 0 && count > 1;
        chunk.length = chunk.is_row ? unsigned(count) * bytes : bytes;
        if (!locate(chunk, address, memory)) return false;
        each(chunk);
    }
    return true;
}

/// What is known of the order when they were made must not have changed since.
void Checks::remember_reads(OfBlock& memory) {
    for (const PlainRead& read : memory.reads) {
        const U now = event(*read.warp, read.at, read.element, Use::read, memory, true);
        memory.shadow.begin(now, unsigned(read.warp->number), memory.order);
        by_chunks(Chunk(true, read.element, read.used), read.addresses, read.lanes, memory,
                  [&](const Chunk& each) { touch(*read.warp, each, memory.shadow, nullptr); });
    }
    memory.reads.clear();
}

BlockOrder& Checks::order_to_change(const Block& block) {
    OfBlock& mine = of(block);
    remember_reads(mine);
    return mine.order;
}

/// Volatile accesses are strong for PTX. C++ does not know of that: there, they race.
Scope Checks::scope_of(const Instruction& i) const {
    return i.ordering.is_volatile && kernel_.options.volatile_is_weak ? Scope::none : i.ordering.scope;
}

/// Of an instruction that is executed again before its block's time advances there is one event.
U Checks::event(const Warp& w, const At& at, unsigned bytes, Use use, OfBlock& memory, bool is_shared) {
    OfBlock& mine = of(*w.block);
    Shadow& shadow = is_shared ? memory.shadow : GlobalOrder::get().shadow;
    std::vector<U>& last = mine.events[is_shared][std::size_t(w.number)];
    if (last.empty()) last.resize(kernel_.code->list.size());
    U not_known = 0;
    U& known = is_shared && &memory != &mine ? not_known : last[at.pc];
    if (shadow.has(known) && shadow.event(known).time == mine.order.time() &&
        shadow.event(known).block == mine.order.block())
        return known;
    const Ordering& ordering = kernel_.code->list[at.pc].ordering;
    Event now;
    now.block = mine.order.block();
    now.cluster = mine.order.cluster();
    now.time = mine.order.time();
    now.site = at.site;
    now.unit = unit_of_warp(unsigned(w.number));
    now.is_write = use != Use::read;
    now.scope = scope_of(kernel_.code->list[at.pc]);
    now.is_volatile = ordering.is_volatile;
    now.is_of_system = ordering.is_of_system;
    now.in_lockstep =
        is_shared && now.is_volatile && !mine.order.has_released(unsigned(w.number * LANES + at.lane));
    now.bytes = std::uint8_t(ordering.parts == 0 ? 0 : bytes / ordering.parts);
    return known = shadow.add(now);
}

/// There cooperative groups keep what is their own, and pass it on by shuffles.
bool Checks::is_of_system(U64 address) const {
    return address < system_shared_bytes() ||
           (address >= kernel_.groups_begin && address < kernel_.groups_end);
}

/// Are they of an array, and written?
void Checks::inspect(Warp& w, const Instruction& i, const Chunk& chunk, Use use) {
    if (chunk.is_shared && bounds_.are_known()) compare_with_array(w, chunk);
    if (use == Use::write || use == Use::exchange || chunk.written->has(chunk.offset, chunk.length)) return;
    use == Use::read ? note_unwritten(w, i, chunk) : report_unwritten(w, chunk, use);
}

/// Of an element of so many bytes: the words that matter.
std::uint8_t Checks::used_by(const Warp& w, const Instruction& i, unsigned bytes) {
    return bytes > 4 && i.counted != Class::matrix_load ? used_by(w.pc) : ALL_WORDS;
}

/// Whether it is a plain read of what nobody writes since the block's barrier: see PlainRead.
bool Checks::put_off(Warp& w, const Instruction& i, const U* addresses, U lanes, unsigned bytes,
                     OfBlock& memory) {
    constexpr std::size_t MOST_READS = 1 << 14, MOST_BYTES = 4096;
    const Ordering& ordering = i.ordering;
    if (!memory.is_only_read || memory.reads.size() > MOST_READS || compares_ || ordering.is_for_atomic ||
        ordering.which_half != NOWHERE || scope_of(i) != Scope::none)
        return false;
    if (is_of_system(addresses[__builtin_ctz(lanes)])) return true;
    const std::uint8_t used = used_by(w, i, bytes);
    const Span<U> span(addresses, lanes);
    if (bounds_.are_known() || span.high - span.low > MOST_BYTES ||
        !memory.written->has(span.low, span.high - span.low + bytes))
        by_chunks(Chunk(true, bytes, used), addresses, lanes, memory,
                  [&](const Chunk& each) { inspect(w, i, each, Use::read); });
    memory.reads.emplace_back(w, lanes, bytes, used, addresses);
    return true;
}

template <class Address>
void Checks::access(Warp& w, const Instruction& i, const Address* addresses, U lanes, unsigned bytes, Use use,
                    const U* stored, OfBlock& memory, bool is_shared) {
    if (i.ordering.is_for_atomic) return;
    if (i.ordering.which_half != NOWHERE && bytes == 4) {
        Address halves[LANES] = {};
        const U* const selector = w.row(i.ordering.which_half);
        for_lanes(lanes, [&](int l) { halves[l] = addresses[l] + half_offset(selector[l]); });
        return access(w, i, halves, lanes, 2, use, stored, memory, is_shared);
    }
    OfBlock& mine = of(*w.block);
    GlobalOrder& global = GlobalOrder::get();
    Shadow& shadow = is_shared ? memory.shadow : global.shadow;
    if (scope_of(i) != Scope::none) remember_reads(mine);  // it changes the order
    if (is_shared) {
        remember_reads(memory);
        memory.is_only_read = false;
    }
    const bool is_system = is_shared && is_of_system(addresses[__builtin_ctz(lanes)]);
    shadow.begin(event(w, At(w), bytes, use, memory, is_shared), unsigned(w.number), mine.order);
    const auto touched = [&](const Chunk& chunk) {
        inspect(w, i, chunk, use);
        if (use != Use::read) chunk.written->set(chunk.offset, chunk.length);
        if (!is_shared && use != Use::read)
            global.changes(chunk.base + chunk.offset, chunk.length, i.ordering.is_of_system);
        if (use == Use::write && w.undefined.any()) note_stored(w, i, chunk);
        touch(w, chunk, shadow, stored);
        if (!is_shared && !copies_.empty()) compare_with_copies(w, chunk, use != Use::read);
    };
    const std::uint8_t used = use == Use::read ? used_by(w, i, bytes) : ALL_WORDS;
    if (!by_chunks(Chunk(is_shared, bytes, used), addresses, is_system ? 0 : lanes, memory, touched)) return;
    if (compares_ && (use == Use::compare || (use == Use::read && scope_of(i) == Scope::none)))
        for_lanes(lanes, [&, first = std::size_t(w.number * LANES)](int l) {
            follow_first_reads(mine.first_reads[first + std::size_t(l)], addresses[l], w.pc, use);
        });
    if (scope_of(i) == Scope::none) return;
    observe(w, i, addresses, lanes, use, mine, is_shared ? memory.released : global.released,
            is_shared ? memory.observers : global.observers);
}

void Checks::follow_first_reads(std::vector<FirstRead>& mine, U64 address, U site, Use use) {
    constexpr std::size_t MOST = 8;
    const auto known = std::find_if(mine.begin(), mine.end(),
                                    [&](const FirstRead& each) { return each.address == address; });
    if (use == Use::compare) {
        if (known == mine.end()) return;
        checked_[known->site].ever = true;
        mine.erase(known);
    } else if (known == mine.end()) {
        if (mine.size() == MOST) mine.erase(mine.begin());
        mine.push_back({address, site});
    } else {
        if (known->site == site) checked_[site].read_again = true;
        known->site = site;
    }
}

/// Has it left the array from whose begin its address is computed? The block may have another one there.
void Checks::compare_with_array(const Warp& w, const Chunk& chunk) {
    const SharedArray* const array = bounds_.meant_by(w.pc);
    if (array == nullptr || array->bytes == 0) return;
    const U64 end = array->offset + array->bytes;
    if (chunk.offset + chunk.length <= end) return;
    const U64 within = end > chunk.offset ? (end - chunk.offset) / chunk.element : 0;  // elements
    const U64 last = chunk.offset + (within + 1) * chunk.element - 1;
    add(Hazard::past_array, w, chunk.lane + (chunk.is_row ? int(within) : 0),
        "byte " + std::to_string(last - array->offset) + " of " + array->name + " is accessed, which has " +
            std::to_string(array->bytes) + " bytes: it is " + place(last, true),
        "let only threads whose index is within the array access it, or make it larger");
}

/// Copies that nothing orders before the launch.
void Checks::compare_with_copies(const Warp& w, const Chunk& chunk, bool is_write) {
    const U64 begin = chunk.base + chunk.offset;
    for (const GlobalOrder::Copy& copy : copies_)
        if (begin < copy.end && begin + chunk.length > copy.begin && (is_write || copy.is_write))
            add(Hazard::race, w, chunk.lane, w.site(chunk.lane),
                "data race on global memory, " + place(begin, false) + ": this " +
                    (is_write ? "write" : "read") + " and " + GlobalOrder::Copy::text(copy.is_write) +
                    UNORDERED,
                0, 0, "", ORDER_STREAMS);
}

bool Checks::locate(Chunk& chunk, U64 address, OfBlock& memory) const {
    if (chunk.is_shared) {
        chunk.offset = address;
        chunk.cells = memory.cells.data();
        chunk.written = memory.written.get();
        chunk.block = memory.block;
        return true;
    }
    Region* const region = GlobalOrder::get().at(address);
    if (region == nullptr) return false;
    chunk.base = region->begin;
    chunk.offset = address - region->begin;
    chunk.cells = region->cells.get();
    chunk.written = &region->written;
    if (region->is_host) region->touch(address, address + chunk.length);
    return true;
}

/// See words_used; known once asked for.
std::uint8_t Checks::used_by(U site) {
    constexpr std::uint8_t KNOWN = 0x80;
    if (used_.empty()) used_.resize(kernel_.code->list.size());
    if (used_[site] == 0) {
        const std::uint8_t used = words_used(*kernel_.code, site);
        used_[site] = used + 1 == 1 << kernel_.code->list[site].bytes / 4 ? ALL_WORDS : KNOWN | used;
    }
    return used_[site] == ALL_WORDS ? ALL_WORDS : used_[site] & ~KNOWN;
}

/// The words of the chunk, one after the other, but for those that are like the one before.
void Checks::touch(const Warp& w, const Chunk& chunk, Shadow& shadow, const U* stored) {
    const unsigned stride = chunk.is_row ? chunk.element : 0;
    const U64 begin = chunk.base + chunk.offset, end = chunk.offset + chunk.length;
    shadow.set_row(U(begin) - U(chunk.lane) * stride, stride);
    for (U64 at = chunk.offset; at < end;) {
        const U64 until = std::min<U64>(at / 4 * 4 + 4, end);
        const unsigned within = unsigned(at - chunk.offset);
        if (!(chunk.used >> within % chunk.element / 4 % 8 & 1)) {
            at = until;
            continue;
        }
        const int lane = chunk.lane + (chunk.is_row ? int(within / chunk.element) : 0);
        const U lanes = chunk.is_row ? 1u << lane : chunk.lanes;
        const auto bytes = std::uint8_t((1u << (until - at / 4 * 4)) - (1u << at % 4));
        Conflict conflict;
        Cell& cell = chunk.cells[at / 4];
        const Cell before = cell;
        const U word = U(chunk.base + at / 4 * 4);
        if (!shadow.touch(cell, word, lanes, bytes, conflict)) {
            const Cell* next = &cell + 1;
            if (bytes == 0xf && chunk.used == ALL_WORDS && until < end)
                next = shadow.touch_alike(before, cell, &cell + 1, &chunk.cells[end / 4]);
            at = std::min<U64>(4 * U64(next - chunk.cells), end);
            continue;
        }
        if (!has_observed(w, lane, chunk, at, shadow, conflict) ||
            shadow.conflicts_beside_strong_writes(cell, word, lanes, bytes, conflict))
            report(w, lane, chunk, at, shadow, conflict, stored);
        at = until;
    }
}

/// Is it a plain access that conflicts with an atomic, by one who has observed it?
bool Checks::has_observed(const Warp& w, int lane, const Chunk& chunk, U64 at, const Shadow& shadow,
                          const Conflict& conflict) const {
    const Event &now = shadow.event(shadow.current()), &past = shadow.event(conflict.event);
    if (now.is_strong() || now.is_agent() || !past.is_strong() || !past.is_write) return false;
    const auto& observers =
        chunk.is_shared ? blocks_.at(chunk.block)->observers : GlobalOrder::get().observers;
    const auto there = observers.find(chunk.base + at);
    return there != observers.end() &&
           blocks_.at(w.block)->order.has_observed(unsigned(w.number * LANES + lane), there->second);
}

/// What strong accesses learn from one another.
template <class Address>
void Checks::observe(Warp& w, const Instruction& i, const Address* addresses, U lanes, Use use, OfBlock& mine,
                     std::unordered_map<U64, Released>& released,
                     std::unordered_map<U64, Observers>& observers) {
    BlockOrder& order = mine.order;
    const bool is_gathered = i.ordering.is_gathered && (lanes & (lanes - 1)) == 0;
    for_lanes(is_gathered ? w.gathered_with(lanes) : lanes, [&, one = __builtin_ctz(lanes)](int l) {
        const unsigned thread = unsigned(w.number * LANES + l);
        const U64 at = addresses[is_gathered ? one : l], address = i.ordering.is_of_long ? at & ~U64(7) : at;
        auto left = released.find(address);
        if (use == Use::write)
            observers.erase(address);
        else
            order.observe(thread, observers[address], use != Use::read);
        if (use != Use::write && left != released.end()) order.strong_read(thread, left->second);
        if (use != Use::read && (left != released.end() || order.has_released(thread))) {
            Released& there = left != released.end() ? left->second : released[address];
            if (use == Use::write)
                order.strong_write(thread, there);
            else
                order.strong_update(thread, there);
        }
        if (i.ordering.acquires) order.acquire(thread, i.ordering.scope);
    });
}

void Checks::shared(Warp& w, const Instruction& i, const Block& at, const U* addresses, U lanes,
                    unsigned bytes, Use use, const U* stored) {
    OfBlock& memory = of(at);
    if (use == Use::read && put_off(w, i, addresses, lanes, bytes, memory)) return;
    access(w, i, addresses, lanes, bytes, use, stored, memory, true);
}
void Checks::global(Warp& w, const Instruction& i, const U64* addresses, U lanes, unsigned bytes, Use use,
                    const U* stored) {
    access(w, i, addresses, lanes, bytes, use, stored, of(*w.block), false);
}

// --- Synchronising operations

void Checks::arrive(const Warp& w, U lanes, unsigned number) {
    Knowledge& arrived = of(*w.block).arrived[number];
    for_lanes(lanes, [&](int l) { arrived.learn(knowledge(w, l)); });
}

/// No GPU since Volta waits for threads that have ended. For C++, all of the block must come.
void Checks::compare_with_ended(const Block& block,
                                const std::vector<std::pair<const Warp*, const Group*>>& waiting) {
    unsigned ended = block.threads;
    for (const auto& [warp, group] : waiting) ended -= unsigned(__builtin_popcount(group->lanes));
    if (ended == 0 || waiting.empty()) return;
    const auto& [warp, group] = waiting.front();
    add(Hazard::divergent_barrier, *warp, __builtin_ctz(group->lanes), group->pc - 1,
        "divergent barrier: threads of the block have ended before it", 0, 0, "",
        "let all threads of the block come to it: no return before, and no branch around it");
}

void Checks::barrier(const Block& block, unsigned number,
                     const std::vector<std::pair<const Warp*, const Group*>>& waiting, bool is_of_all) {
    OfBlock& mine = of(block);
    const auto is_one = [&](std::uint32_t here, std::uint32_t there) {
        const Line &one = *kernel_.code->list[here].line, &other = *kernel_.code->list[there].line;
        // ptxas has copies of a barrier, those of diverged lanes in a function.
        const bool has_ptx = one.ptx != nullptr && one.opcode == other.opcode;
        return has_ptx ? one.ptx == other.ptx : one.place == other.place;
    };
    for (const auto& [warp, group] : waiting) {
        const auto& [first, its_group] = waiting.front();
        const std::uint32_t here = warp->site(__builtin_ctz(group->lanes), group->pc - 1),
                            there = first->site(__builtin_ctz(its_group->lanes), its_group->pc - 1);
        if (group->pc == its_group->pc || here == there || is_one(here, there)) continue;
        add(Hazard::divergent_barrier, *warp, __builtin_ctz(group->lanes), here,
            "divergent barrier: other threads of the block wait at " + source_text(*kernel_.code, there), 0,
            0, "", "move the barrier out of the branch, so that all threads of the block come to one");
        break;
    }
    if (is_of_all && kernel_.options.is_strict) compare_with_ended(block, waiting);
    if (is_of_all) {
        mine.reads.clear();
        mine.order.barrier();
        if (block.cluster->blocks.size() == 1) mine.shadow.set_floor();
        mine.is_only_read = block.cluster->blocks.size() == 1 && !mine.has_copies;
        return;
    }
    remember_reads(mine);
    std::vector<unsigned> threads;
    for (const auto& [warp, group] : waiting)
        for_lanes(group->lanes,
                  [&, number = warp->number](int l) { threads.push_back(unsigned(number * LANES + l)); });
    mine.order.barrier_of(threads, std::exchange(mine.arrived[number], {}));
}

void Checks::warp_sync(const Warp& w, U lanes) {
    if (lanes != 0) order_to_change(*w.block).warp_sync(unsigned(w.number), lanes);
}
void Checks::release(const Warp& w, U address, const Knowledge& knowledge) {
    OfBlock& mine = of(*w.block);
    Released::of(mine.order.block(), mine.released[address].to_block).learn(knowledge);
}
void Checks::fence(const Warp& w, U lanes, Scope scope, bool is_consistent) {
    BlockOrder& order = order_to_change(*w.block);
    for_lanes(lanes, [&](int l) { order.fence(unsigned(w.number * LANES + l), scope, is_consistent); });
}
void Checks::acquire(const Warp& w, U lanes, Scope scope) {
    BlockOrder& order = order_to_change(*w.block);
    for_lanes(lanes, [&](int l) { order.acquire(unsigned(w.number * LANES + l), scope); });
}
void Checks::proxy_fence(const Warp& w, U lanes) {
    BlockOrder& order = order_to_change(*w.block);
    for_lanes(lanes, [&](int l) { order.proxy_fence(unsigned(w.number * LANES + l)); });
}

// --- Asynchronous copies

void Checks::agent_access(const Warp& w, int lane, Unit agent, const Range& range, bool is_write) {
    OfBlock &mine = of(*w.block), &memory = range.block != nullptr ? of(*range.block) : mine;
    Shadow& shadow = range.is_shared ? memory.shadow : GlobalOrder::get().shadow;
    remember_reads(memory);
    if (range.is_shared) memory.is_only_read = false, memory.has_copies = true;
    Event now;
    now.block = mine.order.block();
    now.cluster = mine.order.cluster();
    now.time = mine.order.time();
    now.site = w.site(lane);
    now.unit = agent;
    now.is_write = is_write;
    now.bytes = 16;
    shadow.begin(shadow.add(now), unsigned(w.number), mine.order);
    Chunk chunk(range.is_shared, range.bytes);
    chunk.lane = lane;
    chunk.lanes = 1u << lane;
    if (!locate(chunk, range.address, memory)) return;
    if (!is_write && !chunk.written->has(chunk.offset, chunk.length)) report_unwritten(w, chunk, Use::read);
    if (is_write) chunk.written->set(chunk.offset, chunk.length);
    touch(w, chunk, shadow, nullptr);
}

U Checks::copy(Warp& w, int lane, Unit reader, const Range& from, Unit writer, const Range& to) {
    OfBlock& mine = of(*w.block);
    order_to_change(*w.block).advance();
    if (from.bytes != 0) agent_access(w, lane, reader, from, false);
    agent_access(w, lane, writer, to, true);
    return mine.order.time() + 1;
}

Knowledge Checks::done(const Warp& w, Unit agent, U time) {
    return {clock_of({of(*w.block).order.block(), {{agent, time}}}), nullptr, nullptr, {}, {}};
}
Knowledge Checks::knowledge(const Warp& w, int lane) {
    return of(*w.block).order.knowledge(unsigned(w.number * LANES + lane));
}
void Checks::learn(const Warp& w, int lane, const Knowledge& knowledge) {
    order_to_change(*w.block).learn(unsigned(w.number * LANES + lane), knowledge);
}

}  // namespace sass
