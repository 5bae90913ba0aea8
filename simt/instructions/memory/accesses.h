// Loads and stores: what their kinds have in common.
#pragma once
#include "simt/instructions/words.h"
#include "simt/run/launch.h"

namespace sass {

enum Extend : std::uint8_t { ZEROS = 0, SIGN = 1 };

/// A lane's load of `bytes` bytes at `from` into row d and those after it.
inline void load_lane(U* d, int l, const std::uint8_t* from, unsigned bytes, bool sign) {
    switch (bytes) {
        case 1: d[l] = sign ? U(std::int32_t(std::int8_t(*from))) : *from; break;
        case 2: {
            std::uint16_t half;
            std::memcpy(&half, from, 2);
            d[l] = sign ? U(std::int32_t(std::int16_t(half))) : half;
            break;
        }
        case 4: std::memcpy(&d[l], from, 4); break;
        case 8: {  // in one access: a store elsewhere is seen in full or not at all
            const U64 word = *reinterpret_cast<const volatile U64*>(from);
            d[l] = U(word), d[LANES + l] = U(word >> 32);
            break;
        }
        default: {
            typedef U Four __attribute__((vector_size(16)));
            const Four words = *reinterpret_cast<const volatile Four*>(from);
            for (int k = 0; k < 4; ++k) d[k * LANES + l] = words[k];
        }
    }
}
inline void store_lane(const U* s, int l, std::uint8_t* to, unsigned bytes) {
    switch (bytes) {
        case 1: *to = std::uint8_t(s[l]); break;
        case 2: {
            const auto half = std::uint16_t(s[l]);
            std::memcpy(to, &half, 2);
            break;
        }
        case 4: *reinterpret_cast<volatile U*>(to) = s[l]; break;
        case 8: *reinterpret_cast<volatile U64*>(to) = U64(s[LANES + l]) << 32 | s[l]; break;
        default: {
            typedef U Four __attribute__((vector_size(16)));
            const Four words = {s[l], s[LANES + l], s[2 * LANES + l], s[3 * LANES + l]};
            *reinterpret_cast<volatile Four*>(to) = words;
        }
    }
}

/// Where a load's result goes.
inline U* loaded(Warp& w, const Instruction& i) { return w.row(i.d); }
/// What is stored from.
inline const U* stored(Warp& w, const Instruction& i) { return w.source(i.c); }

/// An access at addresses of 32 bits: in local memory, or in the block's shared memory.
template <void access(Warp&, const Instruction&, const U* addresses, U lanes), bool IS_SHARED = false>
void at_narrow(Warp& w, const Instruction& i, U lanes) {
    const U *a = w.source(i.a), *b = w.source(i.b);
    const U offset = U(i.offset) - (IS_SHARED ? w.block->window : 0), scale = i.scale;
    U addresses[LANES];
    for (int l = 0; l < LANES; ++l) addresses[l] = a[l] * scale + b[l] + offset;
    access(w, i, addresses, lanes);
}

// Local memory: addresses in bytes, those of words multiples of 4.
U& local_word(Warp& w, U address, int lane);
void load_local_at(Warp& w, const Instruction& i, const U* addresses, U lanes);
void store_local_at(Warp& w, const Instruction& i, const U* addresses, U lanes);

/// Each lane's address says where it lies.
void store_generic(Warp& w, const Instruction& i, U lanes);

// For decoding: the modifiers that all loads and stores have.
void take_width(Decoder& d);
Handler load(Decoder& d, Handler handler);
Handler store(Decoder& d, Handler handler);

}  // namespace sass
