// What texture and surface instructions have in common.
#pragma once
#include "simt/instructions/words.h"
#include "simt/run/launch.h"
#include "simt/texture/texture.h"

namespace sass {

/// The object that the instruction names by c. Null: there is none, or it cannot be read so; a GPU then gives
/// zeros. `can`: why the machine cannot say what a GPU gives, or whether it is zero.
enum class Fit : std::uint8_t { good, zeros, unknown };
const Texture* object_of(Warp& w, const Instruction& i, U lanes, Fit fit(const Texture&, std::uint8_t how));

/// Reads the handle's operand into out.c: a uniform register and 0x0; before sm_90 a register, or a bank of
/// constants and a word in it.
void take_handle(Decoder& d);

/// Lanes with one handle at a time: before sm_90 those of a warp may differ.
template <Handler ONE>
void by_handle(Warp& w, const Instruction& i, std::uint32_t lanes) {
    const std::uint32_t* const handles = w.source(i.c);
    do {
        const std::uint32_t first = handles[lanes != 0 ? __builtin_ctz(lanes) : 0];
        const std::uint32_t same = lanes & where([=](int l) { return handles[l] == first; });
        ONE(w, i, same);
        lanes &= ~same;
    } while (lanes != 0);
}

/// Lets the checks see a read of `bytes` at each lane's address, and checks that it is allocated.
void read_elements(Warp& w, const U64* addresses, U lanes, unsigned bytes);

}  // namespace sass
