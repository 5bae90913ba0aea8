// Sources that are changed before they are used: negated, inverted, absolute, a half taken twice.
#include "simt/decode/decode.h"
#include "simt/instructions/arithmetic/half.h"
#include "simt/run/lanes.h"

namespace sass {
namespace {

/// Copies a source's row or rows into temporary ones, changed.
Source modified(Warp& w, Source source, std::uint16_t into) {
    const std::uint32_t* from = w.source(source);
    std::uint32_t* to = w.row(into);
    const std::uint8_t m = source.modifier;
    if ((m & of_bytes) == of_bytes) {
        const std::uint32_t flip = m & (negate | invert) ? ALL : 0, one = m & negate ? 0x01010101 : 0;
        each(to, ALL, [=](int l) {
            const std::uint32_t x = from[l] ^ flip;
            return ((x & 0x7f7f7f7f) + one) ^ (x & 0x80808080);
        });
        return {into, 0, 0};
    }
    if ((m & (of_bytes | exchange)) == as_half) {
        const std::uint32_t keep = m & clear_sign ? 0x7fffffff : ALL, flip = m & flip_sign ? 0x80000000 : 0;
        each(to, ALL, [=](int l) { return float_to_half(f32((from[l] & keep) ^ flip), 3) * 0x10001u; });
        return {into, 0, 0};
    }
    if (m & of_double && m & (negate | invert)) {  // 64 bits
        const std::uint64_t one = m & negate ? 1 : 0;
        each_wide(to, ALL, [=](int l) { return ~wide(from, l) + one; });
        return {into, 0, 0};
    }
    if (m & of_double) {
        const std::uint32_t keep = m & clear_sign ? 0x7fffffff : ALL, flip = m & flip_sign ? 0x80000000 : 0;
        each(to, ALL, [=](int l) { return from[l]; });
        each(to + LANES, ALL, [=](int l) {
            const std::uint32_t upper = from[LANES + l];
            const bool is_nan = (upper & 0x7fffffff) + (from[l] != 0) > 0x7ff00000;
            return is_nan ? upper : (upper & keep) ^ flip;  // a NaN keeps its sign (seen on an H200)
        });
        return {into, 0, 0};
    }
    if (m & of_halves && m & negate) {
        for (int l = 0; l < LANES; ++l)
            to[l] = ((0 - (from[l] & 0xffff)) & 0xffff) | (0 - (from[l] & 0xffff0000));
        return {into, 0, 0};
    }
    const std::uint32_t clear = m & clear_sign ? (m & of_halves ? 0x7fff7fff : 0x7fffffff) : ALL;
    const std::uint32_t flip = m & flip_sign ? (m & of_halves ? 0x80008000 : 0x80000000) : 0;
    const std::uint32_t all = m & (invert | negate) ? ALL : 0, one = m & negate ? 1 : 0;
    for (int l = 0; l < LANES; ++l) {
        std::uint32_t word = from[l];
        if ((m & exchange) == exchange)
            word = (word << 16 | word >> 16) ^ 0x8000;
        else if (m & low_twice)
            word = (word & 0xffff) * 0x10001;
        else if (m & high_twice)
            word = (word >> 16) * 0x10001;
        to[l] = (((word & clear) ^ flip) ^ all) + one;
    }
    return {into, 0, 0};
}

void run_modified(Warp& w, const Instruction& i, std::uint32_t lanes) {
    Instruction plain = i;
    if (i.a.modifier) plain.a = modified(w, i.a, TEMPORARY);
    if (i.b.modifier) plain.b = modified(w, i.b, TEMPORARY + 2);
    if (i.c.modifier) plain.c = modified(w, i.c, TEMPORARY + 4);
    i.inner(w, plain, lanes);
}

}  // namespace

void Decoder::finish(Handler handler) {
    if (!applies_modifiers_ && (out.a.modifier || out.b.modifier || out.c.modifier)) {
        out.inner = handler;
        out.run = run_modified;
    } else {
        out.run = handler;
    }
}

}  // namespace sass
