// Integer arithmetic: sums, products, dot products and differences of bytes.
#include <utility>

#include "simt/instructions/words.h"

namespace sass {
namespace {

WORD_OP(Add3, a + b + c)
WORD_OP(Add2, a + b)
WORD_OP(Add16x2, ((a + b) & 0xffff) | ((a & 0xffff0000) + (b & 0xffff0000)))
WORD_OP(Add8x4, ((a & 0x7f7f7f7f) + (b & 0x7f7f7f7f)) ^ ((a ^ b) & 0x80808080))
WORD_OP(MultiplyAdd, a* b + c)
WORD_OP(Absolute, S(b) < 0 ? 0u - b : b)

/// -x with a carry out counts as ~x + 1: what is borrowed shows in the carry.
void add3_with_carries(Warp& w, const Instruction& i, U lanes) {
    struct Term {
        const U* row;
        U flip, one;
    };
    const auto term = [&](Source s) {
        const U flip = s.modifier & (negate | invert) ? ALL : 0;
        return Term{w.source(s), flip, s.modifier & negate ? 1u : 0u};
    };
    const Term a = term(i.a), b = term(i.b), c = term(i.c);
    // With .X two predicates come in; kind says so.
    const U in1 = i.kind ? w.predicate(i.pa) : 0, in2 = i.kind ? w.predicate(i.pb) : 0;
    U once = 0, twice = 0, sum[LANES];
    for (int l = 0; l < LANES; ++l) {
        const U64 total = U64(a.row[l] ^ a.flip) + (b.row[l] ^ b.flip) + (c.row[l] ^ c.flip) + a.one + b.one +
                          c.one + (in1 >> l & 1) + (in2 >> l & 1);
        sum[l] = U(total);
        once |= U(total >> 32 >= 1) << l;
        twice |= U(total >> 32 >= 2) << l;
    }
    each(D, lanes, [&](int l) { return sum[l]; });
    w.set_predicate(i.p, lanes, once);
    w.set_predicate(i.q, lanes, twice);
}

void add3_wide(Warp& w, const Instruction& i, U lanes) {  // UIADD3.64
    const U *a = A, *b = B, *c = C;
    U64 sum[LANES];
    for (int l = 0; l < LANES; ++l) sum[l] = wide(a, l) + wide(b, l) + wide(c, l);
    each_wide(D, lanes, [&](int l) { return sum[l]; });
}

/// Of 64 bits; as add3_with_carries.
void add_wide(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B;
    const auto flip = [](Source s) { return s.modifier & (negate | invert) ? ~U64(0) : 0; };
    const U64 flip_a = flip(i.a), flip_b = flip(i.b);
    const int ones = (i.a.modifier & negate ? 1 : 0) + (i.b.modifier & negate ? 1 : 0);
    const U in = i.kind ? w.predicate(i.pa) : 0;
    U64 sum[LANES];
    U carry = 0;
    for (int l = 0; l < LANES; ++l) {
        const auto total = static_cast<unsigned __int128>(wide(a, l) ^ flip_a) + (wide(b, l) ^ flip_b) +
                           unsigned(ones) + (in >> l & 1);
        sum[l] = U64(total);
        carry |= U(total >> 64 & 1) << l;
    }
    each_wide(D, lanes, [&](int l) { return sum[l]; });
    w.set_predicate(i.p, lanes, carry);
}

void add_saturated(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B;
    const auto value = [](U word, Source s) { return s.modifier & negate ? -S64(S(word)) : S64(S(word)); };
    each(D, lanes, [&](int l) {
        return U(std::clamp<S64>(value(a[l], i.a) + value(b[l], i.b), INT32_MIN, INT32_MAX));
    });
}

// --- Multiplication

void imad_x(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B, *c = C;
    const U in = w.predicate(i.pa);
    each(D, lanes, [=](int l) { return a[l] * b[l] + c[l] + (in >> l & 1); });
}

/// 32 x 32 + 64 bits, the whole or its upper half. With a carry out, -c counts as ~c + 1: what is borrowed
/// shows in the carry, where c is 0, too.
template <bool SIGNED, bool UPPER>
void imad_wide(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B, *c = C;
    const bool no_c = is_zero(i.c);
    const U in = i.pa == (PT | INVERTED) ? 0 : w.predicate(i.pa);
    const U64 flip = i.p != NO_PREDICATE && i.c.modifier & (negate | invert) ? ~U64(0) : 0;
    const unsigned one = flip != 0 && i.c.modifier & negate ? 1 : 0;
    U64 sum[LANES];
    U carry = 0;
    if (no_c && in == 0 && i.p == NO_PREDICATE) {
        for (int l = 0; l < LANES; ++l) sum[l] = SIGNED ? U64(S64(S(a[l])) * S(b[l])) : U64(a[l]) * b[l];
    } else if (in == 0 && i.p == NO_PREDICATE) {
        for (int l = 0; l < LANES; ++l)
            sum[l] = (SIGNED ? U64(S64(S(a[l])) * S(b[l])) : U64(a[l]) * b[l]) + wide(c, l);
    } else {
        for (int l = 0; l < LANES; ++l) {
            const U64 product = SIGNED ? U64(S64(S(a[l])) * S(b[l])) : U64(a[l]) * b[l];
            const unsigned __int128 total = static_cast<unsigned __int128>(product) +
                                            ((no_c ? 0 : wide(c, l)) ^ flip) + one + (in >> l & 1);
            sum[l] = U64(total);
            carry |= U(total >> 64 & 1) << l;
        }
    }
    if (UPPER) {
        each(D, lanes, [&](int l) { return U(sum[l] >> 32); });
    } else {
        each_wide(D, lanes, [&](int l) { return sum[l]; });
    }
    w.set_predicate(i.p, lanes, carry);
}

// --- LEA

/// d = ((a, or the pair c:a, or a sign-extended) << shift, lower or upper half) + b + carry.
template <int FORM>
void lea(Warp& w, const Instruction& i,
         U lanes) {  // FORM: 0 lower, 1 upper of c:a, 2 upper of sign-extended a
    const U *a = A, *b = B, *c = C;
    const U shift = i.number, in = w.predicate(i.pa);
    const U flip = i.b.modifier & (negate | invert) ? ALL : 0, one = i.b.modifier & negate ? 1 : 0;
    const U flip_a = i.a.modifier & (negate | invert) ? ALL : 0, one_a = i.a.modifier & negate ? 1 : 0;
    U sum[LANES], carry = 0;
    for (int l = 0; l < LANES; ++l) {
        const U low = (a[l] ^ flip_a) + one_a;
        const U high = FORM == 1 ? c[l] : FORM == 2 ? U(S(low) >> 31) : 0;
        const U64 shifted = (U64(high) << 32 | low) << shift;
        // x - 0 carries, as x + ~0 + 1 does.
        const bool no_borrow = FORM == 0 && one_a != 0 && U(shifted) == 0;
        const U64 total = U64(FORM == 0 ? U(shifted) : U(shifted >> 32)) + (U64(no_borrow) << 32) +
                          (b[l] ^ flip) + one + (in >> l & 1);
        sum[l] = U(total);
        carry |= U(total >> 32 & 1) << l;
    }
    each(D, lanes, [&](int l) { return sum[l]; });
    w.set_predicate(i.p, lanes, carry);
}
void shift_add(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B;
    const U shift = i.number;
    each(D, lanes, [=](int l) { return (a[l] << shift) + b[l]; });
}

// --- Dot products of bytes

template <bool A_SIGNED, bool B_SIGNED>
void idp4a(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B, *c = C;
    each(D, lanes, [=](int l) {
        U sum = c[l];
        for (int k = 0; k < 4; ++k) {
            const S x = A_SIGNED ? S(std::int8_t(a[l] >> 8 * k)) : S(a[l] >> 8 * k & 255);
            const S y = B_SIGNED ? S(std::int8_t(b[l] >> 8 * k)) : S(b[l] >> 8 * k & 255);
            sum += U(x * y);
        }
        return sum;
    });
}
template <bool A_SIGNED, bool B_SIGNED>
void idp2a(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B, *c = C;
    each(D, lanes, [=](int l) {
        U sum = c[l];
        for (int k = 0; k < 2; ++k) {
            const S x = A_SIGNED ? S(std::int16_t(a[l] >> 16 * k)) : S(a[l] >> 16 * k & 0xffff);
            const U byte = b[l] >> 8 * (k + 2 * i.kind);
            const S y = B_SIGNED ? S(std::int8_t(byte)) : S(byte & 255);
            sum += U(x * y);
        }
        return sum;
    });
}

void vabsdiff(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B, *c = C;
    const bool is_unsigned = i.kind & 1;
    each(D, lanes, [=](int l) {
        const bool less = is_unsigned ? a[l] < b[l] : S(a[l]) < S(b[l]);
        return (less ? b[l] - a[l] : a[l] - b[l]) + c[l];
    });
}

/// The sum of the absolute differences of four bytes, and c.
void vabsdiff4(Warp& w, const Instruction& i, U lanes) {
    const U *a = A, *b = B, *c = C;
    const bool is_signed = i.kind & 1, sums = i.kind & 2;
    each(D, lanes, [=](int l) {
        U sum = c[l], packed = 0;
        for (int k = 0; k < 4; ++k) {
            const U x = a[l] >> 8 * k & 255, y = b[l] >> 8 * k & 255;
            const S difference = is_signed ? S(std::int8_t(x)) - S(std::int8_t(y)) : S(x) - S(y);
            const U magnitude = U(difference < 0 ? -difference : difference);
            sum += magnitude;
            packed |= (magnitude & 255) << 8 * k;
        }
        return sums ? sum : packed;
    });
}

}  // namespace

// --- Decoding

Handler make_iadd3(Decoder& d) {
    Instruction& i = d.out;
    i.kind = d.has("X");
    const bool is_wide = d.has("64");
    if (is_wide && (i.kind || i.p != NO_PREDICATE || i.q != NO_PREDICATE)) d.refuse("carry");
    if (is_wide) return add3_wide;
    const bool carries = i.kind || i.p != NO_PREDICATE || i.q != NO_PREDICATE;
    return carries ? d.with_modifiers(add3_with_carries) : word_op<Add3>;
}
Handler make_iadd(Decoder& d) {
    const bool is_wide = d.has("64");
    d.out.kind = d.has("X");
    if (is_wide) return d.with_modifiers(add_wide);
    if (d.out.kind || d.out.p != NO_PREDICATE) d.refuse("carry");
    return word_op<Add2>;
}
Handler make_viadd(Decoder& d) {
    if (d.has("ISAT")) return d.ignore({"S32"}), d.with_modifiers(add_saturated);
    if (d.flags({"U8x4", "S8x4"}) != 0) return word_op<Add8x4>;
    return d.has("16x2") ? word_op<Add16x2> : word_op<Add2>;
}
Handler make_mov(Decoder& d) {
    d.ignore({"SPILL"});
    return d.has("64") ? move_wide : word_op<Move>;
}
/// Rpc keeps what there is no register for, from sm_100 on: RPCMOV.32 Rpc.LO, R2.
Handler make_rpcmov(Decoder& d) {
    d.ignore({"32"});
    const auto row = [&] {
        const std::string& name =
            d.operand(d.operand(0).text[0] == 'R' && d.operand(0).text[1] == 'p' ? 0 : 1).text;
        if (name != "Rpc.LO" && name != "Rpc.HI") d.refuse("register " + name);
        return std::uint16_t(RPC + (name == "Rpc.HI"));
    }();
    if (d.operand(0).kind == Operand::reg) {
        d.read("d");
        d.take();
        d.out.b.row = row;
    } else {
        d.take();
        d.read("b");
        d.out.d = row;
    }
    return word_op<Move>;
}
Handler make_imad(Decoder& d) {
    Instruction& i = d.out;
    const bool is_unsigned = d.has("U32"), x = d.has("X");
    d.ignore({"MOV", "IADD", "SHL"});
    if (d.has("WIDE")) {
        const Handler handler = is_unsigned ? imad_wide<false, false> : imad_wide<true, false>;
        const bool borrows = i.p != NO_PREDICATE && i.c.modifier != 0;
        if (borrows && (i.a.modifier != 0 || i.b.modifier != 0)) d.refuse("carry");
        return borrows ? d.with_modifiers(handler) : handler;
    }
    if (d.has("HI")) return is_unsigned ? imad_wide<false, true> : imad_wide<true, true>;
    if (x) return imad_x;
    const std::uint32_t* const factor = d.value_of(i.b);
    if (factor != nullptr && *factor == 1 && is_zero(i.c) && i.a.modifier == 0)
        i.b = std::exchange(i.a, Source());  // IMAD.MOV R0, R4, 0x1, RZ
    else if (is_zero(i.a) && i.a.modifier == 0)
        i.b = std::exchange(i.c, Source());  // IMAD.MOV R0, RZ, RZ, R4
    else
        return word_op<MultiplyAdd>;
    return word_op<Move>;
}
Handler make_lea(Decoder& d) {
    Instruction& i = d.out;
    const bool high = d.has("HI"), x = d.has("X"), extended = d.has("SX32");
    i.number &= 31;
    if (high) return d.with_modifiers(extended ? lea<2> : lea<1>);
    return i.p == NO_PREDICATE && !x ? shift_add : d.with_modifiers(lea<0>);
}
Handler make_iabs(Decoder&) { return word_op<Absolute>; }
Handler make_idp(Decoder& d) {
    static constexpr Handler FOUR[2][2] = {{idp4a<false, false>, idp4a<false, true>},
                                           {idp4a<true, false>, idp4a<true, true>}};
    static constexpr Handler TWO[2][2] = {{idp2a<false, false>, idp2a<false, true>},
                                          {idp2a<true, false>, idp2a<true, true>}};
    bool is_signed[2] = {true, true};
    int at = 0;
    for (const std::string& name : d.modifiers())  // .S16.U8: of a, of b
        if (at < 2 && (name[0] == 'S' || name[0] == 'U')) is_signed[at++] = name[0] == 'S';
    d.ignore({"4A", "S8", "U8", "LO", "S16", "U16"});
    d.out.kind = d.has("HI");
    return (d.has("2A") ? TWO : FOUR)[is_signed[0]][is_signed[1]];
}
Handler make_vabsdiff(Decoder& d) {
    d.out.kind = d.has("U32");
    return vabsdiff;
}
Handler make_vabsdiff4(Decoder& d) {
    d.ignore({"U8"});
    d.out.kind = d.flags({"S8", "ACC"});
    return vabsdiff4;
}

}  // namespace sass
