// Calls of kernels/fast that cannot be: each returns cudaErrorInvalidValue, queues nothing and touches
// nothing, and the workspace serves the next call.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include <gtest/gtest.h>

#include <functional>

#include "kernels/fast/all.cuh"
#include "kernels/predicates.cuh"
#include "kernels/test/device_vector.h"

using namespace trial;

namespace {

/// The arguments of a call, each of which a test spoils in turn.
struct Arguments {
    const int* in;
    const int* keys;
    int* out;
    int* second;
    long long* number;
    const long long* offsets;
    long long n;
};
using Call = std::function<cudaError_t(const Memory&, const Arguments&)>;

const Sum<int> PLUS;
const std::vector<std::pair<const char*, Call>> CALLS = {
    {"inclusive_scan",
     [](const Memory& m, const Arguments& a) { return inclusive_scan(m, a.in, a.out, a.n, PLUS, nullptr); }},
    {"exclusive_scan",
     [](const Memory& m, const Arguments& a) {
         return exclusive_scan(m, a.in, a.out, a.n, PLUS, 3, nullptr);
     }},
    {"inclusive_scan_by_key",
     [](const Memory& m, const Arguments& a) {
         return inclusive_scan_by_key(m, a.keys, a.in, a.out, a.n, PLUS, nullptr);
     }},
    {"reduce_by_key",
     [](const Memory& m, const Arguments& a) {
         return reduce_by_key(m, a.keys, a.in, a.second, a.out, a.number, a.n, PLUS, nullptr);
     }},
    {"unique_by_key",
     [](const Memory& m, const Arguments& a) {
         return unique_by_key(m, a.keys, a.in, a.second, a.out, a.number, a.n, nullptr);
     }},
    {"segmented_inclusive_scan",
     [](const Memory& m, const Arguments& a) {
         return segmented_inclusive_scan(m, a.in, a.out, a.n, a.offsets, 1, PLUS, nullptr);
     }},
    {"segmented_reduce",
     [](const Memory& m, const Arguments& a) {
         return segmented_reduce(m, a.in, a.out, a.n, a.offsets, 1, PLUS, nullptr);
     }},
    {"reduce",
     [](const Memory& m, const Arguments& a) { return reduce(m, a.in, a.out, a.n, PLUS, nullptr); }},
    {"arg_min",
     [](const Memory& m, const Arguments& a) {
         return arg_min(m, a.in, reinterpret_cast<Indexed<int>*>(a.out), a.n, nullptr);
     }},
    {"select_if",
     [](const Memory& m, const Arguments& a) {
         return select_if(m, a.in, a.out, a.number, a.n, Below<int>{2}, nullptr);
     }},
    {"select_flagged",
     [](const Memory& m, const Arguments& a) {
         return select_flagged(m, a.in, a.keys, a.out, a.number, a.n, nullptr);
     }},
    {"unique",
     [](const Memory& m, const Arguments& a) { return unique(m, a.in, a.out, a.number, a.n, nullptr); }},
    {"partition_if",
     [](const Memory& m, const Arguments& a) {
         return partition_if(m, a.in, a.out, a.number, a.n, Below<int>{2}, nullptr);
     }},
};

TEST(FastMisuse, IsInvalidAndTouchesNothing) {
    constexpr long long N = 3000;
    DeviceVector<int> in(std::vector<int>(N + 1, 1)), keys(std::vector<int>(N, 5)),
        out(std::vector<int>(N + 2, 77)), second(std::vector<int>(N, 77));
    DeviceVector<long long> number(std::vector<long long>{-7}), offsets(std::vector<long long>{0, N});
    const Workspace workspace(bytes_needed<int>(N), nullptr), small(130, nullptr), none(0, nullptr);
    DeviceVector<char> plain(1000);
    const Arguments right = {in.data(),     keys.data(),    out.data(), second.data(),
                             number.data(), offsets.data(), N};
    for (const auto& [name, call] : CALLS) {
        SCOPED_TRACE(name);
        const auto refused = [&, &call = call](const char* what, const Memory& memory, auto spoil) {
            Arguments wrong = right;
            spoil(wrong);
            EXPECT_EQ(call(memory, wrong), cudaErrorInvalidValue) << what;
        };
        refused("no in", workspace, [](Arguments& a) { a.in = nullptr; });
        refused("no out", workspace, [](Arguments& a) { a.out = nullptr; });
        refused("a negative length", workspace, [](Arguments& a) { a.n = -1; });
        refused("out at an odd address", workspace,
                [](Arguments& a) { a.out = reinterpret_cast<int*>(reinterpret_cast<char*>(a.out) + 1); });
        refused("too little memory", small, [](Arguments&) {});
        refused("no memory", none, [](Arguments&) {});
        refused("no bytes", Memory(nullptr, 1 << 20), [](Arguments&) {});
        refused("few bytes", Memory(plain.data(), 130), [](Arguments&) {});
        refused("bytes at an odd address", Memory(plain.data() + 1, 999), [](Arguments&) {});
        if (name != std::string("reduce") && name != std::string("arg_min") &&
            name != std::string("segmented_reduce"))
            refused("out one element into in", workspace,
                    [](Arguments& a) { a.out = const_cast<int*>(a.in) + 1; });
    }
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(out.read(), std::vector<int>(N + 2, 77));
    EXPECT_EQ(second.read(), std::vector<int>(N, 77));
    EXPECT_EQ(number.read()[0], -7);
    EXPECT_EQ(in.read(), std::vector<int>(N + 1, 1));
    for (const auto& [name, call] : CALLS) EXPECT_EQ(call(workspace, right), cudaSuccess) << name;
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(workspace.status(), cudaSuccess);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

/// Small vectors lie side by side on a device, so a result may end just before an input.
TEST(FastMisuse, AShortResultMayEndBeforeAnInput) {
    constexpr long long N = 3000, SELECTED = 2;
    std::vector<int> values(SELECTED + N, 5);
    values[SELECTED] = values[SELECTED + N - 1] = 1;
    DeviceVector<int> both(values), flags(values);
    DeviceVector<long long> number(std::vector<long long>{-7});
    const int *const in = both.data() + SELECTED, *const after = flags.data() + SELECTED;
    const Workspace workspace(bytes_needed<int>(N), nullptr);
    EXPECT_EQ(select_if(workspace, in, both.data(), number.data(), N, Below<int>{2}, nullptr), cudaSuccess);
    EXPECT_EQ(number.read()[0], SELECTED);
    EXPECT_EQ(both.read()[0] + both.read()[1], 2);
    EXPECT_EQ(
        select_if(workspace, in, const_cast<int*>(in) + N - 1, number.data(), N, Below<int>{2}, nullptr),
        cudaErrorInvalidValue);
    DeviceVector<int> one(std::vector<int>(N + 1, 4));  // one run
    EXPECT_EQ(unique(workspace, one.data() + 1, one.data(), number.data(), N, nullptr), cudaSuccess);
    EXPECT_EQ(number.read()[0], 1);
    DeviceVector<int> out(std::vector<int>(N, 77));
    EXPECT_EQ(reduce_by_key(workspace, one.data() + 1, after, one.data(), out.data(), number.data(), N,
                            Sum<int>{}, nullptr),
              cudaSuccess);
    EXPECT_EQ(out.read()[0], 5 * (N - 2) + 2);
}

}  // namespace
