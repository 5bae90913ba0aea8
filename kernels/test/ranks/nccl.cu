// One vector, one rank and one GPU per part, with totals exchanged by NCCL: the draws of scan_parts.
// Needs a GPU.
#include "kernels/multi_gpu/nccl_exchange.cuh"

#include <optional>

#include "kernels/multi_gpu/device_scan.cuh"
#include "kernels/test/ranks/ranks_test.h"

using namespace trial;

namespace {

ncclUniqueId common_id() {
    return ranks->gather(ranks->rank() == 0 ? NcclGroup::new_id() : ncclUniqueId{})[0];
}

/// Both forms of a type share one communicator, because creating one may take a second.
class NcclRanks : public testing::Test {
   protected:
    static void SetUpTestSuite() { group_.emplace(common_id(), ranks->rank(), ranks->size()); }
    static void TearDownTestSuite() { group_.reset(); }

    template <Form FORM, class T, class Op>
    void expect_draws_by_nccl() {
        NcclExchange<T> exchange(*group_);
        ASSERT_EQ(exchange.status(), cudaSuccess);
        expect_draws<FORM, T, Op>(24, [&](auto& scan, const T* in, T* out, long long length) {
            ASSERT_EQ(scan(in, out, length, Op{}, exchange, nullptr), cudaSuccess);
            group_->wait(nullptr);
        });
    }

    static inline std::optional<NcclGroup> group_;
};

template <class E>
class NcclScan : public NcclRanks {};
TYPED_TEST_SUITE(NcclScan, DrawnElements);

TYPED_TEST(NcclScan, Inclusive) {
    this->template expect_draws_by_nccl<Form::inclusive, typename TypeParam::Type,
                                        typename TypeParam::Operator>();
}
TYPED_TEST(NcclScan, Exclusive) {
    this->template expect_draws_by_nccl<Form::exclusive, typename TypeParam::Type,
                                        typename TypeParam::Operator>();
}

/// The kernels for GPUs, on vectors of up to 400,000 elements and one whose parts can exceed one wave.
template <Form FORM, class T, class Op>
void expect_fast_draws(NcclGroup& group) {
    NcclExchange<T> exchange(group);
    ASSERT_EQ(exchange.status(), cudaSuccess);
    std::mt19937 random(13);
    for (int draw = 0; draw < 20; ++draw) {
        SCOPED_TRACE("draw " + std::to_string(draw));
        const long long n = draw == 7 ? 20'000'000 : random() % 400'000;
        expect_my_part<FastPartScan<T, Op, FORM>, FORM, T, Op>(
            random_cuts(n, ranks->size(), random), draw % 2 == 0,
            [&](auto& scan, const T* in, T* out, long long length) {
                ASSERT_EQ(scan(in, out, length, Op{}, exchange, nullptr), cudaSuccess);
                group.wait(nullptr);
            });
    }
}

TEST_F(NcclRanks, ByTheKernelsForGpus) {
    expect_fast_draws<Form::inclusive, int, Sum<int>>(*group_);
    expect_fast_draws<Form::exclusive, Affine<unsigned>, ComposeAffine<unsigned>>(*group_);
}

TEST(NcclGroup, ARankThatNeverComesIsAnErrorInTime) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_THROW(NcclGroup(common_id(), ranks->rank(), ranks->size() + 1, 2), NcclFailure);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    EXPECT_LT(seconds, 10);
}

}  // namespace

int main(int argc, char** argv) { return run_rank_tests(argc, argv); }
