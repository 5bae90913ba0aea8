// Regular expressions by the C library: <regex> takes seconds to compile.
#pragma once
#include <regex.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace simt_runtime {

/// A POSIX extended regular expression.
class Pattern {
   public:
    /// What it matches: where, and the text of its first group, "" if that is no part of it.
    struct Match {
        std::size_t begin, end;
        std::string group;
    };

    /// Throws std::runtime_error, one line, if the text is no regular expression.
    explicit Pattern(const std::string& text) {
        if (regcomp(&compiled_, text.c_str(), REG_EXTENDED) != 0)
            throw std::runtime_error("not a regular expression: " + text);
    }
    ~Pattern() { regfree(&compiled_); }
    Pattern(const Pattern&) = delete;
    Pattern& operator=(const Pattern&) = delete;

    /// All matches, from left to right.
    std::vector<Match> matches(const std::string& text) const {
        std::vector<Match> all;
        regmatch_t found[2] = {};
        for (std::size_t begin = 0; begin <= text.size();) {
            found[0] = {regoff_t(begin), regoff_t(text.size())};
            if (regexec(&compiled_, text.c_str(), compiled_.re_nsub > 0 ? 2 : 1, found, REG_STARTEND) != 0)
                break;
            const bool has_group = compiled_.re_nsub > 0 && found[1].rm_so >= 0;
            const auto from = std::size_t(found[0].rm_so), to = std::size_t(found[0].rm_eo);
            all.push_back({from, to,
                           has_group ? text.substr(std::size_t(found[1].rm_so),
                                                   std::size_t(found[1].rm_eo - found[1].rm_so))
                                     : ""});
            begin = to == from ? to + 1 : to;  // it may match nothing
        }
        return all;
    }

   private:
    regex_t compiled_;
};

}  // namespace simt_runtime
