#include "simt/run/memory.h"

#include "simt/order/device.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <iterator>
#include <mutex>

namespace sass {
namespace {

/// Allocations up to this size are filled: a kernel that reads what nobody wrote then shows it. Larger ones
/// are the system's zero pages, which take memory only once they are touched.
constexpr std::size_t FILLED_BYTES = std::size_t(64) << 20;
constexpr int FILLING = 0xa7;

/// Where the first allocation is asked for: every run then has the same addresses, where the system allows
/// it.
constexpr std::uint64_t FIRST_ADDRESS = std::uint64_t(0x2000) << 32;

std::size_t whole_pages(std::size_t bytes) {
    const std::size_t page = std::size_t(sysconf(_SC_PAGESIZE));
    return (bytes + page - 1) / page * page;
}

}  // namespace

Memory& Memory::of_device() {
    static Memory& memory = *new Memory();  // the program may still use it while it ends
    return memory;
}

void* Memory::allocate(std::size_t bytes, bool is_host, const std::string& name) {
    static std::uint64_t hint = FIRST_ADDRESS;
    const std::unique_lock lock(mutex_);
    if (bytes == 0 || bytes > TOTAL || (!is_host && bytes > TOTAL - allocated_)) return nullptr;
    const std::size_t length = whole_pages(bytes);
    void* const address = mmap(reinterpret_cast<void*>(hint), length, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address == MAP_FAILED) return nullptr;
    hint += length + whole_pages(1);  // a page apart, so that what runs over the end meets nothing
    if (bytes <= FILLED_BYTES) std::memset(address, FILLING, bytes);
    const auto begin = reinterpret_cast<std::uint64_t>(address);
    by_begin_[begin] = {begin, begin + bytes, is_host, name, false};
    if (!is_host) allocated_ += bytes;
    has_host_ |= is_host && name.empty();
    return address;
}

bool Memory::adopt(void* address, std::size_t bytes) {
    const std::unique_lock lock(mutex_);
    const auto begin = reinterpret_cast<std::uint64_t>(address);
    const auto after = by_begin_.lower_bound(begin);
    if (after != by_begin_.end() && after->first < begin + bytes) return false;
    if (after != by_begin_.begin() && std::prev(after)->second.end > begin) return false;
    by_begin_[begin] = {begin, begin + bytes, true, "", true};
    return true;
}

bool Memory::is_fresh(const Allocation& allocation, std::uint64_t word) {
    constexpr std::uint32_t PATTERN = FILLING * 0x01010101u;
    const bool is_filled = !allocation.is_adopted && allocation.name.empty() &&
                           allocation.end - allocation.begin <= FILLED_BYTES;
    return is_filled && *reinterpret_cast<const std::uint32_t*>(word) == PATTERN;
}

bool Memory::free(void* address) {
    const std::unique_lock lock(mutex_);
    const auto at = by_begin_.find(reinterpret_cast<std::uint64_t>(address));
    if (at == by_begin_.end()) return false;
    GlobalOrder::get().forget(address);
    if (freed_.size() < 1000 && at->second.name.empty())
        freed_[at->first] = {at->second.end, description(at->second)};
    const Allocation& allocation = at->second;
    const std::size_t bytes = allocation.end - allocation.begin;
    if (!allocation.is_host) allocated_ -= bytes;
    if (!allocation.is_adopted) munmap(address, whole_pages(bytes));
    by_begin_.erase(at);
    return true;
}

Allocation Memory::find(std::uint64_t address) const {
    const std::shared_lock lock(mutex_);
    const auto after = by_begin_.upper_bound(address);
    if (after == by_begin_.begin()) return {};
    const Allocation& before = std::prev(after)->second;
    return address < before.end ? before : Allocation{};
}

std::string Memory::description(const Allocation& allocation) const {
    if (!allocation.name.empty()) return allocation.name;
    const std::string known = describe ? describe(allocation) : "";
    const std::uint64_t bytes = allocation.end - allocation.begin;
    return known.empty() ? "an allocation of " + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes")
                         : known;
}

std::string Memory::near(std::uint64_t address) const {
    constexpr std::uint64_t NEAR = 1 << 20;
    std::uint64_t best = NEAR;
    std::string text;
    const std::shared_lock lock(mutex_);
    const auto after = by_begin_.upper_bound(address);
    if (after != by_begin_.end() && after->first - address < best) {
        best = after->first - address;
        text = ", " + std::to_string(best) + " bytes before " + description(after->second);
    }
    if (after != by_begin_.begin()) {
        const Allocation& before = std::prev(after)->second;
        if (address < before.end) {
            text = ", which begins in and ends beyond " + description(before);
        } else if (address - before.end < best) {
            best = address - before.end;
            text = ", " + std::to_string(best) + " bytes past the end of " + description(before);
        }
    }
    const auto gone = freed_.upper_bound(address);
    if (gone != freed_.begin() && address < std::prev(gone)->second.first)
        text = ", in memory that is freed: " + std::prev(gone)->second.second;
    return text;
}

std::size_t Memory::allocated() const {
    const std::shared_lock lock(mutex_);
    return allocated_;
}

}  // namespace sass
