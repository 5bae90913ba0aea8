// From coordinates to the elements that a fetch reads, and their weights.
#pragma once
#include "simt/texture/texture.h"

namespace sass {

/// Where a coordinate points along an axis: at an element, or with a linear filter between it and the next.
struct Along {
    std::int64_t element = 0;
    int fraction = 0;          ///< of 256, towards the next
    bool is_mirrored = false;  ///< elements are numbered from the other end
};

/// Found from an H200, to the bit: see there.
Along along(double coordinate, unsigned size, Outside outside, bool is_normalised, bool is_linear,
            bool is_centred = false);

/// What a lane's fetch reads: elements (x, y, z) and those after them, numbered x + 2 y + 4 z.
struct Texels {
    static constexpr int MOST = 8;
    std::uint64_t address[MOST] = {};  ///< 0: the border's colour
    std::uint8_t read = 0;             ///< a mask of those that have a share, be it rounded to 0
    std::uint16_t weight[MOST] = {};   ///< of 256 in all
};

/// A coordinate for each of the texture's dimensions, and the layer or slice.
struct Coordinates {
    double of[3] = {};
    bool is_centred = false;  ///< from -1 to 1, as on a face of a cube
    unsigned layer = 0;
};
Texels texels_of(const Texture& texture, const Coordinates& at, bool is_linear);
/// The four of a plane between which the coordinates lie, whatever their weights.
Texels four_of(const Texture& texture, const Coordinates& at);

/// A direction on a cubemap becomes a face and coordinates on it.
Coordinates on_cube(float x, float y, float z, unsigned& face);

}  // namespace sass
