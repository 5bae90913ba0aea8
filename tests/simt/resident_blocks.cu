// Blocks that wait for one another through global memory complete under every schedule, on any number of
// cores. A deadlock is a fault.
#include <gtest/gtest.h>

#include <numeric>

#include "kernels/launch.cuh"
#include "simt/simt.h"
#include "tests/device_vector.h"

namespace {

constexpr int THREADS = 64;

/// Ways in which a block may wait until *flag is set.
enum class Wait { one_lane, all_lanes, warp_vote, barrier_loop, sleep, atomic, two_words };

template <Wait WAIT>
__device__ void wait_for(volatile int* flag) {
    __shared__ int seen;
    if (WAIT == Wait::one_lane && threadIdx.x == 0)
        while (*flag == 0) {
        }
    if (WAIT == Wait::all_lanes)
        while (*flag == 0) {
        }
    if (WAIT == Wait::warp_vote)
        while (__any_sync(0xffffffffu, *flag == 0)) {
        }
    if (WAIT == Wait::barrier_loop) {
        do {
            __syncthreads();
            if (threadIdx.x == 0) seen = *flag;
            __syncthreads();
        } while (seen == 0);
    }
    if (WAIT == Wait::sleep && threadIdx.x == 0)
        while (*flag == 0) __nanosleep(100);
    if (WAIT == Wait::atomic && threadIdx.x == 0)
        while (atomicCAS(const_cast<int*>(flag), 1, 1) == 0) {
        }
    if (WAIT == Wait::two_words && threadIdx.x == 0)
        while (flag[0] == 0 || flag[1] == 0) {
        }
    __syncthreads();
}

/// Each block adds its own sum to that of its predecessor: sums[b + 1] = sums[b] + b * THREADS. Block b waits
/// for flags[2 b] and sets the next pair. `flags` has a pair per block and one more; the first pair is set.
template <Wait WAIT, bool TICKET>
__global__ void chain(int* ticket, int* flags, int* sums) {
    __shared__ int block, own[THREADS];
    if (threadIdx.x == 0) block = TICKET ? atomicAdd(ticket, 1) : int(blockIdx.x);
    __syncthreads();
    const int b = block;
    own[threadIdx.x] = b;
    wait_for<WAIT>(flags + 2 * b);
    if (threadIdx.x == 0) {
        int sum = *(volatile int*)(sums + b);
        for (int t = 0; t < THREADS; ++t) sum += own[t];
        *(volatile int*)(sums + b + 1) = sum;
        __threadfence();
        *(volatile int*)(flags + 2 * b + 2) = 1;
        *(volatile int*)(flags + 2 * b + 3) = 1;
    }
}

template <Wait WAIT, bool TICKET = true>
simt::Counters run_chain(int blocks) {
    std::vector<int> flags(2 * blocks + 2, 0);
    flags[0] = flags[1] = 1;
    DeviceVector<int> ticket(std::vector<int>(1, 0)), device_flags(flags),
        sums(std::vector<int>(blocks + 1, 0));
    const auto recording = simt::record([&] {
        launch(chain<WAIT, TICKET>, blocks, THREADS, nullptr, ticket.data(), device_flags.data(),
               sums.data());
    });
    EXPECT_EQ(sums.read()[blocks], THREADS * blocks * (blocks - 1) / 2);
    return recording.total();
}

/// Restores the number of cores, the seed and the number of resident blocks.
class ResidentBlocks : public testing::Test {
   protected:
    void TearDown() override {
        simt::set_cores(2);
        simt::set_seed(0);
        simt::set_resident(16);
    }
};

TEST_F(ResidentBlocks, AThousandSchedules) {
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        simt::set_cores(1 + int(seed * 3 / 1000));
        simt::set_seed(seed);
        run_chain<Wait::one_lane>(20);
        if (HasFailure()) FAIL() << "seed " << seed;
    }
}

TEST_F(ResidentBlocks, EveryWayToWait) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        simt::set_cores(1 + int(seed / 20));
        simt::set_seed(seed);
        run_chain<Wait::all_lanes>(20);
        run_chain<Wait::warp_vote>(20);
        run_chain<Wait::barrier_loop>(20);
        run_chain<Wait::sleep>(20);
        run_chain<Wait::atomic>(20);
        run_chain<Wait::two_words>(20);
    }
}

/// If blocks take tickets when they start, any number of resident blocks suffices. If they rely on their
/// index, all of them must be resident.
TEST_F(ResidentBlocks, AnyNumberOfResidentBlocks) {
    for (const int cores : {1, 2, 3}) {
        simt::set_cores(cores);
        simt::set_resident(1);
        run_chain<Wait::one_lane>(20);
        run_chain<Wait::one_lane, false>(20);  // in ascending order one resident block suffices
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            simt::set_seed(seed);
            simt::set_resident(20);
            run_chain<Wait::one_lane, false>(20);
            simt::set_resident(2);
            run_chain<Wait::one_lane>(20);
            EXPECT_THROW((run_chain<Wait::one_lane, false>(20)), simt::Fault) << "seed " << seed;
        }
        simt::set_seed(0);
    }
}

/// All counts are independent of the schedule, except those of volatile loads.
TEST_F(ResidentBlocks, OnlyVolatileLoadsVary) {
    simt::set_cores(1);
    const auto one_core = run_chain<Wait::one_lane>(20);
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        simt::set_cores(1 + int(seed % 3));
        simt::set_seed(seed);
        auto counted = run_chain<Wait::one_lane>(20);
        EXPECT_LE(counted.volatile_load_requests, 3 * 20);
        counted.volatile_load_requests = one_core.volatile_load_requests;
        counted.volatile_load_sectors = one_core.volatile_load_sectors;
        std::vector<std::int64_t> values, expected;
        simt::Counters::for_each(counted, [&](const char*, std::int64_t v) { values.push_back(v); });
        simt::Counters::for_each(one_core, [&](const char*, std::int64_t v) { expected.push_back(v); });
        EXPECT_EQ(values, expected) << "seed " << seed;
    }
}

template <class Run>
std::string message(Run run) {
    try {
        run();
    } catch (const simt::Fault& fault) {
        return fault.what();
    }
    return "";
}

/// Every block waits for the next one, and the last for the first: a circular wait.
__global__ void wait_in_a_ring(int* flags) {
    if (threadIdx.x == 0) {
        while (*(volatile int*)(flags + (blockIdx.x + 1) % gridDim.x) == 0) {
        }
        *(volatile int*)(flags + blockIdx.x) = 1;
    }
}

TEST_F(ResidentBlocks, ADeadlockIsAFault) {
    DeviceVector<int> flags(std::vector<int>(8, 0));
    for (const int cores : {1, 2, 3}) {
        simt::set_cores(cores);
        const auto line = message([&] { launch(wait_in_a_ring, 8, 32, nullptr, flags.data()); });
        EXPECT_NE(line.find("wait_in_a_ring: block 0, thread 0 (warp 0, lane 0), resident_blocks.cu:"),
                  std::string::npos)
            << line;
        EXPECT_NE(line.find("deadlock: no resident block can make progress"), std::string::npos) << line;
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
        // The machine still works afterwards.
        run_chain<Wait::one_lane>(20);
    }
}

/// The lock's holder tries to acquire it again.
__global__ void lock_twice(int* lock) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    while (atomicCAS(lock, 0, 1) != 0) __nanosleep(20);
}

TEST_F(ResidentBlocks, ALockAcquiredTwice) {
    DeviceVector<int> lock(std::vector<int>(1, 0));
    const auto line = message([&] { launch(lock_twice, 3, 1, nullptr, lock.data()); });
    EXPECT_NE(line.find("deadlock"), std::string::npos) << line;
}

/// One block faults while the others wait for it.
__global__ void fault_while_others_wait(int* flags) {
    if (blockIdx.x == 0) flags[1000] = 1;
    while (*(volatile int*)flags == 0) {
    }
}

TEST_F(ResidentBlocks, AFaultEndsTheWaitOfOthers) {
    DeviceVector<int> flags(std::vector<int>(1, 0));
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        simt::set_cores(1 + int(seed % 3));
        simt::set_seed(seed);
        const auto line = message([&] { launch(fault_while_others_wait, 6, 32, nullptr, flags.data()); });
        EXPECT_NE(line.find("out-of-bounds access"), std::string::npos) << line;
    }
}

/// Two warps of one block wait for each other.
__global__ void ping_pong(int* next, int* out) {
    const int me = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) {
        for (int i = me; i < 20; i += 2) {
            while (*(volatile int*)next != i) {
            }
            out[i] = me;
            *(volatile int*)next = i + 1;
        }
    }
}

TEST_F(ResidentBlocks, LanesOfOneBlockWaitToo) {
    DeviceVector<int> next(std::vector<int>(1, 0)), out(20);
    launch(ping_pong, 1, 64, nullptr, next.data(), out.data());
    for (int i = 0; i < 20; ++i) EXPECT_EQ(out.read()[i], i % 2);
}

/// A sum in one launch: the block that finishes last adds the sums of all blocks.
__global__ void sum_all(const int* in, int* sums, unsigned* done, int* total) {
    __shared__ int tile[THREADS];
    __shared__ bool last;
    const int t = threadIdx.x;
    tile[t] = in[blockIdx.x * THREADS + t];
    __syncthreads();
    if (t == 0) {
        int sum = 0;
        for (int i = 0; i < THREADS; ++i) sum += tile[i];
        sums[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        int sum = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) sum += *(volatile int*)(sums + b);
        *total = sum;
    }
}

TEST_F(ResidentBlocks, LastBlockDone) {
    std::vector<int> values(30 * THREADS);
    std::iota(values.begin(), values.end(), 0);
    DeviceVector<int> in(values), sums(30), total(1);
    DeviceVector<unsigned> done(std::vector<unsigned>(1, 0));
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        simt::set_cores(1 + int(seed / 100));
        simt::set_seed(seed);
        total.poison();
        launch(sum_all, 30, THREADS, nullptr, in.data(), sums.data(), done.data(), total.data());
        ASSERT_EQ(total.read()[0], 1920 * 1919 / 2) << "seed " << seed;
    }
}

/// Volatile does not replace __syncwarp.
__global__ void volatile_neighbours(int* out) {
    __shared__ int tile[32];
    volatile int* const mine = tile;
    mine[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = mine[threadIdx.x ^ 1];
}

TEST_F(ResidentBlocks, VolatileSharedMemoryRaces) {
    DeviceVector<int> out(32);
    const auto line = message([&] { launch(volatile_neighbours, 1, 32, nullptr, out.data()); });
    EXPECT_TRUE(line.find("data race on shared") != std::string::npos ||
                line.find("uninitialised read") != std::string::npos)
        << line;
}

}  // namespace
