#include "simt/clock/plan.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace sass::clock {
namespace {

constexpr double WHOLE = 4;  // waves of a launch that is clocked as a whole
constexpr std::uint64_t MULTIPROCESSORS_OF_SAMPLE = 4;
constexpr std::uint64_t WAVES = 16, RUNS = 8;  // of a sample: blocks of each multiprocessor, in so many runs

/// As how many times as large a grid is to be taken.
double longer() {
    const char* const factor = std::getenv("SIMT_CLOCK_LONGER");
    return factor == nullptr ? 1 : std::max(1.0, std::atof(factor));
}

/// Whether blocks may wait for what others write.
bool waits_for_others(const Kernel& kernel) {
    if (kernel.launch.is_cooperative) return true;
    return std::any_of(kernel.code->list.begin(), kernel.code->list.end(), [](const Instruction& i) {
        const bool compares =
            i.line->opcode.rfind("ATOMG", 0) == 0 && i.line->opcode.find(".CAS") != std::string::npos;
        const bool is_of_block = i.line->opcode.find(".SM") != std::string::npos;
        return compares || (i.is_strong && !is_of_block && i.counted == Class::global_load);
    });
}

/// Every second run first, then the others: the two halves of the sample are then alike.
std::vector<std::uint64_t> sample(std::uint64_t blocks, std::uint64_t count) {
    const std::uint64_t length = count / RUNS;
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t k = 0; k < RUNS; ++k) {
        const std::uint64_t run = 2 * k < RUNS ? 2 * k : 2 * k + 1 - RUNS;
        const std::uint64_t first = (blocks - length) * run / (RUNS - 1);
        for (std::uint64_t number = first; number < first + length; ++number) numbers.push_back(number);
    }
    return numbers;
}

}  // namespace

Plan plan_of(const Kernel& kernel, const Prices& prices) {
    const std::uint64_t size = kernel.launch.cluster.count(), clusters = kernel.launch.grid.count() / size;
    const unsigned resident = blocks_per_multiprocessor(kernel);
    const double all = double(clusters * size) * longer();
    const bool may_wait = waits_for_others(kernel);
    if (all / (prices.multiprocessors * resident) <= WHOLE || may_wait) {
        std::vector<std::uint64_t> numbers(clusters);
        std::iota(numbers.begin(), numbers.end(), 0);
        return {unsigned(prices.multiprocessors), resident, numbers, size, 1, all, false, may_wait};
    }
    const double share = MULTIPROCESSORS_OF_SAMPLE / prices.multiprocessors;
    const std::uint64_t most = std::min(clusters, MULTIPROCESSORS_OF_SAMPLE * resident * WAVES / size);
    const std::uint64_t count = std::min(most, std::uint64_t(all * share) / size) / RUNS * RUNS;
    return {unsigned(MULTIPROCESSORS_OF_SAMPLE),
            resident,
            sample(clusters, count),
            size,
            share,
            all,
            true,
            false};
}

}  // namespace sass::clock
