#pragma once
#include <benchmark/benchmark.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace harness {

/// Google Benchmark's JSON rows, one a repetition: no aggregates, and plain case names. Rows are kept
/// in memory until the run has ended well.
class RowReporter : public benchmark::JSONReporter {
   public:
    RowReporter() { SetOutputStream(&rows_); }
    bool ReportContext(const Context&) override { return true; }  // ours is known only at the end
    void ReportRuns(const std::vector<Run>& runs) override;

    /// The whole file: `context` is a JSON object's text.
    std::string file(const std::string& context) const;

    /// Why a repetition could not be measured; "" if all were.
    const std::string& failure() const { return failure_; }

   private:
    std::ostringstream rows_;
    std::string failure_;
};

/// Throws std::runtime_error.
void make_folder(const std::string& folder);

/// Write all files (name and content) into `folder`, or none: under temporary names first. The first file is
/// the last to appear. Throws std::runtime_error.
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
    JsonObject& set(const std::string& key, const JsonObject& object) {
        return put(key, indent(object.text()));
    }
    JsonObject& set(const std::string& key, const std::vector<JsonObject>& objects) {
        std::string items;
        for (const JsonObject& object : objects) items += (items.empty() ? "\n" : ",\n") + object.text();
        return put(key, "[" + indent(items) + (objects.empty() ? "]" : "\n  ]"));
    }

    /// The object, two spaces a level; the caller indents the whole.
    std::string text() const {
        std::string lines;
        for (const auto& [key, value] : members_)
            lines += (lines.empty() ? "" : ",\n") + ("  " + quote(key) + ": " + value);
        return "{\n" + lines + "\n}";
    }

    /// `text` with every line but the first moved right by a level.
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

/// A line on stderr: how far, and how many seconds are left. Rewritten in place on a terminal; elsewhere a
/// new line now and then.
class Progress {
   public:
    /// `total` is what the weights handed to advance() add up to.
    Progress(std::string what, double total);
    ~Progress();
    void advance(double weight);

   private:
    std::string what_;
    double total_, done_ = 0, started_, said_;
    bool terminal_, spoke_ = false;
};

/// Seconds on a clock that never goes back.
double seconds();

}  // namespace harness
