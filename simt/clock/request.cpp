#include "simt/clock/request.h"

#include <algorithm>

namespace sass::clock {

/// Bytes that lie in one sector.
void Request::touch(std::uint64_t address, unsigned bytes) {
    const std::uint64_t number = address / SECTOR;
    const auto mask = std::uint32_t(((std::uint64_t(1) << bytes) - 1) << address % SECTOR);
    for (std::size_t k = sectors.size(); k-- > 0;)  // neighbours mostly share one: from the newest
        if (sectors[k].number == number) {
            sectors[k].bytes |= mask;
            return;
        }
    sectors.push_back({number, mask});
}

void Request::add(Kind of, const std::uint64_t* addresses, std::uint32_t lanes, unsigned bytes) {
    kind = of;
    for (; lanes != 0; lanes &= lanes - 1) {
        const std::uint64_t address = addresses[__builtin_ctz(lanes)];
        touch(address, bytes);
        if (of == atomic) words.push_back(address);
    }
}

void Request::add_local(const std::uint32_t* addresses, std::uint32_t lanes, unsigned bytes) {
    kind = local;
    for (; lanes != 0; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        for (std::uint64_t word = addresses[lane] / 4; word <= (addresses[lane] + bytes - 1) / 4; ++word)
            touch(word * 128 + std::uint64_t(lane) * 4, 4);
    }
}

void Request::add(Kind of, std::uint64_t first, std::uint64_t bytes) {
    kind = of;
    for (std::uint64_t at = first, end = first + bytes; at < end;) {
        const std::uint64_t next = std::min(end, (at / SECTOR + 1) * SECTOR);
        sectors.push_back(
            {at / SECTOR, std::uint32_t(((std::uint64_t(1) << (next - at)) - 1) << at % SECTOR)});
        at = next;
    }
}

int Request::lanes_of_a_word(std::uint64_t sector) const {
    int most = 0, lanes[SECTOR] = {};
    for (const std::uint64_t word : words)
        if (word / SECTOR == sector) most = std::max(most, ++lanes[word % SECTOR]);
    return most;
}

}  // namespace sass::clock
