// One vector split over several GPUs by one process, with totals exchanged by NCCL; and the exchange that is
// chosen for GPUs without peer access.
// Needs a GPU.
#include <cmath>

#include "kernels/multi_gpu/best_exchange.cuh"
#include "kernels/multi_gpu/device_scan.cuh"
#include "kernels/test/parts.h"

using namespace trial;

namespace {

constexpr long long MOST = 6'000'000;

// As experiments/libraries/nccl/nccl.h declares them.
static_assert(ncclSuccess == 0 && ncclInProgress == 7 && ncclUint8 == 1);
static_assert(sizeof(ncclResult_t) == 4 && sizeof(ncclDataType_t) == 4 && sizeof(ncclComm_t) == 8);

std::vector<int> all_devices() {
    std::vector<int> devices;
    for (int d = 0; d < device_count(); ++d) devices.push_back(d);
    return devices;
}

/// Draws of parts for all GPUs. run(parts) -> "" or a problem.
template <Form FORM, class T, class Op, class Run>
void expect_draws(int draws, Run run) {
    const int gpus = device_count();
    std::mt19937 random(31);
    for (int draw = 0; draw < draws && !testing::Test::HasFatalFailure(); ++draw) {
        SCOPED_TRACE("draw " + std::to_string(draw));
        const double exponent = std::uniform_real_distribution<>(0, std::log(double(MOST)))(random);
        const auto n = draw % 5 == 0 ? draw % (gpus + 1) : static_cast<long long>(std::exp(exponent));
        expect_parts<FastPartScan<T, Op, FORM>, FORM, T, Op>(random_cuts(n, gpus, random), draw % 3 == 0,
                                                             run);
    }
}

template <Form FORM, class T, class Op>
void expect_draws_by_nccl() {
    NcclPartsExchange<T> exchange(all_devices());
    expect_draws<FORM, T, Op>(60, [&](const auto& parts) {
        const cudaError_t result = scan_parts(parts, Op{}, exchange);
        const std::string problem = exchange.wait(parts);
        return result == cudaSuccess ? problem : std::string(cudaGetErrorString(result));
    });
}

TEST(NcclParts, Ints) { expect_draws_by_nccl<Form::inclusive, int, Sum<int>>(); }
TEST(NcclParts, Maps) {
    using T = Affine<unsigned long long>;
    expect_draws_by_nccl<Form::exclusive, T, ComposeAffine<unsigned long long>>();
}
TEST(NcclParts, Rows) { expect_draws_by_nccl<Form::inclusive, Row, Append>(); }

template <class Exchange>
void expect_scans_by(Exchange& exchange) {
    expect_draws<Form::inclusive, int, Sum<int>>(10, [&](const auto& parts) {
        const cudaError_t result = exchange.scan(parts, Sum<int>{});
        const std::string problem = exchange.wait(parts);
        return result == cudaSuccess ? problem : std::string(cudaGetErrorString(result));
    });
}

TEST(BestExchange, IsByFlagsWhereAllGpusReachOneAnother) {
    BestExchange<int> exchange(all_devices());
    EXPECT_TRUE(exchange.is_by_flags());
    expect_scans_by(exchange);
}

TEST(BestExchange, IsNcclWhereAGpuDoesNotReachAnotherOne) {
    if (device_count() < 2) GTEST_SKIP() << "needs two GPUs";
    BestExchange<int> exchange(all_devices(), [](int from, int to) { return from < to; });
    EXPECT_FALSE(exchange.is_by_flags());
    expect_scans_by(exchange);
}

TEST(BestExchange, SaysSoWhereThereIsNoWay) {
    if (device_count() < 2) GTEST_SKIP() << "needs two GPUs";
    const auto no_peer_access = [](int, int) { return false; };
    EXPECT_THROW(BestExchange<int>({0, 1, 1}, no_peer_access), NcclFailure);
}

}  // namespace
