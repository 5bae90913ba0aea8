// Memory pools: there is one for each device, which gives back nothing and keeps nothing.
#include "simt/runtime/state.h"

struct CUmemPoolHandle_st {
    int device = 0;
};

namespace simt_runtime {
namespace {

cudaMemPool_t pool_of(int device) {
    static auto& pools = *new std::map<int, CUmemPoolHandle_st>();
    pools[device].device = device;
    return &pools[device];
}

cudaError_t give_pool(cudaMemPool_t* pool, int device) {
    return call([&] {
        if (device < 0 || device >= int(State::get().devices.size())) return cudaErrorInvalidDevice;
        return *pool = pool_of(device), cudaSuccess;
    });
}

}  // namespace
}  // namespace simt_runtime

using namespace simt_runtime;

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) { return give_pool(pool, device); }
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) { return give_pool(pool, device); }

cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t) {
    return call([] { return cudaSuccess; });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
    return give_pool(pool, properties->location.id);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t) {
    return call([] { return cudaSuccess; });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) {
    return call([] { return cudaSuccess; });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) {
    return call([] { return cudaSuccess; });
}

}  // extern "C"
