// The last result that is timed is compared with the reference: a fault that comes after the first check
// fails the experiment, and no file is written. Each experiment runs in a process of its own, as it would
// outside.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "experiments/harness/own_vectors.h"
#include "experiments/harness/suite.h"

namespace {

namespace fs = std::filesystem;

const harness::Claim CLAIM = {
    .order = 1000,
    .title = "A fault",
    .claim = "None.",
    .source = "None.",
    .prediction = "None.",
    .method = "None.",
    .fails_if = "None.",
};
constexpr long long N = 1 << 14;

/// With one repetition a case runs four times: check, cold, warm-up and warm, or warm-up, warm and cold last.
constexpr int LAST_RUN = 4;

/// What the case does in its last run.
enum class Fault { none, writes_nothing, writes_a_wrong_element };

/// Copies n ints, but for the fault.
harness::Work copy(const int* in, int* out, cudaStream_t stream, Fault fault) {
    return [=, runs = std::make_shared<int>(0)] {
        const bool is_last = ++*runs >= LAST_RUN;
        if (is_last && fault == Fault::writes_nothing) return;
        (void)cudaMemcpyAsync(out, in, N * sizeof(int), cudaMemcpyDeviceToDevice, stream);
        if (is_last && fault == Fault::writes_a_wrong_element)
            (void)cudaMemsetAsync(out + N / 2, 0x11, sizeof(int), stream);
    };
}

/// The harness's vectors; every element is a segment of its own, so that a copy is its scan.
template <Fault FAULT>
void add_shared(harness::Suite& suite) {
    suite.scan<int>({"scan", "shared"}, N, {1},
                    [](harness::Vectors<int> v) { return copy(v.in, v.out, v.stream, FAULT); });
}

struct Vectors {
    Vectors() : in(N), out(N) {
        in.fill([](long long i) { return static_cast<int>(i); });
    }
    harness::OwnVector<int> in, out;

    std::string find_error() const {
        auto found = out.read(N);
        for (long long i = 0; i < N; ++i)
            if (const std::string error = harness::difference(i, static_cast<int>(i), found[i]);
                !error.empty())
                return error;
        return "";
    }
};

template <Fault FAULT>
void add_own(harness::Suite& suite) {
    suite.own({"scan", "own"}, N, {8 * N, 8 * N, [](cudaStream_t stream) {
                                       const auto vectors = std::make_shared<Vectors>();
                                       const int* const in = vectors->in.data();
                                       return harness::Trial{copy(in, vectors->out.data(), stream, FAULT),
                                                             [vectors] { vectors->out.poison(); },
                                                             [vectors] { return vectors->find_error(); }};
                                   }});
}

class LastRepetition : public testing::Test {
   protected:
    void SetUp() override {
        if (!harness::on_gpu()) GTEST_SKIP() << "nothing is timed on the SIMT machine";
        fs::remove_all(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    [[noreturn]] void run(void (*add_cases)(harness::Suite&)) const {
        std::string program = "faulty", out = "--out=" + folder_.string(), once = "--benchmark_repetitions=1";
        char* arguments[] = {program.data(), out.data(), once.data(), nullptr};
        std::exit(harness::run(3, arguments, "faulty", CLAIM, add_cases));
    }
    bool wrote() const { return fs::exists(folder_) && !fs::is_empty(folder_); }

   private:
    fs::path folder_ = fs::temp_directory_path() / ("last_repetition." + std::to_string(getpid()));
};

const testing::ExitedWithCode SUCCEEDS(0), FAILS(1);
constexpr char WRONG_SHARED[] = "faulty: wrong result after the last repetition: scan/shared/n:16384, index ";
constexpr char WRONG_OWN[] = "faulty: wrong result after the last repetition: scan/own/n:16384, index ";

TEST_F(LastRepetition, RightResultsAreWritten) {
    EXPECT_EXIT(run(add_shared<Fault::none>), SUCCEEDS, "1 case checked and measured");
    EXPECT_TRUE(wrote());
    EXPECT_EXIT(run(add_own<Fault::none>), SUCCEEDS, "1 case checked and measured");
}

TEST_F(LastRepetition, AWrongElementIsFound) {
    EXPECT_EXIT(run(add_shared<Fault::writes_a_wrong_element>), FAILS, WRONG_SHARED);
    EXPECT_EXIT(run(add_own<Fault::writes_a_wrong_element>), FAILS, WRONG_OWN);
    EXPECT_FALSE(wrote());
}

TEST_F(LastRepetition, AnEarlierResultIsNotTakenForTheLast) {
    EXPECT_EXIT(run(add_shared<Fault::writes_nothing>), FAILS, WRONG_SHARED);
    EXPECT_EXIT(run(add_own<Fault::writes_nothing>), FAILS, WRONG_OWN);
    EXPECT_FALSE(wrote());
}

}  // namespace
