#include "simt/texture/coordinates.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace sass {
namespace {

constexpr int WHOLE = 256;

/// Coordinates and weights have 8 bits of fraction. Source: CUDA C++ Programming Guide, texture fetching;
/// that halves are rounded up was found from an H200.
Along between(double position) {
    const auto rounded = std::int64_t(std::floor((position - 0.5) * WHOLE + 0.5));
    const std::int64_t element = rounded >= 0 ? rounded / WHOLE : -((WHOLE - 1 - rounded) / WHOLE);
    return {element, int(rounded - element * WHOLE)};
}

/// What is outside is moved to the edge.
bool stays(Outside outside, bool is_normalised) {
    const bool repeats = outside == Outside::wrap && is_normalised;
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

Along along(double coordinate, unsigned size, Outside outside, bool is_normalised, bool is_linear) {
    double c = std::isnan(coordinate) || std::fabs(coordinate) < double(FLT_MIN) ? 0 : coordinate;
    bool is_mirrored = false;
    const bool repeats = is_normalised && (outside == Outside::wrap || outside == Outside::mirror);
    if (repeats) {
        if (std::isinf(c)) c = 0;
        const double whole = std::floor(c);
        c -= whole;
        is_mirrored = outside == Outside::mirror && std::fmod(whole, 2) != 0;
    }
    c = std::clamp(c, -1e9, 1e9);
    if (is_normalised) {  // 22 bits of fraction if the size is a power of two, else 21
        const double unit = (size & (size - 1)) == 0 ? 1 << 22 : 1 << 21;
        c = std::floor(c * unit) / unit * size;
    }
    const std::int64_t last = std::int64_t(size) - 1;
    if (!is_linear) {
        const auto element = std::int64_t(std::floor(c));
        return {is_mirrored ? last - element : element, 0};
    }
    Along place = between(c);
    if (is_mirrored) {
        const std::int64_t all = last * WHOLE - (place.element * WHOLE + place.fraction);
        place.element = all >= 0 ? all / WHOLE : -((WHOLE - 1 - all) / WHOLE);
        place.fraction = int(all - place.element * WHOLE);
    }
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
            element[k] = inside(axes[k].element + next, sizes[k], t.outside[k], t.is_normalised);
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
    if (place.element < 0) return {0, 0};
    return place.element >= last ? Along{last, 0} : place;
}

Texels texels_at(const Texture& t, const Coordinates& at, bool is_linear, std::uint8_t all) {
    const bool is_volume = t.dimensions() == 3;
    const unsigned sizes[3] = {t.width, std::max(1u, t.height), is_volume ? t.depth : 1};
    Along axes[3];
    for (unsigned k = 0; k < (is_volume ? 3 : 2); ++k) {
        axes[k] = along(at.of[k], sizes[k], t.outside[k], t.is_normalised, is_linear);
        if (is_linear && all == 0 && stays(t.outside[k], t.is_normalised)) axes[k] = clamped(axes[k], sizes[k]);
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
    const auto set = [&](unsigned positive, bool is_negative, double s, double t) {
        face = positive + is_negative;
        at.of[0] = s * 0.5 + 0.5;
        at.of[1] = t * 0.5 + 0.5;
    };
    if (c >= a && c >= b)
        set(4, z < 0, z < 0 ? -x : x, -y);
    else if (b >= a)
        set(2, y < 0, x, y < 0 ? -z : z);
    else
        set(0, x < 0, x < 0 ? z : -z, -y);
    return at;
}

}  // namespace sass
