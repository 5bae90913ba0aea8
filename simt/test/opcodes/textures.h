// What the operations on textures and surfaces share: arrays that are filled with fixed numbers, objects on
// them, and coordinates.
#pragma once
#include <functional>

#include "simt/test/opcodes/operation.h"

namespace opcodes {

struct Shape {
    const char* name;
    int width, height, depth;
    unsigned flags = 0;
    int rows() const { return height == 0 ? 1 : height; }
    int layers() const { return depth == 0 ? 1 : depth; }
};

struct Format {
    const char* name;
    cudaChannelFormatKind kind;
    int bits, channels;
    cudaChannelFormatDesc description() const {
        const auto at = [&](int k) { return k < channels ? bits : 0; };
        return {at(0), at(1), at(2), at(3), kind};
    }
    int bytes() const { return bits * channels / 8; }
    std::string text() const { return name + std::string("x") + std::to_string(channels); }
};

enum class Memory { array, linear, pitched };

/// Bits of an element's channel: wide floats have all exponents, infinities, NaNs and denormals.
inline std::uint32_t texel_bits(const Format& format, bool is_wide, Random& random) {
    const std::uint64_t bits = random.next();
    const auto word = std::uint32_t(bits >> 32);
    if (format.kind != cudaChannelFormatKindFloat || is_wide) {
        constexpr std::uint32_t EDGE[] = {0x7f800000, 0xff800000, 0x7fc12345, 0,
                                          0x80000000, 0x7f7fffff, 1,          0x80012345};
        return is_wide && format.bits == 32 && bits % 64 == 0 ? EDGE[bits >> 6 & 7] : word;
    }
    return format.bits == 16 ? (word & 0x8fff) | 0x3000 : (word & 0x81ffffff) | 0x3e000000;
}

inline std::vector<char> texels_of(const Format& format, const Shape& shape, bool is_wide) {
    Random random;
    std::vector<char> bytes(std::size_t(format.bytes()) * shape.width * shape.rows() * shape.layers());
    for (std::size_t at = 0; at < bytes.size(); at += format.bits / 8) {
        const std::uint32_t bits = texel_bits(format, is_wide, random);
        std::memcpy(&bytes[at], &bits, format.bits / 8);
    }
    return bytes;
}

inline cudaArray_t array_of(const Format& format, const Shape& shape, bool is_wide) {
    const cudaChannelFormatDesc description = format.description();
    cudaArray_t array = nullptr;
    cudaMalloc3DArray(&array, &description, make_cudaExtent(shape.width, shape.height, shape.depth),
                      shape.flags);
    std::vector<char> bytes = texels_of(format, shape, is_wide);
    cudaMemcpy3DParms copy = {};
    const std::size_t pitch = std::size_t(format.bytes()) * shape.width;
    copy.srcPtr = make_cudaPitchedPtr(bytes.data(), pitch, shape.width, shape.rows());
    copy.dstArray = array;
    copy.extent = make_cudaExtent(shape.width, shape.rows(), shape.layers());
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    return array;
}

inline cudaResourceDesc resource_of(const Format& format, const Shape& shape, bool is_wide, Memory memory) {
    cudaResourceDesc resource = {};
    if (memory == Memory::array) {
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array_of(format, shape, is_wide);
        return resource;
    }
    const std::vector<char> bytes = texels_of(format, shape, is_wide);
    const std::size_t width = std::size_t(format.bytes()) * shape.width;
    if (memory == Memory::linear) {
        auto& linear = resource.res.linear;
        resource.resType = cudaResourceTypeLinear;
        linear.desc = format.description();
        linear.sizeInBytes = width;
        cudaMalloc(&linear.devPtr, width);
        cudaMemcpy(linear.devPtr, bytes.data(), width, cudaMemcpyHostToDevice);
        return resource;
    }
    auto& pitched = resource.res.pitch2D;
    resource.resType = cudaResourceTypePitch2D;
    pitched.desc = format.description();
    pitched.width = shape.width;
    pitched.height = shape.height;
    cudaMallocPitch(&pitched.devPtr, &pitched.pitchInBytes, width, shape.height);
    cudaMemcpy2D(pitched.devPtr, pitched.pitchInBytes, bytes.data(), width, width, shape.height,
                 cudaMemcpyHostToDevice);
    return resource;
}

/// Half of the words are floats as they are, half fixed-point numbers within 8 times the scale.
__device__ inline float coordinate(u32 word, float scale) {
    if (word & 1) return __uint_as_float(word);
    return float(int(word * 0x9e3779b1u)) * 0x1p-28f * scale;
}
/// Around 0, and far away.
__device__ inline int number_of(u32 word, int most) {
    return word % 8 == 0 ? int(word) : int(word % (most + 8)) - 4;
}

}  // namespace opcodes
