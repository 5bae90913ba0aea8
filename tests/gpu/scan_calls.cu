// Calls of the scan of fast/scan: many in a row, on several streams, in graphs, alongside other kernels, with
// unsuitable workspaces.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "tests/gpu/scan_check.h"

namespace {

template <class T>
std::vector<T> any_numbers(std::size_t n) {
    std::mt19937 random(3);
    std::vector<T> values(n);
    for (T& value : values) value = random_element<T>(random);
    return values;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// Sums that depend on the order of additions are the same at every call, with every workspace.
template <class T>
void expect_same_bits(long long n) {
    const auto values = any_numbers<T>(n);
    DeviceVector<T> in(values), out(n);
    std::vector<T> first;
    for (int workspaces = 0; workspaces < 2; ++workspaces) {
        const Workspace workspace(scan_bytes<T>(n + workspaces * 1000));
        for (int call = 0; call < 10; ++call) {
            out.poison();
            ASSERT_EQ(inclusive_scan(workspace, in.data(), out.data(), n, Sum<T>{}, nullptr),
                      CallResult::success);
            const auto found = out.read();
            if (first.empty()) first = found;
            ASSERT_TRUE(same_bits(found, first)) << "n " << n << ", call " << call;
        }
    }
    long double sum = 0, magnitude = 0;
    for (const T value : values) sum += value, magnitude += std::abs(value);
    EXPECT_NEAR(double(first.back()), double(sum),
                double(magnitude * 100 * std::numeric_limits<T>::epsilon()));
}

TEST(ScanCalls, FloatBitsAreTheSameAtEveryCall) {
    for (const long long n : {1000LL, 300'000LL, 4'000'000LL, 20'000'003LL}) {
        expect_same_bits<float>(n);
        expect_same_bits<double>(n);
    }
}

/// Count the elements with out[i] != i + 1. The input is all ones.
__global__ void count_wrong(const int* out, long long n, unsigned long long* wrong) {
    const long long stride = 1LL * gridDim.x * blockDim.x;
    for (long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        if (out[i] != static_cast<int>(i + 1)) atomicAdd(wrong, 1ull);
    }
}

class Ones {
   public:
    explicit Ones(long long n)
        : in_(std::vector<int>(n, 1)), out_(n), wrong_(std::vector<unsigned long long>{0}) {}
    /// Scan the first n and check the result on the stream.
    CallResult scan(const Workspace& workspace, long long n, cudaStream_t stream) {
        (void)cudaMemsetAsync(out_.data(), 0, n * sizeof(int), stream);
        const CallResult result = inclusive_scan(workspace, in_.data(), out_.data(), n, Sum<int>{}, stream);
        count_wrong<<<256, 256, 0, stream>>>(out_.data(), n, wrong_.data());
        return result;
    }
    unsigned long long wrong() const { return wrong_.read()[0]; }
    int* in() { return in_.data(); }
    int* out() { return out_.data(); }

   private:
    DeviceVector<int> in_, out_;
    DeviceVector<unsigned long long> wrong_;
};

struct Stream {
    cudaStream_t stream = nullptr;
    Stream() { EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess); }
    ~Stream() { (void)cudaStreamDestroy(stream); }
};

long long random_length(std::mt19937& random, long long most) {
    return static_cast<long long>(
        std::exp(std::uniform_real_distribution<>(0, std::log(double(most)))(random)));
}

TEST(ScanCalls, FourStreamsBackToBack) {
    constexpr long long MOST = 8'000'000;
    constexpr int STREAMS = 4, CALLS = 2500;
    std::vector<std::unique_ptr<Ones>> ones;
    std::vector<std::unique_ptr<Workspace>> workspaces;
    Stream streams[STREAMS];
    for (int s = 0; s < STREAMS; ++s) {
        ones.push_back(std::make_unique<Ones>(MOST));
        workspaces.push_back(std::make_unique<Workspace>(scan_bytes<int>(MOST)));
    }
    std::mt19937 random(17);
    for (int call = 0; call < CALLS; ++call) {
        for (int s = 0; s < STREAMS; ++s) {
            const long long n = random_length(random, MOST);
            ASSERT_EQ(ones[s]->scan(*workspaces[s], n, streams[s].stream), CallResult::success);
        }
    }
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (int s = 0; s < STREAMS; ++s) EXPECT_EQ(ones[s]->wrong(), 0) << "stream " << s;
}

TEST(ScanCalls, GraphsReplay) {
    Stream stream;
    for (const long long n : {5000LL, 3'000'000LL, 30'000'000LL}) {
        Ones ones(n);
        const Workspace workspace(scan_bytes<int>(n));
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t replay = nullptr;
        ASSERT_EQ(cudaStreamBeginCapture(stream.stream, cudaStreamCaptureModeGlobal), cudaSuccess);
        ASSERT_EQ(ones.scan(workspace, n, stream.stream), CallResult::success);
        ASSERT_EQ(ones.scan(workspace, n / 2, stream.stream), CallResult::success);
        ASSERT_EQ(cudaStreamEndCapture(stream.stream, &graph), cudaSuccess);
        ASSERT_EQ(cudaGraphInstantiate(&replay, graph, 0), cudaSuccess);
        for (int time = 0; time < 20; ++time) ASSERT_EQ(cudaGraphLaunch(replay, stream.stream), cudaSuccess);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_EQ(ones.wrong(), 0) << "n " << n;
        (void)cudaGraphExecDestroy(replay);
        (void)cudaGraphDestroy(graph);
    }
}

/// Two calls at a time on one workspace: that is reported, later calls are refused, and reset() mends it.
TEST(ScanCalls, OverlapsAreReported) {
    constexpr int N = 300'000;
    Ones first(N), second(N), after(N);
    DeviceVector<char> large(1 << 30);
    Workspace workspace(scan_bytes<int>(N));
    Stream one, two, busy;
    for (int time = 0; time < 100; ++time)  // about 20 ms, while both streams fill
        (void)cudaMemsetAsync(large.data(), 0, 1 << 30, busy.stream);
    cudaEvent_t over = nullptr;
    ASSERT_EQ(cudaEventCreate(&over), cudaSuccess);
    (void)cudaEventRecord(over, busy.stream);
    (void)cudaStreamWaitEvent(one.stream, over);
    (void)cudaStreamWaitEvent(two.stream, over);
    for (int call = 0; call < 100; ++call) {
        (void)inclusive_scan(workspace, first.in(), first.out(), N, Sum<int>{}, one.stream);
        (void)inclusive_scan(workspace, second.in(), second.out(), N - call, Sum<int>{}, two.stream);
    }
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    (void)cudaEventDestroy(over);
    ASSERT_EQ(workspace.status(), cudaErrorIllegalState);
    EXPECT_EQ(after.scan(workspace, N, one.stream), CallResult::calls_overlapped);
    ASSERT_EQ(workspace.reset(one.stream), cudaSuccess);
    EXPECT_EQ(workspace.status(), cudaSuccess);
    Ones again(N);
    for (int call = 0; call < 10; ++call)
        EXPECT_EQ(again.scan(workspace, N - 1000 * call, one.stream), CallResult::success);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(again.wrong(), 0);
    EXPECT_EQ(workspace.status(), cudaSuccess);
}

/// Tickets that an overlap left behind, few or more than a call takes: the call ends and reports it.
TEST(ScanCalls, TicketsLeftBehindAreReported) {
    constexpr long long LONG = 20'000'000;
    Ones ones(LONG);
    Workspace workspace(scan_bytes<int>(LONG));
    for (const long long n : {100'000LL, LONG}) {
        for (const unsigned long long left : {1ull, 100ull, 1'000'000ull}) {
            const unsigned long long tickets = left << 32;
            ASSERT_EQ(
                cudaMemcpy(workspace.words().control, &tickets, sizeof(tickets), cudaMemcpyHostToDevice),
                cudaSuccess);
            (void)inclusive_scan(workspace, ones.in(), ones.out(), n, Sum<int>{}, nullptr);
            ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
            EXPECT_EQ(workspace.status(), cudaErrorIllegalState) << n << ", " << left;
            ASSERT_EQ(workspace.reset(nullptr), cudaSuccess);
            EXPECT_EQ(ones.scan(workspace, n, nullptr), CallResult::success);
            ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
            EXPECT_EQ(ones.wrong(), 0);
        }
    }
}

/// Versions wrap after 2^32 calls: no thread takes an old status for a new one.
TEST(ScanCalls, VersionsStartOver) {
    constexpr long long MOST = 6'000'000;
    Ones ones(MOST);
    DeviceVector<double> doubles(std::vector<double>(MOST, 1));
    const Workspace workspace(scan_bytes<double>(MOST));
    const unsigned long long nearly = 0xfffffffaull;
    ASSERT_EQ(cudaMemcpy(workspace.words().control, &nearly, sizeof(nearly), cudaMemcpyHostToDevice),
              cudaSuccess);
    std::mt19937 random(19);
    for (int call = 0; call < 20; ++call) {
        const long long n = call % 2 == 0 ? MOST : random_length(random, MOST);
        ASSERT_EQ(ones.scan(workspace, n, nullptr), CallResult::success);
        ASSERT_EQ(exclusive_scan(workspace, doubles.data(), doubles.data(), n / 2, Sum<double>{}, nullptr),
                  CallResult::success);  // wide statuses in the same workspace
    }
    EXPECT_EQ(ones.wrong(), 0);
    unsigned long long control = 0;
    ASSERT_EQ(cudaMemcpy(&control, workspace.words().control, sizeof(control), cudaMemcpyDeviceToHost),
              cudaSuccess);
    EXPECT_LE(control & 0xffffffffu, 40u);  // they did wrap
}

TEST(ScanCalls, WorkspacesThatDoNotFit) {
    constexpr long long N = 10'000'000;
    Ones ones(N);
    const auto scan = [&](std::size_t bytes, long long n) {
        return inclusive_scan(Workspace(bytes), ones.in(), ones.out(), n, Sum<int>{}, nullptr);
    };
    const std::size_t needed = scan_bytes<int>(N);
    EXPECT_EQ(scan(needed, N), CallResult::success);
    EXPECT_EQ(scan(needed, 0), CallResult::success);
    EXPECT_EQ(scan(needed, -1), CallResult::negative_length);
    EXPECT_EQ(scan(needed - 1, N), CallResult::workspace_too_small);
    EXPECT_EQ(scan(0, 1), CallResult::workspace_too_small);
    EXPECT_EQ(scan(std::size_t{1} << 60, N), CallResult::workspace_unusable);
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
}

TEST(ScanCalls, WorkspaceOfAnotherDevice) {
    int devices = 0;
    ASSERT_EQ(cudaGetDeviceCount(&devices), cudaSuccess);
    if (devices < 2) GTEST_SKIP() << "needs two GPUs";
    const Workspace workspace(scan_bytes<int>(1000));
    ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
    Ones ones(1000);
    EXPECT_EQ(inclusive_scan(workspace, ones.in(), ones.out(), 1000, Sum<int>{}, nullptr),
              CallResult::workspace_of_other_device);
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}

__global__ void occupy(const volatile int* leave, int* arrived) {
    if (threadIdx.x != 0) return;  // more pollers would keep host memory busy
    atomicAdd_system(arrived, 1);
    while (*leave == 0) __nanosleep(1000);
}

/// A kernel that occupies all but `free` multiprocessors until the test releases it.
class Occupied {
   public:
    explicit Occupied(int free) {
        cudaDeviceProp device;
        EXPECT_EQ(cudaGetDeviceProperties(&device, 0), cudaSuccess);
        const int shared = static_cast<int>(device.sharedMemPerBlockOptin),
                  blocks = device.multiProcessorCount - free;
        EXPECT_EQ(cudaHostAlloc(&flags_, 2 * sizeof(int), cudaHostAllocMapped), cudaSuccess);
        volatile int* const flags = flags_;
        flags[0] = flags[1] = 0;
        EXPECT_EQ(cudaFuncSetAttribute(occupy, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
                  cudaSuccess);
        occupy<<<blocks, 1024, shared, stream_.stream>>>(flags_, flags_ + 1);
        EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
        while (flags[1] < blocks) std::this_thread::yield();
    }
    ~Occupied() {
        *static_cast<volatile int*>(flags_) = 1;
        EXPECT_EQ(cudaStreamSynchronize(stream_.stream), cudaSuccess);
        (void)cudaFreeHost(flags_);
    }

   private:
    int* flags_ = nullptr;
    Stream stream_;
};

TEST(ScanCalls, EndsBesideAKernelThatNeverDoes) {
    for (const long long n : {100'000LL, 4'000'000LL, 20'000'000LL}) {
        Ones ones(n);
        const Workspace workspace(scan_bytes<int>(n));
        Stream stream;
        ASSERT_EQ(ones.scan(workspace, n, stream.stream), CallResult::success);  // loads the kernels
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        for (const int free : {1, 50}) {
            Occupied others(free);
            ASSERT_EQ(ones.scan(workspace, n, stream.stream), CallResult::success);
            EXPECT_TRUE(ends_within(5, stream.stream)) << "n " << n << ", multiprocessors " << free;
        }
        EXPECT_EQ(ones.wrong(), 0);
    }
}

/// The blocks of one wave take tiles in descending order on one multiprocessor: each sum must be computed by
/// the block that waits for it.
template <int WORDS>
struct LastTileFirst : WavePolicy<WORDS, 1> {
    __device__ static int tile(int block, int blocks) { return blocks - 1 - block; }
};

TEST(ScanCalls, BlocksOfOneWaveNeedNoOrder) {
    using Policy = LastTileFirst<1>;
    using T = Affine<unsigned>;
    using Tiles = Policy::Tiles<T>;
    constexpr long long N = Tiles::TILE * 60LL - 5;
    ScanCheck<T, ComposeAffine<unsigned>> check(N);
    const auto backwards = [](const Workspace& workspace, const ScanProblem<T>& problem, bool) {
        using Op = ComposeAffine<unsigned>;
        const auto kernel = problem.in == problem.out
                                ? scan_one_wave<Policy, Form::inclusive, true, Tiles, T, Op>
                                : scan_one_wave<Policy, Form::inclusive, false, Tiles, T, Op>;
        return result_of(
            launch(kernel, 60, Tiles::THREADS, nullptr, problem, workspace.words(), Op{}, NoExchange{}));
    };
    for (const bool in_place : {false, true}) {
        const Asked asked = {N, true, true, in_place, 0, 0};
        check.expect(asked, backwards);  // loads the kernels; all blocks are resident
        Occupied others(1);
        check.expect(asked, backwards);
        if (HasFatalFailure()) return;
    }
}

}  // namespace
