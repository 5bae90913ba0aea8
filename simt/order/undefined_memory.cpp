// Undefined bits in memory: where they come from, and where they go. See undefined.h.
#include <algorithm>

#include "simt/instructions/tensor/matrices.h"
#include "simt/order/checker.h"
#include "simt/run/lanes.h"

namespace sass {
namespace {

using Number = Undefined::Number;

/// Of a word, by its bytes.
U bits_of_bytes(U bytes) {
    U bits = 0;
    for (int k = 0; k < 4; ++k) bits |= bytes >> k & 1 ? 0xffu << 8 * k : 0;
    return bits;
}
/// Are all bits of each byte set, or none?
bool is_of_bytes(U bits) {
    for (int k = 0; k < 4; ++k)
        if (const U byte = bits >> 8 * k & 0xff; byte != 0 && byte != 0xff) return false;
    return true;
}
/// What a load of less than a word makes of the bits of its bytes.
U extended(U bits, unsigned bytes, bool is_signed) {
    if (bytes >= 4) return bits;
    const U mask = bytes == 1 ? 0xff : 0xffff;
    const bool has_sign = (bits >> (8 * bytes - 1) & 1) != 0;
    return (bits & mask) | (is_signed && has_sign ? ~mask : 0);
}

}  // namespace

void Checks::note_unwritten(Warp& w, const Instruction& i, const Chunk& chunk) {
    Undefined& u = w.undefined;
    const Number from =
        u.origin(w.pc, chunk.is_shared ? Undefined::Origin::shared : Undefined::Origin::global);
    Undefined::Origin& origin = u.at(from);
    const unsigned words = std::max(1u, chunk.element / 4);
    U bits[4][LANES] = {}, lanes = 0;
    for_lanes(chunk.lanes, [&](int l) {
        const U64 offset = chunk.offset + (chunk.is_row ? unsigned(l - chunk.lane) * chunk.element : 0);
        if (chunk.written->has(offset, chunk.element)) return;
        bool may_be_padding = chunk.written->any(offset, chunk.element), is_in_hole = false;
        U64 first = ~0ull;
        for (unsigned k = 0; k < words; ++k) {
            U bytes = 0;
            for (unsigned b = 0; b < std::min(4u, chunk.element); ++b)
                bytes |= U(!chunk.written->has(offset + 4 * k + b, 1)) << b;
            if (bytes == 0) continue;
            first = std::min<U64>(first, offset + 4 * k + unsigned(__builtin_ctz(bytes)));
            is_in_hole |= is_padding(chunk, offset + 4 * k);
            bits[k][l] = extended(bits_of_bytes(bytes), chunk.element, i.kind & 1);
        }
        may_be_padding |= is_in_hole && is_of_struct(w.pc);
        lanes |= 1u << l;
        origin.site[l] = w.site(l);
        origin.address[l] = chunk.base + first;
        origin.in_hole = (origin.in_hole & ~(1u << l)) | U(is_in_hole) << l;
        origin.may_be_padding = (origin.may_be_padding & ~(1u << l)) | U(may_be_padding) << l;
    });
    origin.lanes |= lanes;
    for (unsigned k = 0; k < words; ++k) u.set(std::uint16_t(i.d + k), lanes, bits[k], from);
}

/// Padding is copied, and anything to shared memory, as elements of a tile that is not full: the copy
/// counts as never written.
void Checks::note_stored(Warp& w, const Instruction& i, const Chunk& chunk) {
    Undefined& u = w.undefined;
    for_lanes(chunk.lanes, [&](int l) {
        const U64 offset = chunk.offset + (chunk.is_row ? unsigned(l - chunk.lane) * chunk.element : 0);
        for (unsigned at = 0; at < chunk.element; at += 4) {
            const U stored = chunk.element < 4 ? (1u << 8 * chunk.element) - 1 : ALL;
            const U bits = u.bits(i.c, int(at / 4), l) & stored;
            if (bits == 0) continue;
            const Source word{std::uint16_t(i.c.row + at / 4), 0, 0};
            const Number from = u.from(word, 1);
            // A matrix comes from the lanes that have loaded its rows.
            const U loaded = i.counted == Class::matrix_store ? ALL : 1u << l;
            const bool is_copy = from != 0 && (from & Undefined::COMPUTED) == 0;
            const bool is_staged =
                is_copy && chunk.is_shared && is_of_bytes(bits) && u.at(from).from != Undefined::Origin::lane;
            const auto padding = [&](const Undefined::Origin& of) {
                return of.may_be_padding | (chunk.element > 4 ? of.in_hole : 0);
            };
            if (!is_staged && !(is_copy && (padding(u.at(from)) & loaded))) {
                use(w, 1u << l, from);
                continue;
            }
            for (unsigned b = 0; b < 4; ++b)
                if ((bits >> 8 * b & 0xff) == 0xff) chunk.written->clear(offset + at + b, 1);
        }
    });
}

namespace {

/// Visits the words of local memory that an access touches: where each stands in Warp::local, and in it the
/// bits.
template <class Visit>
void each_local_word(const Warp& w, const Instruction& i, const U* addresses, U lanes, Visit visit) {
    const U size = w.block->kernel->local_bytes;
    const U mask = i.bytes == 1 ? 0xff : i.bytes == 2 ? 0xffff : ALL;
    for_lanes(lanes, [&](int l) {
        for (U k = 0; k < std::max(1u, i.bytes / 4u); ++k)
            if (const U address = addresses[l] + 4 * k; address < size)
                visit(l, int(k), address, std::size_t((size - 1 - address) / 4) * LANES + std::size_t(l),
                      8 * (address % 4), mask);
    });
}

}  // namespace

void Checks::local_store(Warp& w, const Instruction& i, const U* addresses, U lanes) {
    Undefined& u = w.undefined;
    const auto grow = [&](std::size_t to) {  // whole rows
        u.defined_locally.resize((to / LANES + 16) * LANES);
        u.from_locally.resize((to / LANES + 16) * LANES);
    };
    if (!u.any() && is_one_address(addresses, lanes)) {  // a row of words
        const int first = __builtin_ctz(lanes);
        each_local_word(w, i, addresses, lanes & -lanes, [&](int, int, U, std::size_t at, U shift, U mask) {
            if (at >= u.defined_locally.size()) grow(at);
            U* const row = &u.defined_locally[at] - first;
            each(row, lanes, [=](int l) { return row[l] | mask << shift; });
        });
        return;
    }
    each_local_word(w, i, addresses, lanes, [&](int l, int k, U, std::size_t at, U shift, U mask) {
        if (at >= u.defined_locally.size()) grow(at);
        const U bits = u.bits(i.c, k, l) & mask;
        U& word = u.defined_locally[at];
        word = (word & ~(mask << shift)) | (mask & ~bits) << shift;
        if (bits != 0) u.from_locally[at] = u.from({std::uint16_t(i.c.row + k), 0, 0}, 1);
    });
}

namespace {

/// A register that the compiler has put on the stack may be loaded whole though a part of it was stored.
bool is_of_program(const Instruction& i) {
    const auto ptx_has = [&](const char* part) {
        return i.line->ptx != nullptr && i.line->ptx->find(part) != std::string::npos;
    };
    bool is = ptx_has("ld.");
    for (const char* elsewhere : {"ld.global", "ld.shared", "ld.const", "ld.param"})
        is &= !ptx_has(elsewhere);
    return is;
}

}  // namespace

void Checks::local_load(Warp& w, const Instruction& i, const U* addresses, U lanes) {
    Undefined& u = w.undefined;
    U bits[4][LANES] = {}, some[4] = {};
    Number from[4] = {};
    const auto defined = [&](std::size_t at) {
        return at < u.defined_locally.size() ? u.defined_locally[at] : 0;
    };
    each_local_word(w, i, addresses, lanes, [&](int l, int k, U address, std::size_t at, U shift, U mask) {
        const U there = defined(at), missing = ~there >> shift & mask;
        const Number known = at < u.from_locally.size() ? u.from_locally[at] : Number(0);
        if (missing == 0 || (known == 0 && !is_of_program(i))) return;
        bits[k][l] = extended(missing, i.bytes, i.kind & 1);
        some[k] |= 1u << l;
        from[k] = known != 0 ? known : u.origin(w.pc, Undefined::Origin::local);
        if (known != 0) return;
        Undefined::Origin& origin = u.at(from[k]);
        origin.lanes |= 1u << l;
        origin.site[l] = w.site(l);
        const bool may_be_padding = there != 0 || (address % 8 >= 4 && defined(at + LANES) != 0);
        origin.may_be_padding = (origin.may_be_padding & ~(1u << l)) | U(may_be_padding) << l;
    });
    for (int k = 0; k < 4; ++k)
        if (some[k] != 0) u.set(std::uint16_t(i.d + k), some[k], bits[k], from[k]);
}

void Checks::matrices_loaded(Warp& w, const Instruction& i, std::uint16_t rows) {
    Undefined& u = w.undefined;
    const Source source{rows, 0, 0};
    const Number from = u.from(source, 4);
    if (from == 0) return;
    tensor::from_rows(
        int(i.number), i.kind, [&](int k, int l) { return u.bits(source, k, l); },
        [&](int m, const U* bits) { u.set(std::uint16_t(i.d + m), ALL, bits, from); });
    for (int k = 0; k < 4; ++k) u.define(std::uint16_t(rows + k), ALL);
}

void Checks::matrices_to_store(Warp& w, const Instruction& i, std::uint16_t rows) {
    Undefined& u = w.undefined;
    const Number from = u.from(i.c, int(i.number));
    if (from == 0) return;
    U bits[4][LANES] = {};
    tensor::to_rows(
        int(i.number), i.kind, [&](int m, int l) { return u.bits(i.c, m, l); },
        [&](int k, int l, U word) { bits[k][l] = word; });
    for (int k = 0; k < 4; ++k) u.set(std::uint16_t(rows + k), ALL, bits[k], from);
}

void Checks::shuffled(Warp& w, const Instruction& i, U lanes, const int* source, U absent) {
    Undefined& u = w.undefined;
    for (const Source* s : {&i.b, &i.c})
        if (const U bad = where([&](int l) { return u.bits(*s, 0, l) != 0; }) & lanes)
            use(w, bad, u.from(*s, 1));
    Number from = u.from(i.a, 1);
    U bits[LANES];
    for (int l = 0; l < LANES; ++l) bits[l] = absent >> l & 1 ? ALL : u.bits(i.a, 0, source[l]);
    if (absent != 0) {
        from = u.origin(w.pc, Undefined::Origin::lane);
        Undefined::Origin& origin = u.at(from);
        origin.lanes |= absent;
        for_lanes(absent, [&](int l) { origin.site[l] = w.site(l); });
    }
    u.set(i.d, lanes, bits, from);
    u.set_predicate(i.p, lanes, 0, 0);
}

}  // namespace sass
