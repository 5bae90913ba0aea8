// Atomic operations: ATOMG and REDG on global memory, ATOMS on shared memory, ATOM on either. Lanes take
// turns, the lowest first.
#include <cstring>
#include <type_traits>

#include "simt/clock/request.h"
#include "simt/decode/decode.h"
#include "simt/instructions/arithmetic/half.h"
#include "simt/instructions/arithmetic/reals.h"
#include "simt/instructions/memory/copies.h"
#include "simt/instructions/memory/distributed.h"
#include "simt/order/checker.h"
#include "simt/run/lanes.h"
#include "simt/run/launch.h"

namespace sass {
namespace {

enum Operation : std::uint8_t { ADD, MIN, MAX, INC, DEC, AND, OR, XOR, EXCHANGE, COMPARE, ARRIVE };
enum Type : std::uint8_t { UNSIGNED, SIGNED, F32, F64, F16X2, BF16X2 };
// Instruction::kind: the operation, the type in bits 4-6; bit 7: the result says whether a comparison
// succeeded.

U halves_combined(U x, U y, int operation, bool bfloat) {
    U both = 0;
    for (int h = 0; h < 2; ++h) {
        const auto a = half_of(x, h, bfloat), b = half_of(y, h, bfloat);
        both |= U(half_bits(operation == ADD ? a + b : extreme(a, b, operation == MIN, 0), bfloat)) << 16 * h;
    }
    return both;
}

/// What the element becomes. X: its unsigned type.
template <class X>
X combined(X old, X operand, int operation, int type) {
    using S = std::conditional_t<sizeof(X) == 8, std::int64_t, std::int32_t>;
    if (type == F16X2 || type == BF16X2)
        return X(halves_combined(U(old), U(operand), operation, type == BF16X2));
    switch (operation) {
        case ADD:
            if (type == F32) {  // denormals are flushed, as the hardware's adder at memory does
                const float sum = flushed(flushed(f32(U(old))) + flushed(f32(U(operand))));
                return sum != sum ? 0x7fffffff : X(u32(sum));
            }
            if (type == F64) {  // a NaN comes through as it is, the operand's before the memory's
                const auto x = bits<double>(U64(old)), y = bits<double>(U64(operand)), sum = x + y;
                if (x != x || y != y) return y != y ? operand : old;
                return X(sum != sum ? 0xfff8000000000000 : bits<U64>(sum));
            }
            return old + operand;
        case MIN:
            return type == SIGNED ? (S(old) < S(operand) ? old : operand) : (old < operand ? old : operand);
        case MAX:
            return type == SIGNED ? (S(old) > S(operand) ? old : operand) : (old > operand ? old : operand);
        case INC: return old >= operand ? 0 : old + 1;
        case DEC: return old == 0 || old > operand ? operand : old - 1;
        case AND: return old & operand;
        case OR: return old | operand;
        case XOR: return old ^ operand;
        case ARRIVE: return X(arrived(U64(old)));
        default: return operand;
    }
}

/// The atomic of one element. Returns the old value; notes whether it has changed.
template <class X>
X apply(void* at, const Instruction& i, X operand, X swap, bool& changed) {
    auto* const element = static_cast<X*>(at);
    const int operation = i.kind & 15, type = i.kind >> 4 & 7;
    X old = operation == COMPARE ? operand : *const_cast<volatile X*>(element);
    for (;;) {
        const X next = operation == COMPARE ? swap : combined(old, operand, operation, type);
        const X seen = __sync_val_compare_and_swap(element, old, next);  // of 16 bytes, too
        if (seen == old) changed |= next != old;
        if (seen == old || operation == COMPARE) return seen;
        old = seen;
    }
}

/// A lane's element, in a row or in several that follow one another.
template <class X>
X element_at(const U* row, int l) {
    X element = row[l];
    for (unsigned k = 1; k < sizeof(X) / 4; ++k) element |= X(row[k * LANES + unsigned(l)]) << 32 * k;
    return element;
}

/// On one element of type X, or a vector of COUNT, each of them atomic by itself. host(lane): where they lie.
template <class X, unsigned COUNT, class Host>
void atomics_of(Warp& w, const Instruction& i, U lanes, Host host) {
    constexpr unsigned WORDS = sizeof(X) / 4;
    const bool compare = (i.kind & 15) == COMPARE, tells_success = i.kind & 128;
    const U *first = w.source(i.c), *second = first;
    // The value to compare with, then the value to store: registers of their own.
    if (compare) second = i.number == 255 ? w.source({}) : w.row(std::uint16_t(i.number));
    U old[COUNT * WORDS][LANES] = {};
    bool changed = false;  // a lock that is not got moves nothing
    U swapped = 0, lost = 0;
    for_lanes(lanes, [&](int l) {
        for (unsigned at = 0; at < COUNT * WORDS; at += WORDS) {
            const X operand = element_at<X>(first + at * LANES, l);
            const X swap = element_at<X>(second + at * LANES, l);
            X before = apply<X>(host(l) + 4 * at, i, operand, swap, changed);
            if (compare && w.block->request) {
                lost |= U(before != operand) << l;
                w.block->request->expected[l] = U64(operand), w.block->request->found[l] = U64(before);
            }
            if (tells_success) before = before == operand, swapped |= U(before) << l;
            for (unsigned k = 0; k < WORDS; ++k) old[at + k][l] = U(before >> 32 * k);
        }
    });
    if (compare && w.block->request) w.block->request->compared = lanes, w.block->request->lost = lost;
    w.block->polls |= compare;
    *w.block->progress += changed;
    for (unsigned k = 0; k < COUNT * WORDS; ++k)
        each(w.row(i.d) + k * LANES, lanes, [&](int l) { return old[k][l]; });
    w.set_predicate(i.p, lanes, tells_success ? swapped : ALL);
}
template <class Host>
void atomics(Warp& w, const Instruction& i, U lanes, Host host) {
    const int type = i.kind >> 4 & 7;
    if (i.bytes == 4) return atomics_of<U, 1>(w, i, lanes, host);
    if (type == F32 || type == F16X2 || type == BF16X2)
        return i.bytes == 8 ? atomics_of<U, 2>(w, i, lanes, host) : atomics_of<U, 4>(w, i, lanes, host);
    return i.bytes == 8 ? atomics_of<U64, 1>(w, i, lanes, host)
                        : atomics_of<unsigned __int128, 1>(w, i, lanes, host);
}

bool is_sum_of_floats(const Instruction& i) {
    const int type = i.kind >> 4 & 7;
    return (i.kind & 15) == ADD && (type == F32 || type == F64 || type == F16X2 || type == BF16X2);
}

/// An exchange need not know what it replaces.
Use use_of(const Instruction& i) {
    const int operation = i.kind & 15;
    return operation == EXCHANGE ? Use::exchange : operation == COMPARE ? Use::compare : Use::update;
}

/// Of an atomic on 2 bytes, which is one on the word that has them, only these need be the program's.
template <class Address, class Check>
void check_parts(Warp& w, const Instruction& i, U lanes, const Address* addresses, Check check) {
    if (i.ordering.which_half == NOWHERE) return check(addresses, unsigned(i.bytes));
    const U* const selector = w.row(i.ordering.which_half);
    Address halves[LANES] = {};
    for_lanes(lanes, [&](int l) { halves[l] = addresses[l] + half_offset(selector[l]); });
    check(halves, 2u);
}

void on_global(Warp& w, const Instruction& i, U lanes, const U64* addresses) {
    check_parts(w, i, lanes, addresses,
                [&](const U64* parts, unsigned bytes) { check_global(parts, lanes, bytes); });
    if (w.block->request) {
        w.block->request->add(clock::Request::atomic, addresses, lanes, i.bytes);
        w.block->request->adds_floats = is_sum_of_floats(i);
    }
    Tally& t = w.tally[w.pc];
    ++t.requests;
    t.request_lanes += __builtin_popcount(lanes);
    t.sectors += sectors_of(addresses, lanes, i.bytes);
    if (w.block->kernel->options.hints) t.words += distinct(addresses, lanes);
    if (Footprint* const footprint = w.block->kernel->footprint.get())
        for (const auto way : {Footprint::read, Footprint::written})
            footprint->touch(way, addresses, lanes, i.bytes);
    if (w.block->checks) w.block->checks->global(w, i, addresses, lanes, i.bytes, use_of(i), nullptr);
    atomics(w, i, lanes, [&](int l) { return reinterpret_cast<std::uint8_t*>(addresses[l]); });
}
/// Of a compare-and-swap that tells its success, at least.
int passes_of_swap(U lanes, unsigned bytes) {
    return 2 * int((__builtin_popcount(lanes) * bytes + 127) / 128);
}

void on_far(Warp& w, const Instruction& i, U lanes, Block& block, const U* addresses) {
    check_parts(w, i, lanes, addresses,
                [&](const U* parts, unsigned bytes) { check_far(block, parts, lanes, bytes); });
    reach(w, block, lanes, true);
    if (w.block->checks) w.block->checks->shared(w, i, block, addresses, lanes, i.bytes, use_of(i), nullptr);
    if (i.kind & 128) {  // of all requests to another block's memory that of ATOM.CAST alone takes wavefronts
        Tally& t = w.tally[w.pc];
        const int taken = passes_of_swap(lanes, i.bytes);
        t.passes += taken;
        t.ideal += taken;
    }
    // An H200 adds there as words what should be added as halves.
    Instruction done = i;
    if (i.bytes == 4 && (i.kind >> 4 & 7) >= F16X2) done.kind = std::uint8_t(i.kind & 143);
    atomics(w, done, lanes, [&](int l) { return block.shared.data() + addresses[l]; });
}

struct Turn {
    U lanes;
    int passes;
};
/// ATOMS.CAST is a compare-and-swap that may fail: at each bank the lowest lane has its turn, with words of 8
/// bytes in each half of the warp, and the others there are told that their word has changed. Returns those
/// that have their turn. Source: counters of an H200 (agreement/shared_sums.cu).
Turn turn_of(const U* addresses, U lanes, unsigned bytes) {
    const U banks = 128 / bytes, group = bytes == 8 ? 0xffffu : ALL;
    Turn turn = {0, 0};
    for (U part = group; part != 0; part = part == ALL ? 0 : part << 16) {
        U taken = 0;  // banks
        turn.passes += (lanes & part) != 0 ? 2 : 0;
        for_lanes(lanes & part, [&](int l) {
            const U bank = 1u << addresses[l] / bytes % banks;
            if (!(taken & bank)) turn.lanes |= 1u << l;
            taken |= bank;
        });
    }
    return turn;
}
void on_shared(Warp& w, const Instruction& i, U lanes, const U* addresses) {
    check_parts(w, i, lanes, addresses,
                [&](const U* parts, unsigned bytes) { check_shared(*w.block, parts, lanes, bytes); });
    Tally& t = w.tally[w.pc];
    const bool is_generic = i.counted == Class::global_atomic;  // its requests here are of their own kind
    ++(is_generic ? t.shared : t.requests);
    t.request_lanes += __builtin_popcount(lanes);
    Passes passes = atomic_passes_of(addresses, lanes, i.bytes,
                                     !is_generic && i.is_wide   ? AtomicKind::counts
                                     : (i.kind & 15) == COMPARE ? AtomicKind::compares
                                                                : AtomicKind::plain);
    if (i.kind & 128) {
        const Turn turn = turn_of(addresses, lanes, i.bytes);
        const U others = lanes & ~turn.lanes;
        passes = {turn.passes, passes_of_swap(lanes, i.bytes)};
        lanes = turn.lanes;
        for (int k = 0; k < i.bytes / 4; ++k) each(w.row(i.d) + k * LANES, others, [](int) { return 0; });
        w.set_predicate(i.p, others, 0);
    }
    if (w.block->checks)
        w.block->checks->shared(w, i, *w.block, addresses, lanes, i.bytes, use_of(i), nullptr);
    t.passes += passes.taken;
    t.ideal += passes.ideal;
    if (w.block->kernel->options.hints) t.padded += passes.taken, t.words += distinct(addresses, lanes);
    atomics(w, i, lanes, [&](int l) { return w.block->shared.data() + addresses[l]; });
}

void addresses_of(Warp& w, const Instruction& i, U64* addresses) {
    const U *a = w.source(i.a), *b = w.source(i.b);
    const U64 uniform = i.b.row == ZERO ? 0 : U64(b[LANES]) << 32 | b[0];
    for (int l = 0; l < LANES; ++l)
        addresses[l] = (i.is_wide ? wide(a, l) : i.a.row == ZERO ? 0 : a[l]) + uniform + U64(i.offset);
}
void atomg(Warp& w, const Instruction& i, U lanes) {
    U64 addresses[LANES];
    addresses_of(w, i, addresses);
    on_global(w, i, lanes, addresses);
}
void atoms(Warp& w, const Instruction& i, U lanes) {
    const U *a = w.source(i.a), *b = w.source(i.b);
    U addresses[LANES];
    for (int l = 0; l < LANES; ++l) addresses[l] = own_offset(w, a[l] * i.scale + b[l] + U(i.offset));
    on_shared(w, i, lanes, addresses);
}
/// At generic addresses. Without a predicate it is done wherever they lie. One with a predicate is not done
/// in local memory, and an exchange or comparison alone in shared memory; floats are not added in that of
/// another block. The predicate says so, and other instructions follow, which do it there.
void atom(Warp& w, const Instruction& i, U lanes) {
    U64 addresses[LANES];
    U narrow[LANES], in_shared = 0, in_local = 0;
    addresses_of(w, i, addresses);
    for (int l = 0; l < LANES; ++l) {
        narrow[l] = U(addresses[l]);
        in_shared |= U(addresses[l] >> 32 == SHARED_WINDOW) << l;
        in_local |= U(addresses[l] >> 32 == LOCAL_WINDOW) << l;
    }
    if (i.p != NO_PREDICATE) {
        const int operation = i.kind & 15, type = i.kind >> 4 & 7;
        const bool adds_floats = operation == ADD && (type == F32 || type == F64);
        const U own = in_shared & where([&](int l) { return own_offset(w, narrow[l]) <= OFFSET_BITS; });
        const U left_out = lanes & (in_local | (operation >= EXCHANGE ? 0 : adds_floats ? in_shared : own));
        w.set_predicate(i.p, left_out, 0);
        lanes &= ~left_out;
    }
    by_block(w, narrow, lanes & in_shared, [&](Block& block, const U* offsets, U some) {
        &block == w.block ? on_shared(w, i, some, offsets) : on_far(w, i, some, block, offsets);
    });
    if (lanes & ~in_shared) on_global(w, i, lanes & ~in_shared, addresses);
}

/// kind: the letter of the space; S is the block's own shared memory, D all of its cluster's.
void qspc(Warp& w, const Instruction& i, U lanes) {
    U64 addresses[LANES];
    addresses_of(w, i, addresses);
    const auto is_within = [&](int l) {
        const U64 window = addresses[l] >> 32;
        const bool shared = window == SHARED_WINDOW, local = window == LOCAL_WINDOW;
        const bool own = shared && own_offset(w, U(addresses[l])) <= OFFSET_BITS;
        return i.kind == 'S'   ? own
               : i.kind == 'D' ? shared
               : i.kind == 'L' ? local
                               : i.kind == 'G' && !shared && !local;
    };
    w.set_predicate(i.p, lanes, where(is_within));
}

}  // namespace

// --- Decoding

Handler make_atomic(Decoder& d) {
    Instruction& i = d.out;
    const std::string& name = d.base();
    const bool shared = name == "ATOMS", cast = d.has("CAST"), counts = d.has("POPC");
    int operation =
        d.one_of({"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR", "EXCH", "CAS", "ARRIVE"});
    if (cast) operation = COMPARE;
    if (operation < 0) d.refuse("operation");
    if (counts) operation = ADD;  // ATOMS.POPC.INC.32 adds one for each lane
    int type = d.has("S32") || d.has("S64") ? SIGNED : UNSIGNED;
    if (d.has("64") || d.has("S64") || d.has("U64")) i.bytes = 8;
    if (d.has("128")) i.bytes = 16;
    static const struct {
        const char* name;
        Type type;
        std::uint8_t bytes;
    } FLOATS[] = {{"F32", F32, 4},       {"F32x2", F32, 8},     {"F32x4", F32, 16},   {"F64", F64, 8},
                  {"F16x2", F16X2, 4},   {"F16x4", F16X2, 8},   {"F16x8", F16X2, 16}, {"BF16x2", BF16X2, 4},
                  {"BF16x4", BF16X2, 8}, {"BF16x8", BF16X2, 16}};
    for (const auto& each : FLOATS)
        if (d.has(each.name)) type = each.type, i.bytes = each.bytes;
    if ((type == F16X2 || type == BF16X2) && operation > MAX) d.refuse("operation on halves");
    if (d.has("128") && operation < EXCHANGE) d.refuse("operation on 128 bits");
    d.ignore({"E", "STRONG", "GPU", "SYS", "SM", "CTA", "U32", "32", "SPIN", "FTZ", "RN"});
    i.kind = std::uint8_t(operation | type << 4 | (cast ? 128 : 0));
    d.read(name[0] == 'A' ? "p? d? @" : "@");
    if (i.d == NOWHERE) i.d = TEMPORARY + 6;
    if (shared) i.is_wide = counts;
    i.c = counts || operation == ARRIVE ? d.immediate_row(1) : d.source(Decoder::integer);
    i.number = 255;
    if (operation == COMPARE) {
        const Operand& swap = d.take();
        if (swap.kind != Operand::reg) d.refuse("operand " + swap.text);
        i.number = U(swap.index);
    }
    return shared ? atoms : name == "ATOM" ? atom : atomg;
}
Handler make_qspc(Decoder& d) {
    d.ignore({"E"});
    d.out.kind = std::uint8_t("SLGD"[d.one_of({"S", "L", "G", "D"}, "space")]);
    return qspc;
}

}  // namespace sass
