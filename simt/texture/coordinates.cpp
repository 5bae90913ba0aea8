#include "simt/texture/coordinates.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace sass {
namespace {

constexpr int WHOLE = 256;
/// Normalised coordinates are cut to 21 bits of fraction; of textures with more than so many elements along
/// the axis, to one or two more. Found from an H200, at 28 sizes.
constexpr unsigned LARGE = 1 << 13, LARGER = 1 << 16;

/// Coordinates and weights have 8 bits of fraction. Source: CUDA C++ Programming Guide, texture fetching;
/// that halves are rounded up was found from an H200.
void between(double position, Along& place) {
    const auto rounded = std::int64_t(std::floor((position - 0.5) * WHOLE + 0.5));
    place.element = rounded >> 8;
    place.fraction = int(rounded & (WHOLE - 1));
}

/// What is outside is moved to the edge.
bool stays(Outside outside, bool is_normalised) {
    const bool repeats = outside != Outside::clamp && is_normalised;
    return outside != Outside::border && !repeats;
}

/// An element that may lie outside. -1: the border's colour instead.
std::int64_t inside(std::int64_t element, unsigned size, Outside outside, bool is_normalised) {
    const std::int64_t last = std::int64_t(size) - 1;
    if (element >= 0 && element <= last) return element;
    if (outside == Outside::border) return -1;
    if (outside == Outside::wrap && is_normalised) return element < 0 ? last : 0;
    return std::clamp<std::int64_t>(element, 0, last);
}

/// Products of weights are rounded to 8 bits, halves up; what is left goes to the other texel of a pair. In
/// this order the texels' weights are an H200's: x by z, then by y.
int product(int a, int b) { return (a * b + WHOLE / 2) / WHOLE; }

void weigh(std::uint16_t* weight, int x, int y, int z) {
    for (int plane = 0; plane < 2; ++plane) {
        const int of_plane = plane == 0 ? WHOLE - z : z;
        const int right = product(x, of_plane), left = of_plane - right;
        std::uint16_t* const w = weight + 4 * plane;
        w[0] = std::uint16_t(product(left, WHOLE - y));
        w[2] = std::uint16_t(left - w[0]);
        w[3] = std::uint16_t(product(right, y));
        w[1] = std::uint16_t(right - w[3]);
    }
}

}  // namespace

Along along(double coordinate, unsigned size, Outside outside, bool is_normalised, bool is_linear,
            bool is_centred) {
    const double scale = is_centred ? 0.5 : 1;
    double c = std::isnan(coordinate) || std::fabs(coordinate) < double(FLT_MIN) ? 0 : coordinate;
    Along place;
    if (is_normalised) {
        const double unit = 1 << (21 + (size > LARGE) + (size > LARGER));
        const bool repeats = outside == Outside::wrap || outside == Outside::mirror;
        const double from_centre = std::floor(std::clamp(c, -1e30, 1e30) * unit * scale);
        const double units = repeats && std::isinf(c) ? 0 : from_centre + (is_centred ? unit / 2 : 0);
        const double whole = repeats ? std::floor(units / unit) : 0;
        place.is_mirrored = outside == Outside::mirror && std::fmod(whole, 2) != 0;
        c = (units - whole * unit) / unit * size;
    }
    c = std::clamp(c, -1e12, 1e12);
    if (is_linear)
        between(c, place);
    else
        place.element = std::int64_t(std::floor(c));
    return place;
}

namespace {

/// Elements between places; of an axis whose place has no fraction the next one is read only if `all` are.
Texels texels_between(const Texture& t, const Along (&axes)[3], const unsigned (&sizes)[3], unsigned layer,
                      std::uint8_t all) {
    Texels made;
    for (int n = 0; n < Texels::MOST; ++n) {
        bool is_read = true, is_border = false;
        std::int64_t element[3];
        for (int k = 0; k < 3; ++k) {
            const int next = n >> k & 1;
            is_read &= next == 0 || axes[k].fraction != 0;
            const std::int64_t there = axes[k].element + next;
            element[k] = inside(axes[k].is_mirrored ? std::int64_t(sizes[k]) - 1 - there : there, sizes[k],
                                t.outside[k], t.is_normalised);
            is_border |= element[k] < 0;
        }
        if (!is_read && !(all >> n & 1)) continue;
        made.read |= std::uint8_t(1u << n);
        const std::uint64_t slices = t.dimensions() == 3 ? std::uint64_t(element[2]) : layer;
        if (!is_border)
            made.address[n] = t.begin + slices * t.slice + std::uint64_t(element[1]) * t.pitch +
                              std::uint64_t(element[0]) * t.format.bytes();
    }
    return made;
}

/// Clamped coordinates lie within the first and the last element.
Along clamped(const Along& place, unsigned size) {
    const std::int64_t last = std::int64_t(size) - 1;
    if (place.element < 0) return {};
    return place.element >= last ? Along{last, 0, false} : place;
}

Texels texels_at(const Texture& t, const Coordinates& at, bool is_linear, std::uint8_t all) {
    const bool is_volume = t.dimensions() == 3;
    const bool is_layer_of_lines = t.dimensions() == 1 && t.is_layered;
    const unsigned sizes[3] = {t.width, std::max(1u, t.height), is_volume ? t.depth : 1};
    Along axes[3];
    for (unsigned k = 0; k < (is_volume ? 3 : is_layer_of_lines ? 1 : 2); ++k) {
        axes[k] = along(at.of[k], sizes[k], t.outside[k], t.is_normalised, is_linear, at.is_centred);
        if (is_linear && all == 0 && stays(t.outside[k], t.is_normalised))
            axes[k] = clamped(axes[k], sizes[k]);
    }
    Texels made = texels_between(t, axes, sizes, at.layer, all);
    weigh(made.weight, axes[0].fraction, axes[1].fraction, axes[2].fraction);
    return made;
}

}  // namespace

Texels texels_of(const Texture& t, const Coordinates& at, bool is_linear) {
    return texels_at(t, at, is_linear, 0);
}
Texels four_of(const Texture& t, const Coordinates& at) { return texels_at(t, at, true, 15); }

/// Of two that are as large, z goes before y, and y before x; a NaN comes last, and is then as 0.
Coordinates on_cube(float x, float y, float z, unsigned& face) {
    const auto size = [](float& each) {
        const bool is_number = !std::isnan(each);
        if (!is_number) each = 0;
        return is_number ? std::fabs(each) : -1;
    };
    const float a = size(x), b = size(y), c = size(z);
    Coordinates at;
    const auto set = [&](unsigned positive, double major, double s, double t) {
        face = positive + (major < 0);
        at.of[0] = std::clamp(s, -1.0, 1.0);  // the major one is 1, by what the compiler makes
        at.of[1] = std::clamp(t, -1.0, 1.0);
        at.is_centred = true;
    };
    if (c >= a && c >= b)
        set(4, z, z < 0 ? -x : x, -y);
    else if (b >= a)
        set(2, y, x, y < 0 ? -z : z);
    else
        set(0, x, x < 0 ? z : -z, -y);
    return at;
}

}  // namespace sass
