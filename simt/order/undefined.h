// Which bits of a warp's registers nobody has set: they were loaded from memory that was never written.
//
// Such bits may be moved, masked out, not be chosen, and be copied: as the padding of a struct, or to shared
// memory. They are a finding where they decide something: an address, a branch, a vote, an atomic; or where
// they are stored elsewhere, or a value that is computed from them is. What the compiler loads for its own
// convenience, and the program then does not use, is none. The finding is at the load.
#pragma once
#include <bitset>
#include <cstdint>
#include <vector>

#include "simt/decode/decode.h"

namespace sass {

/// How the undefined bits of an instruction's sources become those of its result.
enum class Rule : std::uint8_t {
    computes,  ///< any bit of a source: all of the result
    moves,     ///< bits are copied, by the instruction's own handler
    places,    ///< the same, to other places, as b says
    adds,      ///< from the lowest bit on
    logic,
    logic_of_predicates,
    halves,    ///< each half apart
    packs,     ///< a into the upper half, b into the lower one
    converts,  ///< a part of a source
    compares,
    votes,
    gathers,     ///< from all lanes to all
    multiplies,  ///< matrices: an element of the result, from a row of A, a column of B and one of C
    transposes,  ///< MOVM: halves
    to_uniform,
    bits_of_predicates,
    predicates_of_bits,
    shuffles,
    loads,
    stores,
    atomic,
    controls,
};

/// An instruction's sources and result, in rows.
struct Flow {
    bool is_known = false;
    Rule rule = Rule::computes;
    std::uint8_t a = 1, b = 1, c = 1, d = 1;
    std::uint16_t places = ZERO;  ///< of the numbers of a sparse matrix: the row that has them
    std::uint32_t part = ~0u;  ///< of a source that is converted; of a product of matrices: bits of its sums
};
Flow flow_of(const Instruction& i);

class Undefined {
   public:
    /// A load by some lanes; or a shuffle, from lanes that do not take part.
    struct Origin {
        enum From : std::uint8_t { shared, global, local, lane } from = shared;
        std::uint32_t pc = 0, lanes = 0;
        std::uint32_t site[LANES] = {};
        std::uint64_t address[LANES] = {};
        std::uint32_t may_be_padding = 0;  ///< lanes
        std::uint32_t in_hole = 0;         ///< lanes: padding, too, if a part of a struct is stored
    };
    /// Of a row or predicate; 0: none. COMPUTED: no plain copy.
    using Number = std::uint16_t;
    static constexpr Number COMPUTED = 0x8000;

    void clear();
    bool any() const { return live_rows_ != 0 || live_predicates_ != 0; }
    bool touches(const Instruction& i, const Flow& flow) const;
    Number origin(std::uint32_t pc, Origin::From from);
    Origin& at(Number number) { return origins_[std::size_t(number & ~COMPUTED) - 1]; }

    /// Null if all bits of the row are defined.
    const std::uint32_t* row(const Source& s, int k = 0) const {
        const std::size_t row = std::size_t(s.row) + std::size_t(k);
        return s.of == 0 && live_[row] ? &bits_[row * LANES] : nullptr;
    }
    Number from(const Source& s, int rows) const;
    std::uint32_t bits(const Source& s, int k, int lane) const {
        const std::uint32_t* const there = row(s, k);
        return there == nullptr ? 0 : there[lane];
    }
    /// In these lanes.
    void set(std::uint16_t row, std::uint32_t lanes, const std::uint32_t* bits, Number from);
    void define(std::uint16_t row, std::uint32_t lanes);
    std::uint32_t predicate(std::uint8_t code) const { return predicates_[code & 31]; }
    Number from_predicate(std::uint8_t code) const { return from_predicates_[code & 31]; }
    void set_predicate(std::uint8_t index, std::uint32_t lanes, std::uint32_t undefined, Number from);

    // Local memory: 32 lanes a row, as Warp::local. What is not there has not been written.
    std::vector<std::uint32_t> defined_locally;
    std::vector<Number> from_locally;  ///< of what was stored without being defined

   private:
    std::vector<std::uint32_t> bits_;
    std::bitset<512> live_;
    std::uint32_t live_rows_ = 0, live_predicates_ = 0;
    std::vector<Number> from_;
    std::uint32_t predicates_[32] = {};
    Number from_predicates_[32] = {};
    std::vector<Origin> origins_;
};

}  // namespace sass
