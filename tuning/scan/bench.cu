// Ratios of scans to a copy and to CUB. Interleaved, medians.
#ifndef CORE
#include <cub/device/device_scan.cuh>
#endif
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>
#include "kernels/device/scan.cuh"
#include "kernels/operators.cuh"
#define OK(x) do { auto e_ = (x); if (e_ != cudaSuccess) { printf("%s: %s line %d\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
__global__ void fill(unsigned* p, size_t words, int kind) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < words; i += (size_t)gridDim.x * blockDim.x) {
    unsigned h = (unsigned)i * 2654435761u; h ^= h >> 13; h *= 0x5bd1e995u; h ^= h >> 15;
    if (kind == 0) p[i] = h;
    else if (kind == 1) p[i] = __float_as_uint((float)((int)(h % 17) - 8));
    else if (kind == 2) p[i] = i % 2 ? ((h % 2) ? 0x3ff00000u : 0xc0000000u) : 0;  // doubles 1 or -2
    else p[i] = i % 2 == 0 ? __float_as_uint(h % 2 ? 1.f : -1.f) : __float_as_uint((float)((int)(h % 5) - 2)); // affine
  }
}
__global__ void read_all(const uint4* p, size_t n) { unsigned x = 0; for (size_t i = blockIdx.x * 256ull + threadIdx.x; i < n; i += 256ull * gridDim.x) x ^= p[i].x ^ p[i].y ^ p[i].z ^ p[i].w; if (x == 0x12345) *(volatile unsigned*)(p) = x; }
template <class T> __global__ void differ(const T* a, const T* b, long long n, unsigned long long* bad) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
    const char *p = (const char*)(a + i), *q = (const char*)(b + i);
    bool d = false; for (int k = 0; k < (int)sizeof(T); ++k) d |= p[k] != q[k];
    if (d) atomicAdd(bad, 1ull);
  }
}
char *A, *B, *C, *FL; size_t FLB = 256u << 20; void* tmp; size_t tmpb = 64u << 20; unsigned long long* bad;
struct Row { std::string name; std::function<void(cudaStream_t)> f; std::vector<float> t; };
float median(std::vector<float> v) { std::sort(v.begin(), v.end()); return v[v.size() / 2]; }
cudaStream_t st; cudaEvent_t e0, e1;
void measure(std::vector<Row>& rows, int reps, bool cold, int batch) {
  for (auto& r : rows) { r.t.clear(); r.f(st); }
  OK(cudaStreamSynchronize(st));
  for (int k = 0; k < reps; ++k) for (auto& r : rows) {
    if (cold) { read_all<<<1056, 256, 0, st>>>((uint4*)FL, FLB / 16); }
    OK(cudaEventRecord(e0, st));
    for (int b = 0; b < batch; ++b) r.f(st);
    OK(cudaEventRecord(e1, st));
    OK(cudaEventSynchronize(e1));
    float ms; OK(cudaEventElapsedTime(&ms, e0, e1)); r.t.push_back(ms * 1000 / batch);
  }
}
void print(const char* title, std::vector<Row>& rows) {
  const float copy = median(rows[0].t);
  printf("%-34s copy %8.2f", title, copy);
  for (size_t k = 1; k < rows.size(); ++k) printf(" | %s %8.2f %.3f", rows[k].name.c_str(), median(rows[k].t), copy / median(rows[k].t));
  printf("\n"); fflush(stdout);
}
template <class Policy, class T, class Op> ScanResult ring_with(ScanWorkspace& w, const ScanProblem<T>& p, Op op, cudaStream_t s) { return scan_detail::ring<Policy, true, Form::inclusive>(w, p, op, s); }
template <class T, class Op> void check(const char* what, ScanWorkspace& w, T* in, T* out, T* ref, long long n, Op op, const std::function<void(cudaStream_t)>& f) {
  OK(cudaMemsetAsync(out, 0x7f, n * sizeof(T), st));
  f(st);
#ifdef CORE
  { static LookBackScan<T, Op> look_back(1ll << 30); OK(look_back.status()); look_back(in, ref, n, op, st); }
#else
  { size_t b = tmpb; OK(cub::DeviceScan::InclusiveScan(tmp, b, in, ref, op, n, st)); }
#endif
  OK(cudaMemsetAsync(bad, 0, 8, st)); differ<<<1024, 256, 0, st>>>(out, ref, n, bad);
  unsigned long long h; OK(cudaMemcpyAsync(&h, bad, 8, cudaMemcpyDeviceToHost, st)); OK(cudaStreamSynchronize(st));
  if (h) { printf("WRONG %s n %lld: %llu differ\n", what, n, h); fflush(stdout); }
}
template <class T, int S, unsigned L, int G, int BY = 112, int A = 2> struct RP { static constexpr int STAGES = S, ARRIVALS = 1; static constexpr unsigned LOADS = L; static constexpr int TILES_A_LANE = A, GROUPS = G, THREADS = 256, BYTES = BY;
  template <bool W> using TilesOf = void; using Status = EpochStatus<T>; using Ahead = LookAhead<T, TILES_A_LANE, GROUPS>; };
template <class T, int S, unsigned L, int G, int BY = 112, int A = 2> struct RPT : RP<T, S, L, G, BY, A> { template <bool W> using Tiles = RingTiles<T, W, 256, BY>; };
bool variants = false;
template <class T, class Op> void row(const char* name, long long n, int kind, Op op, bool cold, int reps, bool with_cub = true, int in_off = 0, int out_off = 0, int batch = 1, bool others = false) {
  T *in = (T*)A + in_off, *out = (T*)B + out_off, *ref = (T*)C;
  static int filled = -1;
  fill<<<2048, 256, 0, st>>>((unsigned*)A, ((n + 64) * sizeof(T) + 3) / 4, kind);
  ScanWorkspace w(ScanWorkspace::bytes<T>(2 * n)); OK(w.status());
  std::vector<Row> rows;
  rows.push_back({"copy", [=](cudaStream_t s) { OK(cudaMemcpyAsync(out, in, n * sizeof(T), cudaMemcpyDeviceToDevice, s)); }});
  rows.push_back({"ours", [=, &w](cudaStream_t s) { auto r = inclusive_scan(w, in, out, n, op, s); if (r != ScanResult::success) { printf("result %d %s\n", (int)r, cudaGetErrorString(cudaGetLastError())); exit(1); } }});
#ifndef CORE
  if (with_cub) rows.push_back({"cub", [=](cudaStream_t s) { size_t b = tmpb; OK(cub::DeviceScan::InclusiveScan(tmp, b, in, out, op, n, s)); }});
#endif
#ifndef CORE
  if (others) {
    ScanProblem<T> p{in, out, n, {{}, false}};
    auto add = [&](const char* nm, auto policy) { using P = decltype(policy); rows.push_back({nm, [=, &w](cudaStream_t s) { (void)ring_with<P>(w, p, op, s); }}); };
    constexpr int A = sizeof(T) <= 4 ? 4 : 1; constexpr int G = sizeof(T) <= 4 ? 3 : 6;
    add("7/3", RPT<T, 7, 3, G, 112, A>{}); add("8/2b96", RPT<T, 8, 2, G, 96, A>{});
  }
#endif
  for (size_t k = 1; k < rows.size(); ++k) if (rows[k].name != "cub") check<T>((std::string(name) + " " + rows[k].name).c_str(), w, in, out, ref, n, op, rows[k].f);
  measure(rows, reps, cold, batch);
  char title[100]; snprintf(title, 100, "%s n %lld %s%s", name, n, cold ? "cold" : "warm", in_off || out_off ? " off" : "");
  print(title, rows);
}
#ifndef CORE
template <class P, class T, class Op> void add_wave(std::vector<Row>& rows, const char* nm, ScanWorkspace& w, ScanProblem<T> p, Op op, int smem = 0) {
  if (smem) cudaFuncSetAttribute(scan_one_wave<P, Form::inclusive, typename P::template Tiles<T>, T, Op>, cudaFuncAttributeMaxDynamicSharedMemorySize, smem);
  if (tiles(p.n, P::template Tiles<T>::TILE) > std::min(smem ? 100000 : 132 * P::BLOCKS, P::template Tiles<T>::MOST)) return;
  rows.push_back({nm, [=, &w](cudaStream_t s) { using Tl = typename P::template Tiles<T>; (void)scan_detail::launch(scan_one_wave<P, Form::inclusive, Tl, T, Op>, tiles(p.n, Tl::TILE), Tl::THREADS, smem, s, p, w.memory(), op, Alone{}); }});
}
template <int W, int B, int TH> struct WV { static constexpr int WORDS = W, BLOCKS = B, THREADS = TH, PATIENCE = 256; template <class T> using Tiles = WaveTiles<T, W, TH>; __device__ static int tile(int b, int) { return b; } };
__global__ void empty() {}
template <class T, class Op> void small(long long n, Op op, bool cold, int reps) {
  T *in = (T*)A, *out = (T*)B, *ref = (T*)C;
  fill<<<2048, 256, 0, st>>>((unsigned*)A, n * sizeof(T) / 4, 0);
  ScanWorkspace w(ScanWorkspace::bytes<T>(n)); ScanProblem<T> p{in, out, n, {{}, false}};
  std::vector<Row> rows;
  rows.push_back({"copy", [=](cudaStream_t s) { OK(cudaMemcpyAsync(out, in, n * sizeof(T), cudaMemcpyDeviceToDevice, s)); }});
  rows.push_back({"ours", [=, &w](cudaStream_t s) { (void)inclusive_scan(w, in, out, n, op, s); }});
  rows.push_back({"cub", [=](cudaStream_t s) { size_t b = tmpb; OK(cub::DeviceScan::InclusiveScan(tmp, b, in, out, op, n, s)); }});
  rows.push_back({"empty", [=](cudaStream_t s) { empty<<<1, 32, 0, s>>>(); }});
  rows.push_back({"ring", [=, &w](cudaStream_t s) { (void)scan_detail::ring<Form::inclusive>(w, p, op, s); }});
  add_wave<WV<1, 1, 256>>(rows, "1x256", w, p, op);
  add_wave<WV<2, 1, 256>>(rows, "2x256", w, p, op);
  add_wave<WV<4, 1, 256>>(rows, "4x256", w, p, op);
  add_wave<WV<4, 4, 256>>(rows, "4x256/4", w, p, op);
  add_wave<WV<8, 4, 256>>(rows, "8x256/4", w, p, op);
  add_wave<WV<8, 1, 256>>(rows, "8x256", w, p, op);
  add_wave<WV<4, 8, 128>>(rows, "4x128/8", w, p, op);
  add_wave<WV<8, 2, 512>>(rows, "8x512", w, p, op);
  if (n > 1 << 20) {
  add_wave<WV<8, 4, 256>>(rows, "8x256@3", w, p, op, 62 << 10);
  add_wave<WV<8, 4, 256>>(rows, "8x256@2", w, p, op, 90 << 10);
  add_wave<WV<8, 2, 512>>(rows, "8x512@1", w, p, op, 180 << 10);
  add_wave<WV<4, 4, 512>>(rows, "4x512@4", w, p, op, 40 << 10);
  add_wave<WV<4, 4, 512>>(rows, "4x512@3", w, p, op, 60 << 10);
  add_wave<WV<4, 4, 512>>(rows, "4x512@2", w, p, op, 90 << 10);
  }
  for (size_t k = 1; k < rows.size(); ++k) if (rows[k].name != "cub" && rows[k].name != "empty") check<T>(rows[k].name.c_str(), w, in, out, ref, n, op, rows[k].f);
  measure(rows, reps, cold, 1);
  char title[100]; snprintf(title, 100, "small n %lld %s", n, cold ? "cold" : "warm");
  print(title, rows);
}
#endif
int main(int argc, char** argv) {
  const std::string part = argc > 1 ? argv[1] : "targets";
  OK(cudaStreamCreate(&st)); OK(cudaEventCreate(&e0)); OK(cudaEventCreate(&e1));
  const size_t bytes = (2ull << 30) + 4096;
  OK(cudaMalloc(&A, bytes)); OK(cudaMalloc(&B, bytes)); OK(cudaMalloc(&C, bytes)); OK(cudaMalloc(&FL, FLB)); OK(cudaMalloc(&tmp, tmpb)); OK(cudaMalloc(&bad, 8));
#ifdef CORE
  printf("%s\n", CORE);
  row<int>("int32", 1ll << 28, 0, Sum<int>{}, false, 15);
  row<signed char>("int8", 1ll << 28, 0, Sum<signed char>{}, false, 15);
  row<Affine<float>>("affine", 1ll << 27, 3, ComposeAffine<float>{}, false, 11);
  row<int>("int32", 1ll << 24, 0, Sum<int>{}, true, 41);
  row<int>("int32", 1ll << 23, 0, Sum<int>{}, true, 41);
  row<int>("int32", 1ll << 22, 0, Sum<int>{}, true, 41);
  row<int>("int32", 1ll << 20, 0, Sum<int>{}, true, 41);
#else
  if (part == "targets" || part == "all") {
    row<int>("int32", 1ll << 28, 0, Sum<int>{}, false, 15, true, 0, 0, 1, argc > 2);
    row<float>("float", 1ll << 28, 1, Sum<float>{}, false, 15);
    row<long long>("int64", 1ll << 28, 0, Sum<long long>{}, false, 11);
    row<double>("double", 1ll << 28, 2, Sum<double>{}, false, 11);
    row<short>("int16", 1ll << 28, 0, Sum<short>{}, false, 15);
    row<signed char>("int8", 1ll << 28, 0, Sum<signed char>{}, false, 15, true, 0, 0, 1, argc > 2);
    row<signed char>("int8", 1ll << 30, 0, Sum<signed char>{}, false, 11);
    row<Affine<float>>("affine", 1ll << 28, 3, ComposeAffine<float>{}, false, 11, true, 0, 0, 1, argc > 2);
    const long long odd = (1ll << 27) + 12345;
    row<int>("int32 alike", odd, 0, Sum<int>{}, false, 15, true, 1, 1);
    row<int>("int32 differently", odd, 0, Sum<int>{}, false, 15, true, 1, 2);
    row<signed char>("int8 differently", odd, 0, Sum<signed char>{}, false, 15, false, 1, 2);
    row<int>("int32", 1ll << 24, 0, Sum<int>{}, true, 31, true, 0, 0, 1, argc > 2);
    row<int>("int32", 1ll << 22, 0, Sum<int>{}, true, 31, true, 0, 0, 1, argc > 2);
    row<int>("int32", 1ll << 23, 0, Sum<int>{}, true, 31);
  }
  if (part == "small" || part == "all") {
    for (int e : {22, 23}) small<int>(1ll << e, Sum<int>{}, true, 41); small<int>(3 << 20, Sum<int>{}, true, 41);
    small<long long>(1ll << 20, Sum<long long>{}, true, 41);
    small<int>(1ll << 18, Sum<int>{}, true, 41);
  }
#endif
}
