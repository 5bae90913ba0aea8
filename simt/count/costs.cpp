// What a request to memory costs: passes over the banks, sectors.
#include <algorithm>

#include "simt/run/lanes.h"
#include "simt/run/launch.h"

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

/// How many lanes, at most, are at one bank, also if at one address.
template <class Address>
int most_at_a_bank(const Address* addresses, std::uint32_t lanes, unsigned bytes) {
    int of_bank[LANES] = {}, most = 0;
    for_lanes(lanes, [&](int l) { most = std::max(most, ++of_bank[addresses[l] / bytes % (128 / bytes)]); });
    return most;
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

Passes matrix_passes_of(const std::uint32_t* addresses, std::uint32_t lanes) {
    Passes passes{0, 0};
    for (; passes.ideal < 4 && lanes >> 8 * passes.ideal != 0; ++passes.ideal)
        passes.taken += banks_of(addresses, 0xffu << 8 * passes.ideal, 16).deepest();
    return passes;
}

int padded_passes_of(const std::uint32_t* addresses, std::uint32_t lanes, unsigned bytes, bool is_store) {
    std::uint32_t padded[LANES];
    const std::uint32_t pad = std::max(4u, bytes);
    for_lanes(lanes, [&](int l) { padded[l] = addresses[l] + addresses[l] / 128 * pad; });
    return passes_of(padded, lanes, bytes, is_store).taken;
}

Passes copy_passes_of(const std::uint64_t* from, const std::uint32_t* to, std::uint32_t lanes, unsigned bytes,
                      bool bypasses) {
    int taken = 0;
    if (bypasses) {
        // A pass moves sectors of one line of 128 bytes to one line, all by the same distance (an exclusive
        // or), and of all of them the lower half, the upper half or both.
        struct {
            std::uint64_t line;
            std::uint32_t line_to, distance, halves[2];
        } moves[LANES];
        int count = 0;
        for_lanes(lanes, [&](int l) {
            const std::uint64_t line = from[l] / 128;
            const std::uint32_t line_to = to[l] / 128, distance = (std::uint32_t(from[l]) ^ to[l]) / 16 % 8;
            int k = 0;
            while (k < count &&
                   !(moves[k].line == line && moves[k].line_to == line_to && moves[k].distance == distance))
                ++k;
            if (k == count) moves[count++] = {line, line_to, distance, {0, 0}};
            moves[k].halves[from[l] / 16 % 2] |= 1u << from[l] / 32 % 4;
        });
        for (int k = 0; k < count; ++k) {
            const std::uint32_t lower = moves[k].halves[0], upper = moves[k].halves[1];
            taken += ((lower & upper) != 0) + ((lower & ~upper) != 0) + ((upper & ~lower) != 0);
        }
    } else {
        const unsigned part = std::min(LANES * 4 / bytes, unsigned(LANES));
        for (unsigned begin = 0; begin < LANES; begin += part) {
            const std::uint32_t in_part = lanes & std::uint32_t(((std::uint64_t(1) << part) - 1) << begin);
            taken += std::max(most_at_a_bank(from, in_part, bytes), most_at_a_bank(to, in_part, bytes));
        }
    }
    return {taken, std::min(taken, (__builtin_popcount(lanes) * int(bytes) + 127) / 128)};
}

int bypassing_sectors_of(const std::uint64_t* from, const std::uint32_t* to, std::uint32_t lanes) {
    std::uint64_t both[LANES];
    for_lanes(lanes, [&](int l) { both[l] = (from[l] / 128 << 13 | to[l] / 32) * 32; });
    return sectors_of(both, lanes, 1);
}

Passes atomic_passes_of(const std::uint32_t* addresses, std::uint32_t lanes, unsigned bytes,
                        AtomicKind kind) {
    if (kind == AtomicKind::counts) return passes_of(addresses, lanes, bytes);
    const int most = most_at_a_bank(addresses, lanes, bytes);
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
