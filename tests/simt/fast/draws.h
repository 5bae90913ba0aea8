// Trials drawn from seeds, and the launch of a ring: what the tests of rings and of one wave share.
#pragma once
#include <algorithm>

#include "kernels/fast/detail/ring.cuh"
#include "tests/simt/fast/scan_trial.h"

/// Trials of expect(asked, workspace) on vectors of up to MOST tiles, with a workspace for CAPACITY. Case: T,
/// its element; Tiles; ALIGN, of the input, in bytes.
template <class Case, int MOST, unsigned CAPACITY = MOST + 1>
struct Draws {
    static Asked draw_one(unsigned seed) {
        return draw<typename Case::T>(first_seed() + seed, Case::Tiles::TILE, MOST, Case::ALIGN);
    }

    /// All share one workspace, whose versions wrap around half-way.
    template <class Expect>
    static void on_one_core(unsigned draws, Expect expect) {
        const unsigned version = 0u - draws / 2;
        TrialWorkspace workspace(CAPACITY, version, version);
        for (unsigned k = 0; k < draws && !testing::Test::HasFatalFailure(); ++k)
            expect(draw_one(k), workspace);
    }

    /// With so many resident blocks. On two cores the schedule is that of the CPU as well.
    template <class Expect>
    static void on_two_cores(unsigned draws, unsigned blocks, Expect expect) {
        simt::set_cores(2);
        TrialWorkspace workspace(CAPACITY);
        for (unsigned k = 0; k < draws && !testing::Test::HasFatalFailure(); ++k) {
            Asked asked = draw_one(400 + k);
            asked.blocks = asked.resident = blocks;
            expect(asked, workspace);
        }
    }

    /// A vector of so many tiles, short of one element.
    template <class Expect>
    static void of_tiles(int tiles, Expect expect) {
        TrialWorkspace workspace(static_cast<unsigned>(tiles) + 1);
        Asked asked = draw<typename Case::T>(first_seed() + 100, Case::Tiles::TILE, 1, Case::ALIGN);
        asked.n = tiles * Case::Tiles::TILE - 1;
        expect(asked, workspace);
    }
};

/// Launch a ring's kernel with these arguments after the problem, on at most most_blocks blocks.
template <class Tiles, class Stages, class Kernel, class Problem, class... Arguments>
void launch_ring(Kernel kernel, unsigned most_blocks, const Problem& problem, Arguments... arguments) {
    const auto tiles = static_cast<unsigned>(Tiles(problem.in, problem.n).count());
    record_without_warning([&] {
        ASSERT_EQ(launch_with_shared_memory(kernel, std::min(most_blocks, tiles), ring_threads<Tiles>(),
                                            sizeof(Stages), nullptr, problem, arguments...),
                  cudaSuccess);
    });
}
