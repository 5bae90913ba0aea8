// What a texture or surface object describes: memory, the format of its elements, and how coordinates become
// elements.
//
// Arrays lie in memory row by row, layer by layer. On a GPU their layout is another, which no program sees.
#pragma once
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

namespace sass {

/// Of an element: 1, 2 or 4 channels of one size.
struct Format {
    enum Kind : std::uint8_t { is_signed, is_unsigned, is_float } kind = is_unsigned;
    std::uint8_t channels = 1, bits = 32;  ///< bits: of a channel, 8, 16 or 32
    unsigned bytes() const { return channels * bits / 8u; }
};

/// What an address mode does with what lies outside; in the order of cudaTextureAddressMode.
enum class Outside : std::uint8_t { wrap, clamp, mirror, border };

struct Texture {
    enum class Memory : std::uint8_t {
        linear,  ///< cudaResourceTypeLinear: only tex1Dfetch reads it
        pitched,
        array
    } memory = Memory::array;
    std::uint64_t begin = 0;                    ///< address of the first element
    unsigned width = 0, height = 0, depth = 0;  ///< in elements; depth: layers, faces too; 0: not there
    std::uint64_t pitch = 0, slice = 0;         ///< bytes of a row, of a layer
    bool is_layered = false, is_cubemap = false;
    Format format;

    // Of textures.
    Outside outside[3] = {Outside::clamp, Outside::clamp, Outside::clamp};
    bool is_linear = false;        ///< the filter
    bool is_normalised = false;    ///< coordinates are
    bool gives_fractions = false;  ///< cudaReadModeNormalizedFloat
    bool is_seamless = false;
    std::uint32_t border[4] = {};  ///< bits of floats

    bool is_surface = false;
    bool is_destroyed = false;

    /// Of 1-D, 2-D or 3-D coordinates, layers and faces apart.
    unsigned dimensions() const { return height == 0 ? 1 : depth == 0 || is_layered || is_cubemap ? 2 : 3; }
    std::string text() const;  ///< "a 2-D texture of 8 x 4"
};

/// The objects of the program, by handle. They are kept when they are destroyed: a GPU, too, reads on.
class Textures {
   public:
    static Textures& get();
    std::uint64_t add(const Texture& texture);
    void destroy(std::uint64_t handle);
    /// Null if there never was one.
    const Texture* find(std::uint64_t handle) const;

   private:
    mutable std::shared_mutex mutex_;
    std::vector<std::unique_ptr<Texture>> all_;
};

}  // namespace sass
