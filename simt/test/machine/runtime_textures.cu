// Arrays, texture and surface objects: what every call of the runtime returns.
#include <string>

#include "simt/test/machine/runtime.h"

namespace {

const cudaChannelFormatDesc INT = {32, 0, 0, 0, cudaChannelFormatKindSigned};
const cudaChannelFormatDesc FLOAT = {32, 0, 0, 0, cudaChannelFormatKindFloat};
const cudaChannelFormatDesc BYTE = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
const cudaChannelFormatDesc HALF = {16, 0, 0, 0, cudaChannelFormatKindFloat};
void array_of(const cudaChannelFormatDesc& format, int width, int height, int depth, unsigned flags) {
    cudaArray_t array = nullptr;
    const cudaError_t error =
        cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth), flags);
    std::printf("%d %d %d %d, %d x %d x %d, flags %u: %s", format.x, format.y, format.z, format.w, width,
                height, depth, flags, cudaGetErrorName(error));
    cudaGetLastError();
    cudaExtent extent;
    cudaChannelFormatDesc got;
    unsigned got_flags;
    if (error == cudaSuccess) {
        cudaArrayGetInfo(&got, &extent, &got_flags, array);
        std::printf(", %zu %zu %zu, %u, %d %d", extent.width, extent.height, extent.depth, got_flags, got.x,
                    got.f);
        cudaFreeArray(array);
    }
    std::puts("");
}

void arrays() {
    cudaArray_t array = nullptr;
    SAY(cudaMallocArray(&array, &INT, 0, 4, 0));
    LAST();
    SAY(cudaMallocArray(&array, nullptr, 8, 4, 0));
    SAY(cudaMallocArray(nullptr, &INT, 8, 4, 0));
    const unsigned layered = cudaArrayLayered, cubemap = cudaArrayCubemap,
                   surface = cudaArraySurfaceLoadStore, gather = cudaArrayTextureGather;
    for (const cudaChannelFormatDesc& bad :
         {cudaChannelFormatDesc{32, 32, 32, 0, cudaChannelFormatKindFloat},
          cudaChannelFormatDesc{24, 0, 0, 0, cudaChannelFormatKindUnsigned},
          cudaChannelFormatDesc{8, 16, 0, 0, cudaChannelFormatKindUnsigned},
          cudaChannelFormatDesc{8, 0, 0, 0, cudaChannelFormatKindFloat},
          cudaChannelFormatDesc{64, 0, 0, 0, cudaChannelFormatKindUnsigned},
          cudaChannelFormatDesc{0, 8, 0, 0, cudaChannelFormatKindUnsigned},
          cudaChannelFormatDesc{0, 0, 0, 0, cudaChannelFormatKindUnsigned},
          cudaChannelFormatDesc{8, 8, 8, 8, cudaChannelFormatKindNone}})
        array_of(bad, 8, 4, 0, 0);
    for (const cudaChannelFormatDesc& good :
         {cudaChannelFormatDesc{16, 16, 0, 0, cudaChannelFormatKindFloat},
          cudaChannelFormatDesc{8, 8, 8, 8, cudaChannelFormatKindSigned},
          cudaChannelFormatDesc{32, 32, 32, 32, cudaChannelFormatKindUnsigned}})
        array_of(good, 8, 4, 0, 0);
    const struct {
        int width, height, depth;
        unsigned flags;
    } SHAPES[] = {{8, 4, 0, 0},
                  {131072, 0, 0, 0},
                  {131073, 0, 0, 0},
                  {4, 65537, 0, 0},
                  {131072, 4, 0, surface},
                  {32769, 0, 0, surface},
                  {32768, 0, 0, surface},
                  {8, 4, 0, layered},
                  {8, 4, 0, cubemap},
                  {8, 8, 0, 64 + 4096},
                  {8, 0, 0, gather},
                  {8, 4, 0, gather},
                  {8, 8, 6, cubemap},
                  {8, 8, 5, cubemap},
                  {8, 7, 6, cubemap},
                  {8, 8, 12, cubemap},
                  {8, 8, 12, cubemap | layered},
                  {8, 8, 7, cubemap | layered},
                  {8, 0, 3, 0},
                  {8, 0, 3, layered},
                  {8, 4, 3, layered},
                  {8, 0, 0, layered},
                  {0, 4, 3, 0},
                  {16385, 2, 2, 0},
                  {8, 4, 3, gather},
                  {8, 4, 3, gather | layered},
                  {8, 4, 2049, layered},
                  {8, 4, 2048, layered},
                  {8, 8, 6, cubemap | surface},
                  {8, 4, 3, 32}};
    for (const auto& each : SHAPES) array_of(INT, each.width, each.height, each.depth, each.flags);
    SAY(cudaFreeArray(nullptr));
    SAY(cudaMallocArray(&array, &INT, 8, 4));
    cudaChannelFormatDesc got;
    SAY(cudaGetChannelDesc(&got, array));
    SAY(cudaFreeArray(array));
    SAY(cudaGetChannelDesc(&got, nullptr));
    LAST();
}

cudaResourceDesc of_array(cudaArray_t array) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}
cudaResourceDesc of_memory(void* memory, std::size_t bytes, const cudaChannelFormatDesc& format = INT) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = bytes;
    return resource;
}
cudaResourceDesc of_rows(void* memory, std::size_t width, std::size_t height, std::size_t pitch,
                         const cudaChannelFormatDesc& format = INT) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = memory;
    resource.res.pitch2D.desc = format;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    return resource;
}
cudaTextureDesc how(cudaTextureFilterMode filter, cudaTextureReadMode read, bool is_normalised = false) {
    cudaTextureDesc texture = {};
    texture.filterMode = filter;
    texture.readMode = read;
    texture.normalizedCoords = is_normalised;
    return texture;
}
void make(const char* what, const cudaResourceDesc& resource, const cudaTextureDesc& texture) {
    cudaTextureObject_t object = 0;
    const cudaError_t error = cudaCreateTextureObject(&object, &resource, &texture, nullptr);
    std::printf("%s: %s %d\n", what, cudaGetErrorName(error), object != 0);
    cudaGetLastError();
    if (object != 0) cudaDestroyTextureObject(object);
}

void textures() {
    const auto point = how(cudaFilterModePoint, cudaReadModeElementType),
               linear = how(cudaFilterModeLinear, cudaReadModeElementType),
               fraction = how(cudaFilterModePoint, cudaReadModeNormalizedFloat),
               linear_fraction = how(cudaFilterModeLinear, cudaReadModeNormalizedFloat),
               normalised = how(cudaFilterModePoint, cudaReadModeElementType, true);
    cudaArray_t ints, floats, bytes, halves, cube;
    SAY(cudaMallocArray(&ints, &INT, 8, 4));
    SAY(cudaMallocArray(&floats, &FLOAT, 8, 4));
    SAY(cudaMallocArray(&bytes, &BYTE, 8, 4));
    SAY(cudaMallocArray(&halves, &HALF, 8, 4));
    SAY(cudaMalloc3DArray(&cube, &INT, make_cudaExtent(8, 8, 6), cudaArrayCubemap));
    make("ints", of_array(ints), point);
    make("ints linear", of_array(ints), linear);
    make("ints fraction", of_array(ints), fraction);
    make("floats linear", of_array(floats), linear);
    make("floats fraction", of_array(floats), fraction);
    make("floats linear fraction", of_array(floats), linear_fraction);
    make("bytes", of_array(bytes), point);
    make("bytes linear", of_array(bytes), linear);
    make("bytes fraction", of_array(bytes), fraction);
    make("bytes linear fraction", of_array(bytes), linear_fraction);
    make("halves linear", of_array(halves), linear);
    make("halves fraction", of_array(halves), fraction);
    make("cube", of_array(cube), normalised);
    make("no array", of_array(nullptr), point);
    auto odd = normalised;
    odd.seamlessCubemap = 1;
    make("seamless cube", of_array(cube), odd);
    make("seamless plane", of_array(floats), odd);
    odd = point;
    odd.filterMode = cudaTextureFilterMode(7);
    make("filter 7", of_array(floats), odd);
    odd = point;
    odd.addressMode[0] = cudaTextureAddressMode(9);
    make("address mode 9", of_array(floats), odd);
    odd = point;
    odd.addressMode[0] = cudaAddressModeWrap;
    make("wrap, not normalised", of_array(floats), odd);

    char* memory;
    size_t pitch;
    SAY(cudaMalloc(&memory, 4096));
    make("linear, null", of_memory(nullptr, 64), point);
    for (const int offset : {0, 4, 32, 256, 512})
        make(("linear from " + std::to_string(offset)).c_str(), of_memory(memory + offset, 64), point);
    for (const size_t size : {size_t(0), size_t(63), size_t(1) << 20, size_t(4) << 28, size_t(1) << 40})
        make(("linear of " + std::to_string(size)).c_str(), of_memory(memory, size), point);
    make("linear, filter", of_memory(memory, 64, FLOAT), linear);
    make("linear, ints, filter", of_memory(memory, 64), linear);
    make("linear, normalised", of_memory(memory, 64), normalised);
    make("linear, 3 channels", of_memory(memory, 48, {32, 32, 32, 0, cudaChannelFormatKindFloat}), point);
    char* rows;
    SAY(cudaMallocPitch(&rows, &pitch, 64, 5));
    make("rows", of_rows(rows, 9, 5, pitch), point);
    for (const size_t of : {48, 96, 0, 32})
        make(("pitch " + std::to_string(of)).c_str(), of_rows(rows, 9, 5, of), point);
    make("rows, misaligned", of_rows(rows + 32, 9, 5, pitch), point);
    make("rows, 65001", of_rows(rows, 9, 65001, pitch), point);
    make("rows of 131073", of_rows(rows, 131073, 1, 1 << 20), point);
    make("rows, ints, filter", of_rows(rows, 9, 5, pitch), linear);

    const cudaResourceDesc resource = of_array(ints), other = of_memory(memory, 64), none = of_array(nullptr);
    cudaTextureObject_t object;
    SAY(cudaCreateTextureObject(nullptr, &resource, &point, nullptr));
    SAY(cudaCreateTextureObject(&object, nullptr, &point, nullptr));
    SAY(cudaCreateTextureObject(&object, &resource, nullptr, nullptr));
    SAY(cudaCreateTextureObject(&object, &resource, &point, nullptr));
    cudaResourceDesc got;
    cudaTextureDesc got_texture;
    cudaResourceViewDesc view;
    SAY(cudaGetTextureObjectResourceDesc(&got, object));
    std::printf("   %d %d\n", got.resType, got.res.array.array == ints);
    SAY(cudaGetTextureObjectTextureDesc(&got_texture, object));
    std::printf("   %d %d %d\n", got_texture.filterMode, got_texture.readMode, got_texture.normalizedCoords);
    SAY(cudaGetTextureObjectResourceViewDesc(&view, object));
    SAY(cudaDestroyTextureObject(object));
    SAY(cudaDestroyTextureObject(object));
    SAY(cudaDestroyTextureObject(0));
    SAY(cudaGetTextureObjectResourceDesc(&got, object));
    SAY(cudaGetTextureObjectTextureDesc(&got_texture, 0));
    LAST();
    cudaSurfaceObject_t surface;
    SAY(cudaCreateSurfaceObject(&surface, &other));
    SAY(cudaCreateSurfaceObject(&surface, &none));
    SAY(cudaCreateSurfaceObject(nullptr, &resource));
    SAY(cudaCreateSurfaceObject(&surface, nullptr));
    SAY(cudaCreateSurfaceObject(&surface, &resource));
    SAY(cudaGetSurfaceObjectResourceDesc(&got, surface));
    SAY(cudaDestroySurfaceObject(surface));
    SAY(cudaDestroySurfaceObject(surface));
    SAY(cudaDestroySurfaceObject(0));
    SAY(cudaGetSurfaceObjectResourceDesc(&got, surface));
    LAST();
    for (cudaArray_t each : {ints, floats, bytes, halves, cube}) SAY(cudaFreeArray(each));
}

}  // namespace

int main() {
    begin();
    arrays();
    textures();
    return 0;
}
