// Calls of fast/scan from the host: every kernel and tile that it chooses; many in a row, on several streams,
// in graphs, alongside other kernels, with unsuitable workspaces. On the SIMT machine vectors are shorter.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include "kernels/fast/scan.cuh"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <thread>

#include "kernels/test/trial.h"

using namespace trial;

namespace {

long long length(long long on_gpu, long long on_machine) { return machine::is_gpu() ? on_gpu : on_machine; }

// --- Every kernel that a call may choose

template <class Element>
class ScanOf : public testing::Test {
   protected:
    using T = typename Element::Type;
    using Op = typename Element::Operator;
    using Large = typename WavePolicies<T>::Large;
    static constexpr long long WAVE = 132LL * Large::BLOCKS * Large::template Tiles<T>::TILE;  ///< of an H200

    /// A call in one form, with a seed by value or in device memory.
    template <Form FORM>
    static cudaError_t call(const Workspace& workspace, const ScanProblem<T>& p, bool seed_on_device) {
        const Op op = {};
        const auto run = [&](auto... seed) {
            return FORM == Form::inclusive
                       ? inclusive_scan(workspace, p.in, p.out, p.n, op, seed..., nullptr)
                       : exclusive_scan(workspace, p.in, p.out, p.n, op, seed..., nullptr);
        };
        if (seed_on_device) {
            DeviceVector<Prefix<T>> seed(std::vector<Prefix<T>>{p.seed});
            return run(static_cast<const Prefix<T>*>(seed.data()));
        }
        return p.seed.exists ? run(p.seed.value) : run();
    }
    /// By the ring, whatever the length; by look-back where a GPU has none.
    template <Form FORM>
    static cudaError_t ring(const Workspace& workspace, const ScanProblem<T>& p) {
        return scan_detail::with_place(workspace, p, nullptr, [&](const scan_detail::Place& place) {
            if (!place.device.has_bulk_copies) return scan_detail::look_back<FORM>(place, p, Op{});
            const bool is_large =
                place.device.shared_bytes >= int(scan_detail::MAX_RING_BYTES<RingPolicy<T>, T>);
            return is_large ? scan_detail::ring<RingPolicy<T>, FORM>(place, p, Op{})
                            : scan_detail::ring<SmallRingPolicy<T>, FORM>(place, p, Op{});
        });
    }

    static void expect(const Workspace& workspace, Asked asked, int way) {
        const bool inclusive = way % 2 == 0, by_ring = way % 3 == 0 && asked.n > 0;
        expect_scan<T, Op>(
            asked, inclusive ? Form::inclusive : Form::exclusive, [&](const ScanProblem<T>& p) {
                const cudaError_t result = by_ring     ? inclusive ? ring<Form::inclusive>(workspace, p)
                                                                   : ring<Form::exclusive>(workspace, p)
                                               : inclusive ? call<Form::inclusive>(workspace, p, way % 5 == 0)
                                                       : call<Form::exclusive>(workspace, p, way % 5 == 0);
                ASSERT_EQ(result, cudaSuccess) << asked;
            });
    }
};
using Scanned = SomeThenOthers<
    testing::Types<Elements<Row, Append>>,
    testing::Types<Elements<std::int8_t, Sum<std::int8_t>>, Elements<std::int16_t, Min<std::int16_t>>,
                   Elements<int, Sum<int>>, Elements<double, Sum<double>>,
                   Elements<Affine<unsigned>, ComposeAffine<unsigned>>,
                   Elements<Affine<unsigned long long>, ComposeAffine<unsigned long long>>,
                   Elements<Bytes<2>, JoinBytes<2>>, Elements<Bytes<3>, JoinBytes<3>>,
                   Elements<Bytes<13>, JoinBytes<13>>>>;
TYPED_TEST_SUITE(ScanOf, Scanned, );

/// On both sides of every length at which a call changes the kernel or the tile size. way: form, seed,
/// algorithm.
TYPED_TEST(ScanOf, LengthsAndAddresses) {
    using T = typename TestFixture::T;
    const long long word = 16 / sizeof(T), wave = TestFixture::WAVE,
                    most = length(wave, std::min(wave, 400'000LL)) + 1;
    const Workspace workspace(scan_bytes<T>(most), nullptr);
    unsigned seed = first_seed();
    int way = 0;
    for (const long long edge : {0LL, 31LL, 2 * 256 * word, 132 * 2 * 256 * word, most - 1}) {
        for (int turn = 0; turn < (edge == most - 1 ? 2 : 6); ++turn, ++way) {
            Asked asked = draw<T>(seed++, 1, 1, alignof(T));
            asked.n = edge + turn % 2;
            this->expect(workspace, asked, way);
            if (this->HasFatalFailure()) return;
        }
    }
}

/// Lengths spread over orders of magnitude.
TYPED_TEST(ScanOf, Draws) {
    using T = typename TestFixture::T;
    const auto most = double(length(5'000'000, 200'000));
    const Workspace workspace(scan_bytes<T>(static_cast<long long>(most)), nullptr);
    std::mt19937 random(11);
    for (int k = 0; k < 30 && !this->HasFatalFailure(); ++k) {
        Asked asked = draw<T>(first_seed() + 100 + k, 1, 1, alignof(T));
        asked.n =
            static_cast<long long>(std::exp(std::uniform_real_distribution<>(0, std::log(most))(random)));
        this->expect(workspace, asked, k);
    }
}

TYPED_TEST(ScanOf, NothingThatCannotBe) {
    using T = typename TestFixture::T;
    const Workspace workspace(scan_bytes<T>(1000), nullptr), none(0, nullptr);
    DeviceVector<T> in(1), out(1);
    const auto result_of = [&](const Workspace& of, long long n) {
        return this->template call<Form::inclusive>(of, {in.data(), out.data(), n, {{}, false}}, false);
    };
    EXPECT_EQ(result_of(workspace, 0), cudaSuccess);
    EXPECT_EQ(result_of(workspace, -1), cudaErrorInvalidValue);
    EXPECT_EQ(result_of(workspace, 1LL << 40), cudaErrorInvalidValue);
    EXPECT_EQ(result_of(none, 1), cudaErrorInvalidValue);
}

/// Whether the device scans by the ring, and not by look-back as older ones do.
bool has_ring() {
    Device device;
    EXPECT_EQ(Device::current(device), cudaSuccess);
    return device.has_bulk_copies;
}

// --- Many calls, of sums of ones in floats, which are exact up to 2^24

/// Count the elements with out[i] != i + 1. The input is all ones.
__global__ void count_wrong(const float* out, long long n, unsigned long long* wrong) {
    const long long stride = 1LL * gridDim.x * blockDim.x;
    for (long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        if (out[i] != static_cast<float>(i + 1)) atomicAdd(wrong, 1ull);
    }
}

class Ones {
   public:
    explicit Ones(long long n)
        : in_(std::vector<float>(n, 1)), out_(n), wrong_(std::vector<unsigned long long>{0}) {}
    /// Scan the first n and check the result on the stream.
    cudaError_t scan(const Workspace& workspace, long long n, cudaStream_t stream) {
        (void)cudaMemsetAsync(out_.data(), 0, n * sizeof(float), stream);
        const cudaError_t result =
            inclusive_scan(workspace, in_.data(), out_.data(), n, Sum<float>{}, stream);
        count_wrong<<<32, 256, 0, stream>>>(out_.data(), n, wrong_.data());
        return result;
    }
    unsigned long long wrong() const { return wrong_.read()[0]; }
    float* in() { return in_.data(); }
    float* out() { return out_.data(); }

   private:
    DeviceVector<float> in_, out_;
    DeviceVector<unsigned long long> wrong_;
};

struct Stream {
    cudaStream_t stream = nullptr;
    Stream() { EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess); }
    ~Stream() { (void)cudaStreamDestroy(stream); }
};

/// Whether a stream's work ends in time, whatever other streams do.
bool ends_within(int seconds, cudaStream_t stream) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    while (cudaStreamQuery(stream) == cudaErrorNotReady) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::yield();
    }
    return true;
}

long long random_length(std::mt19937& random, long long most) {
    return static_cast<long long>(
        std::exp(std::uniform_real_distribution<>(0, std::log(double(most)))(random)));
}

/// Sums that depend on the order of additions are the same at every call, with every workspace.
TEST(ScanCalls, FloatBitsAreTheSameAtEveryCall) {
    for (const long long n : {1000LL, length(4'000'000, 100'000), length(15'000'000, 30'000)}) {
        const auto values = random_vector<float>(n, 3);
        DeviceVector<float> in(values), out(n);
        std::vector<float> first;
        for (int call = 0; call < 6; ++call) {
            const Workspace workspace(scan_bytes<float>(n + call % 2 * 1000), nullptr);
            out.poison();
            ASSERT_EQ(inclusive_scan(workspace, in.data(), out.data(), n, Sum<float>{}, nullptr),
                      cudaSuccess);
            const auto found = out.read();
            if (first.empty()) first = found;
            ASSERT_EQ(std::memcmp(found.data(), first.data(), n * sizeof(float)), 0)
                << "n " << n << ", call " << call;
        }
        double sum = 0, magnitudes = 0;
        for (const float value : values) sum += value, magnitudes += std::fabs(value);
        EXPECT_LE(std::fabs(first.back() - sum), sum_bound<float>(100, magnitudes));
    }
}

TEST(ScanCalls, FourStreamsBackToBack) {
    const long long most = length(8'000'000, 20'000);
    const int calls = int(length(2500, 20));
    constexpr int STREAMS = 4;
    Stream streams[STREAMS];
    std::vector<std::unique_ptr<Ones>> ones;
    std::vector<std::unique_ptr<Workspace>> workspaces;
    for (int s = 0; s < STREAMS; ++s) {
        ones.push_back(std::make_unique<Ones>(most));
        workspaces.push_back(std::make_unique<Workspace>(scan_bytes<float>(most), streams[s].stream));
    }
    std::mt19937 random(17);
    for (int call = 0; call < calls; ++call)
        for (int s = 0; s < STREAMS; ++s)
            ASSERT_EQ(ones[s]->scan(*workspaces[s], random_length(random, most), streams[s].stream),
                      cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (int s = 0; s < STREAMS; ++s) EXPECT_EQ(ones[s]->wrong(), 0) << "stream " << s;
}

TEST(ScanCalls, GraphsReplay) {
    Stream stream;
    for (const long long n : {5000LL, length(3'000'000, 50'000), length(15'000'000, 100'000)}) {
        Ones ones(n);
        const Workspace workspace(scan_bytes<float>(n), stream.stream);
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t replay = nullptr;
        ASSERT_EQ(cudaStreamBeginCapture(stream.stream, cudaStreamCaptureModeGlobal), cudaSuccess);
        ASSERT_EQ(ones.scan(workspace, n, stream.stream), cudaSuccess);
        ASSERT_EQ(ones.scan(workspace, n / 2, stream.stream), cudaSuccess);
        ASSERT_EQ(cudaStreamEndCapture(stream.stream, &graph), cudaSuccess);
        ASSERT_EQ(cudaGraphInstantiate(&replay, graph, 0), cudaSuccess);
        for (int time = 0; time < 5; ++time) ASSERT_EQ(cudaGraphLaunch(replay, stream.stream), cudaSuccess);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_EQ(ones.wrong(), 0) << "n " << n;
        (void)cudaGraphExecDestroy(replay);
        (void)cudaGraphDestroy(graph);
    }
}

/// Two calls at a time on one workspace: that is reported, later calls are refused, and reset() mends it.
TEST(ScanCalls, OverlapsAreReported) {
    if (!machine::is_gpu()) GTEST_SKIP() << "the SIMT machine runs one kernel after the other";
    constexpr int N = 300'000;
    Ones first(N), second(N), after(N);
    DeviceVector<char> large(1 << 30);
    Stream one, two, busy;
    Workspace workspace(scan_bytes<float>(N), one.stream);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (int time = 0; time < 100; ++time)  // about 20 ms, while both streams fill
        (void)cudaMemsetAsync(large.data(), 0, 1 << 30, busy.stream);
    cudaEvent_t over = nullptr;
    ASSERT_EQ(cudaEventCreate(&over), cudaSuccess);
    (void)cudaEventRecord(over, busy.stream);
    (void)cudaStreamWaitEvent(one.stream, over);
    (void)cudaStreamWaitEvent(two.stream, over);
    for (int call = 0; call < 100; ++call) {
        (void)inclusive_scan(workspace, first.in(), first.out(), N, Sum<float>{}, one.stream);
        (void)inclusive_scan(workspace, second.in(), second.out(), N - call, Sum<float>{}, two.stream);
    }
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    (void)cudaEventDestroy(over);
    ASSERT_EQ(workspace.status(), cudaErrorIllegalState);
    EXPECT_EQ(after.scan(workspace, N, one.stream), cudaErrorIllegalState);
    ASSERT_EQ(workspace.reset(one.stream), cudaSuccess);
    EXPECT_EQ(workspace.status(), cudaSuccess);
    Ones again(N);
    for (int call = 0; call < 10; ++call)
        EXPECT_EQ(again.scan(workspace, N - 1000 * call, one.stream), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(again.wrong(), 0);
    EXPECT_EQ(workspace.status(), cudaSuccess);
}

/// Tickets that an overlap left behind, few or more than a call takes: the call ends and reports it.
TEST(ScanCalls, TicketsLeftBehindAreReported) {
    if (!has_ring()) GTEST_SKIP() << "by look-back, which clears its statuses before each call";
    const long long most = length(15'000'000, 100'000);
    Ones ones(most);
    Workspace workspace(scan_bytes<float>(most), nullptr);
    for (const long long n : {100'000LL, most}) {
        for (const unsigned long long left : {1ull, 100ull, 1'000'000ull}) {
            const unsigned long long tickets = left << 32;
            ASSERT_EQ(cudaMemcpy(workspace.data(), &tickets, sizeof(tickets), cudaMemcpyHostToDevice),
                      cudaSuccess);
            machine::unchecked([&] {  // blocks share tickets
                (void)inclusive_scan(workspace, ones.in(), ones.out(), n, Sum<float>{}, nullptr);
                ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
            });
            EXPECT_EQ(workspace.status(), cudaErrorIllegalState) << n << ", " << left;
            ASSERT_EQ(workspace.reset(nullptr), cudaSuccess);
            EXPECT_EQ(ones.scan(workspace, n, nullptr), cudaSuccess);
            ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
            EXPECT_EQ(ones.wrong(), 0);
        }
    }
}

/// Versions wrap after 2^32 calls: no thread takes an old status for a new one.
TEST(ScanCalls, VersionsStartOver) {
    if (!has_ring()) GTEST_SKIP() << "by look-back, which clears its statuses before each call";
    const long long most = length(6'000'000, 50'000);
    Ones ones(most);
    DeviceVector<Row> rows(std::vector<Row>(most / 2, Row{1, 2, 1}));
    const Workspace workspace(scan_bytes<Row>(most), nullptr);
    const unsigned long long nearly = 0xfffffffaull;
    ASSERT_EQ(cudaMemcpy(workspace.data(), &nearly, sizeof(nearly), cudaMemcpyHostToDevice), cudaSuccess);
    std::mt19937 random(19);
    for (int call = 0; call < 20; ++call) {
        const long long n = call % 2 == 0 ? most : random_length(random, most);
        ASSERT_EQ(ones.scan(workspace, n, nullptr), cudaSuccess);
        ASSERT_EQ(exclusive_scan(workspace, rows.data(), rows.data(), n / 2, Append{}, nullptr),
                  cudaSuccess);  // wide statuses in the same workspace
    }
    EXPECT_EQ(ones.wrong(), 0);
    unsigned long long control = 0;
    ASSERT_EQ(cudaMemcpy(&control, workspace.data(), sizeof(control), cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_LE(control & 0xffffffffu, 40u);  // they did wrap
}

TEST(ScanCalls, WorkspacesThatDoNotFit) {
    const long long N = length(10'000'000, 100'000);
    Ones ones(N);
    const auto scan = [&](std::size_t bytes, long long n) {
        return inclusive_scan(Workspace(bytes, nullptr), ones.in(), ones.out(), n, Sum<float>{}, nullptr);
    };
    const std::size_t needed = scan_bytes<float>(N);
    EXPECT_EQ(scan(needed, N), cudaSuccess);
    EXPECT_EQ(scan(needed, 0), cudaSuccess);
    EXPECT_EQ(scan(needed, -1), cudaErrorInvalidValue);
    EXPECT_EQ(scan(needed - 1, N), cudaErrorInvalidValue);
    EXPECT_EQ(scan(0, 1), cudaErrorInvalidValue);
    EXPECT_EQ(scan(std::size_t{1} << 60, N), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
}

TEST(ScanCalls, WorkspaceOfAnotherDevice) {
    int devices = 0;
    ASSERT_EQ(cudaGetDeviceCount(&devices), cudaSuccess);
    if (devices < 2) GTEST_SKIP() << "needs two GPUs";
    const Workspace workspace(scan_bytes<float>(1000), nullptr);
    ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
    Ones ones(1000);
    EXPECT_EQ(inclusive_scan(workspace, ones.in(), ones.out(), 1000, Sum<float>{}, nullptr),
              cudaErrorInvalidValue);
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
    if (!machine::is_gpu()) GTEST_SKIP() << "the SIMT machine runs one kernel after the other";
    for (const long long n : {100'000LL, 4'000'000LL, 15'000'000LL}) {
        Ones ones(n);
        Stream stream;
        const Workspace workspace(scan_bytes<float>(n), stream.stream);
        ASSERT_EQ(ones.scan(workspace, n, stream.stream), cudaSuccess);  // loads the kernels
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        for (const int free : {1, 50}) {
            Occupied others(free);
            ASSERT_EQ(ones.scan(workspace, n, stream.stream), cudaSuccess);
            EXPECT_TRUE(ends_within(5, stream.stream)) << "n " << n << ", multiprocessors " << free;
        }
        EXPECT_EQ(ones.wrong(), 0);
    }
}

}  // namespace
