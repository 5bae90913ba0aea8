// What tells a case from all others: an operation, an algorithm, and a level of each factor.
#pragma once
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace harness {

/// A level of a factor: a whole number or a word.
class Level {
   public:
    template <class Number, class = std::enable_if_t<std::is_integral_v<Number>>>
    Level(Number number) : is_number_(true), number_(static_cast<long long>(number)) {}
    Level(std::string word) : word_(std::move(word)) {}
    Level(const char* word) : word_(word) {}

    bool is_number() const { return is_number_; }
    std::string text() const { return is_number_ ? std::to_string(number_) : word_; }
    bool operator==(const Level& other) const { return text() == other.text(); }

   private:
    bool is_number_ = false;
    long long number_ = 0;
    std::string word_;
};

struct Factor {
    std::string name;
    Level level;
    bool operator==(const Factor& other) const { return name == other.name && level == other.level; }
};

using Levels = std::vector<Factor>;

inline Levels operator+(Levels levels, const Levels& more) {
    levels.insert(levels.end(), more.begin(), more.end());
    return levels;
}

/// {"scan", "blelloch", {{"index", "plain"}, {"tile", 1024}}}
struct Factors {
    std::string operation, algorithm;
    Levels levels = {};

    Factors with(const Levels& more) const { return {operation, algorithm, levels + more}; }
    std::string kernel() const { return operation + '/' + algorithm; }
    /// "scan/blelloch/index:plain/tile:1024": what --benchmark_filter selects by, and tables of cases quote.
    std::string name() const {
        std::string name = kernel();
        for (const Factor& each : levels) name += '/' + each.name + ':' + each.level.text();
        return name;
    }
    /// {"operation":"scan","algorithm":"blelloch","index":"plain","tile":1024}
    std::string json() const {
        std::string members = R"({"operation":")" + operation + R"(","algorithm":")" + algorithm + '"';
        for (const auto& [factor, level] : levels) {
            const std::string quote = level.is_number() ? "" : "\"";
            members += ",\"" + factor + "\":" + quote + level.text() + quote;
        }
        return members + '}';
    }
};

}  // namespace harness
