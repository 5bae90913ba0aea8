// One vector, one part per rank, with totals exchanged by MPI: random draws of element type, operator, parts
// and form.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include "kernels/test/ranks/ranks_test.h"

using namespace trial;

namespace {

template <Form FORM, class T, class Op>
void expect_draws_by_mpi() {
    MpiExchange exchange(*ranks);
    expect_draws<FORM, T, Op>(24, [&](auto& scan, const T* in, T* out, long long length) {
        ASSERT_EQ(scan(in, out, length, Op{}, exchange, nullptr), cudaSuccess);
    });
}

template <class E>
class ScanOverRanks : public testing::Test {};
TYPED_TEST_SUITE(ScanOverRanks, DrawnElements);

TYPED_TEST(ScanOverRanks, Inclusive) {
    expect_draws_by_mpi<Form::inclusive, typename TypeParam::Type, typename TypeParam::Operator>();
}
TYPED_TEST(ScanOverRanks, Exclusive) {
    expect_draws_by_mpi<Form::exclusive, typename TypeParam::Type, typename TypeParam::Operator>();
}

}  // namespace

int main(int argc, char** argv) { return run_rank_tests(argc, argv); }
