// What texture and surface instructions have in common.
#pragma once
#include "simt/instructions/words.h"
#include "simt/run/launch.h"
#include "simt/texture/texture.h"

namespace sass {

/// The object that the instruction names by its uniform register c. Null: there is none, or it cannot be read
/// so; a GPU then gives zeros. `can`: why the machine cannot say what a GPU gives, or whether it is zero.
enum class Fit : std::uint8_t { good, zeros, unknown };
const Texture* object_of(Warp& w, const Instruction& i, U lanes, Fit fit(const Texture&, std::uint8_t how));

/// Reads the handle's operand and the 0x0 after it, into out.c.
void take_handle(Decoder& d);

/// Lets the checks see a read of `bytes` at each lane's address, and checks that it is allocated.
void read_elements(Warp& w, const Instruction& i, const U64* addresses, U lanes, unsigned bytes);

}  // namespace sass
