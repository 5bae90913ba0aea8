// Texture and surface objects.
#include "simt/texture/texture.h"

#include <map>

#include "simt/decode/operand.h"
#include "simt/runtime/calls/arrays.h"
#include "simt/runtime/state.h"

namespace simt_runtime {
namespace {

/// What the program has said of an object, by its handle, until it is destroyed.
struct Said {
    cudaResourceDesc resource;
    cudaTextureDesc texture;
    bool is_surface;
};
std::map<std::uint64_t, Said>& objects() {
    static auto& all = *new std::map<std::uint64_t, Said>();
    return all;
}

constexpr std::size_t ALIGNMENT = 512, PITCH_ALIGNMENT = 32;     // of an H200
constexpr std::size_t MOST_ELEMENTS = std::size_t(1) << 30;      // of linear memory
constexpr std::size_t MOST_COLUMNS = 131072, MOST_ROWS = 65000;  // of pitched memory

bool is_aligned(const void* address, std::size_t bytes) {
    return address != nullptr && reinterpret_cast<std::uint64_t>(address) % bytes == 0;
}

cudaError_t describe_array(const cudaArray* array, sass::Texture& t) {
    if (!is_array(array)) return cudaErrorInvalidResourceHandle;
    read_format(array->description, t.format);
    t.begin = reinterpret_cast<std::uint64_t>(array->memory);
    t.width = unsigned(array->extent.width);
    t.height = unsigned(array->extent.height);
    t.depth = unsigned(array->extent.depth);
    t.pitch = array->pitch();
    t.slice = array->pitch() * array->rows();
    t.is_layered = (array->flags & cudaArrayLayered) != 0;
    t.is_cubemap = (array->flags & cudaArrayCubemap) != 0;
    return cudaSuccess;
}

cudaError_t describe_linear(const cudaResourceDesc& resource, sass::Texture& t) {
    const auto& linear = resource.res.linear;
    t.memory = sass::Texture::Memory::linear;
    if (!is_aligned(linear.devPtr, ALIGNMENT)) return cudaErrorInvalidValue;
    if (!read_format(linear.desc, t.format)) return cudaErrorInvalidChannelDescriptor;
    const std::size_t elements = linear.sizeInBytes / t.format.bytes();
    if (elements > MOST_ELEMENTS) return cudaErrorInvalidValue;
    t.begin = reinterpret_cast<std::uint64_t>(linear.devPtr);
    t.width = unsigned(elements);
    return cudaSuccess;
}

cudaError_t describe_pitched(const cudaResourceDesc& resource, sass::Texture& t) {
    const auto& pitched = resource.res.pitch2D;
    t.memory = sass::Texture::Memory::pitched;
    if (!is_aligned(pitched.devPtr, ALIGNMENT) || pitched.pitchInBytes % PITCH_ALIGNMENT != 0)
        return cudaErrorInvalidValue;
    if (!read_format(pitched.desc, t.format)) return cudaErrorInvalidChannelDescriptor;
    if (pitched.width > MOST_COLUMNS || pitched.height > MOST_ROWS) return cudaErrorInvalidValue;
    t.begin = reinterpret_cast<std::uint64_t>(pitched.devPtr);
    t.width = unsigned(pitched.width);
    t.height = unsigned(pitched.height);
    t.pitch = pitched.pitchInBytes;
    return cudaSuccess;
}

cudaError_t describe(const cudaResourceDesc& resource, sass::Texture& t) {
    switch (resource.resType) {
        case cudaResourceTypeArray: return describe_array(resource.res.array.array, t);
        case cudaResourceTypeLinear: return describe_linear(resource, t);
        case cudaResourceTypePitch2D: return describe_pitched(resource, t);
        case cudaResourceTypeMipmappedArray:
            complain("cudaCreateTextureObject: the machine has no mipmaps: use cudaMallocArray");
            return cudaErrorNotSupported;
    }
    return cudaErrorInvalidValue;
}

cudaError_t describe(const cudaTextureDesc& said, sass::Texture& t) {
    for (int k = 0; k < 3; ++k) {
        if (said.addressMode[k] < cudaAddressModeWrap || said.addressMode[k] > cudaAddressModeBorder)
            return cudaErrorInvalidValue;
        t.outside[k] = sass::Outside(said.addressMode[k]);
    }
    for (int k = 0; k < 4; ++k) std::memcpy(&t.border[k], &said.borderColor[k], sizeof(float));
    if (said.filterMode != cudaFilterModePoint && said.filterMode != cudaFilterModeLinear)
        return cudaErrorInvalidValue;
    if (said.sRGB != 0) {
        complain("cudaCreateTextureObject: the machine has no sRGB: convert the colours in the kernel");
        return cudaErrorNotSupported;
    }
    if (said.seamlessCubemap != 0 && !t.is_cubemap) return cudaErrorInvalidValue;
    t.is_linear = said.filterMode == cudaFilterModeLinear;
    t.is_normalised = said.normalizedCoords != 0;
    t.gives_fractions = said.readMode == cudaReadModeNormalizedFloat;
    t.is_seamless = said.seamlessCubemap != 0;
    const bool is_float = t.format.kind == sass::Format::is_float;
    if (t.gives_fractions && (is_float || t.format.bits == 32)) return cudaErrorInvalidNormSetting;
    if (t.is_linear && !is_float && !t.gives_fractions) return cudaErrorInvalidFilterSetting;
    return cudaSuccess;
}

std::uint64_t keep(const sass::Texture& t, const Said& said) {
    const std::uint64_t handle = sass::Textures::get().add(t);
    objects()[handle] = said;
    return handle;
}

cudaError_t destroy(std::uint64_t handle) {
    return call([&] {
        sass::Textures::get().destroy(handle);
        objects().erase(handle);
        return cudaSuccess;
    });
}

template <class Part>
cudaError_t ask(std::uint64_t handle, Part part) {
    return call([&] {
        const auto known = objects().find(handle);
        if (known == objects().end()) return cudaErrorInvalidValue;
        part(known->second);
        return cudaSuccess;
    });
}

}  // namespace
}  // namespace simt_runtime

using namespace simt_runtime;

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture, const cudaResourceViewDesc* view) {
    return call([&]() -> cudaError_t {
        if (object == nullptr || resource == nullptr) return cudaErrorInvalidValue;
        if (texture == nullptr) return cudaErrorInvalidResourceHandle;
        if (view != nullptr) {
            complain("cudaCreateTextureObject: the machine has no resource views: pass null");
            return cudaErrorNotSupported;
        }
        sass::Texture made;
        if (const cudaError_t error = describe(*resource, made)) return error;
        if (const cudaError_t error = describe(*texture, made)) return error;
        *object = keep(made, {*resource, *texture, false});
        return cudaSuccess;
    });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
    return call([&]() -> cudaError_t {
        if (object == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray)
            return cudaErrorInvalidValue;
        sass::Texture made;
        if (const cudaError_t error = describe(*resource, made)) return error;
        made.is_surface = true;
        *object = keep(made, {*resource, {}, true});
        return cudaSuccess;
    });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) { return destroy(object); }
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) { return destroy(object); }

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object) {
    return ask(object, [&](const Said& said) { *resource = said.resource; });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object) {
    return ask(object, [&](const Said& said) { *texture = said.texture; });
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view, cudaTextureObject_t object) {
    return ask(object, [&](const Said&) { *view = {}; });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t object) {
    return ask(object, [&](const Said& said) { *resource = said.resource; });
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* width, const cudaChannelFormatDesc* description,
                                                 int) {
    return call([&] {
        sass::Format format;
        if (!read_format(*description, format)) return cudaErrorInvalidChannelDescriptor;
        *width = MOST_ELEMENTS;
        return cudaSuccess;
    });
}

}  // extern "C"
