// Rules of mbarriers and bulk copies: the message for each rule that a kernel breaks, and that a seed
// determines the whole run. What orders copies is tested by the bench, tests/simt/hazards.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "kernels/fast/detail/bulk_copy.cuh"
#include "kernels/launch.cuh"
#include "simt/simt.h"
#include "tests/device_vector.h"

extern __shared__ __align__(128) char memory[];

namespace {

constexpr int BYTES = 512;  // 16 bytes per lane
struct Memory {
    alignas(128) unsigned char space[BYTES + 16];
    Mbarrier full;
};

class Copies : public testing::Test {
   protected:
    void SetUp() override {
        simt::set_strict(true);
        simt::set_cores(1);
        simt::set_resident(16);
        simt::set_seed(0);
    }
};

/// Runs Body()(memory, in, out).
template <class Body>
__global__ void kernel(const unsigned char* in, unsigned char* out) {
    Body()(*reinterpret_cast<Memory*>(memory), in, out);
}

std::vector<unsigned char> some_bytes(unsigned seed) {
    std::vector<unsigned char> bytes(BYTES + 16);
    for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<unsigned char>(k * 7 + seed);
    return bytes;
}

struct Outcome {
    std::string fault;  ///< from the thread on; empty if there was none
    simt::Hazard hazard = simt::Hazard::race;
    std::vector<unsigned char> out;
};

template <class Body>
Outcome outcome_of(unsigned seed = 0, unsigned threads = 32, std::size_t shared_bytes = sizeof(Memory)) {
    DeviceVector<unsigned char> in(some_bytes(seed)), out{std::vector<unsigned char>(BYTES + 16)};
    simt::set_seed(seed);
    Outcome found;
    try {
        EXPECT_EQ(
            launch_with_shared_memory(kernel<Body>, 1, threads, shared_bytes, nullptr, in.data(), out.data()),
            cudaSuccess);
    } catch (const simt::Fault& fault) {
        const std::string what = fault.what();
        found.fault = what.substr(what.find("thread "));
        found.hazard = fault.hazard;
    }
    found.out = out.read();
    return found;
}

/// The fault, under several schedules, must be of this kind, and its message must contain this text.
template <class Body>
void expect_fault(simt::Hazard hazard, const std::string& text, unsigned threads = 32) {
    for (const unsigned seed : {0u, 1u, 2u, 3u}) {
        const Outcome found = outcome_of<Body>(seed, threads);
        EXPECT_NE(found.fault.find(text), std::string::npos) << found.fault;
        EXPECT_EQ(found.hazard, hazard) << found.fault;
    }
}

// The correct sequence.
__device__ void init(Memory& own) {
    if (threadIdx.x == 0) own.full.init(1);
    fence_mbarrier_init();
    __syncthreads();
}
__device__ void load(Memory& own, const unsigned char* in) {
    if (threadIdx.x != 0) return;
    own.full.arrive_expect_tx(BYTES);
    bulk_load(own.space, in, BYTES, own.full);
}
__device__ void add_one(Memory& own) {
    for (int k = 0; k < 16; ++k) ++own.space[16 * threadIdx.x + k];
}
__device__ void fill(Memory& own) {
    for (int k = 0; k < 16; ++k) own.space[16 * threadIdx.x + k] = 1;
}
__device__ void store(Memory& own, unsigned char* out) {
    if (threadIdx.x != 0) return;
    bulk_store(out, own.space, BYTES);
    cp_async_bulk_commit_group();
}

struct Correct {
    void operator()(Memory& own, const unsigned char* in, unsigned char* out) const {
        init(own);
        load(own, in);
        own.full.wait(0);
        add_one(own);
        fence_proxy_async();
        __syncwarp();
        store(own, out);
        cp_async_bulk_wait_group_read<0>();
    }
};
TEST_F(Copies, ThatFollowAllRules) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const Outcome found = outcome_of<Correct>(seed);
        ASSERT_EQ(found.fault, "");
        const auto in = some_bytes(seed);
        for (int k = 0; k < BYTES; ++k) ASSERT_EQ(found.out[k], static_cast<unsigned char>(in[k] + 1));
        for (int k = BYTES; k < BYTES + 16; ++k) ASSERT_EQ(found.out[k], 0);
    }
}

template <int TO, int FROM, unsigned SIZE>
struct Load {
    void operator()(Memory& own, const unsigned char* in, unsigned char*) const {
        init(own);
        if (threadIdx.x == 0) bulk_load(own.space + TO, in + FROM, SIZE, own.full);
    }
};
template <int TO, int FROM, unsigned SIZE>
struct Store {
    void operator()(Memory& own, const unsigned char*, unsigned char* out) const {
        fill(own);
        fence_proxy_async();
        __syncwarp();
        if (threadIdx.x == 3) bulk_store(out + TO, own.space + FROM, SIZE);
    }
};
struct Prefetch {
    void operator()(Memory&, const unsigned char* in, unsigned char*) const {
        if (threadIdx.x == 3) bulk_prefetch(in + 1, 16);
    }
};
TEST_F(Copies, ThatAreNotAligned) {
    using simt::Hazard;
    expect_fault<Load<8, 0, 16>>(Hazard::misuse, "bulk load: shared memory is not at a multiple of 16 bytes");
    expect_fault<Load<0, 4, 16>>(Hazard::misuse, "bulk load: global memory is not at a multiple of 16 bytes");
    expect_fault<Load<0, 0, 24>>(Hazard::misuse, "bulk load: 24 bytes are no multiple of 16");
    expect_fault<Load<0, 0, 0>>(Hazard::misuse, "bulk load: 0 bytes are no multiple of 16");
    expect_fault<Store<1, 0, 16>>(Hazard::misuse,
                                  "bulk store: global memory is not at a multiple of 16 bytes");
    expect_fault<Store<0, 4, 16>>(Hazard::misuse,
                                  "bulk store: shared memory is not at a multiple of 16 bytes");
    expect_fault<Store<0, 0, 8>>(Hazard::misuse, "bulk store: 8 bytes are no multiple of 16");
    expect_fault<Prefetch>(Hazard::misuse, "bulk prefetch: global memory is not at a multiple of 16 bytes");
    const std::string fault = outcome_of<Store<1, 0, 16>>().fault;
    EXPECT_EQ(fault.rfind("thread 3 (warp 0, lane 3), copies.cu:", 0), 0u) << fault;
}

struct LoadBeyond {
    void operator()(Memory& own, const unsigned char* in, unsigned char*) const {
        init(own);
        if (threadIdx.x == 0) bulk_load(&own + 1, in, 16, own.full);
    }
};
struct WriteBeyond {
    void operator()(Memory& own, const unsigned char*, unsigned char*) const {
        (&own + 1)->space[threadIdx.x] = 1;
    }
};
TEST_F(Copies, BeyondMemory) {
    using simt::Hazard;
    expect_fault<LoadBeyond>(Hazard::out_of_bounds, "out-of-bounds access: shared memory");
    expect_fault<WriteBeyond>(Hazard::out_of_bounds, "out-of-bounds access: shared memory");
    expect_fault<Load<0, 32, BYTES>>(Hazard::out_of_bounds, "bulk load: out-of-bounds access");
    expect_fault<Store<32, 0, BYTES>>(Hazard::out_of_bounds, "bulk store: out-of-bounds access");
}

struct StoreOfNothing {
    void operator()(Memory& own, const unsigned char*, unsigned char* out) const {
        if (threadIdx.x < 31) fill(own);
        fence_proxy_async();
        __syncwarp();
        store(own, out);
        cp_async_bulk_wait_group_read<0>();
    }
};
TEST_F(Copies, OfUninitialisedMemory) {
    expect_fault<StoreOfNothing>(simt::Hazard::uninitialised_read,
                                 "bulk store: uninitialised read of memory, byte 496");
}

struct OneLaneWithoutFence {
    void operator()(Memory& own, const unsigned char*, unsigned char* out) const {
        fill(own);
        if (threadIdx.x != 5) fence_proxy_async();
        __syncwarp();
        store(own, out);
        cp_async_bulk_wait_group_read<0>();
    }
};
struct SecondRoundWithoutFence {
    void operator()(Memory& own, const unsigned char*, unsigned char* out) const {
        for (int round = 0; round < 2; ++round) {
            fill(own);
            if (round == 0) fence_proxy_async();
            __syncwarp();
            store(own, out);
            cp_async_bulk_wait_group_read<0>();
            __syncwarp();
        }
    }
};
struct FenceWithoutSync {
    void operator()(Memory& own, const unsigned char*, unsigned char* out) const {
        fill(own);
        __syncwarp();
        fence_proxy_async();  // of lane 0; the others may or may not fence before the store
        store(own, out);
        cp_async_bulk_wait_group_read<0>();
    }
};
TEST_F(Copies, OfWhatWasNotShown) {
    const std::string unseen = "; no proxy fence shows that write to bulk copies";
    expect_fault<OneLaneWithoutFence>(simt::Hazard::race, unseen);
    expect_fault<SecondRoundWithoutFence>(simt::Hazard::race, unseen);
    // By PTX, a proxy fence shows what happened before it, whoever wrote it: lane 0's alone suffices.
    for (unsigned seed = 0; seed < 10; ++seed) EXPECT_EQ(outcome_of<FenceWithoutSync>(seed).fault, "");
}

struct Overwritten {
    void operator()(Memory& own, const unsigned char*, unsigned char* out) const {
        fill(own);
        fence_proxy_async();
        __syncwarp();
        store(own, out);
        __syncwarp();
        if (threadIdx.x == 0) own.space[0] = 2;
        cp_async_bulk_wait_group_read<0>();
    }
};
TEST_F(Copies, SpaceThatIsWrittenBeforeItIsRead) {
    expect_fault<Overwritten>(simt::Hazard::race,
                              "this write and a bulk copy, which read it, issued at copies.cu:");
}

struct EndsBeforeRead {
    void operator()(Memory& own, const unsigned char*, unsigned char* out) const {
        fill(own);
        fence_proxy_async();
        __syncwarp();
        store(own, out);
    }
};
struct EndsBeforeLoaded {
    void operator()(Memory& own, const unsigned char* in, unsigned char*) const {
        init(own);
        load(own, in);
    }
};
/// A copy may complete in time by chance, as on a GPU. In order of the program it does not.
TEST_F(Copies, OfBlocksThatEndTooEarly) {
    int unread = 0, incomplete = 0;
    for (unsigned seed = 0; seed < 20; ++seed) {
        const Outcome read = outcome_of<EndsBeforeRead>(seed), loaded = outcome_of<EndsBeforeLoaded>(seed);
        unread += read.fault.find("the block ends before the source of a bulk store has been read") !=
                  std::string::npos;
        incomplete +=
            loaded.fault.find("the block ends before a bulk load has completed") != std::string::npos;
        EXPECT_GE(unread, 1);  // by seed 0
        EXPECT_GE(incomplete, 1);
    }
    EXPECT_GT(unread, 10);
    EXPECT_GT(incomplete, 10);
}

struct WaitBeforeInit {
    void operator()(Memory& own, const unsigned char*, unsigned char*) const { own.full.wait(0); }
};
struct ArrivalBeforeInit {
    void operator()(Memory& own, const unsigned char*, unsigned char*) const { own.full.arrive(); }
};
struct LoadBeforeInit {
    void operator()(Memory& own, const unsigned char* in, unsigned char*) const {
        if (threadIdx.x == 0) bulk_load(own.space, in, 16, own.full);
    }
};
struct LoadWithoutFenceOfInit {
    void operator()(Memory& own, const unsigned char* in, unsigned char*) const {
        if (threadIdx.x == 0) own.full.init(1);
        __syncthreads();
        load(own, in);
        own.full.wait(0);
    }
};
struct NoArrivals {
    void operator()(Memory& own, const unsigned char*, unsigned char*) const {
        if (threadIdx.x == 0) own.full.init(0);
    }
};
struct TooManyArrivals {
    void operator()(Memory& own, const unsigned char*, unsigned char*) const {
        if (threadIdx.x != 0) return;
        own.full.init(1);
        own.full.arrive_expect_tx(16);  // the phase cannot complete before the bytes arrive
        own.full.arrive();
    }
};
TEST_F(Copies, WithMbarriersThatAreMisused) {
    using simt::Hazard;
    expect_fault<WaitBeforeInit>(Hazard::misuse, "wait for an mbarrier that is not initialised");
    expect_fault<ArrivalBeforeInit>(Hazard::misuse, "arrival at an mbarrier that is not initialised");
    expect_fault<LoadBeforeInit>(Hazard::misuse, "bulk load with an mbarrier that is not initialised");
    expect_fault<LoadWithoutFenceOfInit>(
        Hazard::misuse, "bulk load with an mbarrier whose initialisation no fence has shown to copies");
    expect_fault<NoArrivals>(Hazard::misuse, "an mbarrier needs at least one arrival");
    expect_fault<TooManyArrivals>(Hazard::misuse, "more arrivals at an mbarrier than it expects");
}

struct WaitForNoArrival {
    void operator()(Memory& own, const unsigned char*, unsigned char*) const {
        init(own);
        own.full.wait(0);
    }
};
struct HalfAWarp {
    void operator()(Memory&, const unsigned char*, unsigned char*) const {
        if (threadIdx.x != 7) __syncwarp();
        __syncthreads();
    }
};
struct OneWarpAtABarrier {
    void operator()(Memory&, const unsigned char*, unsigned char*) const {
        if (threadIdx.x < 32) __syncthreads();
    }
};
TEST_F(Copies, Deadlocks) {
    using simt::Hazard;
    expect_fault<WaitForNoArrival>(
        Hazard::deadlock,
        "deadlock: no resident block can make progress; this thread waits for a copy or an mbarrier");
    expect_fault<HalfAWarp>(Hazard::divergent_warp,
                            "divergent warp intrinsic: not all lanes of mask 0xffffffff reach it");
    expect_fault<OneWarpAtABarrier>(Hazard::divergent_barrier, "divergent barrier", 64);
}

/// Every lane writes the number of lanes that were there before it.
struct Arrivals {
    void operator()(Memory&, const unsigned char*, unsigned char* out) const {
        auto* const counter = reinterpret_cast<unsigned*>(out + BYTES);
        __threadfence();
        out[threadIdx.x] = static_cast<unsigned char>(atomicAdd(counter, 1u));
    }
};
TEST_F(Copies, SameSeedSameRun) {
    const auto trace_of = [](unsigned seed) { return outcome_of<Arrivals>(seed, 96).out; };
    std::set<std::vector<unsigned char>> traces;
    for (unsigned seed = 1; seed < 6; ++seed) {
        traces.insert(trace_of(seed));
        EXPECT_EQ(trace_of(seed), trace_of(seed));
    }
    EXPECT_EQ(traces.size(), 5u);
}

/// By default a block has 48 KB of dynamic shared memory; by request, what the device has.
TEST_F(Copies, SharedMemoryOfALaunch) {
    simt::set_device({});
    DeviceVector<unsigned char> in(some_bytes(0)), out(BYTES + 16);
    const auto launched = [&](std::size_t shared_bytes) {
        return launch_with_shared_memory(kernel<Correct>, 1, 32, shared_bytes, nullptr, in.data(),
                                         out.data());
    };
    const auto allow = [](int bytes) {
        return cudaFuncSetAttribute(kernel<Correct>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    };
    EXPECT_EQ(launched(48 * 1024), cudaSuccess);
    EXPECT_EQ(launched(48 * 1024 + 1), cudaErrorInvalidConfiguration);
    EXPECT_EQ(allow(227 * 1024 + 1), cudaErrorInvalidValue);
    EXPECT_EQ(allow(227 * 1024), cudaSuccess);
    EXPECT_EQ(launched(227 * 1024), cudaSuccess);
    EXPECT_EQ(launched(227 * 1024 + 1), cudaErrorInvalidConfiguration);
    (void)cudaGetLastError();
}

}  // namespace
