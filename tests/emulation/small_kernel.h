// Small kernels with bulk copies, and the faults that the emulator reports for them.
#pragma once
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "kernels/fast/detail/bulk_copy.cuh"
#include "kernels/relaxed_words.cuh"
#include "tests/emulation/emulator/emulator.h"

extern __shared__ __align__(128) char memory[];

inline constexpr int BYTES = 512;  // 16 bytes per lane
struct Memory {
    alignas(128) unsigned char space[BYTES + 16];
    Mbarrier full;
};

/// The message of the kernel's Fault, or "" if it completes.
inline std::string fault_of(const std::function<void(Memory&)>& kernel, unsigned seed = 0,
                            unsigned blocks = 1, unsigned threads = 32) {
    try {
        emulation::run({blocks, threads, sizeof(Memory)}, {seed, blocks},
                       [&] { kernel(*reinterpret_cast<Memory*>(memory)); });
    } catch (const emulation::Fault& fault) {
        return fault.what();
    }
    return "";
}

/// One warp copies bytes through shared memory and adds 1 to each.
class WarpCopy : public testing::Test {
   protected:
    alignas(16) unsigned char in[BYTES + 16] = {}, out[BYTES + 16] = {};

    /// The correct sequence of bulk-copy operations.
    static void init(Memory& own) {
        if (threadIdx.x == 0) own.full.init(1);
        fence_mbarrier_init();
        __syncthreads();
    }
    void load(Memory& own) const {
        if (threadIdx.x == 0) own.full.arrive_expect_tx(BYTES);
        if (threadIdx.x == 0) bulk_load(own.space, in, BYTES, own.full);
    }
    static void add_one(Memory& own) {
        for (int k = 0; k < 16; ++k) ++own.space[16 * threadIdx.x + k];
    }
    void store(Memory& own) {
        if (threadIdx.x != 0) return;
        bulk_store(out, own.space, BYTES);
        cp_async_bulk_commit_group();
    }
};
