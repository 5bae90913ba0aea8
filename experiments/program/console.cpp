#include "experiments/program/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <ostream>
#include <set>
#include <sstream>

namespace harness {
namespace {

using Run = Rows::Run;

/// Characters of UTF-8 text.
std::size_t width_of(const std::string& text) {
    return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; });
}

/// Columns of a line of prose: those of the terminal, but at most 100.
std::size_t line_width() {
    winsize size{};
    const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 40;
    return known ? std::min<std::size_t>(size.ws_col, 100) : 100;
}

std::vector<std::string> split(const std::string& text, char by) {
    std::istringstream stream(text);
    std::vector<std::string> parts;
    for (std::string part; std::getline(stream, part, by);) parts.push_back(part);
    return parts;
}

/// Names on the left, numbers on the right of their columns. The words of a title stand one below the other.
class Table {
   public:
    explicit Table(const std::vector<std::string>& titles) {
        for (std::size_t i = 0; i < titles.size(); ++i) {
            const std::vector<std::string> words = split(titles[i], '_');
            header_.resize(std::max(header_.size(), words.size()), Row(titles.size()));
            for (std::size_t w = 0; w < words.size(); ++w) header_[w][i] = words[w];
        }
    }
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

    void print(std::ostream& stream) const {
        std::vector<std::size_t> widths(header_[0].size());
        for (const auto* const rows : {&header_, &rows_})
            for (const Row& row : *rows)
                for (std::size_t i = 0; i < row.size(); ++i)
                    widths[i] = std::max(widths[i], width_of(row[i]));
        std::size_t total = 0;
        for (const std::size_t width : widths) total += width + 2;
        const std::string rule(total - 2, '-');
        stream << rule << '\n';
        print_rows(stream, header_, widths);
        stream << rule << '\n';
        print_rows(stream, rows_, widths);
    }

   private:
    using Row = std::vector<std::string>;

    static void print_rows(std::ostream& stream, const std::vector<Row>& rows,
                           const std::vector<std::size_t>& widths) {
        for (const Row& row : rows) {
            for (std::size_t i = 0; i < row.size(); ++i) {
                const std::string blanks(widths[i] - width_of(row[i]), ' ');
                stream << (i == 0 ? row[i] + blanks : "  " + blanks + row[i]);
            }
            stream << '\n';
        }
    }

    std::vector<Row> header_, rows_;
};

std::map<std::string, std::vector<const Run*>> by_name(const std::vector<Run>& runs) {
    std::map<std::string, std::vector<const Run*>> found;
    for (const Run& run : runs) found[run.benchmark_name()].push_back(&run);
    return found;
}

double value(const Run& run, const std::string& quantity) {
    const auto found = run.counters.find(quantity);
    return found == run.counters.end() ? 0 : found->second.value;
}

// --- Counts

/// A column of counts: the sum of these quantities.
struct Column {
    std::string title;
    std::vector<std::string> quantities;
    bool predicted = false;  ///< in some case
};

/// What every experiment shows, then whatever else this one predicts.
std::vector<Column> columns_of(const std::vector<Run>& runs) {
    std::vector<Column> columns = {
        {"ops", {"ops"}},
        {"launches", {"launches"}},
        {"barriers", {"barriers"}},
        {"shared_wavefronts",
         {"shared_load_wavefronts", "shared_store_wavefronts", "shared_atomic_wavefronts"}},
        {"bank_conflicts", {"bank_conflicts"}},
        {"global_sectors", {"global_load_sectors", "global_store_sectors"}},
    };
    const std::string prefix = "predicted_";
    std::set<std::string> predicted;
    for (const Run& run : runs)
        for (const auto& [name, counter] : run.counters)
            if (name.compare(0, prefix.size(), prefix) == 0) predicted.insert(name.substr(prefix.size()));
    for (Column& column : columns)
        if (column.quantities.size() == 1) column.predicted = predicted.erase(column.quantities[0]) > 0;
    for (const std::string& quantity : predicted) columns.push_back({quantity, {quantity}, true});
    return columns;
}

/// The count; "7 =" if its closed form is 7 too, "7 != 8" if that is 8.
std::string cell(const Run& run, const Column& column) {
    double count = 0;
    for (const std::string& quantity : column.quantities) count += value(run, quantity);
    if (run.counters.count(column.quantities[0]) == 0) return "";  // the machine code does not show it
    if (!column.predicted) return with_commas(count);
    const auto predicted = run.counters.find("predicted_" + column.quantities[0]);
    if (predicted == run.counters.end()) return with_commas(count) + "  ";  // its digits below the others'
    if (predicted->second.value == count) return with_commas(count) + " =";
    return with_commas(count) + " != " + with_commas(predicted->second.value);
}

void print_counts(std::ostream& stream, const std::vector<Measurement>& measurements,
                  const std::vector<Run>& runs) {
    const std::vector<Column> columns = columns_of(runs);
    const auto named = by_name(runs);
    std::vector<std::string> header = {"Case"};
    for (const Column& column : columns) header.push_back(column.title);
    Table table(header);
    for (const Measurement& m : measurements) {
        std::vector<std::string> row = {m.name};
        for (const Column& column : columns) row.push_back(cell(*named.at(m.name)[0], column));
        table.add(row);
    }
    table.print(stream);
    stream << "=: the closed form predicts the same number. != n: it predicts n. No sign: there is none.\n";
}

// --- Times

/// Of one measurement, in microseconds.
double median(const std::vector<const Run*>& runs) {
    std::vector<double> times;
    for (const Run* run : runs) times.push_back(run->GetAdjustedRealTime());
    std::sort(times.begin(), times.end());
    const std::size_t half = times.size() / 2;
    return times.size() % 2 == 1 ? times[half] : (times[half - 1] + times[half]) / 2;
}

/// Whether `copy` is a copy to compare a case with: each of its factors has the same level in both.
bool is_copy_for(const Factors& copy, const Factors& of) {
    return copy.operation == "copy" &&
           std::all_of(copy.levels.begin(), copy.levels.end(), [&](const Factor& each) {
               return std::find(of.levels.begin(), of.levels.end(), each) != of.levels.end();
           });
}

std::string printed(const char* form, double number) {
    char text[32];
    std::snprintf(text, sizeof(text), form, number);
    return text;
}

void print_times(std::ostream& stream, const std::vector<Measurement>& measurements,
                 const std::vector<Run>& runs) {
    const auto named = by_name(runs);
    const auto throughput = [&](const std::string& name) {  // GB/s
        const auto& samples = named.at(name);
        return value(*samples[0], "bytes") / median(samples) / 1e3;
    };
    Table table({"Case", "samples", "median_us", "GB/s", "of the_copy"});
    for (const Measurement& m : measurements) {
        const auto& samples = named.at(m.name);
        const double speed = throughput(m.name);
        const auto copy =
            std::find_if(measurements.begin(), measurements.end(),
                         [&](const Measurement& other) { return is_copy_for(other.factors, m.factors); });
        const bool compared = speed > 0 && copy != measurements.end();
        table.add({m.name, std::to_string(samples.size()), printed("%.2f", median(samples)),
                   speed > 0 ? printed("%.0f", speed) : "",
                   compared ? printed("%.0f %%", 100 * speed / throughput(copy->name)) : ""});
    }
    table.print(stream);
}

}  // namespace

std::string one_line(const char* text) {
    std::istringstream words(text);
    std::string line, word;
    while (words >> word) line += (line.empty() ? "" : " ") + word;
    return line;
}

std::string with_commas(double number) {
    std::string digits = std::to_string(std::llround(number));
    const std::size_t first = digits[0] == '-' ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3; at -= 3) digits.insert(at - 3, ",");
    return digits;
}

void print_paragraph(std::ostream& stream, const std::string& label, const std::string& text) {
    constexpr std::size_t INDENT = 12;
    const std::size_t width = line_width();
    std::string line = label + std::string(INDENT - label.size(), ' '), gap, word;
    std::istringstream words(text);
    while (words >> word) {
        if (!gap.empty() && width_of(line) + 1 + width_of(word) > width) {
            stream << line << '\n';
            line = std::string(INDENT, ' ');
            gap.clear();
        }
        line += gap + word;
        gap = " ";
    }
    stream << line << '\n';
}

void print_claim(std::ostream& stream, const Claim& claim) {
    stream << one_line(claim.title) << "\n\n";
    print_paragraph(stream, "Claim", claim.claim);
    print_paragraph(stream, "Source", claim.source);
    print_paragraph(stream, "Prediction", claim.prediction);
    print_paragraph(stream, "Method", claim.method);
    print_paragraph(stream, "Fails if", claim.fails_if);
}

void print_table(std::ostream& stream, const std::vector<Measurement>& measurements, const Rows& rows) {
    const std::vector<Run> runs = rows.repetitions();
    if (on_gpu())
        print_times(stream, measurements, runs);
    else
        print_counts(stream, measurements, runs);
}

}  // namespace harness
