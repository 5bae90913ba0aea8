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

void Request::sort() {
    const auto by_number = [](const Sector& a, const Sector& b) { return a.number < b.number; };
    if (!std::is_sorted(sectors.begin(), sectors.end(), by_number))
        std::sort(sectors.begin(), sectors.end(), by_number);
}

bool Request::is_partial(const Sector& sector) const {
    for (const Sector* each = &sector; each <= &sectors.back() && each->number / 4 == sector.number / 4;
         ++each)
        if (each->bytes != ~0u) return true;
    return false;
}

int Request::passes() const {
    if (kind == atomic) return int(sectors.size());
    int lines = 0, words[32] = {};
    std::uint64_t last = ~0ull;
    for (const Sector& each : sectors) {
        lines += each.number / 4 != last;
        last = each.number / 4;
        for (unsigned k = 0; k < 8; ++k) words[each.number % 4 * 8 + k] += (each.bytes >> 4 * k & 15) != 0;
    }
    return kind == load || kind == local ? *std::max_element(words, words + 32) : lines;
}

int Request::lanes_of_a_word(std::uint64_t sector) const {
    int most = 0, lanes[SECTOR] = {};
    for (const std::uint64_t word : words)
        if (word / SECTOR == sector) most = std::max(most, ++lanes[word % SECTOR]);
    return most;
}

}  // namespace sass::clock
