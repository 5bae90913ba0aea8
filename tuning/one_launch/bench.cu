// Throw-away: correctness, then ratios to CUB and to read-only kernels, of several policies.
// nvcc -std=c++17 -O3 -arch=sm_90 -I. tuning/one_launch/bench.cu -o bench; ./bench [reduce|small|select|types]
#include <cub/cub.cuh>
#include <cstdio>
#include <cstring>
#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>
#include <memory>
#include "kernels/device/compact_look_ahead.cuh"
#include "kernels/device/compact_ring.cuh"
#include "kernels/device/reduce_warp_shares.cuh"
#include "kernels/device/reduce_last_block.cuh"
#include "kernels/operators.cuh"
#include "kernels/predicates.cuh"
#define OK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); exit(1);} } while (0)

cudaStream_t stream;
struct Contestant { std::string name; std::function<void()> run; std::vector<float> us; };

float median(std::vector<float> v) { std::sort(v.begin(), v.end()); return v[v.size() / 2]; }
// Interleaved; events round one call.
void time_all(std::vector<Contestant>& all, int rounds) {
    cudaEvent_t a, b; OK(cudaEventCreate(&a)); OK(cudaEventCreate(&b));
    for (auto& c : all) { c.run(); c.run(); }
    OK(cudaStreamSynchronize(stream));
    for (int r = 0; r < rounds; ++r)
        for (auto& c : all) {
            OK(cudaEventRecord(a, stream)); c.run(); OK(cudaEventRecord(b, stream)); OK(cudaEventSynchronize(b));
            float ms; OK(cudaEventElapsedTime(&ms, a, b)); c.us.push_back(1000 * ms);
        }
    OK(cudaGetLastError());
}
void report(const char* title, std::vector<Contestant>& all, double bytes, size_t reference, int ceiling = -1) {
    printf("== %s\n", title);
    const float ref = median(all[reference].us), top = ceiling < 0 ? 0 : median(all[ceiling].us);
    for (auto& c : all) {
        const float m = median(c.us);
        printf("%-44s %9.2f us  min %9.2f  %6.3f TB/s  x CUB %.3f", c.name.c_str(), m, *std::min_element(c.us.begin(), c.us.end()), bytes / m * 1e-6, ref / m);
        if (ceiling >= 0) printf("  of ceiling %.3f", top / m);
        printf("\n");
    }
    fflush(stdout);
}
__global__ void empty() {}

// --- Read-only kernels: what reading costs. PATTERN 0: grid-stride; 1: a contiguous share a block; 2: a share a warp.
template <int PATTERN, int ROWS, int THREADS>
__global__ void __launch_bounds__(THREADS) read_only(const uint4* in, long long words, unsigned* out) {
    unsigned x = 0;
    const int warps = THREADS / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    long long i, end, step; int row;
    if (PATTERN == 0) { i = (1LL * blockIdx.x * warps + warp) * 32 * ROWS + lane; end = words; step = 1LL * gridDim.x * THREADS * ROWS; row = 32; }
    if (PATTERN == 1) { const long long share = words / gridDim.x; i = blockIdx.x * share + warp * 32 * ROWS + lane; end = (blockIdx.x + 1) * share; step = THREADS * ROWS; row = 32; }
    if (PATTERN == 2) { const long long share = words / (1LL * gridDim.x * warps); i = (1LL * blockIdx.x * warps + warp) * share + lane; end = i - lane + share; step = 32 * ROWS; row = 32; }
    for (; i + (ROWS - 1) * row < end; i += step) {
        uint4 w[ROWS];
#pragma unroll
        for (int k = 0; k < ROWS; ++k) w[k] = in[i + k * row];
#pragma unroll
        for (int k = 0; k < ROWS; ++k) x += w[k].x + w[k].y + w[k].z + w[k].w;
    }
    if (x == 0x12345677u) *out = x;
}

template <class T> struct Vec { T* p; size_t n; Vec(size_t n) : n(n) { OK(cudaMalloc(&p, n * sizeof(T) + 64)); } ~Vec() { cudaFree(p); } };
__global__ void fill_kernel(unsigned* p, long long n, unsigned mask) { for (long long i = blockIdx.x * 1LL * blockDim.x + threadIdx.x; i < n; i += 1LL * gridDim.x * blockDim.x) { unsigned x = (unsigned)i * 2654435761u; x ^= x >> 15; x *= 2246822519u; x ^= x >> 13; p[i] = x & mask; } }

// --- Reduction.
template <class T, class Policy>
std::string check_reduce() {
    WarpSharesReduction<T, Sum<T>, Policy> reduce; OK(reduce.status());
    std::mt19937 random(1); const size_t N = 3000000;
    std::vector<T> v(N); for (auto& x : v) x = T(int(random() % 17) - 8);
    std::vector<T> sums(N + 1, T(0));
    Vec<T> in(N), out(1); OK(cudaMemcpy(in.p, v.data(), N * sizeof(T), cudaMemcpyHostToDevice));
    for (int offset : {0, 1, 3}) {
        sums[0] = 0; for (size_t i = offset; i < N; ++i) sums[i - offset + 1] = T(sums[i - offset] + v[i]);
        for (int call = 0; call < 60; ++call) {
            const long long n = call < 4 ? call : call < 50 ? (long long)(random() % (1u << (1 + random() % 21))) : (long long)(N - offset - random() % 5000);
            reduce(in.p + offset, out.p, n, Sum<T>{}, stream);
            T got; OK(cudaMemcpyAsync(&got, out.p, sizeof(T), cudaMemcpyDeviceToHost, stream)); OK(cudaStreamSynchronize(stream));
            if (got != sums[n]) return "WRONG at n " + std::to_string(n) + " offset " + std::to_string(offset);
        }
    }
    return "right";
}
template <class T, class Policy>
void add_reduce(std::vector<Contestant>& all, const char* name, const T* in, T* out, long long n) {
    auto r = std::make_shared<WarpSharesReduction<T, Sum<T>, Policy>>(); OK(r->status());
    static const std::string verdict = check_reduce<T, Policy>();
    all.push_back({std::string(name) + (verdict == "right" ? "" : " " + verdict), [=] { (*r)(in, out, n, Sum<T>{}, stream); }, {}});
}
template <class T>
void add_cub_reduce(std::vector<Contestant>& all, const T* in, T* out, long long n) {
    size_t bytes = 0; OK(cub::DeviceReduce::Sum(nullptr, bytes, in, out, n, stream));
    auto temp = std::make_shared<Vec<char>>(bytes + 1);
    all.push_back({"CUB DeviceReduce::Sum", [=] { size_t b = bytes; cub::DeviceReduce::Sum(temp->p, b, in, out, n, stream); }, {}});
}
#define POLICY(threads, rows, blocks, resident) add_reduce<T, WarpSharesPolicy<threads, rows, blocks, resident>>(all, #threads " threads, " #rows " rows, " #blocks " blocks, resident " #resident, in.p, out.p, n)
template <class T> void reduce_large(long long n) {
    Vec<T> in(n), out(4); fill_kernel<<<1056, 256, 0, stream>>>((unsigned*)in.p, n * (long long)sizeof(T) / 4, sizeof(T) == 4 ? 0xff : 0x0f0f0f0f);
    std::vector<Contestant> all; add_cub_reduce<T>(all, in.p, out.p, n);
    const auto* w = (const uint4*)in.p; const long long words = n * sizeof(T) / 16; auto* o = (unsigned*)out.p + 2;
#define READ(pattern, rows, threads, blocks) all.push_back({"read only, pattern " #pattern ", " #rows " rows, " #threads " x " #blocks, [=] { read_only<pattern, rows, threads><<<blocks, threads, 0, stream>>>(w, words, o); }, {}})
    READ(0, 4, 256, 1056); READ(0, 8, 256, 528); READ(0, 4, 256, 4224); READ(0, 8, 256, 8192); READ(0, 4, 256, 65536);
    READ(1, 4, 256, 1056); READ(1, 8, 256, 1056); READ(1, 4, 256, 4224); READ(1, 8, 256, 8192); READ(1, 4, 512, 8192);
    READ(2, 4, 256, 1056); READ(2, 8, 256, 528); READ(2, 4, 256, 4224); READ(2, 8, 256, 8192);
    const size_t reads_end = all.size();
    add_reduce<T, DefaultWarpShares<T>>(all, "default", in.p, out.p, n);
    POLICY(256, 4, 528, 4); POLICY(256, 4, 1320, 5); POLICY(256, 4, 2112, 4); POLICY(256, 4, 4224, 4); POLICY(256, 4, 8448, 4); POLICY(256, 4, 660, 5); POLICY(256, 4, 2640, 5); POLICY(256, 4, 5280, 5); POLICY(256, 4, 3168, 6); POLICY(256, 4, 4224, 8);
    POLICY(256, 8, 528, 2); POLICY(256, 8, 1056, 3); POLICY(256, 8, 4224, 3); POLICY(512, 4, 528, 2); POLICY(512, 4, 2112, 2); POLICY(512, 8, 2112, 1); POLICY(128, 8, 2112, 6); POLICY(128, 4, 8448, 8); POLICY(128, 4, 8448, 10);
    time_all(all, 40);
    int best = 1; for (size_t i = 1; i < reads_end; ++i) if (median(all[i].us) < median(all[best].us)) best = int(i);
    report(("reduce, " + std::to_string(sizeof(T)) + " bytes, n " + std::to_string(n)).c_str(), all, double(n) * sizeof(T), 0, best);
}
template <class T> void reduce_small(long long n) {
    Vec<T> in(n), out(4); fill_kernel<<<1056, 256, 0, stream>>>((unsigned*)in.p, n * (long long)sizeof(T) / 4, 0xff);
    std::vector<Contestant> all; add_cub_reduce<T>(all, in.p, out.p, n);
    all.push_back({"empty kernel", [=] { empty<<<1, 32, 0, stream>>>(); }, {}});
    all.push_back({"empty kernel, 256 blocks", [=] { empty<<<256, 256, 0, stream>>>(); }, {}});
    auto last = std::make_shared<LastBlockReduction<T, Sum<T>>>(); T *i = in.p, *o = out.p;
    all.push_back({"reduce_last_block", [=] { (*last)(i, o, n, Sum<T>{}, stream); }, {}});
    add_reduce<T, DefaultWarpShares<T>>(all, "default", in.p, out.p, n);
    POLICY(256, 1, 1056, 4); POLICY(256, 2, 1056, 4); POLICY(256, 4, 64, 4); POLICY(256, 4, 132, 4); POLICY(256, 8, 128, 2);
    POLICY(512, 1, 132, 2); POLICY(512, 2, 132, 2); POLICY(512, 4, 132, 2); POLICY(1024, 1, 132, 1); POLICY(1024, 2, 132, 1); POLICY(1024, 4, 132, 1); POLICY(1024, 4, 32, 1); POLICY(128, 4, 1056, 8); POLICY(128, 2, 264, 8);
    time_all(all, 400);
    report(("reduce small, " + std::to_string(sizeof(T)) + " bytes, n " + std::to_string(n)).c_str(), all, double(n) * sizeof(T), 0);
}

// --- Compaction.
template <class T, class Compaction>
std::string check_select() {
    const size_t N = 2000000; Compaction compact(N); OK(compact.status());
    std::mt19937 random(2); std::vector<T> v(N); for (auto& x : v) x = T(random() % 100);
    Vec<T> in(N), out(N); Vec<long long> kept(1); OK(cudaMemcpy(in.p, v.data(), N * sizeof(T), cudaMemcpyHostToDevice));
    for (int limit : {0, 50, 100}) for (int offset : {0, 1}) for (int call = 0; call < 12; ++call) {
        const long long n = call < 4 ? call : call < 9 ? (long long)(random() % (1u << (1 + random() % 20))) : (long long)(N - offset - random() % 5000);
        OK(cudaMemsetAsync(out.p, 0xee, N * sizeof(T), stream));
        compact(in.p + offset, out.p, kept.p, n, Below<T>{T(limit)}, stream);
        std::vector<T> want; for (long long i = 0; i < n; ++i) if (v[offset + i] < limit) want.push_back(v[offset + i]);
        long long k; OK(cudaMemcpyAsync(&k, kept.p, 8, cudaMemcpyDeviceToHost, stream)); OK(cudaStreamSynchronize(stream));
        if (k != (long long)want.size()) return "WRONG count at n " + std::to_string(n);
        std::vector<T> got(k + 1); OK(cudaMemcpy(got.data(), out.p, (k + (size_t(k) < N)) * sizeof(T), cudaMemcpyDeviceToHost));
        if (k && memcmp(got.data(), want.data(), k * sizeof(T))) return "WRONG at n " + std::to_string(n);
    }
    return "right";
}
template <class T, class Compaction>
void add_select(std::vector<Contestant>& all, const char* name, const T* in, T* out, long long* kept, long long n, T limit) {
    auto r = std::make_shared<Compaction>(n); OK(r->status());
    static const std::string verdict = check_select<T, Compaction>();
    all.push_back({std::string(name) + (verdict == "right" ? "" : " " + verdict), [=] { (*r)(in, out, kept, n, Below<T>{limit}, stream); }, {}});
}
#define SELECT(threads, rows, blocks, resident, looks) add_select<T, LookAheadCompaction<T, Below<T>, LookAheadPolicy<threads, rows, blocks, resident, looks>>>(all, #threads " threads, " #rows " rows, " #blocks " blocks, resident " #resident ", looks " #looks, in.p, out.p, kept.p, n, limit)
#define RING(stages, loads, bytes, unit) add_select<T, RingCompaction<T, Below<T>, CompactRingPolicy<T, stages, loads, bytes, unit>>>(all, "ring, " #stages " stages, " #loads " loads, " #bytes " bytes, units of " #unit, in.p, out.p, kept.p, n, limit)
template <class T> void select(long long n, T limit) {
    Vec<T> in(n), out(n); Vec<long long> kept(1); fill_kernel<<<1056, 256, 0, stream>>>((unsigned*)in.p, n * (long long)sizeof(T) / 4, sizeof(T) == 1 ? 0x7f7f7f7f : 0xff);
    std::vector<Contestant> all;
    size_t bytes = 0; OK(cub::DeviceSelect::If(nullptr, bytes, in.p, out.p, kept.p, n, Below<T>{limit}, stream));
    auto temp = std::make_shared<Vec<char>>(bytes + 1); T *i = in.p, *o = out.p; auto* k = kept.p;
    all.push_back({"CUB DeviceSelect::If", [=] { size_t b = bytes; cub::DeviceSelect::If(temp->p, b, i, o, k, n, Below<T>{limit}, stream); }, {}});
    all.push_back({"copy of 3/4 of n (as many bytes)", [=] { cudaMemcpyAsync(o, i, n * sizeof(T) / 4 * 3, cudaMemcpyDeviceToDevice, stream); }, {}});
    RING(7, 2, 112, 16); RING(7, 3, 112, 16); RING(6, 2, 112, 16); RING(6, 3, 112, 16); RING(7, 2, 80, 16); RING(7, 2, 96, 16); RING(6, 2, 128, 16);
    RING(7, 2, 112, 4); RING(7, 2, 112, 8); RING(6, 2, 128, 8); RING(6, 2, 128, 4); RING(5, 2, 144, 16); RING(5, 2, 160, 16);
    time_all(all, 40);
    long long found; OK(cudaMemcpy(&found, kept.p, 8, cudaMemcpyDeviceToHost));
    report(("select, " + std::to_string(sizeof(T)) + " bytes, n " + std::to_string(n) + ", kept " + std::to_string(found)).c_str(), all, double(n + found) * sizeof(T), 0, 1);
}
int main(int argc, char** argv) {
    OK(cudaStreamCreate(&stream)); const std::string what = argc > 1 ? argv[1] : "all";
    if (what == "small" || what == "all") for (int e : {10, 12, 14, 16, 18, 20, 22}) reduce_small<int>(1LL << e);
    if (what == "small" || what == "all") { reduce_small<int>(100003); reduce_small<float>(1 << 18); }
    if (what == "reduce" || what == "all") { reduce_large<int>(1LL << 28); reduce_large<int>((1LL << 28) - 12345); reduce_large<int>(1LL << 24); }
    if (what == "types") { reduce_large<signed char>(1LL << 30); reduce_large<long long>(1LL << 27); reduce_large<double>(1LL << 27); }
    if (what == "select" || what == "all") { select<int>(1LL << 28, 128); select<int>(1LL << 24, 128); select<int>(1LL << 20, 128); select<int>(1LL << 28, 26); select<int>(1LL << 28, 300); }
    if (what == "types") { select<signed char>(1LL << 30, 64); select<long long>(1LL << 27, 0x8000000000LL); }
    return 0;
}
