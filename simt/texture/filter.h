// What a fetch makes of the elements that it reads.
#pragma once
#include "simt/texture/coordinates.h"

namespace sass {

/// A channel of one element, as tex1Dfetch or the point filter gives it. `address` 0: the border's colour.
/// 0 if the format lacks the channel.
std::uint32_t element_of(const Texture& texture, std::uint64_t address, unsigned channel);

/// A channel, interpolated between the elements.
std::uint32_t filtered(const Texture& texture, const Texels& at, unsigned channel);

}  // namespace sass
