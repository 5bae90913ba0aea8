#include "simt/instructions/tensor/fragments.h"

namespace sass::tensor {

Shape shape_of(Decoder& d) {
    static const struct {
        const char* name;
        Shape shape;
    } SHAPES[] = {{"1684", {16, 4}},     {"1688", {16, 8}},      {"16816", {16, 16}},   {"16832", {16, 32}},
                  {"16864", {16, 64}},   {"8816", {8, 16}},      {"8832", {8, 32}},     {"88128", {8, 128}},
                  {"168128", {16, 128}}, {"168256", {16, 256}},  {"8x8x4", {8, 4}},     {"884", {8, 4}},
                  {"16x8x4", {16, 4}},   {"16x8x8", {16, 8}},    {"16x8x16", {16, 16}}};
    for (const auto& each : SHAPES)
        if (d.has(each.name)) return each.shape;
    d.refuse("the shape of its matrices is not known");
}

void take_operands(Decoder& d, const Shape& shape, int bits, int bits_of_sums) {
    d.read("d a b c");
    const int b = shape.depth * bits / 128, each = shape.rows / COLUMNS;
    d.out.number = U(b * each | b << 8 | each * bits_of_sums / 16 << 16);
}

void need_warp(U lanes) {
    if (lanes != ALL)
        throw Fault{715, "a product of matrices by some lanes of a warp, which PTX leaves undefined",
                    __builtin_ctz(~lanes), "let all 32 threads of the warp execute it together"};
}

}  // namespace sass::tensor
