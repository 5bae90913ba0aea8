// Loops over the lanes of a warp.
#pragma once
#include <cstdint>
#include <cstring>

#include "simt/run/warp.h"

namespace sass {

/// d[l] = f(l) for the lanes of the mask. Rows overlap fully or not at all.
template <class F>
inline void each(std::uint32_t* d, std::uint32_t lanes, F f) {
    if (lanes == ALL) {
#pragma GCC ivdep
        for (int l = 0; l < LANES; ++l) d[l] = f(l);
    } else {
#pragma GCC ivdep
        for (int l = 0; l < LANES; ++l) {
            const std::uint32_t value = f(l);
            d[l] = lanes >> l & 1 ? value : d[l];
        }
    }
}

/// The same for two rows: f gives 64 bits, of which d gets the lower half.
template <class F>
inline void each_wide(std::uint32_t* d, std::uint32_t lanes, F f) {
    std::uint32_t* const upper = d + LANES;
    if (lanes == ALL) {
#pragma GCC ivdep
        for (int l = 0; l < LANES; ++l) {
            const std::uint64_t value = f(l);
            d[l] = std::uint32_t(value);
            upper[l] = std::uint32_t(value >> 32);
        }
    } else {
#pragma GCC ivdep
        for (int l = 0; l < LANES; ++l) {
            const std::uint64_t value = f(l);
            d[l] = lanes >> l & 1 ? std::uint32_t(value) : d[l];
            upper[l] = lanes >> l & 1 ? std::uint32_t(value >> 32) : upper[l];
        }
    }
}

/// The mask of lanes for which f(l) holds.
template <class F>
inline std::uint32_t where(F f) {
    std::uint32_t mask = 0;
    for (int l = 0; l < LANES; ++l) mask |= std::uint32_t(f(l) ? 1 : 0) << l;
    return mask;
}

/// Calls f(lane) for each lane of the mask, the lowest first.
template <class F>
inline void for_lanes(std::uint32_t lanes, F f) {
    for (; lanes != 0; lanes &= lanes - 1) f(__builtin_ctz(lanes));
}

/// The same in the order in which an H200 stores: of lanes that store to one place the lowest is the last,
/// with 8 bytes the lowest of the upper half of the warp, with 16 of the upper quarter.
template <class F>
inline void for_lanes_as_stored(std::uint32_t lanes, unsigned bytes, F f) {
    const unsigned together = bytes <= 4 ? LANES : LANES * 4 / bytes;
    for (unsigned first = 0; first < LANES; first += together) {
        std::uint32_t left = lanes >> first & (~0u >> (LANES - together));
        for (; left != 0; left &= ~(1u << (31 - __builtin_clz(left))))
            f(int(first) + 31 - __builtin_clz(left));
    }
}

/// Do the lanes, one at least, all access the same?
inline bool is_one_address(const std::uint32_t* addresses, std::uint32_t lanes) {
    const std::uint32_t first = addresses[__builtin_ctz(lanes)];
    std::uint32_t other = 0;
    for (int l = 0; l < LANES; ++l) other |= (lanes >> l & 1 ? addresses[l] : first) ^ first;
    return other == 0;
}

inline std::uint64_t wide(const std::uint32_t* row, int l) {
    return std::uint64_t(row[LANES + l]) << 32 | row[l];
}

template <class To, class From>
inline To bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "same size");
    To to;
    std::memcpy(&to, &from, sizeof(to));
    return to;
}
inline float f32(std::uint32_t word) { return bits<float>(word); }
inline std::uint32_t u32(float value) { return bits<std::uint32_t>(value); }

}  // namespace sass
