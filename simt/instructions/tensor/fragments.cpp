#include "simt/instructions/tensor/fragments.h"

namespace sass::tensor {

Shape shape_of(Decoder& d) {
    static const struct {
        const char* name;
        Shape shape;
    } SHAPES[] = {{"1684", {16, 4}},     {"1688", {16, 8}},     {"16816", {16, 16}},  {"16832", {16, 32}},
                  {"16864", {16, 64}},   {"8816", {8, 16}},     {"8832", {8, 32}},    {"88128", {8, 128}},
                  {"168128", {16, 128}}, {"168256", {16, 256}}, {"8x8x4", {8, 4}},    {"884", {8, 4}},
                  {"16x8x4", {16, 4}},   {"16x8x8", {16, 8}},   {"16x8x16", {16, 16}}};
    for (const auto& each : SHAPES)
        if (d.has(each.name)) return each.shape;
    d.refuse("the shape of its matrices is not known");
}

bool take_operands(Decoder& d, const Shape& shape, int bits, int bits_of_sums) {
    const bool is_sparse = d.has("SP");
    d.read("d a b c");
    const int b = shape.depth * bits / 128, each = shape.rows / COLUMNS;
    d.out.number = U(b * each / (is_sparse ? 2 : 1) | b << 8 | each * bits_of_sums / 16 << 16);
    if (!is_sparse) return false;
    const std::uint16_t row = d.source(Decoder::integer).row;
    d.out.offset = row | std::int64_t(d.number()) << 16;
    return true;
}

/// Two bits for each of two numbers of a chunk. Lanes 4 g to 4 g + 3 have those of rows g and g + 8, as many
/// of them as it takes; from the selector on. Source: PTX ISA, "Sparse matrix storage"; the order, an H200.
void columns_of(Warp& w, const Instruction& i, int row, int depth, int chunk, int bits, int* columns) {
    const Sparsity sparsity = Sparsity::of(i);
    const U* const words = w.row(sparsity.row) + row % 8 * 4;
    const int chunks = depth / chunk;  // four bits each
    for (int c = 0; c < chunks; ++c) {
        U four;
        if (chunks == 4) {
            four = words[sparsity.selector] >> (row / 8 * 16 + c * 4) & 15;
        } else if (chunks == 8) {
            four = bits == 8 ? words[2 * sparsity.selector + row / 8] >> c * 4 & 15
                             : words[2 * sparsity.selector + c / 4] >> (row / 8 * 16 + c % 4 * 4) & 15;
        } else {
            four = words[c / 8 * 2 + row / 8] >> c % 8 * 4 & 15;
        }
        if (chunk == 2) {
            columns[c] = 2 * c + int(four >> 3);
        } else {
            columns[2 * c] = 4 * c + int(four & 3);
            columns[2 * c + 1] = 4 * c + int(four >> 2);
        }
    }
}

void need_warp(U lanes) {
    if (lanes != ALL)
        throw Fault{715, "a product of matrices by some lanes of a warp, which PTX leaves undefined",
                    __builtin_ctz(~lanes), "let all 32 threads of the warp execute it together"};
}

}  // namespace sass::tensor
