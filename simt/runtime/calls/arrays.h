// Arrays for textures and surfaces.
#pragma once
#include <cuda_runtime_api.h>

#include "simt/texture/texture.h"

/// What a cudaArray_t points to. Its elements lie in memory of the device, row by row, layer by layer.
struct cudaArray {
    void* memory = nullptr;
    cudaChannelFormatDesc description = {};
    cudaExtent extent = {};  ///< as it was asked for: 0 where there is no such dimension
    unsigned flags = 0;

    std::size_t element() const {
        return std::size_t(description.x + description.y + description.z + description.w) / 8;
    }
    std::size_t pitch() const { return extent.width * element(); }
    std::size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
    std::size_t layers() const { return extent.depth == 0 ? 1 : extent.depth; }
    char* at(std::size_t x, std::size_t y, std::size_t z) const {  ///< x in bytes
        return static_cast<char*>(memory) + (z * rows() + y) * pitch() + x;
    }
};

namespace simt_runtime {

/// Is it one, and not freed?
bool is_array(const cudaArray* array);

/// Elements of 1, 2 or 4 channels of one size and kind. False: CUDA knows no such.
bool read_format(const cudaChannelFormatDesc& description, sass::Format& format);

/// A copy of a volume that has an array on a side, or both.
cudaError_t copy_arrays(const cudaMemcpy3DParms& all, cudaStream_t stream, bool waits);

}  // namespace simt_runtime
