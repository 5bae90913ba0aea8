#include "simt/clock/report.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "simt/loader/names.h"

namespace sass::clock {
namespace {

using SourceLine = std::pair<std::string, int>;  // "", 0: of no file of the user's

template <class... Values>
std::string format(const char* how, Values... values) {
    char text[256];
    std::snprintf(text, sizeof text, how, values...);
    return text;
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') result += '\\';
        result += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
    }
    return result + '"';
}

SourceLine line_of(const Grid& grid, int place) {
    const Place* const at = place_of_user(grid.launch().module->places(), place);
    return at == nullptr ? SourceLine{"", 0} : SourceLine{at->file, at->line};
}

std::map<SourceLine, Stalls> by_line(const Grid& grid) {
    std::map<SourceLine, Stalls> lines;
    for (const InstructionStalls& each : grid.stalls()) lines[line_of(grid, each.place)] += each.stalls;
    return lines;
}

Stalls sum_of(const Grid& grid) {
    Stalls sum;
    for (const InstructionStalls& each : grid.stalls()) sum += each.stalls;
    return sum;
}

double share(const Stalls& stalls, std::size_t why) {
    return double(stalls.cycles[why]) / double(std::max<std::uint64_t>(1, stalls.sum()));
}

std::string shares(const Stalls& stalls) {
    std::string text;
    for (std::size_t k = 0; k < STALLS; ++k)
        if (stalls.cycles[k] != 0)
            text += format("%s\"%s\": %.4f", text.empty() ? "" : ", ", STALL_NAMES[k], share(stalls, k));
    return "{" + text + "}";
}

std::string row(const SourceLine& line, const Stalls& stalls) {
    return "\"file\": " + quoted(line.first) + format(", \"line\": %d", line.second) +
           format(", \"cycles\": %llu", static_cast<unsigned long long>(stalls.sum())) +
           ", \"stalls\": " + shares(stalls) + "}";
}

/// What the compiler has written into it, see control.h.
std::string bits(const Control& control) {
    return format("\"stall\": %d, \"sets_at_result\": %d, \"sets_at_read\": %d, \"waits_for\": %d",
                  control.stall, control.sets_at_result, control.sets_at_read, control.waits_for);
}

/// Of the traced block, in the order of time; instructions by their places in the list.
std::string trace_of(const Grid& grid, const std::vector<InstructionStalls>& instructions) {
    std::vector<Interval> trace = grid.timing()->trace;
    if (trace.empty()) return "";
    std::map<std::uint32_t, std::size_t> places;
    for (const InstructionStalls& each : instructions) places.emplace(each.number, places.size());
    std::stable_sort(trace.begin(), trace.end(),
                     [](const Interval& a, const Interval& b) { return a.from < b.from; });
    std::string text;
    for (const Interval& each : trace)
        text +=
            format("%s[%u, %zu, \"%s\", %llu, %llu]", text.empty() ? "" : ", ", each.warp,
                   places.at(each.place), STALL_NAMES[std::size_t(each.why)],
                   static_cast<unsigned long long>(each.from), static_cast<unsigned long long>(each.until));
    return ", \"trace\": [" + text + "]";
}

/// The largest first, at most so many: "long_scoreboard 48%, wait 20%".
std::string first_of(const Stalls& stalls, std::size_t most) {
    std::vector<std::size_t> order(STALLS);
    for (std::size_t k = 0; k < STALLS; ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return stalls.cycles[a] > stalls.cycles[b]; });
    std::string text;
    for (std::size_t k = 0; k < most && stalls.cycles[order[k]] != 0; ++k)
        text += format("%s%s %.0f%%", text.empty() ? "" : ", ", STALL_NAMES[order[k]],
                       100 * share(stalls, order[k]));
    return text;
}

std::string in_words(const Timing& timing) {
    if (!timing.unknown.empty()) return "no time: " + timing.unknown;
    const std::string time = format("%.2f us", timing.us);
    if (!timing.is_sample)
        return time + format(", %llu blocks on %u multiprocessors",
                             static_cast<unsigned long long>(timing.blocks), timing.multiprocessors);
    const double apart = std::abs(timing.halves_us[0] - timing.halves_us[1]) / timing.us;
    return time + format(", from %llu blocks on %u multiprocessors, whose halves differ by %.1f%%",
                         static_cast<unsigned long long>(timing.blocks), timing.multiprocessors, 100 * apart);
}

}  // namespace

std::string json_of(const Grid& grid) {
    const Timing& timing = *grid.timing();
    std::string text = format(
        "{\"us\": %.4f, \"launch_us\": %.4f, \"cycles\": %.1f, \"warps\": %.2f, \"multiprocessors\": %u, ",
        timing.us, timing.launch_us, timing.cycles, timing.warps, timing.multiprocessors);
    text += format("\"blocks\": %llu, \"is_sample\": %s, \"halves_us\": [",
                   static_cast<unsigned long long>(timing.blocks), timing.is_sample ? "true" : "false");
    if (timing.is_sample) text += format("%.4f, %.4f", timing.halves_us[0], timing.halves_us[1]);
    text +=
        format("], \"blocks_per_us\": %.6f, \"unknown\": ", timing.blocks_per_us) + quoted(timing.unknown);
    const Busy& busy = timing.busy;
    text += format(", \"busy\": {\"issue\": %.4f, \"pipe\": %.4f, \"bytes\": %.4f, \"starts\": %.4f}",
                   busy.issue, busy.pipe, busy.bytes, busy.starts);
    text += ", \"stalls\": " + shares(sum_of(grid)) + ", \"lines\": [";
    const char* separator = "";
    for (const auto& [line, stalls] : by_line(grid))
        text += separator + ("{" + row(line, stalls)), separator = ", ";
    text += "], \"instructions\": [", separator = "";
    const std::vector<InstructionStalls> instructions = grid.stalls();
    for (const InstructionStalls& each : instructions) {
        text += separator +
                format("{\"address\": %llu, \"text\": ", static_cast<unsigned long long>(each.address));
        text += quoted(each.text) + ", " + bits(each.control) + ", ";
        text += row(line_of(grid, each.place), each.stalls), separator = ", ";
    }
    return text + "]" + trace_of(grid, instructions) + "}";
}

std::string text_of(const Grid& grid) {
    constexpr std::size_t LINES = 10, REASONS = 3;
    std::string text = demangled(grid.launch().kernel->name) + ": " + in_words(*grid.timing()) + "\n";
    const Stalls sum = sum_of(grid);
    const Busy& busy = grid.timing()->busy;
    text += format("  busy: issue %.0f%%, pipe %.0f%%, bytes %.0f%%, starts %.0f%%\n", 100 * busy.issue,
                   100 * busy.pipe, 100 * busy.bytes, 100 * busy.starts);
    text += "  warps: " + first_of(sum, 2 * REASONS) + "\n";
    std::vector<std::pair<SourceLine, Stalls>> lines;
    for (const auto& each : by_line(grid)) lines.push_back(each);
    std::stable_sort(lines.begin(), lines.end(),
                     [](const auto& a, const auto& b) { return a.second.sum() > b.second.sum(); });
    lines.resize(std::min(lines.size(), LINES));
    for (const auto& [line, stalls] : lines) {
        const std::string name =
            line.second == 0 ? "elsewhere" : line.first.substr(line.first.rfind('/') + 1);
        const double part = 100. * double(stalls.sum()) / double(std::max<std::uint64_t>(1, sum.sum()));
        text +=
            format("  %4.0f%%  %s:%d: ", part, name.c_str(), line.second) + first_of(stalls, REASONS) + "\n";
    }
    return text;
}

}  // namespace sass::clock
