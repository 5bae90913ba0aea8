// Times, on a GPU, of the kernels from which its prices follow, at so many rounds and at twice as many.
// On the SIMT machine simt-run --json writes the times of the same launches by the clock.
//
//     micro MEGABYTES SCALE [NAME]     prints name,rounds,us: the median of 9; us is 0 on the machine
//
// MEGABYTES: more than L2 holds. SCALE: a factor of the rounds: the more, the less noise counts.
// NAME: how those that run begin.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "simt/clock/test/clusters.cuh"
#include "simt/clock/test/kernels.cuh"
#include "simt/clock/test/tensor.cuh"

namespace {

using namespace micro;

bool is_gpu = true;
int multiprocessors = 132, scale = 1;
std::string wanted;
unsigned first = 1;  // differs from launch to launch: what L2 holds of the one before is of no use

void ensure(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "micro: %s\n", cudaGetErrorString(error));
    std::exit(1);
}

float us_of(const std::function<void()>& launch) {
    constexpr int TIMES = 9;
    cudaEvent_t begin, end;
    ensure(cudaEventCreate(&begin)), ensure(cudaEventCreate(&end));
    std::vector<float> times;
    for (int k = 0; k <= TIMES; ++k) {
        ensure(cudaEventRecord(begin));
        first += 1000003;
        launch();
        ensure(cudaEventRecord(end)), ensure(cudaEventSynchronize(end));
        float ms;
        ensure(cudaEventElapsedTime(&ms, begin, end));
        if (k > 0) times.push_back(1000 * ms);  // the first one loads the code
    }
    std::nth_element(times.begin(), times.begin() + TIMES / 2, times.end());
    return times[TIMES / 2];
}

void time(const std::string& name, int rounds, const std::function<void(int rounds)>& launch) {
    if (name.find(wanted) != 0) return;
    for (const int r : {rounds, 2 * rounds}) {
        float us = 0;
        if (is_gpu)
            us = us_of([&] { launch(r); });
        else
            launch(r);
        ensure(cudaGetLastError());
        std::printf("%s,%d,%.3f\n", name.c_str(), r, us);
    }
}

void latencies(int* words, int* out) {
    time("taken_branch", scale * 16, [=](int r) { taken_branches<<<1, 32>>>(out, r); });
    time("parting_branch", scale, [=](int r) { parting_branches<<<1, 32>>>(out, r); });
    time("special_latency", scale * 16, [=](int r) { special_chain<<<1, 32>>>((float*)out, r); });
    time("double_latency", scale * 16, [=](int r) { double_chain<<<1, 32>>>((double*)out, r); });
    time("shuffle_latency", scale * 16, [=](int r) { shuffle_chain<<<1, 32>>>(out, r); });
    time("reduction_latency", scale * 16, [=](int r) { reduction_chain<<<1, 32>>>(out, r); });
    time("constant_latency", scale * 16, [=](int r) { constant_chain<<<1, 32>>>(out, r); });
    time("shared_latency", scale * 16, [=](int r) { shared_chain<<<1, 32>>>(out, r); });
    time("shared_atomic_latency", scale * 16, [=](int r) { shared_atomic_chain<<<1, 32>>>(out, r); });
    time("conflict_latency", scale, [=](int r) { conflict_chain<<<1, 32>>>(out, r); });
    time("l1_latency", scale * 16,
         [=](int r) { chase<true><<<1, 1>>>(words, out, (1 << 11) - 1, 32, 0, r); });
    time("l2_latency", 64, [=](int r) { chase<false><<<1, 1>>>(words, out, (1 << 14) - 1, 33 * 8, 0, r); });
    time("atomic_latency", scale * 4, [=](int r) { atomic_chain<<<1, 1>>>(words, r); });
    time("ping_pong", scale * 8, [=](int r) {
        ensure(cudaMemsetAsync(out, 0, 4));
        ping_pong<<<2, 1>>>(out, r);
    });
    for (const int bytes : {16, 1024, 16384})
        time("bulk_copy/" + std::to_string(bytes), scale * 64,
             [=](int r) { bulk_copies<<<1, 1, 32768>>>(words, bytes, (1 << 8) - 1, r); });
    time("fence_latency", scale * 4, [=](int r) { fences<<<1, 1>>>(out, r); });
}

template <Operation OPERATION, class T>
void unit(const char* name, int* out) {
    time(name, scale * 16, [=](int r) { operations<OPERATION><<<multiprocessors, 1024>>>((T*)out, r); });
}

void units(int* out) {
    unit<FLOATS, float>("float_cycles", out);
    unit<PRODUCTS, int>("product_cycles", out);
    unit<LOGIC, int>("alu_cycles", out);
    unit<DOUBLES, double>("double_cycles", out);
    unit<SPECIAL, float>("special_cycles", out);
    for (const int threads : {32, 64, 128, 256, 512, 1024})
        time("barrier/" + std::to_string(threads) + "/1", scale * 16,
             [=](int r) { barriers<<<multiprocessors, threads>>>(r); });
    for (const int threads : {64, 128, 256, 512, 1024})
        time("barrier/" + std::to_string(threads) + "/" + std::to_string(2048 / threads), scale * 4,
             [=](int r) { barriers<<<2048 / threads * multiprocessors, threads>>>(r); });
}

template <class Product>
void product(const std::string& name, int* out) {
    time("tensor_latency/" + name, scale * 16, [=](int r) { products<Product, 1><<<1, 32>>>(out, r); });
    time("tensor_cycles/" + name, scale * 8,
         [=](int r) { products<Product, 2><<<multiprocessors, 1024>>>(out, r); });
}

void waits(int* words, unsigned megabytes, int* out) {
    for (const int warps : {1, 2, 3, 4, 8})
        time("queue/" + std::to_string(warps), scale,
             [=](int r) { queued_loads<<<1, 32 * warps>>>(out, r); });
    const unsigned count = megabytes << 15;  // half of the memory in words of 16 bytes
    const auto behind = [=](const char* name, auto kernel) {
        constexpr int ALONE = 120 << 10;  // of shared memory: one block a multiprocessor
        ensure(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, ALONE));
        time(name, scale, [=](int r) {
            kernel<<<multiprocessors, 1024, ALONE>>>(words, (int4*)words, count - 1, out, r);
        });
    };
    behind("behind/nothing", chase_behind<NONE>);
    behind("behind/reads", chase_behind<READS>);
    behind("behind/stores", chase_behind<STORES>);
    behind("behind/copies", chase_behind<COPIES>);
    for (const int words : {2, 8, 32})  // 16, 4 and 1 in a line
        time("ring/" + std::to_string(4 * words), 4 * scale, [=](int r) {
            ensure(cudaMemsetAsync(out, 0, 1 << 20));
            ring<<<multiprocessors, 1>>>(out, words, r);
        });
}

void tensor(int* out) {
    product<Half16816>("HMMA.16816.F32", out);
    product<Half1688>("HMMA.1688.F32", out);
    product<HalfSums16816>("HMMA.16816.F16", out);
    product<Tf321688>("HMMA.1688.F32.TF32", out);
    product<Tf321684>("HMMA.1684.F32.TF32", out);
    product<Bytes16832>("IMMA.16832.S8.S8", out);
    product<Bytes16816>("IMMA.16816.S8.S8", out);
    product<Bytes8816>("IMMA.8816.S8.S8", out);
    product<Bits168256>("BMMA.168256", out);
    product<Bits168128>("BMMA.168128", out);
    product<Doubles884>("DMMA.8x8x4", out);
    product<Doubles1684>("DMMA.16x8x4", out);
    product<Doubles1688>("DMMA.16x8x8", out);
    product<Doubles16816>("DMMA.16x8x16", out);
    time("matrix_latency/load", scale * 16, [=](int r) { load_matrix_chain<4><<<1, 32>>>(out, r); });
    time("matrix_latency/move", scale * 16, [=](int r) { move_matrix_chain<<<1, 32>>>(out, r); });
    time("matrix_cycles/load", scale * 8,
         [=](int r) { load_matrix_chain<4><<<multiprocessors, 1024>>>(out, r); });
    time("matrix_cycles/conflicts", scale * 2,
         [=](int r) { load_matrix_chain<32><<<multiprocessors, 1024>>>(out, r); });
    time("matrix_cycles/move", scale * 8,
         [=](int r) { move_matrix_chain<<<multiprocessors, 1024>>>(out, r); });
}

/// Behind a kernel that takes longer than the host to launch the rest.
void memsets(int4* words, unsigned count, int* out) {
    for (const int bytes : {4, 64, 1024, 8192, 65536, 1 << 20})
        time("memset/" + std::to_string(bytes), 1, [=](int r) {
            write<<<count / 512, 512>>>(words, count);
            for (int k = 0; k < r; ++k) ensure(cudaMemsetAsync(out, 0, bytes)), empty<<<1, 32>>>();
        });
    time("next_launch", 1, [=](int r) {
        write<<<count / 512, 512>>>(words, count);
        for (int k = 0; k < r; ++k) empty<<<1, 32>>>();
    });
}

void starts() {
    time("launch", 1, [](int) { empty<<<1, 32>>>(); });
    time("block_ns", scale << 12, [](int r) { empty<<<r, 32>>>(); });
    ensure(cudaFuncSetAttribute(empty, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
    time("block_start", scale * 16, [](int r) { empty<<<r * multiprocessors, 32, 200 << 10>>>(); });
}

template <class... Arguments>
void launch_in_clusters(void (*kernel)(Arguments...), int blocks, int threads, int size,
                        Arguments... arguments) {
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {unsigned(size), 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks, config.blockDim = threads;
    config.attrs = &attribute, config.numAttrs = 1;
    ensure(cudaLaunchKernelEx(&config, kernel, arguments...));
}

void clusters(int* out) {
    time("far_latency", scale * 16, [=](int r) { launch_in_clusters(far_chain, 2, 32, 2, out, r); });
    for (const int size : {2, 8})
        time("far_cycles/" + std::to_string(size), scale * 8,
             [=](int r) { launch_in_clusters(far_loads, size, 1024, size, out, r); });
    for (const int size : {2, 8})
        for (const int threads : {32, 256, 1024})
            time("cluster_barrier/" + std::to_string(size) + "/" + std::to_string(threads), scale * 4,
                 [=](int r) { launch_in_clusters(cluster_barriers, size, threads, size, r); });
}

void memory(int* words, int* out, unsigned megabytes) {
    const unsigned sectors = megabytes << 15, lines = megabytes << 13;
    const unsigned small = 8 << 16;  // 8 MB in words of 16 bytes
    const auto fours = (int4*)words;
    time("dram_latency", scale * 8,
         [=](int r) { chase<false><<<1, 1>>>(words, out, 8 * sectors - 1, 0x9e3779b1u, 64 * first, r); });
    for (const int lines_at_once : {1, 4, 32})
        time("slowest/" + std::to_string(lines_at_once), scale * 8,
             [=](int r) { chase_slowest<<<1, 32>>>(words, out, lines - 1, first, lines_at_once, r); });
    time("port_bytes_per_cycle", scale * 4,
         [=](int r) { read<false><<<1, 1024>>>(fours, out, r << 14, (1 << 14) - 1); });
    time("l2_bytes_per_cycle", scale * 4,
         [=](int r) { read<false><<<2 * multiprocessors, 1024>>>(fours, out, r * small, small - 1); });
    time("port_stored", scale * 4, [=](int r) { write_apart<<<1, 1024>>>(words, 1, r); });
    time("port_stores", scale, [=](int r) { write_apart<<<1, 1024>>>(words, 32, r); });
    time("l2_stored", scale, [=](int r) { write_again<false><<<2 * multiprocessors, 1024>>>(words, r); });
    time("l2_halves", scale, [=](int r) { write_again<true><<<2 * multiprocessors, 1024>>>(words, r); });
    for (const int mask : {0, 31})
        time("own_words/" + std::to_string(mask), scale,
             [=](int r) { write_own<<<4 * multiprocessors, 256>>>(out, r, mask); });
    for (const int threads : {32, 512})
        time("l1_banks/" + std::to_string(threads), scale * 4,
             [=](int r) { chase_in_lines<<<1, threads>>>(words, out, r); });
    time("port_requests", scale * 4, [=](int r) { read_sectors<<<1, 1024>>>(words, out, (1 << 17) - 1, r); });
    time("l2_requests", scale,
         [=](int r) { read_sectors<<<2 * multiprocessors, 1024>>>(words, out, (1 << 17) - 1, r); });
    time("store_requests", scale,
         [=](int r) { write_sectors<<<2 * multiprocessors, 1024>>>(words, (1 << 17) - 1, r); });
    const unsigned most = megabytes << 15;  // half of the memory in words of 16 bytes
    const unsigned some = std::min(most, unsigned(scale) << 18);
    time("dram_read_bytes_per_ns", some, [=](int n) { read<true><<<n / 4096, 512>>>(fours, out, n, ~0u); });
    time("dram_write_bytes_per_ns", some, [=](int n) { write<<<n / 512, 512>>>(fours, n); });
    time("copy", some / 2, [=](int n) { copy<<<n / 512, 512>>>(fours, fours + most, n); });
    const auto few = [=](const char* name, auto kernel, int words_of_thread, int* to) {
        time(name, 2 * some, [=](int n) { kernel<<<n / (512 * words_of_thread), 512>>>(words, to, n); });
    };
    few("few/loads/1", move_few<1, false>, 1, out);
    few("few/loads/2", move_few<2, false>, 2, out);
    few("few/loads/4", move_few<4, false>, 4, out);
    few("few/copies/1", move_few<1, true>, 1, words + 4 * most);
    few("few/copies/2", move_few<2, true>, 2, words + 4 * most);
    few("few/copies/4", move_few<4, true>, 4, words + 4 * most);
    time("partial_sectors_per_ns", some / 2, [=](int n) { write_partly<<<n / 512, 512>>>(words, n); });
    time("joined_sectors", 4 * some, [=](int n) { write_bytes<<<n / 512, 512>>>((char*)words, n); });
    time("dram_row_bytes", scale << 16,
         [=](int n) { read_at_random<<<n / 512, 512>>>(words, out, n, first, sectors - 1); });
    time("atomic_sectors_per_ns", scale << 16,
         [=](int n) { add_to_many<<<n / 512, 512>>>(words, n, (1 << 18) - 1); });
    time("atomic_word_cycles", scale * 2, [=](int r) { add_to_one<<<multiprocessors, 32>>>(words, r); });
    const auto words_of = [&](const char* name, auto* of, int lanes, int apart) {
        time(name, scale * 2, [=](int r) { add_to_words<<<multiprocessors, 32>>>(of, lanes, apart, r); });
    };
    words_of("atomic_lanes/int", words, 32, 0);
    words_of("atomic_lanes/float", (float*)words, 32, 0);
    words_of("atomic_lanes/double", (double*)words, 32, 0);
    words_of("atomic_lanes/sectors", words, 4, 8);
    for (const int warps : {1, 2, 4, 8, 16, 32, 64})
        time("loaded/" + std::to_string(warps), scale * 8, [=](int r) {
            chase_by_warps<<<(warps + 31) / 32 * multiprocessors, std::min(warps, 32) * 32>>>(
                words, out, lines - 1, first, r);
        });
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) {
        std::fputs("usage: micro MEGABYTES SCALE [NAME]\n", stderr);
        return 2;
    }
    const unsigned megabytes = unsigned(std::atoi(arguments[1]));
    scale = std::atoi(arguments[2]);
    wanted = count > 3 ? arguments[3] : "";
    cudaDeviceProp device;
    ensure(cudaGetDeviceProperties(&device, 0));
    is_gpu = std::string(device.name).find("NVIDIA") == 0;
    multiprocessors = device.multiProcessorCount;
    int *words, *out;
    ensure(cudaMalloc(&words, std::size_t(megabytes) << 20)), ensure(cudaMalloc(&out, 1 << 20));
    ensure(cudaMemset(words, 0, std::size_t(megabytes) << 20)), ensure(cudaMemset(out, 0, 1 << 20));
    starts();
    latencies(words, out);
    units(out);
    tensor(out);
    clusters(out);
    memory(words, out, megabytes);
    waits(words, megabytes, out);
    if (is_gpu) memsets((int4*)words, megabytes << 16, out);  // the machine's clock does not time them
    ensure(cudaDeviceSynchronize());
}
