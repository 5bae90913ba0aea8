// Loads and stores of global and shared memory, and generic ones, whose addresses say which memory is meant.
#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "simt/clock/request.h"
#include "simt/instructions/memory/accesses.h"
#include "simt/instructions/memory/copies.h"
#include "simt/instructions/memory/distributed.h"
#include "simt/order/checker.h"

namespace sass {
namespace {

template <class Address>
bool consecutive(const Address* addresses, unsigned bytes) {
    Address other = 0;
    for (int l = 0; l < LANES; ++l) other |= addresses[l] - addresses[0] - Address(bytes) * Address(l);
    return other == 0;
}

// --- Addresses

void addresses_wide(Warp& w, const Instruction& i, U64* out) {
    const U *a = w.source(i.a), *b = w.source(i.b);
    const U64 offset = U64(i.offset);
    const bool pair_of_uniform = i.b.row != ZERO && !i.is_wide;
    if (i.is_wide) {
        const U64 uniform = i.b.row == ZERO ? 0 : U64(b[LANES]) << 32 | b[0];
        for (int l = 0; l < LANES; ++l) out[l] = wide(a, l) + uniform + offset;
    } else {
        const U64 uniform = pair_of_uniform ? U64(b[LANES]) << 32 | b[0] : 0;
        for (int l = 0; l < LANES; ++l) out[l] = a[l] + uniform + offset;
    }
}
// --- Global

void count_global(Warp& w, Footprint::Way way, const U64* addresses, U lanes, unsigned bytes, bool row) {
    if (clock::Request* const request = w.block->request)
        request->add(way == Footprint::read ? request->load : request->store, addresses, lanes, bytes);
    if (Footprint* const footprint = w.block->kernel->footprint.get()) {
        if (row)
            footprint->touch(way, addresses[0], addresses[31] + bytes - 1);
        else
            footprint->touch(way, addresses, lanes, bytes);
    }
    Tally& t = w.tally[w.pc];
    ++t.requests;
    t.request_lanes += __builtin_popcount(lanes);
    const std::int64_t sectors = row ? std::int64_t((addresses[31] + bytes - 1) / 32 - addresses[0] / 32 + 1)
                                     : sectors_of(addresses, lanes, bytes);
    t.sectors += sectors;
    if (!w.block->kernel->options.hints) return;
    const int active = __builtin_popcount(lanes);
    t.fewest += std::min(sectors, std::int64_t(active * int(bytes) + 31) / 32);
    t.global_lanes += active;
    if (active > 1) t.vote(row ? bytes : stride_of(addresses, lanes));
}

/// Of a word that an atomic on a part of it loads, the first half need be the program's; of words that
/// the compiler loads together, at the end of an array of elements of 12 bytes say, the first word.
unsigned checked_bytes(const Instruction& i) {
    return i.ordering.is_for_atomic ? 2 : i.ordering.is_merged ? 4 : i.bytes;
}

void load_global_at(Warp& w, const Instruction& i, const U64* addresses, U lanes) {
    check_global(addresses, lanes, checked_bytes(i));
    const bool row = lanes == ALL && consecutive(addresses, i.bytes);
    count_global(w, Footprint::read, addresses, lanes, i.bytes, row);
    w.block->polls |= i.is_strong;
    if (w.block->checks) w.block->checks->global(w, i, addresses, lanes, i.bytes, Use::read, nullptr);
    U* d = loaded(w, i);
    if (row && i.bytes == 4) {
        std::memcpy(d, reinterpret_cast<const void*>(addresses[0]), 4 * LANES);
        return;
    }
    for_lanes(lanes, [&](int l) {
        load_lane(d, l, reinterpret_cast<const std::uint8_t*>(addresses[l]), i.bytes, i.kind & SIGN);
    });
}
void store_global_at(Warp& w, const Instruction& i, const U64* addresses, U lanes) {
    check_global(addresses, lanes, i.bytes);
    const bool row = lanes == ALL && consecutive(addresses, i.bytes);
    count_global(w, Footprint::written, addresses, lanes, i.bytes, row);
    ++*w.block->progress;
    const U* s = stored(w, i);
    if (w.block->checks) w.block->checks->global(w, i, addresses, lanes, i.bytes, Use::write, s);
    if (row && i.bytes == 4) {
        std::memcpy(reinterpret_cast<void*>(addresses[0]), s, 4 * LANES);
        return;
    }
    for_lanes_as_stored(lanes, i.bytes, [&](int l) {
        store_lane(s, l, reinterpret_cast<std::uint8_t*>(addresses[l]), i.bytes);
    });
}
template <void access(Warp&, const Instruction&, const U64* addresses, U lanes)>
void at_wide(Warp& w, const Instruction& i, U lanes) {
    U64 addresses[LANES];
    addresses_wide(w, i, addresses);
    access(w, i, addresses, lanes);
}

// --- Shared

/// Checks and counts a request to shared memory. Returns whether it is for a row of words.
bool request_shared(Warp& w, const char* kind, const U* addresses, U lanes, unsigned bytes,
                    unsigned checked) {
    const Block& block = *w.block;
    const Span<U> span(addresses, lanes);
    check_shared(block, addresses, lanes, checked, span);
    Tally& t = w.tally[w.pc];
    ++t.requests;
    t.request_lanes += __builtin_popcount(lanes);
    const bool row =
        lanes == ALL && span.high - span.low == bytes * (LANES - 1) && consecutive(addresses, bytes);
    const bool one_pass = bytes <= 4 && span.high / 4 - span.low / 4 < 32;
    const Passes passes = one_pass ? Passes{1, 1} : passes_of(addresses, lanes, bytes, kind[0] == 's');
    t.passes += passes.taken;
    t.ideal += passes.ideal;
    if (block.kernel->options.hints) {
        const bool is_same = one_pass && span.low / 128 == (span.high + bytes - 1) / 128;
        t.padded += is_same ? 1 : padded_passes_of(addresses, lanes, bytes, kind[0] == 's');
        if ((lanes & (lanes - 1)) != 0) t.vote(row ? bytes : stride_of(addresses, lanes));
    }
    if (block.is_traced) record_access(w, kind, addresses, lanes, bytes);
    return row;
}

#ifdef __AVX2__
/// All lanes' words at base + addresses + 4 k, k = 0 .. words - 1, into as many rows.
void gather(U* d, const std::uint8_t* base, const U* addresses, unsigned words) {
    for (int l = 0; l < LANES; l += 8) {
        __m256i at = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(addresses + l));
        for (unsigned k = 0; k < words; ++k) {
            const __m256i words_there =
                _mm256_i32gather_epi32(reinterpret_cast<const int*>(base + 4 * k), at, 1);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(d + k * LANES + l), words_there);
        }
    }
}
#else
void gather(U* d, const std::uint8_t* base, const U* addresses, unsigned words) {
    for (int l = 0; l < LANES; ++l)
        for (unsigned k = 0; k < words; ++k)
            std::memcpy(&d[k * LANES + unsigned(l)], base + addresses[l] + 4 * k, 4);
}
#endif

void load_shared_at(Warp& w, const Instruction& i, const U* addresses, U lanes) {
    const bool row = request_shared(w, "load", addresses, lanes, i.bytes, checked_bytes(i));
    if (w.block->checks)
        w.block->checks->shared(w, i, *w.block, addresses, lanes, i.bytes, Use::read, nullptr);
    U* d = loaded(w, i);
    const std::uint8_t* shared = w.block->shared.data();
    if (row && i.bytes == 4) {
        std::memcpy(d, shared + addresses[0], 4 * LANES);
        return;
    }
    if (lanes == ALL && i.bytes >= 4) return gather(d, shared, addresses, i.bytes / 4);
    for_lanes(lanes, [&](int l) { load_lane(d, l, shared + addresses[l], i.bytes, i.kind & SIGN); });
}
void store_shared_at(Warp& w, const Instruction& i, const U* addresses, U lanes) {
    const bool row = request_shared(w, "store", addresses, lanes, i.bytes, i.bytes);
    const U* s = stored(w, i);
    if (w.block->checks) w.block->checks->shared(w, i, *w.block, addresses, lanes, i.bytes, Use::write, s);
    std::uint8_t* shared = w.block->shared.data();
    if (row && i.bytes == 4) {
        std::memcpy(shared + addresses[0], s, 4 * LANES);
        return;
    }
    w.block->copies->overwrite(addresses, lanes, i.bytes);
    for_lanes_as_stored(lanes, i.bytes, [&](int l) { store_lane(s, l, shared + addresses[l], i.bytes); });
}

// --- Generic: each lane's address says where it lies

template <class Global, class Shared, class Far, class Local>
void generic(Warp& w, const Instruction& i, U lanes, Global global, Shared shared, Far far, Local local) {
    U64 addresses[LANES];
    addresses_wide(w, i, addresses);
    U in_shared = 0, in_local = 0, narrow[LANES];
    for (int l = 0; l < LANES; ++l) {
        in_shared |= U(addresses[l] >> 32 == SHARED_WINDOW) << l;
        in_local |= U(addresses[l] >> 32 == LOCAL_WINDOW) << l;
        narrow[l] = U(addresses[l]);
    }
    if (const U g = lanes & ~in_shared & ~in_local) global(w, i, addresses, g);
    Tally& t = w.tally[w.pc];
    const auto apart = [&](std::int64_t& requests, auto access) {  // requests of their own kind
        const std::int64_t before = t.requests;
        access();
        requests += t.requests - before;
        t.requests = before;
    };
    if (const U s = lanes & in_shared)
        by_block(w, narrow, s, [&](Block& block, const U* offsets, U some) {
            apart(t.shared,
                  [&] { &block == w.block ? shared(w, i, offsets, some) : far(w, i, block, offsets, some); });
        });
    if (const U o = lanes & in_local) apart(t.local, [&] { local(w, i, narrow, o); });
}
void ld(Warp& w, const Instruction& i, U lanes) {
    generic(w, i, lanes, load_global_at, load_shared_at, load_far, load_local_at);
}

}  // namespace

void store_generic(Warp& w, const Instruction& i, U lanes) {
    generic(w, i, lanes, store_global_at, store_shared_at, store_far, store_local_at);
}

// --- Decoding

void take_width(Decoder& d) {
    Instruction& i = d.out;
    static const struct {
        const char* name;
        std::uint8_t bytes, kind;
    } NAMES[] = {{"U8", 1, ZEROS}, {"S8", 1, SIGN},    {"U16", 2, ZEROS}, {"S16", 2, SIGN},
                 {"64", 8, ZEROS}, {"128", 16, ZEROS}, {"32", 4, ZEROS}};
    for (const auto& each : NAMES)
        if (d.has(each.name)) i.bytes = each.bytes, i.kind = each.kind;
    if (d.has("STRONG") || d.has("MMIO")) i.is_strong = true;
    // Caches, scopes and evict policies do not change what is read; order is another chapter.
    d.ignore({"E",  "CONSTANT", "WEAK",    "GPU",     "SYS",     "CTA",  "SM", "LU",     "EF", "EL", "EN",
              "NA", "LTC64B",   "LTC128B", "LTC256B", "PRIVATE", "ENL2", "CI", "BYPASS", "U",  "CV"});
}

Handler load(Decoder& d, Handler handler) {
    take_width(d);
    if (d.out.bytes > 4 && d.out.d == NOWHERE) d.out.d = TEMPORARY + 6;
    return handler;
}
Handler store(Decoder& d, Handler handler) { return take_width(d), handler; }

Handler make_ldg(Decoder& d) { return load(d, at_wide<load_global_at>); }
Handler make_stg(Decoder& d) { return store(d, at_wide<store_global_at>); }
Handler make_ld(Decoder& d) { return load(d, ld); }
Handler make_st(Decoder& d) { return store(d, store_generic); }
Handler make_lds(Decoder& d) { return load(d, at_narrow<load_shared_at, true>); }
Handler make_sts(Decoder& d) { return store(d, at_narrow<store_shared_at, true>); }

}  // namespace sass
