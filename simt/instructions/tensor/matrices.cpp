// LDSM, STSM and MOVM: matrices of 8 x 8 halves, from and to shared memory, and transposed. Source: PTX ISA,
// "ldmatrix", "stmatrix", "movmatrix".
//
// Lanes 8 m to 8 m + 7 name the rows of matrix m; the addresses of others are not looked at. For the checks
// of memory these lanes access their rows, in four scratch registers, and the warp then exchanges the words.
#include "simt/instructions/tensor/matrices.h"

#include "simt/instructions/memory/accesses.h"
#include "simt/instructions/memory/copies.h"
#include "simt/instructions/tensor/fragments.h"
#include "simt/order/checker.h"

namespace sass {
namespace {

using tensor::ROW_BYTES;

constexpr std::uint16_t ROWS_OF_LANES = TEMPORARY + 6;

/// Checks and counts the request; returns the lanes that name rows.
U request(Warp& w, const Instruction& i, const U* addresses, const char* kind) {
    const U lanes = ALL >> (LANES - tensor::SIDE * int(i.number));
    check_shared(*w.block, addresses, lanes, ROW_BYTES);
    Tally& t = w.tally[w.pc];
    ++t.requests;
    t.request_lanes += __builtin_popcount(lanes);
    const Passes passes = matrix_passes_of(addresses, lanes);
    t.passes += passes.taken;
    t.ideal += passes.ideal;
    if (w.block->kernel->options.hints) {
        U padded[LANES];
        for (int l = 0; l < LANES; ++l) padded[l] = addresses[l] + addresses[l] / 128 * ROW_BYTES;
        t.padded += matrix_passes_of(padded, lanes).taken;
        t.vote(stride_of(addresses, lanes));
    }
    if (w.block->is_traced) record_access(w, kind, addresses, lanes, ROW_BYTES);
    return lanes;
}

void load_matrices(Warp& w, const Instruction& i, const U* addresses, U at_work) {
    tensor::need_warp(at_work);
    const U lanes = request(w, i, addresses, "load");
    if (Checks* const checks = w.block->checks) {
        Instruction rows = i;
        rows.d = ROWS_OF_LANES, rows.kind = 0;
        checks->shared(w, rows, *w.block, addresses, lanes, ROW_BYTES, Use::read, nullptr);
        if (w.undefined.any()) checks->matrices_loaded(w, i, rows.d);
    }
    const std::uint8_t* shared = w.block->shared.data();
    const auto word = [&](int k, int l) {
        U there;
        std::memcpy(&there, shared + addresses[l] + 4 * k, 4);
        return there;
    };
    U* const d = loaded(w, i);
    tensor::from_rows(int(i.number), i.kind, word,
                      [&](int m, const U* words) { std::memcpy(d + m * LANES, words, 4 * LANES); });
}

void store_matrices(Warp& w, const Instruction& i, const U* addresses, U at_work) {
    tensor::need_warp(at_work);
    const U lanes = request(w, i, addresses, "store");
    const U* const c = stored(w, i);
    U* const by_row = w.row(ROWS_OF_LANES);
    tensor::to_rows(
        int(i.number), i.kind, [&](int m, int l) { return c[m * LANES + l]; },
        [&](int k, int l, U word) { by_row[k * LANES + l] = word; });
    if (Checks* const checks = w.block->checks) {
        Instruction rows = i;
        rows.c = {ROWS_OF_LANES, 0, 0};
        if (w.undefined.any()) checks->matrices_to_store(w, i, ROWS_OF_LANES);
        checks->shared(w, rows, *w.block, addresses, lanes, ROW_BYTES, Use::write, by_row);
        for (int k = 0; k < 4; ++k) w.undefined.define(std::uint16_t(ROWS_OF_LANES + k), ALL);
    }
    w.block->copies->overwrite(addresses, lanes, ROW_BYTES);
    std::uint8_t* const shared = w.block->shared.data();
    for_lanes(lanes, [&](int l) { store_lane(by_row, l, shared + addresses[l], ROW_BYTES); });
}

void movm(Warp& w, const Instruction& i, U lanes) {
    tensor::need_warp(lanes);
    U words[LANES];
    std::memcpy(words, A, sizeof(words));
    tensor::transpose(words, D);
}

/// A matrix of 8 x 32 numbers of four bits, eight in a row in each lane, becomes one of bytes: lane 4 r + k
/// gets four of row r from column 4 k on, and four from column 16 + 4 k on. Found on sm_100, from products of
/// such matrices.
void widen(Warp& w, const Instruction& i, U lanes) {
    tensor::need_warp(lanes);
    U words[LANES];
    std::memcpy(words, A, sizeof(words));
    for (int half = 0; half < 2; ++half)
        for (int l = 0; l < LANES; ++l) {
            const U four = words[l / 4 * 4 + half * 2 + l % 4 / 2] >> l % 2 * 16;
            D[half * LANES + l] =
                (four & 0xf) | (four & 0xf0) << 4 | (four & 0xf00) << 8 | (four & 0xf000) << 12;
        }
}

void take_matrices(Decoder& d) {
    d.one_of({"16"}, "its elements have not 16 bits");
    d.out.kind = std::uint8_t(d.one_of({"M88", "MT88"}, "its matrices are not 8 x 8"));
    d.out.number = d.has("4") ? 4 : d.has("2") ? 2 : 1;
    d.out.bytes = ROW_BYTES;
}

}  // namespace

Handler make_ldsm(Decoder& d) {
    take_matrices(d);
    if (d.out.d == NOWHERE) d.out.d = ROWS_OF_LANES + 4;
    return at_narrow<load_matrices, true>;
}
Handler make_stsm(Decoder& d) {
    take_matrices(d);
    return at_narrow<store_matrices, true>;
}
Handler make_movm(Decoder& d) {
    if (d.has("U4TO8") && d.has("M832")) return widen;
    d.one_of({"16"}, "its elements have not 16 bits");
    d.one_of({"MT88"}, "it does not transpose a matrix of 8 x 8");
    return movm;
}

}  // namespace sass
