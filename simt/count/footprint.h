// Which sectors of global memory a launch touches: what it must move at least, whatever caches hold.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace sass {

class Footprint {
   public:
    enum Way : int { read, written };

    Footprint();
    /// Marks the sectors of `bytes` bytes from each lane's address on. Any number of threads may call it.
    void touch(Way way, const std::uint64_t* addresses, std::uint32_t lanes, unsigned bytes);
    /// Marks those of the bytes from `first` to `last`.
    void touch(Way way, std::uint64_t first, std::uint64_t last);
    /// Distinct sectors of 32 bytes so far.
    std::int64_t sectors(Way way) const;

   private:
    static constexpr int SECTOR_BITS = 5, PAGE_BITS = 21;
    struct Page {
        std::atomic<std::uint64_t> marks[2][1 << (PAGE_BITS - SECTOR_BITS - 6)] = {};
    };
    Page& page(std::uint64_t number);

    const std::uint64_t id_;  ///< no other footprint's: threads remember the page that they marked last
    std::mutex mutex_;
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
};

}  // namespace sass
