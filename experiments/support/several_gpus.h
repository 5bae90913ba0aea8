// Several GPUs of one host: vectors on each of them, and the time that work on all of them takes. GPU only.
//
//     GPU 0    | waits for the host, then for all | start | work            | stop |
//     GPU 1    | waits for the host, then for all | start | work    | stop |
//     host     queues all of it, then sets a flag
//
// `ahead`: the longest time that a GPU takes from start to stop. All work is queued before any of it begins,
// and the GPUs start together, within the time that a flag takes from one to another. So waiting for another
// GPU is included and the host's queueing is not, as in the samples of one GPU. `live`: the host's time from
// the first call until all GPUs are done, for work that goes through the host.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiments/harness/cuda_check.h"
#include "experiments/harness/gpu_vectors.h"
#include "experiments/harness/suite.h"
#include "kernels/launch.cuh"

namespace harness {

// Parts of a vector whose prefix sums are known in advance, so that each GPU makes and checks its own part.
// GPU only.
//
//     in[j]  =  sum_at(g, j) - sum_at(g, j - 1)           on GPU g
//     out[j] =  sum_at(g, j) + the last sums of the GPUs before g

/// Element j of the inclusive scan of GPU g's input; 0 for j = -1. All of them are integers below 2^16, so
/// the sum of any consecutive elements is a difference of two of them, which a float holds exactly.
__host__ __device__ inline float sum_at(int g, long long j) {
    if (j < 0) return 0;
    auto bits =
        (static_cast<unsigned long long>(g) << 40 | static_cast<unsigned long long>(j)) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;  // the finaliser of SplitMix64, less its last step
    return static_cast<float>((bits ^ bits >> 27) & 0xffff);
}

static __global__ void fill_differences(float* in, long long n, int g) {
    const long long stride = 1LL * gridDim.x * blockDim.x;
    for (long long j = 1LL * blockIdx.x * blockDim.x + threadIdx.x; j < n; j += stride)
        in[j] = sum_at(g, j) - sum_at(g, j - 1);
}

/// Adds to *wrong the elements of out that differ from `before` plus the sum at their place.
static __global__ void count_wrong_sums(const float* out, long long n, int g, float before,
                                        unsigned long long* wrong) {
    const long long stride = 1LL * gridDim.x * blockDim.x;
    unsigned long long mine = 0;
    for (long long j = 1LL * blockIdx.x * blockDim.x + threadIdx.x; j < n; j += stride)
        mine += out[j] == before + sum_at(g, j) ? 0 : 1;
    if (mine > 0) atomicAdd(wrong, mine);
}

/// The flags by which GPUs tell one another that they have reached the start: on each GPU, one word per GPU,
/// then lines to which others write what nobody reads.
struct StartBoards {
    static constexpr int MOST = 16, LINES = 2048, WORDS = MOST + 32 * LINES;
    volatile unsigned* of_gpu[MOST];
    int gpus, mine;
};

/// Grid: one warp on each GPU. Waits until the host has set *go to `number`, and until all GPUs have seen it.
/// Meanwhile it writes to lines of all GPUs, so that no link between them sleeps and has to wake, as in some
/// exchanges of results/nvidia-h200/links.csv.
static __global__ void start_together(const volatile unsigned* go, unsigned number, StartBoards boards) {
    const int gpu = threadIdx.x;
    for (int k = 0; *go != number; k = (k + 1) % StartBoards::LINES)
        if (gpu < boards.gpus) boards.of_gpu[gpu][StartBoards::MOST + 32 * k] = number;
    __syncwarp();
    if (gpu >= boards.gpus) return;
    boards.of_gpu[gpu][boards.mine] = number;
    while (boards.of_gpu[boards.mine][gpu] != number) {
    }
}

class SeveralGpus {
   public:
    static int count() {
        int gpus = 0;
        check(cudaGetDeviceCount(&gpus), "GPUs");
        return std::min(gpus, StartBoards::MOST);
    }

    /// Elements of the vectors of GPU 0, and of those of every other GPU.
    SeveralGpus(long long of_first, long long of_others) {
        check(cudaHostAlloc(&go_, sizeof(unsigned), cudaHostAllocPortable | cudaHostAllocMapped), "flag");
        *go_ = 0;
        for (int g = 0; g < count(); ++g) gpus_.push_back(std::make_unique<Gpu>(g));
        for (int g = 0; g < count(); ++g) {
            reach_others(g);
            gpus_[g]->make_vectors(g == 0 ? of_first : of_others);
        }
        check(cudaSetDevice(0), "cudaSetDevice");
    }
    ~SeveralGpus() {
        gpus_.clear();
        (void)cudaFreeHost(go_);
        (void)cudaSetDevice(0);
    }

    float* in(int g) const { return static_cast<float*>(gpus_[g]->in->data()); }
    float* out(int g) const { return static_cast<float*>(gpus_[g]->out->data()); }
    cudaStream_t stream(int g) const { return gpus_[g]->stream; }

    /// Call what(g) with GPU g current, for the first `gpus` of them.
    template <class Do>
    void each(int gpus, Do what) const {
        for (int g = 0; g < gpus; ++g) {
            check(cudaSetDevice(g), "cudaSetDevice");
            what(g);
        }
        check(cudaSetDevice(0), "cudaSetDevice");
    }

    void wait(int gpus) const {
        each(gpus, [&](int g) { check(cudaStreamSynchronize(stream(g)), "run"); });
    }

    // `poison`, if not empty, overwrites the results of the warm-up.

    /// Seconds that the slowest of the first `gpus` GPUs takes for the work. The work must not synchronise
    /// with a GPU: none starts before everything is queued.
    double ahead(int gpus, bool cold, const Work& work, const std::function<void()>& poison) {
        settle(gpus, cold, work, poison);
        ++number_;
        each(gpus, [&](int g) {
            StartBoards boards = {{}, gpus, g};
            for (int k = 0; k < gpus; ++k) boards.of_gpu[k] = gpus_[k]->board;
            launch(start_together, 1, 32, stream(g), static_cast<const volatile unsigned*>(go_), number_,
                   boards);
            check(cudaEventRecord(gpus_[g]->start, stream(g)), "cudaEventRecord");
        });
        try {
            work();
        } catch (...) {
            *static_cast<volatile unsigned*>(go_) = number_;  // or the GPUs would wait forever
            throw;
        }
        each(gpus, [&](int g) { check(cudaEventRecord(gpus_[g]->stop, stream(g)), "cudaEventRecord"); });
        *static_cast<volatile unsigned*>(go_) = number_;
        double slowest = 0;
        each(gpus, [&](int g) {
            check(cudaEventSynchronize(gpus_[g]->stop), "run");
            slowest = std::max(slowest, elapsed(g));
        });
        return slowest;
    }

    /// Seconds that GPU g took in the last call of `ahead`, in which it took part.
    double elapsed(int g) const {
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, gpus_[g]->start, gpus_[g]->stop), "time");
        return milliseconds / 1e3;
    }

    /// Host seconds from the first call to the end of all work.
    double live(int gpus, bool cold, const Work& work, const std::function<void()>& poison) {
        using Clock = std::chrono::steady_clock;
        settle(gpus, cold, work, poison);
        const auto begin = Clock::now();
        work();
        wait(gpus);
        return std::chrono::duration<double>(Clock::now() - begin).count();
    }

    /// Overwrite the results of parts of n elements.
    void poison(int gpus, long long n) const {
        each(gpus, [&](int g) {
            check(cudaMemsetAsync(out(g), 0xff, n * sizeof(float), stream(g)), "cudaMemset");
        });
        wait(gpus);
    }

    /// "", or what is wrong with the scan of the parts, n elements on each of the first `gpus` GPUs.
    std::string find_error(int gpus, long long n) const {
        wait(gpus);
        std::string error;
        float before = 0;
        each(gpus, [&](int g) {
            const unsigned long long wrong = count_wrong(out(g), n, g, before, g);
            before += sum_at(g, n - 1);
            if (wrong > 0 && error.empty())
                error = std::to_string(wrong) + " wrong elements on GPU " + std::to_string(g);
        });
        return error;
    }

   private:
    struct Gpu {
        explicit Gpu(int g) : device(g) {
            check(cudaSetDevice(g), "cudaSetDevice");
            check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
            check(cudaEventCreate(&start), "cudaEventCreate");
            check(cudaEventCreate(&stop), "cudaEventCreate");
            check(cudaMalloc(&board, StartBoards::WORDS * sizeof(unsigned)), "cudaMalloc");
            check(cudaMemset(board, 0, StartBoards::WORDS * sizeof(unsigned)), "cudaMemset");
            check(cudaMalloc(&wrong, sizeof(*wrong)), "cudaMalloc");
            int l2 = 0;
            check(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, g), "cache size");
            flush = std::make_unique<Buffer>(Memory::device, 2LL * l2);
            check(cudaMemset(flush->data(), 0, 2LL * l2), "cudaMemset");
            fill_cache = read_all(flush->data(), 2LL * l2, nullptr, stream);
        }
        ~Gpu() {
            (void)cudaSetDevice(device);
            (void)cudaFree(board);
            (void)cudaFree(wrong);
            (void)cudaEventDestroy(start);
            (void)cudaEventDestroy(stop);
            (void)cudaStreamDestroy(stream);
            flush.reset();
            in.reset();
            out.reset();
        }
        void make_vectors(long long n) {
            in = std::make_unique<Buffer>(Memory::device, n * sizeof(float));
            out = std::make_unique<Buffer>(Memory::device, n * sizeof(float));
            launch(fill_differences, 2048, 256, stream, static_cast<float*>(in->data()), n, device);
            check(cudaGetLastError(), "launch");
            check(cudaDeviceSynchronize(), "input");
        }

        int device;
        cudaStream_t stream = nullptr;
        cudaEvent_t start = nullptr, stop = nullptr;
        unsigned* board = nullptr;
        unsigned long long* wrong = nullptr;
        std::unique_ptr<Buffer> flush, in, out;
        Work fill_cache;
    };

    void reach_others(int g) const {
        check(cudaSetDevice(g), "cudaSetDevice");
        for (int to = 0; to < count(); ++to) {
            if (to == g) continue;
            const cudaError_t status = cudaDeviceEnablePeerAccess(to, 0);
            if (status == cudaErrorPeerAccessAlreadyEnabled)
                (void)cudaGetLastError();
            else
                check(status, "peer access");
        }
    }

    /// A warm-up, or a flush of the caches, which comes after the poison: the outputs must not be cached.
    void settle(int gpus, bool cold, const Work& work, const std::function<void()>& poison) const {
        if (!cold) work();
        wait(gpus);
        if (poison) poison();
        if (cold) each(gpus, [&](int g) { gpus_[g]->fill_cache(); });
        wait(gpus);
    }

    unsigned long long count_wrong(const float* from, long long n, int g, float before, int device) const {
        const Gpu& gpu = *gpus_[device];
        unsigned long long wrong = 0;
        check(cudaMemsetAsync(gpu.wrong, 0, sizeof(wrong), gpu.stream), "cudaMemset");
        launch(count_wrong_sums, 2048, 256, gpu.stream, from, n, g, before, gpu.wrong);
        check(cudaMemcpyAsync(&wrong, gpu.wrong, sizeof(wrong), cudaMemcpyDeviceToHost, gpu.stream), "check");
        check(cudaStreamSynchronize(gpu.stream), "check");
        return wrong;
    }

    unsigned* go_ = nullptr;
    unsigned number_ = 0;
    std::vector<std::unique_ptr<Gpu>> gpus_;
};

}  // namespace harness
