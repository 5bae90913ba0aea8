// Shared by the tests under mpirun: every rank draws the same vectors and cuts, scans its part, and compares
// every element with a sequential scan of the whole vector.
#pragma once
#include <gtest/gtest.h>

#include "kernels/multi_gpu/mpi_exchange.h"
#include "kernels/test/device_vector.h"
#include "kernels/test/elements.h"
#include "kernels/test/parts.h"

using namespace trial;

/// The ranks of this run, valid during main.
inline const Ranks* ranks = nullptr;

/// Scan this rank's part of a vector with `run(scan, in, out, length)`.
template <class Scan, Form FORM, class T, class Op, class Run>
void expect_my_part(const std::vector<long long>& cuts, bool in_place, Run run) {
    const long long n = cuts.back(), begin = cuts[ranks->rank()], length = cuts[ranks->rank() + 1] - begin;
    const int parts = static_cast<int>(cuts.size()) - 1;
    EXPECT_EQ(disagreement(*ranks, terms_of<T, Op>(FORM, parts, begin, length, n)), "");
    const auto values = exact_elements<T>(std::size_t(n), unsigned(n));
    const auto expected = pure_oracle(values, values.size() + 1, FORM == Form::inclusive, Op{});
    DeviceVector<T> in(std::vector<T>(values.begin() + begin, values.begin() + begin + length));
    DeviceVector<T> out(static_cast<std::size_t>(length));
    if (length > 0) out.poison();
    Scan scan(length);
    EXPECT_EQ(scan.status(), cudaSuccess);
    DeviceVector<T>& target = in_place ? in : out;
    run(scan, in.data(), target.data(), length);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    const auto found = target.read();
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!same(found[i], expected[std::size_t(begin) + i])) {
            ADD_FAILURE() << "rank " << ranks->rank() << ", element " << i << " of " << length;
            break;
        }
}

/// Random cuts of random vectors. Every third vector has fewer elements than ranks, or none.
template <Form FORM, class T, class Op, class Run>
void expect_draws(int draws, Run run) {
    std::mt19937 random(11);
    for (int draw = 0; draw < draws; ++draw) {
        SCOPED_TRACE("draw " + std::to_string(draw));
        const long long n = draw % 3 == 0 ? random() % static_cast<unsigned>(ranks->size()) : random() % 1500;
        expect_my_part<SmallPartScan<T, Op, FORM>, FORM, T, Op>(random_cuts(n, ranks->size(), random),
                                                                draw % 2 == 0, run);
    }
}

using DrawnElements = SomeThenOthers<
    testing::Types<Elements<int, Sum<int>>, Elements<Pure, PureSum>,
                   Elements<Affine<unsigned long long>, ComposeAffine<unsigned long long>>>,
    testing::Types<Elements<long long, Sum<long long>>, Elements<Row, Append>, Elements<double, Sum<double>>,
                   Elements<Flagged<int>, Segmented<Sum<int>>>,
                   Elements<Flagged<double>, Segmented<Sum<double>>>, Elements<Brackets, Bicyclic>>>;

/// Run all tests on this rank. Ranks of a host use its devices round-robin.
inline int run_rank_tests(int argc, char** argv) {
    const Ranks here;
    ranks = &here;
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0 ||
        cudaSetDevice(here.rank_of_host() % devices) != cudaSuccess)
        here.fail("no device");
    testing::InitGoogleTest(&argc, argv);
    if (here.rank() != 0) GTEST_FLAG_SET(brief, true);  // failures only
    return RUN_ALL_TESTS();
}
