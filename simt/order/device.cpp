#include "simt/order/device.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>

#include "simt/loader/names.h"
#include "simt/run/memory.h"

namespace sass {
namespace {

template <class T>
Zeros<T> zeros(std::size_t number) {
    const std::size_t bytes = number * sizeof(T);
    void* const at =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    return Zeros<T>(static_cast<T*>(at), {bytes});
}

}  // namespace

Written::Written(std::size_t bytes) : bits_(zeros<std::uint8_t>(bytes / 8 + 8)) {}
void Written::clear() { std::memset(bits_.get(), 0, bits_.get_deleter().bytes); }

void Written::clear(std::size_t begin, std::size_t bytes) {
    for (std::size_t at = begin; at < begin + bytes; ++at) bits_[at / 8] &= std::uint8_t(~(1u << at % 8));
}

void Written::set(std::size_t begin, std::size_t bytes) {
    std::size_t at = begin;
    const std::size_t end = begin + bytes;
    for (; at < end && at % 8 != 0; ++at) bits_[at / 8] |= std::uint8_t(1u << at % 8);
    if (end > at + 7) std::memset(&bits_[at / 8], 0xff, (end - at) / 8), at += (end - at) / 8 * 8;
    for (; at < end; ++at) bits_[at / 8] |= std::uint8_t(1u << at % 8);
}

bool Written::has(std::size_t begin, std::size_t bytes) const {
    std::size_t at = begin;
    const std::size_t end = begin + bytes;
    for (; at < end && at % 8 != 0; ++at)
        if (!has(at)) return false;
    for (U64 many; at + 64 <= end; at += 64)
        if (std::memcpy(&many, &bits_[at / 8], 8); ~many != 0) return false;
    for (; at + 8 <= end; at += 8)
        if (bits_[at / 8] != 0xff) return false;
    for (; at < end; ++at)
        if (!has(at)) return false;
    return true;
}

std::size_t Written::find(std::size_t begin, std::size_t end, bool is_written) const {
    const std::uint8_t others = is_written ? 0 : 0xff;
    std::size_t at = begin;
    while (at < end && has(at) != is_written) at += at % 8 == 0 && bits_[at / 8] == others ? 8 : 1;
    return std::min(at, end);
}

bool Written::any(std::size_t begin, std::size_t bytes) const {
    for (std::size_t i = 0; i < bytes; ++i)
        if (has(begin + i)) return true;
    return false;
}

bool Written::may_read(std::size_t begin, std::size_t bytes) const {
    if (bytes <= 4) return has(begin, bytes);
    // Padding lies at the end of a word, after a member, or is the second of two words.
    for (std::size_t word = 0; word < bytes; word += 4)
        if (!has(begin + word) && !(word % 8 == 4 && has(begin + word - 4))) return false;
    return true;
}

Region::Region(U64 from, U64 to)
    : begin(from), end(to), cells(zeros<Cell>((to - from + 3) / 4)), written(std::size_t(to - from)) {}

GlobalOrder& GlobalOrder::get() {
    static GlobalOrder& order = *new GlobalOrder();
    return order;
}

Region* GlobalOrder::at(U64 address) {
    if (recent_ != nullptr && address - recent_->begin < recent_->end - recent_->begin) return recent_;
    const Allocation allocation = Memory::of_device().find(address);
    if (allocation.begin == allocation.end) return nullptr;
    std::unique_ptr<Region>& region = regions_[allocation.begin];
    if (region == nullptr || region->end != allocation.end) {
        region = std::make_unique<Region>(allocation.begin, allocation.end);
        // The host writes its own memory as it likes; variables have their first values.
        region->is_host = allocation.is_host && !allocation.is_adopted;
        if (allocation.is_host || allocation.is_adopted || !allocation.name.empty())
            region->written.set(0, std::size_t(allocation.end - allocation.begin));
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
    std::vector<Finding> findings;
    const auto is_concurrent = [&](const Source& source) { return !place.follows(source.submitted); };
    if (std::any_of(sources_.begin(), sources_.end(), is_concurrent)) {
        const Event* other = nullptr;
        for (U64 at = begin / 4; at < (end + 3) / 4 && other == nullptr; ++at)
            other = shadow.find(region->cells[at], is_write, [&](const Event& event) {
                return event.block != 0 && is_concurrent(source_of(event.block));
            });
        if (other != nullptr) {
            const Code& code = *source_of(other->block).code;
            findings.push_back(finding_at(Hazard::race, code, other->site,
                                          "data race on global memory, " + global_place(address) + ": " +
                                              (what != nullptr ? what : Copy::text(is_write)) + " and this " +
                                              (other->is_write ? "write" : "read") + UNORDERED,
                                          what != nullptr ? "cudaFreeAsync" : "a copy", ORDER_STREAMS));
        }
    }
    for (const Copy& copy : copies_) {
        if (region->begin + begin >= copy.end || region->begin + end <= copy.begin ||
            place.follows(copy.submitted) || !(is_write || copy.is_write))
            continue;
        findings.push_back({Hazard::race,
                            "data race on " + global_place(address) + ": " +
                                (what != nullptr ? what : Copy::text(is_write)) + " and " +
                                Copy::text(copy.is_write) + UNORDERED,
                            1, "", "", 0, "a copy", ORDER_STREAMS, 0, ""});
        break;
    }
    copies_.push_back({region->begin + begin, region->begin + end, is_write, place});
    return findings;
}

std::vector<Finding> GlobalOrder::freed(U64 address, const Submitted& place) {
    const Allocation allocation = Memory::of_device().find(address);
    return copied(allocation.begin, std::size_t(allocation.end - allocation.begin), true, place,
                  "cudaFreeAsync");
}

std::map<U64, std::pair<U64, U64>> GlobalOrder::touched_host_memory(const Knows& knows) {
    const bool is_over =
        std::all_of(sources_.begin(), sources_.end(),
                    [&](const Source& each) { return knows(each.submitted); }) &&
        std::all_of(copies_.begin(), copies_.end(), [&](const Copy& each) { return knows(each.submitted); });
    std::map<U64, std::pair<U64, U64>> touched;
    for (const auto& [begin, region] : regions_) {
        if (is_over) region->touched_to = 0, region->kept.clear();
        if (region->touched_to != 0) touched[begin] = {region->touched_from, region->touched_to};
    }
    return touched;
}

GlobalOrder::OfHost GlobalOrder::host_access(U64 address, bool is_write, const Knows& knows) {
    OfHost seen;
    Region* const region = at(address);
    if (region == nullptr) return seen;
    const Cell& cell = region->cells[(address - region->begin) / 4];
    const auto bytes = std::uint8_t(1u << address % 4);
    const auto is_open = [&](const Event& event) {
        return event.block != 0 && !knows(source_of(event.block).submitted);
    };
    const auto races = [&](const Event& event) {
        return !(event.is_strong() && (event.is_of_system || !event.is_write)) && is_open(event);
    };
    const auto signals = [&](const Event& event) {
        return event.is_strong() && event.is_of_system && is_open(event);
    };
    const auto tell = [&](const Event& event) {
        const Source& source = source_of(event.block);
        seen.place = source_text(*source.code, event.site);
        seen.other = std::string("the ") + (event.is_write ? "write" : "read") + " by " +
                     block_text(event.block - source.first_block, source.grid) + " of " +
                     demangled(source.code->kernel->name) + " at " + seen.place;
        seen.is_strong = event.is_strong();
    };
    const Event* const signal = is_write ? nullptr : shadow.find(cell, false, signals, bytes);
    seen.is_signal = signal != nullptr;
    if (signal != nullptr) tell(*signal);
    if (const Event* const event = shadow.find(cell, is_write, races, bytes)) {
        tell(*event);
        seen.is_race = true;
    }
    for (const Copy& copy : copies_)
        if (address >= copy.begin && address < copy.end && (copy.is_write || is_write) &&
            !knows(copy.submitted))
            seen.is_race = true, seen.other = Copy::text(copy.is_write);
    return seen;
}

void GlobalOrder::changes(U64 address, std::size_t bytes, bool is_of_system) {
    constexpr std::size_t MOST = 4096;
    Region* const region = at(address);
    if (region == nullptr || !region->is_host) return;
    region->is_changed = true;
    if (!is_of_system) return;
    for (U64 word = address / 4 * 4; word < address + bytes && region->kept.size() < MOST; word += 4)
        region->kept.try_emplace(word, *reinterpret_cast<const U*>(word));
}

std::map<U64, U> GlobalOrder::kept(U64 address) {
    Region* const region = at(address);
    if (region == nullptr) return {};
    const U64 first = address / 8 * 8;
    return {region->kept.lower_bound(first), region->kept.lower_bound(first + 8)};
}

void GlobalOrder::forget_kept() {
    for (const auto& [begin, region] : regions_) region->kept.clear();
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
        observers.clear();
    }
    const auto of_copy = [&](const Copy& copy) { return is_known(copy.submitted); };
    if (std::all_of(copies_.begin(), copies_.end(), of_copy)) copies_.clear();
}

U GlobalOrder::begin_launch(const Kernel& kernel, std::vector<Blocks>& concurrent,
                            std::vector<Copy>& copies) {
    const Submitted& place = kernel.launch.submitted;
    const Origin* const origin = kernel.launch.origin.get();
    for (const Source& source : sources_) {
        const Blocks blocks{source.first_block, source.end_block};
        if (!place.follows(source.submitted) && !(origin && origin->contains(blocks)))
            Blocks::add(concurrent, blocks);
    }
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

}  // namespace sass
