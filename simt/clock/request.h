// What the instruction that a warp executes asks of memory: noted by loads, stores, atomics and copies while
// they are executed, read by the clock after it.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

namespace sass::clock {

constexpr std::uint64_t SECTOR = 32;

struct Request {
    /// A sector of global memory, and the bytes of it that lanes access, a bit each.
    struct Sector {
        std::uint64_t number;
        std::uint32_t bytes;
    };
    /// local: of one thread, in L1; far: in another block's shared memory.
    enum Kind : std::uint8_t { none, load, store, atomic, local, far };
    Kind kind = none;
    std::uint64_t cycle = 0;               ///< in which it issues
    std::vector<Sector> sectors;           ///< distinct ones
    std::vector<std::uint64_t> words;      ///< of an atomic: the address of each lane
    bool adds_floats = false;              ///< an atomic does
    std::uint32_t compared = 0, lost = 0;  ///< lanes of a compare-and-swap; that found another value
    std::uint64_t expected[32] = {}, found[32] = {};  ///< by these lanes
    std::vector<std::function<void()>> at_end;        ///< what happens once the memory has answered

    void clear() {
        kind = none, adds_floats = false, compared = lost = 0;
        sectors.clear(), words.clear(), at_end.clear();
    }
    /// Every lane's `bytes` bytes.
    void add(Kind of, const std::uint64_t* addresses, std::uint32_t lanes, unsigned bytes);
    void add(Kind of, std::uint64_t first, std::uint64_t bytes);  ///< one run of bytes
    void sort();                                                  ///< sectors by number
    int lanes_of_a_word(std::uint64_t sector) const;              ///< most of an atomic's, in that sector
    /// Does it store a part alone of any sector in this one's line? sector: the first there.
    bool is_partial(const Sector& sector) const;
    /// For which it holds the pipe to memory: a load the most words at one of the 32 banks of L1, others
    /// their lines, atomics their sectors.
    int passes() const;
    /// Words of local memory, which lie lane by lane: a line for each word of all lanes.
    void add_local(const std::uint32_t* addresses, std::uint32_t lanes, unsigned bytes);

   private:
    void touch(std::uint64_t address, unsigned bytes);
};

}  // namespace sass::clock
