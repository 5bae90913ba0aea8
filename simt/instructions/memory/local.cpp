// What only the thread itself writes, or nobody: local memory, whose words are rows as registers are, and
// constants.
#include "simt/clock/request.h"
#include "simt/instructions/memory/accesses.h"
#include "simt/order/checker.h"

namespace sass {
namespace {

constexpr int ILLEGAL_ADDRESS = 700, MISALIGNED = 716;

void note_local(Warp& w, const Instruction& i, const U* addresses, U lanes) {
    Tally& t = w.tally[w.pc];
    if (w.block->request) w.block->request->add_local(addresses, lanes, i.bytes);
    ++t.requests;
    t.request_lanes += __builtin_popcount(lanes);
    for_lanes(lanes, [&](int l) {
        if (addresses[l] % i.bytes != 0)
            throw Fault{MISALIGNED, "an access to local memory is misaligned", l};
    });
}

/// `stored` in its place in the word.
U merged(U word, U stored, U address, unsigned bytes) {
    const U mask = bytes == 1 ? 0xff : bytes == 2 ? 0xffff : ALL, shift = 8 * (address % 4);
    return (word & ~(mask << shift)) | (stored & mask) << shift;
}

}  // namespace

U& local_word(Warp& w, U address, int lane) {
    // Stacks grow downwards: rows are numbered from the end, and are there once they are used.
    const U bytes = w.block->kernel->local_bytes;
    if (address >= bytes)
        throw Fault{ILLEGAL_ADDRESS, "the thread's stack of " + std::to_string(bytes) + " bytes is exceeded",
                    lane};
    const std::size_t row = std::size_t((bytes - 1 - address) / 4) * LANES;
    if (row >= w.local.size()) w.local.resize(row + 16 * LANES);
    return w.local[row + std::size_t(lane)];
}

void load_local_at(Warp& w, const Instruction& i, const U* addresses, U lanes) {
    if (w.block->checks) w.block->checks->local_load(w, i, addresses, lanes);
    U* d = loaded(w, i);
    note_local(w, i, addresses, lanes);
    for_lanes(lanes, [&](int l) {
        const U address = addresses[l];
        if (i.bytes >= 4) {
            for (unsigned k = 0; k < i.bytes / 4; ++k)
                d[k * LANES + unsigned(l)] = local_word(w, address + 4 * k, l);
        } else {
            const U word = local_word(w, address, l) >> 8 * (address % 4);
            const std::uint8_t bytes[16] = {std::uint8_t(word), std::uint8_t(word >> 8)};
            load_lane(d, l, bytes, i.bytes, i.kind & SIGN);
        }
    });
}
void store_local_at(Warp& w, const Instruction& i, const U* addresses, U lanes) {
    if (w.block->checks) w.block->checks->local_store(w, i, addresses, lanes);
    const U* s = stored(w, i);
    note_local(w, i, addresses, lanes);
    const int first = __builtin_ctz(lanes);
    const bool is_one = is_one_address(addresses, lanes);  // then words of the lanes are a row
    for (U k = 0; k < std::max(1u, i.bytes / 4u); ++k, s += LANES) {
        if (is_one) {
            const U address = addresses[first] + 4 * k;
            U* const row = &local_word(w, address, first) - first;
            each(row, lanes, [=, bytes = i.bytes](int l) { return merged(row[l], s[l], address, bytes); });
        } else {
            for_lanes(lanes, [&](int l) {
                U& word = local_word(w, addresses[l] + 4 * k, l);
                word = merged(word, s[l], addresses[l], i.bytes);
            });
        }
    }
}

namespace {

// --- Constants

void ldc(Warp& w, const Instruction& i, U lanes) {
    const U* a = w.source(i.a);
    const U* b = w.source(i.b);
    U* d = loaded(w, i);
    const Kernel& kernel = *w.block->kernel;
    const Function& function = *kernel.code->function_of[w.pc];
    for_lanes(lanes, [&](int l) {
        load_lane(d, l, kernel.constant(int(i.number), a[l] + b[l] + U(i.offset), i.bytes, function), i.bytes,
                  i.kind & SIGN);
    });
}

}  // namespace

// --- Decoding

Handler make_ldl(Decoder& d) { return load(d, at_narrow<load_local_at>); }
Handler make_stl(Decoder& d) { return store(d, at_narrow<store_local_at>); }
Handler make_ldc(Decoder& d) {
    take_width(d);
    d.ignore({"IL", "IS", "ISL"});
    Instruction& i = d.out;
    const Operand& from = d.operand(1);
    const bool is_fixed = from.index == 255 && from.uniform_index == URZ;  // known when the launch begins
    if (is_fixed && (i.bytes == 4 || i.bytes == 8)) {
        d.read("d 64:wide b");
        return i.bytes == 8 ? move_wide : word_op<Move>;
    }
    if (from.kind != Operand::constant) d.refuse("constant " + from.text);
    d.read("d -?");
    i.a = {from.index == 255 ? ZERO : std::uint16_t(from.index), 0, 0};
    i.b = {from.uniform_index == URZ ? ZERO : std::uint16_t(UNIFORM + from.uniform_index), 0, 0};
    i.number = U(from.bank);
    i.offset = from.value;
    return ldc;
}

}  // namespace sass
