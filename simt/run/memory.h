// Global memory: the allocations of the device. A device address is the address of that byte on the host.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <shared_mutex>
#include <string>
#include <utility>

namespace sass {

struct Allocation {
    std::uint64_t begin = 0, end = 0;  ///< the bytes [begin, end)
    bool is_host = false;              ///< pinned or managed memory, which the host may access too
    std::string name;                  ///< of a variable; empty for memory that was allocated
    bool is_adopted = false;           ///< the program's own memory
};

/// All allocations. Safe to use from several threads.
class Memory {
   public:
    static Memory& of_device();

    /// Aligned to 256 bytes, filled with a pattern that is no zero; null if there is no room. 0 bytes give
    /// null.
    void* allocate(std::size_t bytes, bool is_host = false, const std::string& name = "");
    /// Makes host memory known that the program has itself: its bytes stay as they are, and free() only
    /// forgets it. False if a part of it is known already.
    bool adopt(void* address, std::size_t bytes);
    /// False if nothing was allocated at this address.
    bool free(void* address);
    /// The allocation that contains the address; begin == end if none does.
    Allocation find(std::uint64_t address) const;
    std::size_t allocated() const;               ///< bytes
    bool has_host() const { return has_host_; }  ///< has there been memory that the host may access?
    void set_has_host() { has_host_ = true; }
    /// In words. describe: what the runtime knows of it beyond its size; may be empty.
    std::string description(const Allocation& allocation) const;
    std::function<std::string(const Allocation&)> describe;
    /// Where an address is that no allocation contains: ", 4 bytes past the end of ..", or "".
    std::string near(std::uint64_t address) const;
    /// Where nobody has written since it was allocated, if it was filled: words that have still the pattern.
    static bool is_fresh(const Allocation& allocation, std::uint64_t word);
    static constexpr std::size_t TOTAL = 150109880320;  ///< bytes of the device, as an H200 says of itself

   private:
    mutable std::shared_mutex mutex_;
    std::map<std::uint64_t, Allocation> by_begin_;
    std::map<std::uint64_t, std::pair<std::uint64_t, std::string>> freed_;  ///< by begin: end, description
    std::size_t allocated_ = 0;
    bool has_host_ = false;
};

}  // namespace sass
