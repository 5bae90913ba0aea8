#include "simt/runtime/calls/arrays.h"

#include <algorithm>
#include <set>

#include "simt/runtime/calls/copies.h"
#include "simt/runtime/per_thread.h"
#include "simt/runtime/state.h"

namespace simt_runtime {
namespace {

std::set<const cudaArray*>& arrays() {
    static auto& all = *new std::set<const cudaArray*>();
    return all;
}

constexpr unsigned KNOWN_FLAGS = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap |
                                 cudaArrayTextureGather | cudaArrayDeferredMapping;

/// The largest extents of each kind, as an H200 has them (CUDA C++ Programming Guide, technical
/// specifications). Those of arrays with surface loads are in the second row.
bool is_within_limits(const cudaExtent& e, unsigned flags) {
    const bool is_layered = flags & cudaArrayLayered, is_cubemap = flags & cudaArrayCubemap;
    const bool has_surfaces = flags & cudaArraySurfaceLoadStore;
    const auto fits = [&](std::size_t width, std::size_t height, std::size_t depth) {
        return e.width <= width && e.height <= height && e.depth <= depth;
    };
    if (is_cubemap) return fits(32768, 32768, is_layered ? 2046 : 6);
    if (is_layered) return fits(32768, 32768, 2048);
    if (e.depth != 0) return fits(16384, 16384, 16384);
    if (e.height != 0) return fits(131072, 65536, 0);
    return fits(has_surfaces ? 32768 : 131072, 0, 0);
}

bool is_shape(const cudaExtent& e, unsigned flags) {
    const bool is_layered = flags & cudaArrayLayered, is_cubemap = flags & cudaArrayCubemap;
    if (e.width == 0 || (flags & ~KNOWN_FLAGS) != 0) return false;
    if ((flags & cudaArrayTextureGather) && (e.height == 0 || e.depth != 0)) return false;
    if (is_cubemap) return e.width == e.height && e.depth % 6 == 0 && e.depth != 0;
    return is_layered ? e.depth != 0 : e.depth == 0 || e.height != 0;
}

cudaError_t allocate_array(cudaArray_t* made, const cudaChannelFormatDesc* description, const cudaExtent& e,
                           unsigned flags) {
    if (made == nullptr || description == nullptr) return cudaErrorInvalidValue;
    sass::Format format;
    if (!read_format(*description, format)) return cudaErrorInvalidChannelDescriptor;
    if (!is_shape(e, flags) || !is_within_limits(e, flags)) return cudaErrorInvalidValue;
    cudaArray array{nullptr, *description, e, flags};
    if (const cudaError_t error = cudaMalloc(&array.memory, array.pitch() * array.rows() * array.layers()))
        return error;
    arrays().insert(*made = new cudaArray(array));
    return cudaSuccess;
}

/// A side of a copy: where layer 0 begins, and how far rows and layers lie apart.
struct Side {
    char* begin = nullptr;
    std::size_t pitch = 0, layer = 0;
};

/// Positions and extents count elements, once an array takes part.
cudaError_t side_of(const cudaArray* array, const cudaPitchedPtr& volume, const cudaPos& at,
                    const cudaExtent& extent, std::size_t element, Side& side) {
    const std::size_t x = at.x * element;
    if (array == nullptr) {
        side = {static_cast<char*>(volume.ptr) + (at.z * volume.ysize + at.y) * volume.pitch + x,
                volume.pitch, volume.pitch * volume.ysize};
        return volume.ptr == nullptr || x + extent.width * element > volume.pitch ? cudaErrorInvalidValue
                                                                                  : cudaSuccess;
    }
    if (!is_array(array)) return cudaErrorInvalidResourceHandle;
    side = {array->at(x, at.y, at.z), array->pitch(), array->pitch() * array->rows()};
    const bool fits = at.x + extent.width <= array->extent.width && at.y + extent.height <= array->rows() &&
                      at.z + extent.depth <= array->layers();
    return fits ? cudaSuccess : cudaErrorInvalidValue;
}

/// What the copy's direction says of arrays, which are memory of the device.
bool is_direction(cudaMemcpyKind kind, bool from_array, bool to_array) {
    if (kind == cudaMemcpyDefault) return true;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    return (!from_array || from_device) && (!to_array || to_device);
}

/// `rows` rows of `width` bytes to or from an array at (x, y), x in bytes.
cudaError_t copy_rows(cudaArray_const_t array, std::size_t x, std::size_t y, void* other, std::size_t pitch,
                      std::size_t width, std::size_t rows, cudaMemcpyKind kind, bool to_array,
                      cudaStream_t stream, bool waits) {
    if (!is_array(array)) return report(cudaErrorInvalidResourceHandle);
    if (!is_direction(kind, !to_array, to_array)) return report(cudaErrorInvalidMemcpyDirection);
    if (other == nullptr) return report(cudaErrorInvalidValue);
    if (width > pitch && rows > 1) return report(cudaErrorInvalidPitchValue);
    if (x + width > array->pitch() || y + rows > array->rows()) return report(cudaErrorInvalidValue);
    char* const there = array->at(x, y, 0);
    // A source may be of the device although the direction says that it is the host's.
    const cudaMemcpyKind any = cudaMemcpyDefault;
    return to_array ? copy({there, array->pitch(), other, pitch, width, rows, any}, stream, waits)
                    : copy({other, pitch, there, array->pitch(), width, rows, any}, stream, waits);
}

/// `bytes` bytes that fill rows of an array one after another, from (x, y) on.
cudaError_t copy_flat(cudaArray_const_t array, std::size_t x, std::size_t y, void* other, std::size_t bytes,
                      cudaMemcpyKind kind, bool to_array, cudaStream_t stream, bool waits) {
    if (!is_array(array)) return report(cudaErrorInvalidResourceHandle);
    const std::size_t pitch = array->pitch(), begin = y * pitch + x;
    if (x >= pitch || begin + bytes > pitch * array->rows()) return report(cudaErrorInvalidValue);
    if (!is_direction(kind, !to_array, to_array)) return report(cudaErrorInvalidMemcpyDirection);
    char* const there = array->at(x, y, 0);
    return to_array ? copy({there, bytes, other, bytes, bytes, 1, cudaMemcpyDefault}, stream, waits)
                    : copy({other, bytes, there, bytes, bytes, 1, cudaMemcpyDefault}, stream, waits);
}

}  // namespace

bool is_array(const cudaArray* array) { return array != nullptr && arrays().count(array) != 0; }

bool read_format(const cudaChannelFormatDesc& d, sass::Format& format) {
    const int bits[4] = {d.x, d.y, d.z, d.w};
    int channels = 0;
    while (channels < 4 && bits[channels] != 0) ++channels;
    const bool is_even = std::all_of(bits, bits + 4, [&](int each) { return each == 0 || each == d.x; });
    const bool is_float = d.f == cudaChannelFormatKindFloat;
    const bool is_integer = d.f == cudaChannelFormatKindSigned || d.f == cudaChannelFormatKindUnsigned;
    const bool has_bits = d.x == 16 || d.x == 32 || (d.x == 8 && !is_float);
    if (!is_even || !has_bits || (!is_float && !is_integer) || channels == 3) return false;
    for (int k = channels; k < 4; ++k)
        if (bits[k] != 0) return false;
    format.kind = is_float                             ? sass::Format::is_float
                  : d.f == cudaChannelFormatKindSigned ? sass::Format::is_signed
                                                       : sass::Format::is_unsigned;
    format.channels = std::uint8_t(channels);
    format.bits = std::uint8_t(d.x);
    return true;
}

cudaError_t copy_arrays(const cudaMemcpy3DParms& all, cudaStream_t stream, bool waits) {
    const bool has_two_ends = (all.srcArray != nullptr) != (all.srcPtr.ptr != nullptr) &&
                              (all.dstArray != nullptr) != (all.dstPtr.ptr != nullptr);
    if (!has_two_ends) return report(cudaErrorInvalidValue);
    const cudaArray* const array = all.srcArray != nullptr ? all.srcArray : all.dstArray;
    if (!is_array(array)) return report(cudaErrorInvalidResourceHandle);
    if (!is_direction(all.kind, all.srcArray != nullptr, all.dstArray != nullptr))
        return report(cudaErrorInvalidValue);
    const std::size_t element = array->element();
    Side from, to;
    if (const auto error = side_of(all.srcArray, all.srcPtr, all.srcPos, all.extent, element, from))
        return report(error);
    if (const auto error = side_of(all.dstArray, all.dstPtr, all.dstPos, all.extent, element, to))
        return report(error);
    cudaError_t error = cudaSuccess;
    for (std::size_t layer = 0; layer < all.extent.depth && error == cudaSuccess; layer++)
        error = copy({to.begin + layer * to.layer, to.pitch, from.begin + layer * from.layer, from.pitch,
                      all.extent.width * element, all.extent.height, cudaMemcpyDefault},
                     stream, waits);
    return error;
}

}  // namespace simt_runtime

using namespace simt_runtime;

#pragma GCC diagnostic ignored \
    "-Wdeprecated-declarations"  // cudaMemcpyToArray and its kin, but programs use them

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* description, size_t width,
                            size_t height, unsigned flags) {
    return report(allocate_array(array, description, {width, height, 0}, flags));
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* description, cudaExtent extent,
                              unsigned flags) {
    return report(allocate_array(array, description, extent, flags));
}

cudaError_t cudaFreeArray(cudaArray_t array) {
    if (array == nullptr) return cudaSuccess;
    if (!is_array(array)) return report(cudaErrorInvalidResourceHandle);
    const cudaError_t error = cudaFree(array->memory);
    arrays().erase(array);
    delete array;
    return error;
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* description, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
    return call([&] {
        if (!is_array(array)) return cudaErrorInvalidResourceHandle;
        if (description != nullptr) *description = array->description;
        if (extent != nullptr) *extent = array->extent;
        if (flags != nullptr) *flags = array->flags;
        return cudaSuccess;
    });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* description, cudaArray_const_t array) {
    return call([&] {
        if (!is_array(array)) return cudaErrorInvalidResourceHandle;
        *description = array->description;
        return cudaSuccess;
    });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
    return copy_rows(to, x, y, const_cast<void*>(from), pitch, width, height, kind, true, nullptr, true);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_rows(to, x, y, const_cast<void*>(from), pitch, width, height, kind, true, stream, false);
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind kind) {
    return copy_rows(from, x, y, to, pitch, width, height, kind, false, nullptr, true);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
    return copy_rows(from, x, y, to, pitch, width, height, kind, false, stream, false);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
    return copy_flat(to, x, y, const_cast<void*>(from), bytes, kind, true, nullptr, true);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_flat(to, x, y, const_cast<void*>(from), bytes, kind, true, stream, false);
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
    return copy_flat(from, x, y, to, bytes, kind, false, nullptr, true);
}

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_flat(from, x, y, to, bytes, kind, false, stream, false);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t from_x, size_t from_y, size_t bytes, cudaMemcpyKind kind) {
    if (!is_array(from)) return report(cudaErrorInvalidResourceHandle);
    if (from_x + from_y * from->pitch() + bytes > from->pitch() * from->rows())
        return report(cudaErrorInvalidValue);
    return copy_flat(to, to_x, to_y, from->at(from_x, from_y, 0), bytes, kind, true, nullptr, true);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                     cudaMemcpyKind kind) {
    if (!is_array(from)) return report(cudaErrorInvalidResourceHandle);
    if (from_x + width > from->pitch() || from_y + height > from->rows())
        return report(cudaErrorInvalidValue);
    return copy_rows(to, to_x, to_y, from->at(from_x, from_y, 0), from->pitch(), width, height, kind, true,
                     nullptr, true);
}

}  // extern "C"

// clang-format off: several a line.
PTDS(cudaMemcpy2DToArray) PTSZ(cudaMemcpy2DToArrayAsync) PTDS(cudaMemcpy2DFromArray)
PTSZ(cudaMemcpy2DFromArrayAsync) PTDS(cudaMemcpyToArray) PTSZ(cudaMemcpyToArrayAsync)
PTDS(cudaMemcpyFromArray) PTSZ(cudaMemcpyFromArrayAsync) PTDS(cudaMemcpyArrayToArray)
PTDS(cudaMemcpy2DArrayToArray)
