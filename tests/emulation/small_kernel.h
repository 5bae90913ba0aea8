// Small kernels with bulk copies, and what the emulator says of them.
#pragma once
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "kernels/fast/detail/bulk_copy.cuh"
#include "kernels/relaxed_words.cuh"
#include "tests/emulation/emulator/emulator.h"

extern __shared__ __align__(128) char memory[];

inline constexpr int BYTES = 512;  // a word of 16 bytes a lane
struct Memory {
    alignas(128) unsigned char space[BYTES + 16];
    Mbarrier full;
};

/// What the kernel reports, or "" if it runs to its end.
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

/// What one warp copies by way of shared memory, each byte one more.
class WarpCopy : public testing::Test {
   protected:
    alignas(16) unsigned char in[BYTES + 16] = {}, out[BYTES + 16] = {};

    /// As bulk copies are to be used.
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
