// Shifts, bits, permutations of bytes, and predicates as bits.
#include <array>
#include <utility>

#include "simt/instructions/words.h"

namespace sass {
namespace {

// --- Shifts

/// The funnel {c:a} shifted by b. kind: bit 0 right, 1 signed, 2 upper half, 3 wraps, 4 of 64 bits. A count
/// that does not wrap is clamped to 32 or, of 64 bits, to 64: nothing is left then (seen on an H200).
void shf(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B, *c = C;
    const bool right = i.kind & 1, is_signed = i.kind & 2, upper = i.kind & 4, wraps = i.kind & 8,
               full = i.kind & 16;
    each(D, lanes, [=](int l) {
        const U64 value = U64(c[l]) << 32 | a[l];
        const U most = full ? 64 : 32;
        const U by = wraps ? b[l] & (most - 1) : b[l] > most ? most : b[l];
        U64 shifted = 0;
        if (right && is_signed)
            shifted = U64(S64(value) >> (by > 63 ? 63 : by));
        else if (by < 64)
            shifted = right ? value >> by : value << by;
        return upper ? U(shifted >> 32) : U(shifted);
    });
}
/// The two shifts of a single word that make up nearly all, by a constant.
void shift_left(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B;
    each(D, lanes, [=](int l) { return b[l] > 31 ? 0 : a[l] << (b[l] & 31); });
}
void shift_right(Warp& w, const Instruction& i, U lanes) {
    const U *b = B, *c = C;
    each(D, lanes, [=](int l) { return b[l] > 31 ? 0 : c[l] >> (b[l] & 31); });
}

// --- Bits

/// One of the 16 functions of two bits: bit 2a + b of TABLE.
template <int TABLE>
U of_two(U a, U b) {
    switch (TABLE) {
        case 0: return 0;
        case 1: return ~(a | b);
        case 2: return ~a & b;
        case 3: return ~a;
        case 4: return a & ~b;
        case 5: return ~b;
        case 6: return a ^ b;
        case 7: return ~(a & b);
        case 8: return a & b;
        case 9: return ~(a ^ b);
        case 10: return b;
        case 11: return ~a | b;
        case 12: return a;
        case 13: return a | ~b;
        case 14: return a | b;
        default: return ALL;
    }
}
/// Of three: bit 4a + 2b + c of TABLE, by the functions of b and c where a is 0 and 1.
template <int TABLE>
U of_three(U a, U b, U c) {
    constexpr int ZERO = TABLE & 15, ONE = TABLE >> 4, CHANGES = ZERO ^ ONE;
    const U zero = of_two<ZERO>(b, c);
    if (CHANGES == 0) return zero;
    if (CHANGES == 15) return zero ^ a;
    if (ZERO == 0) return a & of_two<ONE>(b, c);
    if (ONE == 0) return ~a & zero;
    if (ZERO == 15) return ~a | of_two<ONE>(b, c);
    if (ONE == 15) return a | zero;
    return zero ^ (a & of_two<CHANGES>(b, c));
}
/// What all of them end with, compiled once.
void set_lop3(Warp& w, const Instruction& i, U lanes, const U* result) {
    each(D, lanes, [=](int l) { return result[l]; });
    if (i.p == NO_PREDICATE) return;
    const U nonzero = where([=](int l) { return result[l] != 0; }), in = w.predicate(i.pa);
    w.set_predicate(i.p, lanes, i.kind ? nonzero & in : nonzero | in);
}
template <int TABLE>
void lop3(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B, *c = C;
    U result[LANES];
#pragma GCC ivdep
    for (int l = 0; l < LANES; ++l) result[l] = of_three<TABLE>(a[l], b[l], c[l]);
    set_lop3(w, i, lanes, result);
}
template <int... TABLES>
constexpr std::array<Handler, sizeof...(TABLES)> lop3_handlers(std::integer_sequence<int, TABLES...>) {
    return {{lop3<TABLES>...}};
}
constexpr auto LOP3 = lop3_handlers(std::make_integer_sequence<int, 256>());

/// An input is a predicate or, if its bit in kind says so, the sign of a register: R0.SIGN, of sums that
/// saturate.
void plop3(Warp& w, const Instruction& i, U lanes) {
    const auto input = [&](int k, std::uint8_t predicate, Source source) {
        if (!(i.kind >> k & 1)) return w.predicate(predicate);
        const U* row = w.source(source);
        return where([=](int l) { return row[l] >> 31; });
    };
    const U a = input(0, i.pa, i.a), b = input(1, i.pb, i.b), c = input(2, i.pc, i.c);
    const auto look_up = [&](U table) {
        U r = 0;
        for (int k = 0; k < 8; ++k)
            if (table >> k & 1) r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
        return r;
    };
    const U first = look_up(i.number & 255), second = look_up(i.number >> 8);
    w.set_predicate(i.p, lanes, first);
    w.set_predicate(i.q, lanes, second);
}

U permuted(U a, U selector, U c) {
    const U64 bytes = U64(c) << 32 | a;
    U result = 0;
    for (int k = 0; k < 4; ++k) {
        const U nibble = selector >> 4 * k & 15;
        U byte = U(bytes >> 8 * (nibble & 7)) & 255;
        if (nibble & 8) byte = byte & 128 ? 255 : 0;
        result |= byte << 8 * k;
    }
    return result;
}
void prmt(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B, *c = C;
    each(D, lanes, [=](int l) { return permuted(a[l], b[l], c[l]); });
}
/// The other modes take two bits of the selector; they become a selector of the general form.
void prmt_mode(Warp& w, const Instruction& i, U lanes) {
    static constexpr U FORMS[6][4] = {{0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
                                      {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
                                      {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
    const U *a = A, *b = B, *c = C;
    each(D, lanes, [=](int l) { return permuted(a[l], FORMS[i.kind][b[l] & 3], c[l]); });
}

// --- Counting and masking

WORD_OP(Popcount, U(__builtin_popcount(b)))
U reversed(U x) {
    x = (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
    x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
    x = (x & 0x0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f);
    return __builtin_bswap32(x);
}
WORD_OP(Reverse, reversed(b))
WORD_OP(LeadingU, b == 0 ? ALL : U(31 - __builtin_clz(b)))
WORD_OP(LeadingS, (S(b) < 0 ? ~b : b) == 0 ? ALL : U(31 - __builtin_clz(S(b) < 0 ? ~b : b)))
WORD_OP(LeadingShiftU, b == 0 ? ALL : U(__builtin_clz(b)))
WORD_OP(LeadingShiftS, (S(b) < 0 ? ~b : b) == 0 ? ALL : U(__builtin_clz(S(b) < 0 ? ~b : b)))

U mask_of(U at, U count) {  // clamped
    const U64 ones = count >= 32 ? 0xffffffffull : (1ull << count) - 1;
    return at >= 32 ? 0 : U(ones << at);
}
WORD_OP(BitMask, mask_of(a, b))
WORD_OP(BitMaskWrap, mask_of(a & 31, b & 31))
U sign_extended(U a, U count) {
    return count == 0 ? 0 : count >= 32 ? a : U(S(a << (32 - count)) >> (32 - count));
}
WORD_OP(SignExtend, sign_extended(a, b))
WORD_OP(SignExtendWrap, sign_extended(a, b & 31))
WORD_OP(ZeroExtend, mask_of(0, b) & a)
WORD_OP(ZeroExtendWrap, mask_of(0, b & 31) & a)

// --- Predicates as bits

void p2r(Warp& w, const Instruction& i, U lanes) {
    const U* a = A;
    const U mask = i.number << i.kind;
    const int first = i.is_uniform ? 8 : 0;
    each(D, lanes, [&](int l) {
        U packed = 0;
        for (int k = 0; k < 7; ++k) packed |= (w.p[first + k] >> l & 1) << k;
        return (a[l] & ~mask) | (packed << i.kind & mask);
    });
}
void r2p(Warp& w, const Instruction& i, U lanes) {
    const U* a = A;
    const int first = i.is_uniform ? 8 : 0;
    for (int k = 0; k < 7; ++k) {
        if (!(i.number >> k & 1)) continue;
        w.set_predicate(std::uint8_t(first + k), lanes,
                        where([&](int l) { return a[l] >> (i.kind + k) & 1; }));
    }
}

}  // namespace

// --- Decoding

Handler make_shf(Decoder& d) {
    Instruction& i = d.out;
    d.one_of({"R", "L"}, "direction");
    d.ignore({"U32"});
    const bool u64 = d.has("U64"), s64 = d.has("S64"), s32 = d.has("S32");
    i.kind =
        std::uint8_t(d.has("R") | (s32 || s64) << 1 | d.has("HI") << 2 | d.has("W") << 3 | (u64 || s64) << 4);
    if (i.kind == 0 && is_zero(i.c)) return shift_left;
    if (i.kind == 5 && is_zero(i.a)) return shift_right;
    return shf;
}
Handler make_lop3(Decoder& d) {
    d.ignore({"LUT", "POR"});
    d.out.kind = d.has("PAND");
    return LOP3[d.out.number & 255];
}
Handler make_plop3(Decoder& d) {
    d.ignore({"LUT"});
    d.read("p q");
    const auto input = [&](int k, std::uint8_t& predicate, Source& source) {
        if (d.next_is_predicate()) return void(predicate = d.predicate_source());
        if (d.peek().suffix != "SIGN") d.refuse("input");
        d.out.kind |= std::uint8_t(1 << k);
        source = d.source(Decoder::logic);
    };
    input(0, d.out.pa, d.out.a);
    input(1, d.out.pb, d.out.b);
    input(2, d.out.pc, d.out.c);
    const U first = d.number() & 255, second = d.number() & 255;
    d.out.number = first | second << 8;
    return plop3;
}
Handler make_prmt(Decoder& d) {
    const int mode = d.one_of({"F4E", "B4E", "RC8", "ECL", "ECR", "RC16"});
    if (mode < 0) return prmt;
    d.out.kind = std::uint8_t(mode);
    return prmt_mode;
}
Handler make_popc(Decoder&) { return word_op<Popcount>; }
Handler make_brev(Decoder&) { return word_op<Reverse>; }
Handler make_flo(Decoder& d) {
    static constexpr Handler FORMS[] = {word_op<LeadingS>, word_op<LeadingU>, word_op<LeadingShiftS>,
                                        word_op<LeadingShiftU>};
    return FORMS[d.flags({"U32", "SH"})];
}
Handler make_bmsk(Decoder& d) {
    d.ignore({"C"});
    return d.has("W") ? word_op<BitMaskWrap> : word_op<BitMask>;
}
Handler make_sgxt(Decoder& d) {
    static constexpr Handler FORMS[] = {word_op<SignExtend>, word_op<ZeroExtend>, word_op<SignExtendWrap>,
                                        word_op<ZeroExtendWrap>};
    return FORMS[d.flags({"U32", "W"})];
}
Handler make_p2r(Decoder& d) {
    d.out.kind = std::uint8_t(8 * std::max(0, d.one_of({"B0", "B1", "B2", "B3"})));
    return p2r;
}
Handler make_r2p(Decoder& d) {  // R2P PR, R4.B1, 0x7f; UR2UP UPR, UR4, 0x7f
    const std::string& first = d.operand(0).text;
    const std::string& suffix = d.operand(first == "PR" || first == "UPR").suffix;
    if (suffix.size() == 2 && suffix[0] == 'B') d.out.kind = std::uint8_t(8 * (suffix[1] - '0'));
    return r2p;
}

}  // namespace sass
