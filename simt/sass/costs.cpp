// What a request to memory costs: passes over the banks, sectors.
#include <algorithm>

#include "simt/sass/lanes.h"
#include "simt/sass/launch.h"

namespace sass {
namespace {

/// The distinct words that some lanes access, by bank.
class Banks {
   public:
    void add(std::uint32_t word) {
        const unsigned bank = word & 31;
        const int depth = depth_[bank];
        for (int k = 0; k < depth; ++k)
            if (words_[bank][k] == word) return;
        words_[bank][depth] = word;
        depth_[bank] = std::uint8_t(depth + 1);
        deepest_ = std::max(deepest_, depth + 1);
    }
    int deepest() const { return deepest_; }

   private:
    std::uint8_t depth_[32] = {};
    std::uint32_t words_[32][33];
    int deepest_ = 0;
};

Banks banks_of(const std::uint32_t* addresses, std::uint32_t lanes, unsigned bytes) {
    Banks banks;
    for_lanes(lanes, [&](int l) {
        for (std::uint32_t at = addresses[l] / 4; at <= (addresses[l] + bytes - 1) / 4; ++at) banks.add(at);
    });
    return banks;
}

/// Every two active lanes at this distance have one address.
bool pairs_share(const std::uint32_t* addresses, std::uint32_t lanes, int distance) {
    bool all = true;
    for_lanes(lanes, [&](int l) {
        const int other = l ^ distance;
        all &= !(lanes >> other & 1) || addresses[l] == addresses[other];
    });
    return all;
}

}  // namespace

Passes passes_of(const std::uint32_t* addresses, std::uint32_t lanes, unsigned bytes, bool is_store) {
    const int words = (__builtin_popcount(lanes) * int(bytes) + 127) / 128;
    const auto with_ideal = [&](int taken) { return Passes{taken, std::min(taken, words)}; };
    if (bytes <= 4) {
        // Nearly all requests are for words that lie within 32 of one another: no two share a bank.
        const Span<std::uint32_t> span(addresses, lanes);
        if (span.high / 4 - span.low / 4 < 32) return {1, 1};
        return with_ideal(banks_of(addresses, lanes, bytes).deepest());
    }
    // Served by half-warps (8 bytes) or quarter-warps (16 bytes). Two neighbouring parts of a load are served
    // together if that takes one pass and all pairs of active lanes at distance 1, or all at distance 2, have
    // one address.
    const int part = bytes == 8 ? 16 : 8;
    int taken = 0;
    for (int begin = 0; begin < LANES; begin += 2 * part) {
        const auto range = [&](int from, int count) {
            return lanes & std::uint32_t(((std::uint64_t(1) << count) - 1) << from);
        };
        const std::uint32_t both = range(begin, 2 * part);
        if (both == 0) continue;
        const Span<std::uint32_t> span(addresses, both);
        const bool together =
            !is_store &&
            (span.low == span.high || (banks_of(addresses, both, bytes).deepest() <= 1 &&
                                       (pairs_share(addresses, both, 1) || pairs_share(addresses, both, 2))));
        if (together) {
            ++taken;
            continue;
        }
        for (const int from : {begin, begin + part})
            taken += banks_of(addresses, range(from, part), bytes).deepest();
    }
    return with_ideal(taken);
}

Passes copy_passes_of(const std::uint32_t* addresses, std::uint32_t lanes, unsigned bytes) {
    Passes passes = passes_of(addresses, lanes, bytes);
    if (bytes < 16) return passes;
    passes.taken = 0;
    while (lanes != 0) {
        const std::uint32_t eight = 0xffu << (__builtin_ctz(lanes) & ~7);
        const std::uint32_t from = lanes & eight;
        const std::uint32_t adjacent = from & ~(from + (from & -from));  // up to the first lane that is off
        passes.taken += banks_of(addresses, adjacent, bytes).deepest();
        lanes &= ~adjacent;
    }
    return passes;
}

Passes atomic_passes_of(const std::uint32_t* addresses, std::uint32_t lanes, unsigned bytes,
                        AtomicKind kind) {
    if (kind == AtomicKind::counts) return passes_of(addresses, lanes, bytes);
    int of_bank[32] = {}, most = 0;
    for_lanes(lanes, [&](int l) { most = std::max(most, ++of_bank[addresses[l] / bytes % (128 / bytes)]); });
    const int turns = kind == AtomicKind::compares || bytes == 8 ? 2 : 1;
    return {turns * most, bytes == 8 ? 2 * ((__builtin_popcount(lanes) + 15) / 16) : 1};
}

int sectors_of(const std::uint64_t* addresses, std::uint32_t lanes, unsigned bytes) {
    std::uint64_t seen[2 * LANES];
    int count = 0;
    for_lanes(lanes, [&](int l) {
        for (std::uint64_t sector = addresses[l] / 32; sector <= (addresses[l] + bytes - 1) / 32; ++sector) {
            int k = count;  // neighbours mostly share one: from the newest
            while (k > 0 && seen[k - 1] != sector) --k;
            if (k == 0) seen[count++] = sector;
        }
    });
    return count;
}

int bulk_sectors(std::uint64_t to, std::uint64_t from, unsigned bytes) {
    int count = 0;
    while (bytes > 0) {
        const unsigned packet = std::min<std::uint64_t>(bytes, 128 - from % 128);
        count += int((to + packet - 1) / 32 - to / 32) + 1;
        to += packet, from += packet, bytes -= packet;
    }
    return count;
}

}  // namespace sass
