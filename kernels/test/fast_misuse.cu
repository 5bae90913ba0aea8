// Calls of kernels/fast that cannot be: each returns cudaErrorInvalidValue, queues nothing and touches
// nothing, and the workspace serves the next call.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "kernels/fast/all.cuh"
#include "kernels/predicates.cuh"
#include "kernels/test/device_vector.h"

using namespace trial;

namespace {

/// The arguments of a call, each of which a test spoils in turn.
struct Arguments {
    const int* in;
    const int* keys;  ///< or flags
    int* out;         ///< or lengths_out
    int* second;      ///< unique_out, keys_out
    long long* number;
    const long long* offsets;
    long long n;
    const Prefix<int>* seed = nullptr;
};
using Call = std::function<cudaError_t(const Memory&, const Arguments&)>;

const Sum<int> PLUS;
const std::vector<std::pair<const char*, Call>> CALLS = {
    {"inclusive_scan",
     [](const Memory& m, const Arguments& a) {
         return inclusive_scan(m, a.in, a.out, a.n, PLUS, a.seed, nullptr);
     }},
    {"exclusive_scan",
     [](const Memory& m, const Arguments& a) {
         return a.seed == nullptr ? exclusive_scan(m, a.in, a.out, a.n, PLUS, 3, nullptr)
                                  : exclusive_scan(m, a.in, a.out, a.n, PLUS, a.seed, nullptr);
     }},
    {"inclusive_scan_columns",
     [](const Memory& m, const Arguments& a) {
         return inclusive_scan_columns(m, a.in, a.out, a.n, 1, PLUS, a.seed, nullptr);
     }},
    {"exclusive_scan_columns",
     [](const Memory& m, const Arguments& a) {
         return a.seed == nullptr ? exclusive_scan_columns(m, a.in, a.out, 1, a.n, PLUS, 3, nullptr)
                                  : exclusive_scan_columns(m, a.in, a.out, 1, a.n, PLUS, a.seed, nullptr);
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
    {"run_length_encode",
     [](const Memory& m, const Arguments& a) {
         return run_length_encode(m, a.in, a.second, a.out, a.number, a.n, nullptr);
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
    {"partition_flagged",
     [](const Memory& m, const Arguments& a) {
         return partition_flagged(m, a.in, a.keys, a.out, a.number, a.n, nullptr);
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

/// Where an argument is, by its name in the table of ranges, and how many bytes it has.
char* place_of(const Arguments& a, const std::string& name) {
    const void* const place = name == "in"                             ? static_cast<const void*>(a.in)
                              : name == "seed"                         ? a.seed
                              : name == "offsets"                      ? a.offsets
                              : name == "keys" || name == "flags"      ? a.keys
                              : name == "out" || name == "lengths_out" ? a.out
                              : name.rfind("num_", 0) == 0             ? static_cast<const void*>(a.number)
                                                                       : a.second;
    return static_cast<char*>(const_cast<void*>(place));
}
void put(Arguments& a, const std::string& name, char* at) {
    if (name == "in")
        a.in = reinterpret_cast<int*>(at);
    else if (name == "seed")
        a.seed = reinterpret_cast<Prefix<int>*>(at);
    else if (name == "offsets")
        a.offsets = reinterpret_cast<long long*>(at);
    else if (name == "keys" || name == "flags")
        a.keys = reinterpret_cast<int*>(at);
    else if (name == "out" || name == "lengths_out")
        a.out = reinterpret_cast<int*>(at);
    else if (name.rfind("num_", 0) == 0)
        a.number = reinterpret_cast<long long*>(at);
    else
        a.second = reinterpret_cast<int*>(at);
}
long long bytes_of(const std::string& call, const std::string& name, long long n) {
    if (name == "seed" || name.rfind("num_", 0) == 0) return 8;
    if (name == "offsets" || (name == "out" && call == "arg_min")) return 16;
    return name == "out" && (call == "reduce" || call == "segmented_reduce") ? 4 : 4 * n;
}

/// Two arguments of every call of the table, one over the other: begins where it does, at its end, before it.
TEST(FastMisuse, OverlapsAreRefused) {
    constexpr long long N = 3000, STEP = 8;  // bytes, a multiple of every alignment
    DeviceVector<int> in(N), keys(N), out(N), second(N);
    DeviceVector<long long> number(1), offsets(2);
    DeviceVector<Prefix<int>> seed(1);
    const Workspace workspace(bytes_needed<int>(N), nullptr);
    const Arguments right = {in.data(),     keys.data(),    out.data(), second.data(),
                             number.data(), offsets.data(), N,          seed.data()};
    int pairs = 0;
    for (const auto& [name, call] : CALLS) {
        const CallRanges* of = ranges::CALLS;
        const std::string quoted = '`' + std::string(name) + '`';
        while (std::string(of->calls).find(quoted) == std::string::npos) ++of;
        for (int k = 0; k < of->count; ++k) {
            const auto [one, access] = of->arguments[k];
            const auto refused = [&, &call = call, one = one](const Memory& memory, char* at) {
                Arguments wrong = right;
                put(wrong, one, at);
                return call(memory, wrong) == cudaErrorInvalidValue;
            };
            char* const own = place_of(right, one);
            EXPECT_TRUE(refused(Memory(own, 1 << 20), own)) << name << ": " << one << " in the memory";
            for (int j = 0; j < of->count; ++j) {
                const auto [other, others] = of->arguments[j];
                if (j == k || (access == Access::reads && others == Access::reads)) continue;
                ++pairs;
                char* const begin = place_of(right, other);
                const long long bytes = bytes_of(name, other, N), mine = bytes_of(name, one, N);
                const bool in_place = j == 0 && access == Access::replaces;
                const bool replaced = k == 0 && others == Access::replaces;
                if (!in_place && !replaced)
                    EXPECT_TRUE(refused(workspace, begin)) << name << ": " << one << " is " << other;
                if (others != Access::writes_some && bytes > STEP)
                    EXPECT_TRUE(refused(workspace, begin + bytes - STEP))
                        << name << ": " << one << " at the end of " << other;
                if (access != Access::writes_some && mine > STEP)
                    EXPECT_TRUE(refused(workspace, begin - mine + STEP))
                        << name << ": " << one << " ends in " << other;
            }
        }
    }
    EXPECT_GT(pairs, 80);
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
