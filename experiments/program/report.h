#pragma once
#include <benchmark/benchmark.h>

#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace harness {

/// Google Benchmark's rows, one per repetition, and their aggregates, with plain case names. They stay in
/// memory until the run has succeeded.
class Rows : public benchmark::BenchmarkReporter {
   public:
    bool ReportContext(const Context& context) override;
    void ReportRuns(const std::vector<Run>& runs) override;

    /// Google Benchmark's context, as it describes this computer.
    const Context& context() const { return *context_; }
    const std::vector<Run>& with_aggregates() const { return runs_; }
    std::vector<Run> repetitions() const;
    /// The aggregates, and the rows of the cases that have none.
    std::vector<Run> only_aggregates() const;

    /// Why a repetition could not be measured; "" if all were.
    const std::string& failure() const { return failure_; }

   private:
    std::vector<Run> runs_;
    std::optional<Context> context_;
    std::string failure_;
};

/// The file of results: `context` is a JSON object's text.
std::string results_file(const std::string& context, const Rows& rows);

/// A format of Google Benchmark's; console is the table in console.h.
enum class Format { console, json, csv };

/// Print rows as Google Benchmark does, in JSON or CSV.
void print_rows(std::ostream& stream, Format format, const Rows& rows, bool only_aggregates);

/// Throws std::runtime_error.
void make_folder(const std::string& folder);

/// Write all files (name and content) into `folder`, or none. Each is written under a temporary name and then
/// renamed, the first file last. Throws std::runtime_error.
void write_files(const std::string& folder, const std::vector<std::pair<std::string, std::string>>& files);

/// A JSON object, written member by member.
class JsonObject {
   public:
    JsonObject& set(const std::string& key, const std::string& text) { return put(key, quote(text)); }
    JsonObject& set(const std::string& key, const char* text) { return put(key, quote(text)); }
    JsonObject& set(const std::string& key, bool value) { return put(key, value ? "true" : "false"); }
    JsonObject& set(const std::string& key, int value) { return put(key, std::to_string(value)); }
    JsonObject& set(const std::string& key, long long value) { return put(key, std::to_string(value)); }
    JsonObject& set(const std::string& key, double value) { return put(key, std::to_string(value)); }
    /// A value that is JSON already.
    JsonObject& set_json(const std::string& key, const std::string& value) { return put(key, value); }
    JsonObject& set(const std::string& key, const JsonObject& object) {
        return put(key, indent(object.text()));
    }
    JsonObject& set(const std::string& key, const std::vector<JsonObject>& objects) {
        std::string items;
        for (const JsonObject& object : objects) items += (items.empty() ? "\n" : ",\n") + object.text();
        return put(key, "[" + indent(items) + (objects.empty() ? "]" : "\n  ]"));
    }

    /// The object's text, indented by two spaces per level; the caller indents the whole.
    std::string text() const {
        std::string lines;
        for (const auto& [key, value] : members_)
            lines += (lines.empty() ? "" : ",\n") + ("  " + quote(key) + ": " + value);
        return "{\n" + lines + "\n}";
    }

    /// `text` with every line but the first indented by one more level.
    static std::string indent(const std::string& text) {
        std::string result;
        for (const char c : text) result += c == '\n' ? "\n  " : std::string(1, c);
        return result;
    }

   private:
    JsonObject& put(const std::string& key, const std::string& value) {
        members_.emplace_back(key, value);
        return *this;
    }

    static std::string quote(const std::string& text) {
        static const char HEX[] = "0123456789abcdef";
        std::string result = "\"";
        for (const char c : text) {
            const auto byte = static_cast<unsigned char>(c);
            if (c == '"' || c == '\\') {
                result += {'\\', c};
            } else if (byte < 0x20) {
                result += {'\\', 'u', '0', '0', HEX[byte >> 4], HEX[byte & 15]};
            } else {
                result += c;
            }
        }
        return result + '"';
    }

    std::vector<std::pair<std::string, std::string>> members_;
};

/// A progress line on stderr: percentage done and seconds left. On a terminal it is rewritten in place;
/// elsewhere a new line appears at most every 10 s.
class Progress {
   public:
    /// `total`: the sum of all weights passed to advance().
    Progress(std::string what, double total);
    ~Progress() { clear(); }
    void advance(double weight);
    /// Print a line of its own on stderr.
    void say(const std::string& line);

   private:
    void clear() const;

    std::string what_;
    double total_, done_ = 0, started_, said_;
    bool terminal_, spoke_ = false;
};

/// Seconds on a monotonic clock.
double seconds();

}  // namespace harness
