// The emulator must detect each violated bulk-copy rule, and accept a kernel that violates none.
#include "tests/emulation/small_kernel.h"

namespace {

class CopyFaults : public WarpCopy {};

TEST_F(CopyFaults, NoneIfAllRulesAreFollowed) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        for (int k = 0; k < BYTES; ++k) in[k] = static_cast<unsigned char>(k * 7 + seed);
        EXPECT_EQ(fault_of(
                      [&](Memory& own) {
                          init(own);
                          load(own);
                          own.full.wait(0);
                          add_one(own);
                          fence_proxy_async();
                          __syncwarp();
                          store(own);
                          cp_async_bulk_wait_group_read<0>();
                      },
                      seed),
                  "");
        for (int k = 0; k < BYTES; ++k) ASSERT_EQ(out[k], static_cast<unsigned char>(in[k] + 1));
    }
}

TEST_F(CopyFaults, CopiesThatAreNotAligned) {
    const auto loads = [&](int to, int from, unsigned bytes) {
        return fault_of([=](Memory& own) {
            init(own);
            if (threadIdx.x == 0) bulk_load(own.space + to, in + from, bytes, own.full);
        });
    };
    EXPECT_EQ(loads(8, 0, 16),
              "block 0, thread 0: bulk load: shared memory is not at a multiple of 16 bytes");
    EXPECT_EQ(loads(0, 4, 16),
              "block 0, thread 0: bulk load: global memory is not at a multiple of 16 bytes");
    EXPECT_EQ(loads(0, 0, 24), "block 0, thread 0: bulk load: 24 bytes are no multiple of 16");
    EXPECT_EQ(fault_of([&](Memory& own) {
                  if (threadIdx.x == 3) bulk_store(out + 1, own.space, 16);
              }),
              "block 0, thread 3: bulk store: global memory is not at a multiple of 16 bytes");
    EXPECT_EQ(fault_of([&](Memory&) {
                  if (threadIdx.x == 3) bulk_prefetch(in + 1, 16);
              }),
              "block 0, thread 3: bulk prefetch: no multiple of 16 bytes, or not at one");
}

TEST_F(CopyFaults, SharedMemoryOfNoBlock) {
    EXPECT_EQ(fault_of([&](Memory& own) {
                  init(own);
                  if (threadIdx.x == 0) bulk_load(&own + 1, in, 16, own.full);
              }),
              "block 0, thread 0: bulk load: beyond the block's shared memory");
    EXPECT_EQ(fault_of([](Memory& own) { (&own + 1)->space[threadIdx.x] = 1; }),
              "block 0: it wrote past its shared memory");
}

TEST_F(CopyFaults, StoresOfWhatWasNotShown) {
    EXPECT_EQ(fault_of([&](Memory& own) {
                  add_one(own);
                  if (threadIdx.x != 5) fence_proxy_async();
                  __syncwarp();
                  store(own);
              }),
              "block 0, thread 0: bulk store: what thread 5 wrote was not shown to bulk copies");
    EXPECT_EQ(fault_of([&](Memory& own) {
                  for (int round = 0; round < 2; ++round) {  // the second round omits the fence
                      add_one(own);
                      if (round == 0) fence_proxy_async();
                      __syncwarp();
                      store(own);
                      cp_async_bulk_wait_group_read<0>();
                  }
              }),
              "block 0, thread 0: bulk store: what thread 0 wrote was not shown to bulk copies");
}

TEST_F(CopyFaults, StoresOfWhatWasShownButPerhapsLater) {
    const std::string fault = fault_of([&](Memory& own) {
        add_one(own);
        __syncwarp();
        fence_proxy_async();
        if (threadIdx.x == 0) emulation::yield();  // the others may or may not fence before the store
        if (threadIdx.x == 0) emulation::yield();
        store(own);
    });
    EXPECT_NE(fault.find("was shown, but the warp has not synchronised since"), std::string::npos) << fault;
}

TEST_F(CopyFaults, BlocksThatEndTooEarly) {
    int unread = 0, not_complete = 0;
    for (unsigned seed = 0; seed < 20; ++seed) {
        const std::string of_store = fault_of(
            [&](Memory& own) {
                fence_proxy_async();
                __syncwarp();
                store(own);
            },
            seed);
        const std::string of_load = fault_of(
            [&](Memory& own) {
                init(own);
                load(own);
            },
            seed);
        unread += of_store == "block 0: it ended before a bulk store was read";
        not_complete += of_load == "block 0: it ended before a bulk load has completed";
    }
    EXPECT_GT(unread, 10);  // a store may complete in time by chance, as on a GPU
    EXPECT_GT(not_complete, 10);
}

TEST_F(CopyFaults, BarriersThatAreMisused) {
    const auto misused = [](const std::function<void(Mbarrier&)>& use) {
        return fault_of([&](Memory& own) {
            if (threadIdx.x == 0) use(own.full);
        });
    };
    EXPECT_EQ(misused([](Mbarrier& barrier) { barrier.wait(0); }),
              "block 0, thread 0: a copy barrier is used before init");
    EXPECT_EQ(misused([](Mbarrier& barrier) { barrier.init(0); }),
              "block 0, thread 0: a copy barrier needs an arrival at least");
    EXPECT_EQ(misused([](Mbarrier& barrier) {
                  barrier.init(1);
                  barrier.arrive_expect_tx(16);  // the phase cannot complete before the bytes land
                  barrier.arrive();
              }),
              "block 0, thread 0: more arrivals at a copy barrier than init allows");
}

}  // namespace
