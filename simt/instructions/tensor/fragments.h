// Matrices as the lanes of a warp hold them. Source: PTX ISA, "Matrix Fragments for mma".
//
// A fragment of A has a register for every eight rows and every 128 bits of a row: register r of lane 4 g + t
// holds, of row g + 8 (r % 2), the t-th word of those bits. Of B, whose columns are held as rows of A are,
// there are eight columns; of C and D, lane 4 g + t holds columns 2 t and 2 t + 1 of rows g and g + 8.
#pragma once
#include "simt/instructions/words.h"

namespace sass::tensor {

constexpr int COLUMNS = 8;

/// The shape of a product: D (M x 8) = A (M x K) B (K x 8) + C.
struct Shape {
    int rows;   ///< M: 8 or 16
    int depth;  ///< K
};

/// How many registers the fragments have, C as many as D. Kept in Instruction::number.
struct Registers {
    int a, b, d;
    static Registers of(const Instruction& i) {
        return {int(i.number & 255), int(i.number >> 8 & 255), int(i.number >> 16)};
    }
};

/// Where the numbers of a sparse A stand, of which of every four two are there; of tf32, of every two one.
/// Kept in Instruction::offset.
struct Sparsity {
    std::uint16_t row;  ///< the register that says so
    int selector;       ///< and the lanes of every four whose words count
    static Sparsity of(const Instruction& i) { return {std::uint16_t(i.offset), int(i.offset >> 16)}; }
};

/// The shape that a modifier names: 16816, 168256, 16x8x16. Refuses what it is not.
Shape shape_of(Decoder& d);
/// Reads the operands, of elements with so many bits. True: A is sparse.
bool take_operands(Decoder& d, const Shape& shape, int bits, int bits_of_sums);

/// Columns of the numbers of a row of a sparse A, which has `depth` columns: of every `chunk` of them half
/// are there.
void columns_of(Warp& w, const Instruction& i, int row, int depth, int chunk, int bits, int* columns);

/// A product takes all lanes: throws a fault of the program if they are not there.
void need_warp(U lanes);

/// Rows of a register operand. RZ has four rows of zeros, whatever is read of it.
class Rows {
   public:
    Rows(Warp& w, const Source& s) : first_(w.source(s)), zeros_(is_zero(s)) {}
    const U* operator[](int k) const { return first_ + (zeros_ ? 0 : k * LANES); }

   private:
    const U* first_;
    bool zeros_;
};

/// Results in the registers of D: rows that nobody reads if that is RZ.
class Results {
   public:
    Results(Warp& w, const Instruction& i) : first_(i.d == NOWHERE ? nowhere_ : w.row(i.d)) {}
    U* operator[](int k) { return first_ + (first_ == nowhere_ ? 0 : k * LANES); }

   private:
    U nowhere_[LANES];
    U* first_;
};

}  // namespace sass::tensor
