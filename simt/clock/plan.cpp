#include "simt/clock/plan.h"

#include <algorithm>
#include <numeric>

namespace sass::clock {
namespace {

constexpr double WHOLE = 4;  // waves of a launch that is clocked as a whole
constexpr unsigned MULTIPROCESSORS_OF_SAMPLE = 4;
constexpr std::uint64_t WAVES = 16, RUNS = 8;  // of a sample: blocks of each multiprocessor, in so many runs

/// Whether blocks may wait for what others write.
bool waits_for_others(const Kernel& kernel) {
    if (kernel.launch.is_cooperative) return true;
    return std::any_of(kernel.code->list.begin(), kernel.code->list.end(), [](const Instruction& i) {
        const bool compares =
            i.line->opcode.rfind("ATOMG", 0) == 0 && i.line->opcode.find(".CAS") != std::string::npos;
        return compares || (i.is_strong && i.counted == Class::global_load);
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
    const std::uint64_t blocks = kernel.launch.grid.count();
    const unsigned resident = blocks_per_multiprocessor(kernel);
    const double waves = double(blocks) / (prices.multiprocessors * resident);
    if (waves <= WHOLE || waits_for_others(kernel)) {
        std::vector<std::uint64_t> all(blocks);
        std::iota(all.begin(), all.end(), 0);
        return {unsigned(prices.multiprocessors), resident, all, false};
    }
    const std::uint64_t most = MULTIPROCESSORS_OF_SAMPLE * resident * WAVES;
    const auto share = std::uint64_t(double(blocks) * MULTIPROCESSORS_OF_SAMPLE / prices.multiprocessors);
    return {MULTIPROCESSORS_OF_SAMPLE, resident, sample(blocks, std::min(most, share) / RUNS * RUNS), true};
}

}  // namespace sass::clock
