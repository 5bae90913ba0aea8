#include "simt/count/footprint.h"

namespace sass {

Footprint::Footprint()
    : id_([] {
          static std::atomic<std::uint64_t> made{0};
          return ++made;
      }()) {}

Footprint::Page& Footprint::page(std::uint64_t number) {
    struct Last {
        std::uint64_t id, number;
        Page* page;
    };
    thread_local Last recent[4] = {};  // a kernel reads and writes a few places in turn
    Last& last = recent[number % 4];
    if (last.id != id_ || last.number != number) {
        const std::lock_guard lock(mutex_);
        std::unique_ptr<Page>& marked = pages_[number];
        if (marked == nullptr) marked = std::make_unique<Page>();
        last = {id_, number, marked.get()};
    }
    return *last.page;
}

void Footprint::touch(Way way, std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t sector = first >> SECTOR_BITS; sector <= last >> SECTOR_BITS; ++sector) {
        constexpr int IN_PAGE = PAGE_BITS - SECTOR_BITS;
        auto& word = page(sector >> IN_PAGE).marks[way][(sector & ((1u << IN_PAGE) - 1)) / 64];
        const std::uint64_t mark = std::uint64_t(1) << sector % 64;
        if ((word.load(std::memory_order_relaxed) & mark) == 0)
            word.fetch_or(mark, std::memory_order_relaxed);
    }
}

void Footprint::touch(Way way, const std::uint64_t* addresses, std::uint32_t lanes, unsigned bytes) {
    std::uint64_t before = ~std::uint64_t(0);  // most lanes share a sector with the lane before
    for (; lanes != 0; lanes &= lanes - 1) {
        const std::uint64_t first = addresses[__builtin_ctz(lanes)], last = first + bytes - 1;
        if (first >> SECTOR_BITS == before && last >> SECTOR_BITS == before) continue;
        touch(way, first, last);
        before = last >> SECTOR_BITS;
    }
}

std::int64_t Footprint::sectors(Way way) const {
    std::int64_t sum = 0;
    for (const auto& [number, page] : pages_)
        for (const auto& word : page->marks[way])
            sum += __builtin_popcountll(word.load(std::memory_order_relaxed));
    return sum;
}

}  // namespace sass
