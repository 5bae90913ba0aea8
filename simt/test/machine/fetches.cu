// What the checks find of textures and surfaces, one case for each run of the program: `fetches CASE`.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int N = 64;

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::puts(cudaGetErrorName(error));
    std::exit(1);
}

__global__ void fill(int* to) { to[threadIdx.x] = int(threadIdx.x); }
__global__ void fetch(cudaTextureObject_t from, int beyond, int* to) {
    to[threadIdx.x] = tex1Dfetch<int>(from, int(threadIdx.x) + beyond);
}
__global__ void write_and_fetch(int* vector, cudaTextureObject_t same, int* to) {
    vector[threadIdx.x] = 1;
    const int none = __syncthreads_or(0);  // or the compiler fetches before the barrier
    to[threadIdx.x] = tex1Dfetch<int>(same, int(threadIdx.x ^ 1) + none);
}
__global__ void fetch_plane(cudaTextureObject_t from, int* to) {
    to[threadIdx.x] = tex2D<int>(from, float(threadIdx.x), 0);
}
__global__ void fetch_volume(cudaTextureObject_t from, int* to) {
    to[threadIdx.x] = tex3D<int>(from, float(threadIdx.x), 0, 0);
}
__global__ void store(cudaSurfaceObject_t to, int different) {
    surf2Dwrite(int(threadIdx.x), to, int(threadIdx.x) % different * 4, 0);
}
__global__ void load(cudaSurfaceObject_t from, int* to) {
    surf2Dread(to + threadIdx.x, from, int(threadIdx.x) * 4, 0);
}
__global__ void store_and_load(cudaSurfaceObject_t plane, int* to) {
    surf2Dwrite(1, plane, int(threadIdx.x) * 4, 0);
    surf2Dread(to + threadIdx.x, plane, int(threadIdx.x) * 4, 0);
}

int *vector, *out;
cudaArray_t plane;

cudaTextureObject_t texture_of(const cudaResourceDesc& resource) {
    const cudaTextureDesc point = {};
    cudaTextureObject_t made = 0;
    check(cudaCreateTextureObject(&made, &resource, &point, nullptr));
    return made;
}
cudaTextureObject_t of_vector() {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = vector;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = N * sizeof(int);
    return texture_of(resource);
}
cudaResourceDesc of_plane() {
    const auto word = cudaCreateChannelDesc<int>();
    check(cudaMallocArray(&plane, &word, N, 4, cudaArraySurfaceLoadStore));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = plane;
    return resource;
}
cudaSurfaceObject_t surface_of(const cudaResourceDesc& resource) {
    cudaSurfaceObject_t made = 0;
    check(cudaCreateSurfaceObject(&made, &resource));
    return made;
}
void fill_plane() {
    static const int zeros[4 * N] = {};
    check(cudaMemcpy2DToArray(plane, 0, 0, zeros, N * 4, N * 4, 4, cudaMemcpyHostToDevice));
}

struct Case {
    const char* name;
    void (*run)();
};
const Case CASES[] = {
    {"in_two_launches",
     [] {
         fill<<<1, N>>>(vector);
         fetch<<<1, N>>>(of_vector(), 0, out);
     }},
    {"beyond_the_end",
     [] {
         fill<<<1, N>>>(vector);
         fetch<<<1, N>>>(of_vector(), 5, out);
     }},
    {"own_writes", [] { write_and_fetch<<<1, N>>>(vector, of_vector(), out); }},
    {"unwritten", [] { fetch<<<1, N>>>(of_vector(), 0, out); }},
    {"unwritten_array", [] { fetch_plane<<<1, N>>>(texture_of(of_plane()), out); }},
    {"surface_in_two_launches",
     [] {
         const cudaSurfaceObject_t surface = surface_of(of_plane());
         store<<<1, N>>>(surface, N);
         load<<<1, N>>>(surface, out);
     }},
    {"own_surface_writes", [] { store_and_load<<<1, N>>>(surface_of(of_plane()), out); }},
    {"surface_race", [] { store<<<1, N>>>(surface_of(of_plane()), N / 2); }},
    {"in_two_streams",
     [] {
         const cudaSurfaceObject_t surface = surface_of(of_plane());
         fill_plane();
         cudaStream_t other;
         check(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
         store<<<1, N>>>(surface, N);
         load<<<1, N, 0, other>>>(surface, out);
     }},
    {"destroyed",
     [] {
         fill<<<1, N>>>(vector);
         const cudaTextureObject_t texture = of_vector();
         check(cudaDestroyTextureObject(texture));
         fetch<<<1, N>>>(texture, 0, out);
     }},
    {"no_object", [] { fetch<<<1, N>>>(0, 0, out); }},
    {"other_kind",
     [] {
         const cudaTextureObject_t texture = texture_of(of_plane());
         fill_plane();
         fetch_volume<<<1, N>>>(texture, out);
     }},
};

}  // namespace

int main(int count, char** arguments) {
    for (const Case& one : CASES) {
        if (count < 2 || std::strcmp(arguments[1], one.name) != 0) continue;
        check(cudaMalloc(&vector, N * sizeof(int)));
        check(cudaMalloc(&out, N * sizeof(int)));
        one.run();
        check(cudaDeviceSynchronize());
        return 0;
    }
    return 1;
}
