// Kernels and launches that fail, one for each run of the program: `faults CASE`. What every call then
// returns is printed; the errors of an H200 are recorded in faults.nvidia-h200.txt.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#undef NDEBUG  // one of the failures is an assertion
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// Addresses that the compiler cannot know to be wrong.
__global__ void load(const int* p, long long at, int* out) { *out = p[at]; }
__global__ void store(int* p, long long at) { p[at] = 1; }
template <class Word>
__global__ void load_word(char* p, int offset) {
    *reinterpret_cast<Word*>(p) = *reinterpret_cast<const Word*>(p + offset);
}
__global__ void add(char* p, long long offset) { atomicAdd(reinterpret_cast<int*>(p + offset), 1); }
__global__ void shared_word(int at, int* out) {
    __shared__ int words[64];
    words[threadIdx.x] = 1;
    __syncthreads();
    *out = words[at];
}
__global__ void shared_bytes(int offset, int* out) {
    __shared__ __align__(16) char bytes[256];
    bytes[threadIdx.x] = 1;
    __syncthreads();
    *out = *reinterpret_cast<int*>(bytes + offset);
}
__global__ void local_word(int at, int* out) {
    int words[200];
    for (int i = 0; i < 200; ++i) words[i] = out[i];
    for (int i = 0; i < 200; ++i) out[words[i] & 3] = i;
    *out = words[at];
}
__global__ void copy_asynchronously(const char* p, int from, int to) {
    __shared__ __align__(16) char bytes[1024];
    const unsigned at = unsigned(__cvta_generic_to_shared(bytes)) + to;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\ncp.async.wait_all;" ::"r"(at), "l"(p + from));
}
__global__ void trap() { __trap(); }
__global__ void failing_assertion(int limit) { assert(int(threadIdx.x) < limit); }
__device__ __noinline__ int depth(int n) {
    volatile int here[16];
    here[n % 16] = n;
    return n == 0 ? 0 : depth(n - 1) + here[n % 16];
}
__global__ void recursion(int n, int* out) { *out = depth(n); }
__global__ void nothing() {}
__global__ void __launch_bounds__(64) small_blocks() {}
__global__ void many_registers(float* p) {
    float x[150];
#pragma unroll
    for (int i = 0; i < 150; ++i) x[i] = p[i * 1024 + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 150; ++i) p[i * 1024 + threadIdx.x] = x[149 - i] * x[(i * 7) % 150];
}
// Of a cluster of two blocks the first one's threads access shared memory of the block of this rank, or do
// what is not allowed at the cluster's barrier.
__global__ void __cluster_dims__(2, 1, 1) in_clusters() {}
__device__ unsigned of_rank(const void* own, unsigned rank) {
    unsigned far;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(far)
                 : "r"(unsigned(__cvta_generic_to_shared(own))), "r"(rank));
    return far;
}
__device__ void meet() { asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory"); }
__global__ void __cluster_dims__(2, 1, 1) far_load(unsigned rank, unsigned offset, int* out) {
    __shared__ int own[64];
    own[threadIdx.x] = threadIdx.x;
    meet();
    int word = 0;
    if (blockIdx.x == 0)
        asm volatile("ld.shared::cluster.u32 %0, [%1];"
                     : "=r"(word)
                     : "r"(of_rank(own, rank) + offset)
                     : "memory");
    meet();
    out[threadIdx.x] = word;
}
__global__ void __cluster_dims__(2, 1, 1) far_atomic(unsigned rank, unsigned offset) {
    __shared__ int own[64];
    own[threadIdx.x] = threadIdx.x;
    meet();
    if (blockIdx.x == 0)
        asm volatile("red.shared::cluster.add.u32 [%0], 1;" ::"r"(of_rank(own, rank) + offset) : "memory");
    meet();
}
/// By an instruction for the block's own shared memory.
__global__ void __cluster_dims__(2, 1, 1) near_load(unsigned block, unsigned rank, int* out) {
    __shared__ int own[64];
    own[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;
    meet();
    int word = 0;
    if (blockIdx.x == block)
        asm volatile("ld.shared::cta.u32 %0, [%1];" : "=r"(word) : "r"(of_rank(own, rank)) : "memory");
    meet();
    if (blockIdx.x == block) out[threadIdx.x] = word;
}
__global__ void __cluster_dims__(2, 1, 1) far_mbarrier(unsigned rank) {
    __shared__ alignas(8) unsigned long long bar;
    meet();
    if (blockIdx.x == 0)
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(of_rank(&bar, rank))
                     : "memory");
    meet();
}
__global__ void __cluster_dims__(2, 1, 1) asynchronous_store(unsigned rank, unsigned rank_of_bar) {
    __shared__ alignas(8) unsigned long long bar;
    __shared__ int own[64];
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(of_rank(&bar, blockIdx.x)) : "memory");
    meet();
    if (blockIdx.x == 0)
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
                         of_rank(own + threadIdx.x, rank)),
                     "r"(7), "r"(of_rank(&bar, rank_of_bar))
                     : "memory");
    meet();
}
/// The second block ends at once; the first one loads from it long afterwards.
__global__ void __cluster_dims__(2, 1, 1) ended_block(int* out) {
    __shared__ int own[64];
    own[threadIdx.x] = threadIdx.x;
    meet();
    if (blockIdx.x == 1) return;
    for (int k = 0; k < 1000; ++k) __nanosleep(1000);
    int word = 0;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(word) : "r"(of_rank(own, 1)) : "memory");
    out[threadIdx.x] = word;
}
__global__ void __cluster_dims__(2, 1, 1) arrives_twice(int* out) {
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
    out[0] = 1;
}
__global__ void __cluster_dims__(2, 1, 1) waits_only(int* out) {
    asm volatile("barrier.cluster.wait;" ::: "memory");
    out[0] = 1;
}
__global__ void __cluster_dims__(2, 1, 1) arrives_and_ends(int* out) {
    asm volatile("barrier.cluster.arrive;" ::: "memory");
    if (blockIdx.x == 1) return;
    asm volatile("barrier.cluster.wait;" ::: "memory");
    out[0] = 1;
}
__global__ void __cluster_dims__(2, 1, 1) one_block_waits(volatile int* flag) {
    if (blockIdx.x == 1)
        while (*flag == 0) {
        }
    meet();
    *flag = 1;
}

__global__ void grid_barrier() { cooperative_groups::this_grid().sync(); }

// What a GPU waits for in vain: it gives no error, the machine does. And what the machine does not have.
__global__ void wait_for_flag(volatile int* flag) {
    while (*flag == 0) {
    }
}
__global__ void wait_for_shared_flag(int* out) {
    __shared__ volatile int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        while (flag == 0) {
        }
    }
    __syncthreads();
    *out = flag;
}
__global__ void wait_for_lock(int* lock) {
    while (atomicExch(lock, 1) != 0) {
    }
}
__global__ void loop_without_end(int* out) {
    while (true) {
    }
}
__global__ void half_a_block_waits() {
    if (threadIdx.x < 64) asm volatile("bar.sync 1, 128;");
}
__global__ void sparse_texture(cudaTextureObject_t from, float* out) {
    bool is_there;
    *out = tex2D<float>(from, 1, 1, &is_there) + is_there;
}
__global__ void fetch(cudaTextureObject_t from, int* out) { *out = tex2D<int>(from, 1, 1); }
__global__ void load_surface(cudaSurfaceObject_t from, int x, int y, int* out) {
    surf2Dread(out, from, x, y);
}
__global__ void store_surface(cudaSurfaceObject_t to, int x, int y) { surf2Dwrite(1, to, x, y); }

// Names with parentheses that do not begin the parameters. Each stores at a null pointer.
namespace {
__global__ void unnamed(int* p) { *p = 1; }
}  // namespace
template <class F>
__global__ void typed(int* p) {
    *p = sizeof(F);
}
enum class Level { low, high };
template <Level LEVEL>
__global__ void levelled(int* p) {
    *p = int(LEVEL);
}

namespace {

int* words;  // 4,096 bytes of the device
char* bytes() { return reinterpret_cast<char*>(words); }
constexpr long long FAR = 1ll << 40;

cudaError_t launch_cooperatively(unsigned blocks) {
    return cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grid_barrier), blocks, 1024, nullptr, 0,
                                       nullptr);
}

cudaArray_t array;  // 8 x 4 words, of the last object
cudaResourceDesc new_array() {
    const cudaChannelFormatDesc word = {32, 0, 0, 0, cudaChannelFormatKindSigned};
    cudaMallocArray(&array, &word, 8, 4, cudaArraySurfaceLoadStore);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}
cudaSurfaceObject_t surface() {
    const cudaResourceDesc resource = new_array();
    cudaSurfaceObject_t made = 0;
    cudaCreateSurfaceObject(&made, &resource);
    return made;
}
cudaTextureObject_t texture() {
    const cudaResourceDesc resource = new_array();
    const cudaTextureDesc point = {};
    cudaTextureObject_t made = 0;
    cudaCreateTextureObject(&made, &resource, &point, nullptr);
    return made;
}
unsigned long long freed(unsigned long long object) {
    cudaFreeArray(array);
    return object;
}

struct Case {
    const char* name;
    void (*run)();
};
const Case CASES[] = {
    {"no_fault", [] { store<<<1, 1>>>(words, 0); }},
    {"null_load", [] { load<<<1, 1>>>(nullptr, 0, words); }},
    {"null_store", [] { store<<<1, 1>>>(nullptr, 0); }},
    {"far_load", [] { load<<<1, 1>>>(words, FAR, words); }},
    {"far_store", [] { store<<<2, 64>>>(words, FAR); }},
    {"far_atomic", [] { add<<<1, 1>>>(bytes(), FAR); }},
    {"hosts_memory", [] { store<<<1, 1>>>(static_cast<int*>(std::calloc(4, 4)), 0); }},
    {"misaligned_load_4", [] { load_word<int><<<1, 1>>>(bytes(), 2); }},
    {"misaligned_load_8", [] { load_word<long long><<<1, 1>>>(bytes(), 4); }},
    {"misaligned_atomic", [] { add<<<1, 1>>>(bytes(), 2); }},
    {"shared_beyond", [] { shared_word<<<1, 64>>>(1 << 18, words); }},
    {"shared_before", [] { shared_word<<<1, 64>>>(-(1 << 18), words); }},
    {"shared_misaligned", [] { shared_bytes<<<1, 64>>>(5, words); }},
    {"local_beyond", [] { local_word<<<1, 1>>>(1 << 20, words); }},
    {"async_copy_misaligned", [] { copy_asynchronously<<<1, 1>>>(bytes(), 4, 0); }},
    {"async_copy_shared_beyond", [] { copy_asynchronously<<<1, 1>>>(bytes(), 0, 1 << 20); }},
    {"async_copy_far", [] { copy_asynchronously<<<1, 1>>>(bytes() + FAR, 0, 0); }},
    {"trap", [] { trap<<<1, 1>>>(); }},
    {"assertion", [] { failing_assertion<<<2, 64>>>(40); }},
    {"recursion", [] { recursion<<<1, 1>>>(8, words); }},
    {"recursion_without_end", [] { recursion<<<1, 1>>>(1 << 30, words); }},
    {"too_many_threads", [] { nothing<<<1, 1025>>>(); }},
    {"too_many_threads_for_kernel", [] { small_blocks<<<1, 65>>>(); }},
    {"too_many_threads_in_z", [] { nothing<<<1, dim3(1, 1, 65)>>>(); }},
    {"no_threads", [] { nothing<<<1, 0>>>(); }},
    {"no_blocks", [] { nothing<<<0, 1>>>(); }},
    {"too_many_blocks_in_y", [] { nothing<<<dim3(1, 65536), 1>>>(); }},
    {"too_much_shared_memory", [] { nothing<<<1, 32, 49153>>>(); }},
    {"surface_beyond", [] { load_surface<<<1, 1>>>(surface(), 32, 0, words); }},
    {"surface_below", [] { load_surface<<<1, 1>>>(surface(), 0, -1, words); }},
    {"surface_misaligned", [] { load_surface<<<1, 1>>>(surface(), 2, 0, words); }},
    {"surface_store_beyond", [] { store_surface<<<1, 1>>>(surface(), 0, 4); }},
    {"too_many_registers", [] { many_registers<<<1, 1024>>>(nullptr); }},
    {"cooperative_too_large", [] { launch_cooperatively(100000); }},
    {"cluster_of_two", [] { far_load<<<2, 64>>>(1, 0, words); }},
    {"clusters_of_two_in_three", [] { in_clusters<<<3, 32>>>(); }},
    {"cluster_rank_beyond", [] { far_load<<<2, 64>>>(2, 0, words); }},
    {"cluster_rank_far_beyond", [] { far_load<<<2, 64>>>(77, 0, words); }},
    {"cluster_rank_31", [] { far_load<<<2, 64>>>(31, 0, words); }},
    {"cluster_rank_32", [] { far_load<<<2, 64>>>(32, 0, words); }},
    {"cluster_shared_window_end", [] { far_load<<<2, 64>>>(1, 0x38b00, words); }},
    {"cluster_shared_behind_window", [] { far_load<<<2, 64>>>(1, 0x38c00, words); }},
    {"cluster_shared_beyond", [] { far_load<<<2, 64>>>(1, 4096, words); }},
    {"cluster_shared_far_beyond", [] { far_load<<<2, 64>>>(1, 1 << 20, words); }},
    {"cluster_shared_misaligned", [] { far_load<<<2, 64>>>(1, 2, words); }},
    {"cluster_atomic_rank_beyond", [] { far_atomic<<<2, 64>>>(5, 0); }},
    {"cluster_atomic_beyond", [] { far_atomic<<<2, 64>>>(1, 1 << 20); }},
    {"cluster_atomic_misaligned", [] { far_atomic<<<2, 64>>>(1, 2); }},
    {"cluster_own_by_rank", [] { near_load<<<2, 64>>>(1, 1, words); }},
    {"cluster_other_as_own", [] { near_load<<<2, 64>>>(0, 1, words); }},
    {"cluster_first_as_own", [] { near_load<<<2, 64>>>(1, 0, words); }},
    {"cluster_mbarrier_rank_beyond", [] { far_mbarrier<<<2, 64>>>(3); }},
    {"cluster_store_async_rank_beyond", [] { asynchronous_store<<<2, 64>>>(2, 2); }},
    {"cluster_ended_block", [] { ended_block<<<2, 64>>>(words); }},
    {"cluster_arrives_and_ends", [] { arrives_and_ends<<<2, 64>>>(words); }},
    {"cluster_arrives_twice", [] { arrives_twice<<<2, 64>>>(words); }},
    {"cluster_waits_only", [] { waits_only<<<2, 64>>>(words); }},
    {"no_kernel", [] { cudaLaunchKernel(CASES, 1, 1, nullptr, 0, nullptr); }},
};
// Not on a GPU.
const Case OF_THE_MACHINE[] = {
    {"deadlock", [] { wait_for_flag<<<2, 64>>>(words); }},
    {"deadlock_in_shared_memory", [] { wait_for_shared_flag<<<2, 64>>>(words); }},
    {"deadlock_of_lock", [] { wait_for_lock<<<2, 64>>>(words); }},
    {"loop_without_end", [] { loop_without_end<<<1, 1024>>>(words); }},
    {"deadlock_at_barrier", [] { half_a_block_waits<<<1, 128>>>(); }},
    {"cluster_store_async_to_two", [] { asynchronous_store<<<2, 64>>>(1, 0); }},
    {"deadlock_at_cluster_barrier", [] { one_block_waits<<<2, 64>>>(words); }},
    {"unnamed_namespace", [] { unnamed<<<1, 1>>>(nullptr); }},
    {"function_type", [] { typed<int (*)(float)><<<1, 1>>>(nullptr); }},
    {"enumerator", [] { levelled<Level::high><<<1, 1>>>(nullptr); }},
    {"surface_of_freed_array", [] { load_surface<<<1, 1>>>(freed(surface()), 0, 0, words); }},
    {"texture_of_freed_array", [] { fetch<<<1, 1>>>(freed(texture()), words); }},
    {"sparse_texture", [] { sparse_texture<<<1, 1>>>(0, reinterpret_cast<float*>(words)); }},
};

int run(const Case& one) {
    if (cudaMalloc(&words, 4096) != cudaSuccess || cudaMemset(words, 0, 4096) != cudaSuccess) return 1;
    one.run();
    std::printf("%s: launch %s", one.name, cudaGetErrorName(cudaGetLastError()));
    std::printf(", synchronize %s", cudaGetErrorName(cudaDeviceSynchronize()));
    std::printf(", last %s", cudaGetErrorName(cudaGetLastError()));
    void* more = nullptr;
    std::printf(", malloc %s", cudaGetErrorName(cudaMalloc(&more, 16)));
    nothing<<<1, 1>>>();
    std::printf(", next launch %s\n", cudaGetErrorName(cudaGetLastError()));
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    const char* const name = count > 1 ? arguments[1] : "--list";
    for (const Case& one : CASES) {
        if (std::strcmp(name, "--list") == 0) std::puts(one.name);
        if (std::strcmp(name, one.name) == 0) return run(one);
    }
    for (const Case& one : OF_THE_MACHINE)
        if (std::strcmp(name, one.name) == 0) return run(one);
    return std::strcmp(name, "--list") != 0;
}
