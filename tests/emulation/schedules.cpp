// Interleavings that the emulator must explore, deadlocks it must detect, and reproducibility by seed.
#include "tests/emulation/small_kernel.h"

namespace {

class Schedules : public WarpCopy {};

TEST_F(Schedules, SpaceThatIsWrittenBeforeItIsRead) {
    int wrong = 0;
    for (unsigned seed = 0; seed < 20; ++seed) {
        EXPECT_EQ(fault_of(
                      [&](Memory& own) {
                          own.space[0] = own.space[16] = 1;
                          fence_proxy_async();
                          __syncwarp();
                          store(own);
                          __syncwarp();
                          own.space[0] = 2;
                          cp_async_bulk_wait_group_read<0>();
                      },
                      seed),
                  "");
        wrong += out[0] == 2;
    }
    EXPECT_GT(wrong, 10);
}

TEST_F(Schedules, WordsOvertakeOneAnotherUnlessThereIsAFence) {
    for (const bool fence : {false, true}) {
        int overtaken = 0;
        for (unsigned seed = 0; seed < 40; ++seed) {
            unsigned long long data = 0, flag = 0, seen = 0;
            EXPECT_EQ(fault_of(
                          [&](Memory&) {
                              if (threadIdx.x != 0) return;
                              if (blockIdx.x == 0) {
                                  store_relaxed(&data, 1ull);
                                  if (fence) __threadfence();
                                  store_relaxed(&flag, 1ull);
                              } else {
                                  while (load_relaxed(&flag) == 0) continue;
                                  seen = load_relaxed(&data);
                              }
                          },
                          seed, 2),
                      "");
            overtaken += seen == 0;
        }
        EXPECT_EQ(overtaken > 0, !fence) << overtaken;
    }
}

TEST_F(Schedules, Deadlocks) {
    const std::string of_barrier = fault_of([](Memory& own) {
        init(own);
        own.full.wait(0);  // no thread arrives
    });
    EXPECT_EQ(of_barrier,
              "deadlock: nothing moves for 50000 rounds, and block 0, thread 0 waits for a copy barrier");
    EXPECT_EQ(fault_of([](Memory&) {
                  if (threadIdx.x != 7) __syncwarp();
              }),
              "deadlock: nothing moves for 50000 rounds, and block 0, thread 0 waits for its warp");
    EXPECT_EQ(fault_of(
                  [](Memory&) {
                      if (threadIdx.x < 32) __syncthreads();
                  },
                  0, 1, 64),
              "deadlock: nothing moves for 50000 rounds, and block 0, thread 0 waits for its block");
}

TEST_F(Schedules, DeadlockOfBlocksThatPoll) {
    unsigned long long flag = 0;
    const std::string fault = fault_of(
        [&](Memory&) {
            while (load_relaxed(&flag) == 0) continue;
        },
        0, 3);
    EXPECT_NE(fault.find("deadlock"), std::string::npos) << fault;
    EXPECT_NE(fault.find("waits for other blocks"), std::string::npos) << fault;
}

TEST_F(Schedules, GridsThatCannotBe) {
    const auto run = [](const emulation::Extent& extent, unsigned resident) {
        emulation::run(extent, {0, resident}, [] {});
    };
    EXPECT_NO_THROW(run({1, 32, emulation::SHARED_BYTES}, 1));
    EXPECT_THROW(run({0, 32, 0}, 1), emulation::Fault);
    EXPECT_THROW(run({1, 33, 0}, 1), emulation::Fault);
    EXPECT_THROW(run({1, 32, emulation::SHARED_BYTES + 1}, 1), emulation::Fault);
    EXPECT_THROW(run({1, 32, 0}, 0), emulation::Fault);
}

TEST_F(Schedules, SameSeedSameRun) {
    const auto trace_of = [](unsigned seed) {
        std::string trace;
        unsigned long long schedule = 0;
        EXPECT_EQ(fault_of(
                      [&](Memory&) {
                          const auto number = atomicAdd(&schedule, 1ull);
                          trace += std::to_string(blockIdx.x * 32 + threadIdx.x + number) + " ";
                      },
                      seed, 3),
                  "");
        return trace;
    };
    EXPECT_EQ(trace_of(1), trace_of(1));
    EXPECT_NE(trace_of(1), trace_of(2));
}

}  // namespace
