#include "simt/order/checker.h"

#include <sys/mman.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <iterator>
#include <new>

#include "simt/loader/names.h"
#include "simt/order/liveness.h"
#include "simt/sass/lanes.h"
#include "simt/sass/memory.h"

namespace sass {
namespace {

using U = std::uint32_t;
using U64 = std::uint64_t;

/// Zeros that take memory once they are touched.
void* zeros(std::size_t bytes) {
    void* const at =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    return at;
}

std::size_t cells_of(U64 begin, U64 end) { return std::size_t(end - begin + 3) / 4; }

}  // namespace

const char* name_of(Hazard hazard) {
    switch (hazard) {
        case Hazard::race: return "race";
        case Hazard::same_value: return "same_value";
        case Hazard::first_read: return "first_read";
        case Hazard::missing_acquire: return "missing_acquire";
        case Hazard::uninitialised_read: return "uninitialised_read";
        case Hazard::divergent_barrier: return "divergent_barrier";
        case Hazard::divergent_warp: return "divergent_warp";
        case Hazard::fault: return "fault";
        case Hazard::host_access: return "host_access";
        case Hazard::ignored_error: return "ignored_error";
        case Hazard::leak: return "leak";
    }
    return "";
}

// --- Written

Written::Written(std::size_t bytes)
    : bits_(static_cast<std::uint8_t*>(zeros(bytes / 8 + 8))), size_(bytes / 8 + 8) {}
Written::~Written() { munmap(bits_, size_); }
void Written::clear() { std::memset(bits_, 0, size_); }

void Written::set(std::size_t begin, std::size_t bytes) {
    std::size_t at = begin;
    const std::size_t end = begin + bytes;
    for (; at < end && at % 8 != 0; ++at) bits_[at / 8] |= std::uint8_t(1u << at % 8);
    if (end > at + 7) std::memset(bits_ + at / 8, 0xff, (end - at) / 8), at += (end - at) / 8 * 8;
    for (; at < end; ++at) bits_[at / 8] |= std::uint8_t(1u << at % 8);
}

bool Written::has(std::size_t begin, std::size_t bytes) const {
    std::size_t at = begin;
    const std::size_t end = begin + bytes;
    for (; at < end && at % 8 != 0; ++at)
        if (!has(at)) return false;
    for (; at + 8 <= end; at += 8)
        if (bits_[at / 8] != 0xff) return false;
    for (; at < end; ++at)
        if (!has(at)) return false;
    return true;
}

bool Written::any(std::size_t begin, std::size_t bytes) const {
    for (std::size_t i = 0; i < bytes; ++i)
        if (has(begin + i)) return true;
    return false;
}

bool Written::may_read(std::size_t begin, std::size_t bytes) const {
    if (bytes <= 4) {
        for (std::size_t i = 0; i < bytes; ++i)
            if (!has(begin + i)) return false;
        return true;
    }
    // Padding lies at the end of a word, after a member, or is the second of two words.
    for (std::size_t word = 0; word < bytes; word += 4)
        if (!has(begin + word) && !(word % 8 == 4 && has(begin + word - 4))) return false;
    return true;
}

/// Does the program only copy what the instruction loads, or use some bytes of it? A struct has padding,
/// which a load of whole words reads, too.
bool uses_parts(const Code& code, U site) {
    const Line& load = *code.list[site].line;
    if (load.operands.empty()) return false;
    const std::string& loaded = load.operands[0];
    const auto names = [&](const std::string& operand) {
        const auto at = operand.find(loaded);
        return at != std::string::npos &&
               (at + loaded.size() == operand.size() || !std::isdigit(operand[at + loaded.size()]));
    };
    const auto has = [](const Line& line, const char* operand) {
        return std::find(line.operands.begin(), line.operands.end(), operand) != line.operands.end();
    };
    for (U next = site + 1; next < code.list.size() && next < site + FARTHEST; ++next) {
        const Line& line = *code.list[next].line;
        for (std::size_t k = 0; k < line.operands.size(); ++k)
            if (names(line.operands[k]))
                return (begins(line.opcode, "ST") && k + 1 == line.operands.size()) ||
                       begins(line.opcode, "PRMT") || begins(line.opcode, "MOV") ||
                       (begins(line.opcode, "SHFL") && k == 2) ||
                       (begins(line.opcode, "LOP3") &&
                        (has(line, "0x1") || has(line, "0xff") || has(line, "0xffff")));
    }
    return false;
}

std::string global_place(U64 address) {
    const Allocation found = Memory::of_device().find(address);
    return "byte " + std::to_string(address - found.begin) + " of " +
           (found.name.empty() ? Memory::of_device().description(found) : found.name);
}

constexpr const char* ORDER_STREAMS =
    "submit both to one stream, or let the second wait: cudaStreamWaitEvent, cudaStreamSynchronize";
constexpr const char* UNORDERED = "; no stream, event or synchronisation orders the two";

std::string block_text(U number, const Dim3& grid) {
    return "block (" + std::to_string(number % grid.x) + ", " + std::to_string(number / grid.x % grid.y) +
           ", " + std::to_string(number / grid.x / grid.y) + ")";
}

std::string source_text(const Code& code, U site) {
    const Place* const shown = place_of_user(code.module->places(), code.list[site].line->place);
    if (shown == nullptr) return "instruction " + code.list[site].line->text();
    const std::string file = shown->file.substr(shown->file.rfind('/') + 1);
    return file + ":" + std::to_string(shown->line);
}

Finding finding_at(Hazard hazard, const Code& code, U site, const std::string& what, const std::string& other,
                   const std::string& cure) {
    const std::string kernel = demangled(code.kernel->name);
    const Place* const at = place_of_user(code.module->places(), code.list[site].line->place);
    return {hazard,
            kernel + ": " + source_text(code, site) + ": " + what,
            1,
            kernel,
            at == nullptr ? "" : at->file,
            at == nullptr ? 0 : at->line,
            other,
            cure,
            0,
            ""};
}

// --- The device

Region::Region(U64 from, U64 to)
    : begin(from),
      end(to),
      cells(static_cast<Cell*>(zeros(cells_of(from, to) * sizeof(Cell)))),
      written(std::size_t(to - from)) {}
Region::~Region() { munmap(cells, cells_of(begin, end) * sizeof(Cell)); }

GlobalOrder& GlobalOrder::get() {
    static GlobalOrder& order = *new GlobalOrder();
    return order;
}

Region* GlobalOrder::at(U64 address) {
    if (recent_ != nullptr && address - recent_->begin < recent_->end - recent_->begin) return recent_;
    const Allocation found = Memory::of_device().find(address);
    if (found.begin == found.end) return nullptr;
    std::unique_ptr<Region>& region = regions_[found.begin];
    if (region == nullptr || region->end != found.end) {
        region = std::make_unique<Region>(found.begin, found.end);
        // The host writes its own memory as it likes; variables have their first values.
        region->is_host = found.is_host && !found.is_adopted;
        if (found.is_host || found.is_adopted || !found.name.empty())
            region->written.set(0, std::size_t(found.end - found.begin));
    }
    return recent_ = region.get();
}

std::vector<Finding> GlobalOrder::copied(U64 address, std::size_t bytes, bool is_write,
                                         const Submitted& place, const char* what) {
    Region* const region = at(address);
    if (region == nullptr) return {};
    const U64 begin = address - region->begin, end = begin + std::min<U64>(bytes, region->end - address);
    if (region->is_host) region->touch(region->begin + begin, region->begin + end);
    if (is_write) region->written.set(begin, end - begin);
    std::vector<Finding> found;
    const auto is_concurrent = [&](const Source& source) { return !place.follows(source.submitted); };
    if (std::any_of(sources_.begin(), sources_.end(), is_concurrent)) {
        const Event* other = nullptr;
        for (U64 at = begin / 4; at < (end + 3) / 4 && other == nullptr; ++at)
            other = shadow.find(region->cells[at], is_write, [&](const Event& event) {
                return event.block != 0 && is_concurrent(source_of(event.block));
            });
        if (other != nullptr) {
            const Code& code = *source_of(other->block).code;
            found.push_back(finding_at(Hazard::race, code, other->site,
                                       "data race on global memory, " + global_place(address) + ": " +
                                           (what != nullptr ? what
                                            : is_write      ? "a copy that writes it"
                                                            : "a copy that reads it") +
                                           " and this " + (other->is_write ? "write" : "read") + UNORDERED,
                                       what != nullptr ? "cudaFreeAsync" : "a copy", ORDER_STREAMS));
        }
    }
    for (const Copy& copy : copies_) {
        if (region->begin + begin >= copy.end || region->begin + end <= copy.begin ||
            place.follows(copy.submitted) || !(is_write || copy.is_write))
            continue;
        const auto of = [](bool writes) { return writes ? "a copy that writes it" : "a copy that reads it"; };
        found.push_back({Hazard::race,
                         "data race on " + global_place(address) + ": " +
                             (what != nullptr ? what : of(is_write)) + " and " + of(copy.is_write) +
                             UNORDERED,
                         1, "", "", 0, "a copy", ORDER_STREAMS, 0, ""});
        break;
    }
    copies_.push_back({region->begin + begin, region->begin + end, is_write, place});
    return found;
}

std::vector<Finding> GlobalOrder::freed(U64 address, const Submitted& place) {
    const Allocation found = Memory::of_device().find(address);
    return copied(found.begin, std::size_t(found.end - found.begin), true, place, "cudaFreeAsync");
}

std::map<U64, std::pair<U64, U64>> GlobalOrder::touched_host_memory(const Knows& knows) {
    const bool is_over =
        std::all_of(sources_.begin(), sources_.end(),
                    [&](const Source& each) { return knows(each.submitted); }) &&
        std::all_of(copies_.begin(), copies_.end(), [&](const Copy& each) { return knows(each.submitted); });
    std::map<U64, std::pair<U64, U64>> touched;
    for (const auto& [begin, region] : regions_) {
        if (is_over) region->touched_to = 0;
        if (region->touched_to != 0) touched[begin] = {region->touched_from, region->touched_to};
    }
    return touched;
}

GlobalOrder::OfHost GlobalOrder::host_access(U64 address, bool is_write, const Knows& knows) {
    OfHost found;
    Region* const region = at(address);
    if (region == nullptr) return found;
    const Cell& cell = region->cells[(address - region->begin) / 4];
    const auto bytes = std::uint8_t(1u << address % 4);
    const auto is_open = [&](const Event& event) {
        return event.block != 0 && !knows(source_of(event.block).submitted);
    };
    const auto races = [&](const Event& event) { return !event.is_strong() && is_open(event); };
    const auto signals = [&](const Event& event) { return event.is_strong() && is_open(event); };
    if (const Event* const event = shadow.find(cell, is_write, races, bytes)) {
        const Source& source = source_of(event->block);
        found.place = source_text(*source.code, event->site);
        found.other = std::string("the ") + (event->is_write ? "write" : "read") + " by " +
                      block_text(event->block - source.first_block, source.grid) + " of " +
                      demangled(source.code->kernel->name) + " at " + found.place;
        found.is_race = true;
    }
    for (const Copy& copy : copies_)
        if (address >= copy.begin && address < copy.end && (copy.is_write || is_write) &&
            !knows(copy.submitted))
            found.is_race = true,
            found.other = std::string("a copy that ") + (copy.is_write ? "writes" : "reads") + " it";
    found.is_signal = !is_write && shadow.find(cell, false, signals, bytes) != nullptr;
    return found;
}

void GlobalOrder::forget(const void* allocation) {
    recent_ = nullptr;
    regions_.erase(reinterpret_cast<U64>(allocation));
}

void GlobalOrder::forget(const std::function<bool(const Submitted&)>& is_known) {
    const auto of_launch = [&](const Source& source) { return is_known(source.submitted); };
    if (std::all_of(sources_.begin(), sources_.end(), of_launch)) {
        sources_.clear();
        shadow.drop();
        released.clear();
    }
    const auto of_copy = [&](const Copy& copy) { return is_known(copy.submitted); };
    if (std::all_of(copies_.begin(), copies_.end(), of_copy)) copies_.clear();
}

U GlobalOrder::begin_launch(const Kernel& kernel, std::vector<Blocks>& concurrent,
                            std::vector<Copy>& copies) {
    const Submitted& place = kernel.launch.submitted;
    for (const Source& source : sources_)
        if (!place.follows(source.submitted)) concurrent.push_back({source.first_block, source.end_block});
    for (const Copy& copy : copies_)
        if (!place.follows(copy.submitted)) copies.push_back(copy);
    // Of a program that never waits not everything is kept.
    constexpr std::size_t MOST_LAUNCHES = 256, MOST_ACCESSES = 1 << 20;
    if (sources_.size() > MOST_LAUNCHES || copies_.size() > MOST_LAUNCHES || shadow.size() > MOST_ACCESSES)
        forget([&](const Submitted& work) { return place.follows(work); });
    const U first = next_block_;
    next_block_ += U(kernel.launch.grid.count());
    sources_.push_back({first, next_block_, kernel.code, kernel.launch.grid, kernel.launch.block, place});
    return first;
}

const GlobalOrder::Source& GlobalOrder::source_of(U block) const {
    const auto after = std::upper_bound(sources_.begin(), sources_.end(), block,
                                        [](U b, const Source& source) { return b < source.first_block; });
    return *std::prev(after);
}

// --- The launch

Checks::Checks(const Kernel& kernel)
    : kernel_(kernel), first_block_(GlobalOrder::get().begin_launch(kernel, concurrent_, copies_)) {
    for (const Instruction& i : kernel.code->list)
        compares_ |= begins(i.line->opcode, "ATOM") && i.line->opcode.find(".CAS") != std::string::npos;
}

Checks::OfBlock& Checks::of(const Block& block) {
    if (recent_ == &block) return *recent_of_;
    std::unique_ptr<OfBlock>& found = blocks_[&block];
    if (found == nullptr) found = std::make_unique<OfBlock>();
    recent_ = &block;
    return *(recent_of_ = found.get());
}

void Checks::begin_block(const Block& block) {
    OfBlock& mine = of(block);
    mine.order.begin(first_block_ + U(block.number), block.threads, first_block_, concurrent_);
    mine.shadow.drop();
    mine.cells.assign(cells_of(0, kernel_.shared_bytes), {});
    if (mine.written == nullptr) mine.written = std::make_unique<Written>(kernel_.shared_bytes);
    mine.written->clear();
    mine.written->set(0, SYSTEM_SHARED_BYTES);
    mine.released.clear();
    for (auto& events : mine.events) events.assign(block.warps.size(), {});
    for (Knowledge& arrived : mine.arrived) arrived = {};
}

/// Volatile accesses are strong for PTX. C++ does not know of that: there, they race.
Scope Checks::scope_of(const Instruction& i) const {
    return i.ordering.is_volatile && kernel_.options.volatile_is_weak ? Scope::none : i.ordering.scope;
}

/// Of an instruction that is executed again before its block's time advances there is one event.
U Checks::event(const Warp& w, const Instruction& i, unsigned bytes, Use use, OfBlock& mine, bool is_shared) {
    Shadow& shadow = is_shared ? mine.shadow : GlobalOrder::get().shadow;
    std::vector<U>& last = mine.events[is_shared][std::size_t(w.number)];
    if (last.empty()) last.resize(kernel_.code->list.size());
    U& known = last[w.pc];
    if (known != 0 && shadow.has(known) && shadow.event(known).time == mine.order.time()) return known;
    Event now;
    now.block = mine.order.block();
    now.time = mine.order.time();
    now.site = w.site(__builtin_ctz(w.active));
    now.unit = unit_of_warp(unsigned(w.number));
    now.is_write = use != Use::read;
    now.scope = scope_of(i);
    now.is_volatile = i.ordering.is_volatile;
    now.in_lockstep = is_shared && now.is_volatile &&
                      !mine.order.has_released(unsigned(w.number * LANES + __builtin_ctz(w.active)));
    now.bytes = std::uint8_t(bytes / i.ordering.parts);
    return known = shadow.add(now);
}

template <class Address>
void Checks::access(Warp& w, const Instruction& i, const Address* addresses, U lanes, unsigned bytes, Use use,
                    const U* stored, OfBlock& mine, bool is_shared) {
    if (i.ordering.precedes_half) return;
    if (i.ordering.half != NOWHERE && bytes == 4) {
        Address halves[LANES] = {};
        const U* const selector = w.row(i.ordering.half);
        for_lanes(lanes, [&](int l) { halves[l] = addresses[l] + (selector[l] == LOWER_HALF ? 0 : 2); });
        return access(w, i, halves, lanes, 2, use, stored, mine, is_shared);
    }
    Shadow& shadow = is_shared ? mine.shadow : GlobalOrder::get().shadow;
    shadow.begin(event(w, i, bytes, use, mine, is_shared), unsigned(w.number), mine.order);
    // There cooperative groups keep what is their own, and pass it on by shuffles.
    const bool is_system = is_shared && addresses[__builtin_ctz(lanes)] < SYSTEM_SHARED_BYTES;
    for (U left = is_system ? 0 : lanes; left != 0;) {
        // Lanes that follow one another often have one address, or elements in a row.
        Chunk chunk;
        chunk.lane = __builtin_ctz(left);
        int next = chunk.lane + 1;
        const auto follows = [&] { return next < LANES && (left >> next & 1); };
        const Address address = addresses[chunk.lane], step = follows() ? addresses[next] - address : 0;
        if (step == 0 || (step == bytes && bytes >= 4))
            while (follows() && addresses[next] - addresses[next - 1] == step) ++next;
        chunk.lanes = left & (next == LANES ? ALL : (1u << next) - 1);
        left &= ~chunk.lanes;
        chunk.element = bytes;
        if (use == Use::read && bytes > 4) chunk.used = used_by(w.pc);
        chunk.is_row = step != 0 && next - chunk.lane > 1;
        chunk.length = chunk.is_row ? unsigned(next - chunk.lane) * bytes : bytes;
        if (!locate(chunk, address, is_shared, mine)) return;  // the access itself is a fault
        const bool reads = use == Use::read || use == Use::update || use == Use::compare;
        if (reads && !chunk.written->has(chunk.offset, chunk.length)) report_unwritten(w, chunk);
        if (use != Use::read) chunk.written->set(chunk.offset, chunk.length);
        touch(w, chunk, shadow, stored);
        if (!is_shared && !copies_.empty()) compare_with_copies(w, chunk, use != Use::read);
    }
    if (compares_ && (use == Use::compare || (use == Use::read && scope_of(i) == Scope::none)))
        for_lanes(lanes, [&](int l) { follow_first_reads(w, addresses[l], l, use); });
    if (scope_of(i) != Scope::none)
        observe(w, i, addresses, lanes, use, mine, is_shared ? mine.released : GlobalOrder::get().released);
}

void Checks::follow_first_reads(const Warp& w, U64 address, int lane, Use use) {
    constexpr std::size_t MOST = 8;
    std::vector<FirstRead>& mine = first_reads_[w.block->number << 10 | U64(w.number * LANES + lane)];
    const auto known = std::find_if(mine.begin(), mine.end(),
                                    [&](const FirstRead& each) { return each.address == address; });
    if (use == Use::compare) {
        if (known == mine.end()) return;
        checked_[known->site].ever = true;
        mine.erase(known);
    } else if (known == mine.end()) {
        if (mine.size() == MOST) mine.erase(mine.begin());
        mine.push_back({address, w.pc});
    } else {
        if (known->site == w.pc) checked_[w.pc].read_again = true;
        known->site = w.pc;
    }
}

/// Copies that nothing orders before the launch.
void Checks::compare_with_copies(const Warp& w, const Chunk& chunk, bool is_write) {
    const U64 begin = chunk.base + chunk.offset;
    for (const GlobalOrder::Copy& copy : copies_)
        if (begin < copy.end && begin + chunk.length > copy.begin && (is_write || copy.is_write))
            add(Hazard::race, w, chunk.lane, w.site(chunk.lane),
                "data race on global memory, " + place(begin, false) + ": this " +
                    (is_write ? "write" : "read") + " and a copy that " +
                    (copy.is_write ? "writes" : "reads") + " it" + UNORDERED,
                0, 0, "", ORDER_STREAMS);
}

bool Checks::locate(Chunk& chunk, U64 address, bool is_shared, OfBlock& mine) const {
    chunk.is_shared = is_shared;
    if (is_shared) {
        chunk.offset = address;
        chunk.cells = mine.cells.data();
        chunk.written = mine.written.get();
        return true;
    }
    Region* const region = GlobalOrder::get().at(address);
    if (region == nullptr) return false;
    chunk.base = region->begin;
    chunk.offset = address - region->begin;
    chunk.cells = region->cells;
    chunk.written = &region->written;
    if (region->is_host) region->touch(address, address + chunk.length);
    return true;
}

/// See words_used; known once asked for.
std::uint8_t Checks::used_by(U site) {
    constexpr std::uint8_t KNOWN = 0x80;
    if (used_.empty()) used_.resize(kernel_.code->list.size());
    if (used_[site] == 0) used_[site] = std::uint8_t(KNOWN | words_used(*kernel_.code, site));
    return used_[site] & ~KNOWN;
}

/// The words of the chunk, one after the other.
void Checks::touch(const Warp& w, const Chunk& chunk, Shadow& shadow, const U* stored) {
    const unsigned stride = chunk.is_row ? chunk.element : 0;
    const U64 begin = chunk.base + chunk.offset, end = chunk.offset + chunk.length;
    shadow.set_row(U(begin) - U(chunk.lane) * stride, stride);
    int lane = chunk.lane;
    U64 of_next_lane = chunk.offset + chunk.element;
    for (U64 at = chunk.offset; at < end;) {
        const U64 until = std::min<U64>(at / 4 * 4 + 4, end);
        if (chunk.is_row && at >= of_next_lane) ++lane, of_next_lane += chunk.element;
        if (!(chunk.used >> (at - chunk.offset) % chunk.element / 4 % 8 & 1)) {
            at = until;
            continue;
        }
        const U lanes = chunk.is_row ? 1u << lane : chunk.lanes;
        const auto bytes = std::uint8_t((1u << (until - at / 4 * 4)) - (1u << at % 4));
        Conflict conflict;
        if (shadow.touch(chunk.cells[at / 4], U(chunk.base + at / 4 * 4), lanes, bytes, conflict))
            report(w, lane, chunk, at, shadow, conflict, stored);
        at = until;
    }
}

/// Is what the store writes there already? Of two lanes of one store: do they write the same?
bool Checks::is_same_value(const Warp& w, int lane, const Chunk& chunk, U64 at, const Shadow& shadow,
                           const Conflict& conflict, const U* stored) const {
    if (stored == nullptr || !shadow.event(conflict.event).is_write) return false;
    const unsigned bytes = std::min(4u, chunk.element);
    const U* const row = stored + (at - chunk.offset) % chunk.element / 4 * LANES;
    if (conflict.event == shadow.current() && (conflict.lanes & ~chunk.lanes) != conflict.lanes)
        return row[__builtin_ctz(conflict.lanes & chunk.lanes)] == row[lane];
    const auto* const there = chunk.is_shared ? w.block->shared.data() + at
                                              : reinterpret_cast<const std::uint8_t*>(chunk.base + at);
    return std::memcmp(there, row + lane, bytes) == 0;
}

void Checks::report_unwritten(const Warp& w, const Chunk& chunk) {
    for (unsigned at = 0; at < chunk.length; at += chunk.element) {
        const U64 offset = chunk.offset + at;
        bool is_all = true;  // of the words that are used
        for (unsigned word = 0; chunk.element > 4 && word < chunk.element / 4; ++word)
            is_all &= !(chunk.used >> word % 8 & 1) || chunk.written->has(offset + 4 * word, 4);
        if ((chunk.element > 4 && is_all) || chunk.written->may_read(offset, chunk.element) ||
            (chunk.written->any(offset, chunk.element) && uses_parts(*kernel_.code, w.pc)))
            continue;
        const int lane = chunk.lane + (chunk.is_row ? int(at / chunk.element) : 0);
        add(Hazard::uninitialised_read, w, lane,
            std::string("uninitialised read of ") + (chunk.is_shared ? "shared" : "global") +
                " memory: " + place(chunk.base + offset, chunk.is_shared) + " was never written",
            chunk.is_shared ? "set it, then __syncthreads(), before this line"
                            : "set it before the launch: cudaMemset, cudaMemcpy");
    }
}

/// What strong accesses learn from one another.
template <class Address>
void Checks::observe(Warp& w, const Instruction& i, const Address* addresses, U lanes, Use use, OfBlock& mine,
                     std::unordered_map<U64, Released>& released) {
    BlockOrder& order = mine.order;
    const bool is_gathered = i.ordering.is_gathered && (lanes & (lanes - 1)) == 0;
    for_lanes(is_gathered ? w.active : lanes, [&, one = __builtin_ctz(lanes)](int l) {
        const unsigned thread = unsigned(w.number * LANES + l);
        const U64 address = addresses[is_gathered ? one : l];
        auto found = released.find(address);
        if (use != Use::write && found != released.end()) order.strong_read(thread, found->second);
        if (use != Use::read && (found != released.end() || order.has_released(thread))) {
            Released& there = found != released.end() ? found->second : released[address];
            if (use == Use::write)
                order.strong_write(thread, there);
            else
                order.strong_update(thread, there);
        }
        if (i.ordering.acquires) order.acquire(thread, i.ordering.scope);
    });
}

void Checks::shared(Warp& w, const Instruction& i, const U* addresses, U lanes, unsigned bytes, Use use,
                    const U* stored) {
    access(w, i, addresses, lanes, bytes, use, stored, of(*w.block), true);
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

void Checks::barrier(const Block& block, unsigned number,
                     const std::vector<std::pair<const Warp*, const Group*>>& waiting, bool is_of_all) {
    OfBlock& mine = of(block);
    const auto line = [&](const Group& group) { return kernel_.code->list[group.pc - 1].line; };
    for (const auto& [warp, group] : waiting) {
        const Line *const here = line(*group), *const there = line(*waiting.front().second);
        if (here == there || (here->ptx != nullptr ? here->ptx == there->ptx : here->place == there->place))
            continue;
        add(Hazard::divergent_barrier, *warp, __builtin_ctz(group->lanes), group->pc - 1,
            "divergent barrier: other threads of the block wait at " +
                source_text(*kernel_.code, waiting.front().second->pc - 1),
            0, 0, "", "move the barrier out of the branch, so that all threads of the block come to one");
        break;
    }
    if (is_of_all) {
        mine.order.barrier();
        mine.shadow.set_floor();
        return;
    }
    std::vector<unsigned> threads;
    for (const auto& [warp, group] : waiting)
        for_lanes(group->lanes,
                  [&, number = warp->number](int l) { threads.push_back(unsigned(number * LANES + l)); });
    mine.order.barrier_of(threads, std::exchange(mine.arrived[number], {}));
}

void Checks::warp_sync(const Warp& w, U lanes) {
    if (lanes != 0) of(*w.block).order.warp_sync(unsigned(w.number), lanes);
}
void Checks::fence(const Warp& w, U lanes, Scope scope) {
    BlockOrder& order = of(*w.block).order;
    for_lanes(lanes, [&](int l) { order.fence(unsigned(w.number * LANES + l), scope); });
}
void Checks::acquire(const Warp& w, U lanes, Scope scope) {
    BlockOrder& order = of(*w.block).order;
    for_lanes(lanes, [&](int l) { order.acquire(unsigned(w.number * LANES + l), scope); });
}
void Checks::proxy_fence(const Warp& w, U lanes) {
    BlockOrder& order = of(*w.block).order;
    for_lanes(lanes, [&](int l) { order.proxy_fence(unsigned(w.number * LANES + l)); });
}

// --- Asynchronous copies

void Checks::agent_access(const Warp& w, int lane, Unit agent, const Range& range, bool is_write,
                          OfBlock& mine) {
    Shadow& shadow = range.is_shared ? mine.shadow : GlobalOrder::get().shadow;
    Event now;
    now.block = mine.order.block();
    now.time = mine.order.time();
    now.site = w.site(lane);
    now.unit = agent;
    now.is_write = is_write;
    now.bytes = 16;
    shadow.begin(shadow.add(now), unsigned(w.number), mine.order);
    Chunk chunk;
    chunk.lane = lane;
    chunk.lanes = 1u << lane;
    chunk.length = chunk.element = range.bytes;
    if (!locate(chunk, range.address, range.is_shared, mine)) return;
    if (!is_write && !chunk.written->has(chunk.offset, chunk.length)) report_unwritten(w, chunk);
    if (is_write) chunk.written->set(chunk.offset, chunk.length);
    touch(w, chunk, shadow, nullptr);
}

U Checks::copy(Warp& w, int lane, Unit reader, const Range& from, Unit writer, const Range& to) {
    OfBlock& mine = of(*w.block);
    mine.order.advance();
    if (from.bytes != 0) agent_access(w, lane, reader, from, false, mine);
    agent_access(w, lane, writer, to, true, mine);
    return mine.order.time() + 1;
}

Knowledge Checks::done(const Warp& w, Unit agent, U time) {
    return {clock_of({of(*w.block).order.block(), {{agent, time}}}), nullptr, nullptr};
}
Knowledge Checks::knowledge(const Warp& w, int lane) {
    return of(*w.block).order.knowledge(unsigned(w.number * LANES + lane));
}
void Checks::learn(const Warp& w, int lane, const Knowledge& knowledge) {
    of(*w.block).order.learn(unsigned(w.number * LANES + lane), knowledge);
}

// --- Findings

std::string Checks::thread_text(unsigned t, const Dim3& size) const {
    return "thread (" + std::to_string(t % size.x) + ", " + std::to_string(t / size.x % size.y) + ", " +
           std::to_string(t / size.x / size.y) + ")";
}

std::string Checks::place(U64 address, bool is_shared) const {
    if (is_shared) {
        U64 begin = SYSTEM_SHARED_BYTES;
        std::string name = "shared memory";
        for (const SharedArray& array : kernel_.launch.module->shared_arrays(*kernel_.launch.kernel))
            if (address >= array.offset) begin = array.offset, name = array.name;
        return "byte " + std::to_string(address - begin) + " of " + name;
    }
    return global_place(address);
}

void Checks::add(Hazard hazard, const Warp& w, int lane, const std::string& what, const std::string& cure) {
    add(hazard, w, lane, w.site(lane), what, 0, 0, "", cure);
}

void Checks::add(Hazard hazard, const Warp& w, int lane, U site, const std::string& what, U past_block,
                 U past_site, const std::string& other, const std::string& cure) {
    const auto [found, is_new] = known_.try_emplace({hazard, site, past_block, past_site}, findings_.size());
    if (!is_new) {
        ++findings_[found->second].times;
        return;
    }
    const Launch& launch = kernel_.launch;
    findings_.push_back(finding_at(hazard, *kernel_.code, site,
                                   what + ", " + block_text(U(w.block->number), launch.grid) + ", " +
                                       thread_text(unsigned(w.number * LANES + lane), launch.block),
                                   other, cure));
}

std::vector<Finding> Checks::findings() const {
    std::vector<Finding> all = findings_;
    for (const auto& [number, site] : reads_) {
        const auto found = checked_.find(site);
        if (found == checked_.end() || !found->second.ever || found->second.read_again) continue;
        all[number].hazard = Hazard::first_read;
        all[number].line += "; an atomicCAS checks what was read";
        all[number].cure =
            "read by atomicCAS(p, 0, 0) or cuda::atomic_ref, if the model of C++ is to allow it";
    }
    return all;
}

/// What would order the two accesses, or make them one.
std::string cure_of(const Event& now, const Event& past, const Conflict& conflict, Hazard hazard,
                    bool is_earlier_launch, const std::string& there) {
    if (conflict.unseen) return "fence.proxy.async between that write and the copy";
    if (hazard == Hazard::missing_acquire)
        return "__threadfence() after the read that observed it, or memory_order_acquire";
    if (is_earlier_launch) return ORDER_STREAMS;
    if (past.is_agent())
        return "wait for the copy before this line (cg::wait, __pipeline_wait_prior), then __syncthreads()";
    const bool same_block = past.block == now.block;
    if (now.is_volatile || past.is_volatile) {
        if (same_block) return "__syncthreads(), or __syncwarp() within a warp: volatile orders nothing here";
    } else if (now.is_strong() && past.is_strong()) {
        return "an atomic whose scope includes both threads: without _block, or thread_scope_device";
    } else if (now.is_strong() || past.is_strong()) {
        return "make the plain access atomic, too (cuda::atomic_ref), or order the two by a barrier";
    }
    if (now.site == past.site || (now.is_write && past.is_write))
        return hazard == Hazard::same_value ? "let one thread write, or all by an atomic"
                                            : "an atomic, or an element for each thread";
    if (!same_block)
        return "two launches, or __threadfence() and an atomic flag in both blocks (release, acquire)";
    return (past.unit == now.unit ? "__syncwarp() between this line and "
                                  : "__syncthreads() between this line and ") +
           there;
}

void Checks::report(const Warp& w, int lane, const Chunk& chunk, U64 at, const Shadow& shadow,
                    const Conflict& conflict, const U* stored) {
    const Event& now = shadow.event(shadow.current());
    const Event& past = shadow.event(conflict.event);
    GlobalOrder& global = GlobalOrder::get();
    const GlobalOrder::Source& source = global.source_of(past.block);
    const bool same_block = past.block == now.block;
    Hazard hazard = Hazard::race;
    if (conflict.precedence == Precedence::likely) hazard = Hazard::missing_acquire;
    if (hazard == Hazard::race && is_same_value(w, lane, chunk, at, shadow, conflict, stored))
        hazard = Hazard::same_value;
    U others = conflict.lanes;
    if (same_block && past.unit == now.unit) others &= ~(1u << lane);
    if (others == 0) others = conflict.lanes;
    const auto what_of = [](const Event& event) {
        return std::string(event.is_volatile ? "volatile " : "") + (event.is_write ? "write" : "read");
    };
    std::string other = "the " + what_of(past);
    if (past.is_agent())
        other += " by an asynchronous copy";
    else
        other +=
            " by " +
            std::string(same_block ? "" : block_text(past.block - source.first_block, source.grid) + ", ") +
            thread_text(unsigned(past.unit - WARPS) * 32 + unsigned(__builtin_ctz(others)), source.block);
    const std::string there = source_text(*source.code, past.site);
    other += " at " + there;
    const std::string what = hazard == Hazard::missing_acquire ? "missing fence"
                             : hazard == Hazard::same_value    ? "data race, of writes of one value,"
                                                               : "data race";
    const std::string why =
        conflict.unseen ? "no proxy fence shows that write to asynchronous copies"
        : hazard == Hazard::missing_acquire
            ? "a strong read has observed what was released after it, but no fence follows that read"
        : past.block < first_block_ ? "no stream, event or synchronisation orders the two launches"
        : past.is_agent()           ? "nothing has waited for the copy"
        : same_block                ? "no barrier or other synchronisation orders the two"
                                    : "no fences and flag order the two blocks";
    add(hazard, w, lane, now.site,
        what + " on " + (chunk.is_shared ? "shared" : "global") + " memory, " +
            place(chunk.base + at, chunk.is_shared) + ": this " + (now.is_write ? "write" : "read") +
            " and " + other + "; " + why,
        past.block < first_block_ ? past.block : same_block, past.site, there,
        cure_of(now, past, conflict, hazard, past.block < first_block_, there));
    const Event &read = now.is_write ? past : now, &write = now.is_write ? now : past;
    if (hazard == Hazard::race && compares_ && past.block >= first_block_ && !read.is_write &&
        !read.is_strong() && write.is_strong() && !read.is_agent())
        reads_[known_.at({hazard, now.site, same_block, past.site})] = read.site;
}

}  // namespace sass
