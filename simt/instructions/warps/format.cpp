#include "simt/instructions/warps/format.h"

#include <cstdio>
#include <cstring>

namespace sass {
namespace {

/// What C's printf makes of one value.
template <class Value>
std::string printed(const std::string& conversion, Value value) {
    std::string text(std::size_t(std::snprintf(nullptr, 0, conversion.c_str(), value)) + 1, '\0');
    std::snprintf(text.data(), text.size(), conversion.c_str(), value);
    text.pop_back();
    return text;
}

class Arguments {
   public:
    Arguments(const PrintfArguments& from, int& count) : from_(from), count_(count) {}
    template <class Value>
    Value next() {
        at_ = (at_ + sizeof(Value) - 1) / sizeof(Value) * sizeof(Value);
        Value value;
        from_.read(at_, &value, sizeof(Value));
        at_ += sizeof(Value);
        ++count_;
        return value;
    }
    std::string text() { return from_.text(next<std::uint64_t>()); }

   private:
    const PrintfArguments& from_;
    int& count_;
    unsigned at_ = 0;
};

/// How long a conversion is that a GPU does not know but prints as it stands, "%.*f"; 0 for others.
std::size_t length_if_unknown(const std::string& format, std::size_t percent) {
    std::size_t at = percent + 1;
    while (at < format.size() && std::strchr("-+ #0123456789*", format[at]) != nullptr) ++at;
    return format.compare(at, 2, ".*") == 0 ? at + 2 - percent : 0;
}

/// One conversion, such as "%-8.3f" or "%llu", taken apart.
struct Conversion {
    std::string flags;  ///< flags, width and precision, each * replaced by its argument
    bool is_long = false;
    char letter = 0;
};

/// Reads from the character after %; leaves `at` behind the conversion.
Conversion parse(const std::string& format, std::size_t& at, Arguments& arguments) {
    Conversion conversion;
    for (; at < format.size() && std::strchr("-+ #0123456789.*", format[at]) != nullptr; ++at)
        conversion.flags +=
            format[at] == '*' ? std::to_string(arguments.next<int>()) : std::string(1, format[at]);
    for (; at < format.size() && std::strchr("hlLqjzt", format[at]) != nullptr; ++at)
        conversion.is_long |= format[at] != 'h' && format[at] != 'L';
    if (at < format.size()) conversion.letter = format[at++];
    return conversion;
}

std::string converted(const Conversion& conversion, Arguments& arguments) {
    const std::string begin = "%" + conversion.flags;
    const char letter = conversion.letter;
    switch (letter) {
        case '%': return "%";
        case 'd':
        case 'i':
        case 'o':
        case 'u':
        case 'x':
        case 'X':
            return conversion.is_long ? printed(begin + "ll" + letter, arguments.next<long long>())
                                      : printed(begin + letter, arguments.next<int>());
        case 'c': return printed(begin + letter, arguments.next<int>());
        case 's': return printed(begin + letter, arguments.text().c_str());
        case 'p': return printed(begin + letter, arguments.next<void*>());
        case 'n': return arguments.next<void*>(), "";
        default:
            if (letter == 0 || std::strchr("fFeEgGaA", letter) == nullptr) return begin + letter;
            return printed(begin + letter, arguments.next<double>());
    }
}

}  // namespace

std::string formatted(const std::string& format, const PrintfArguments& given, int& count) {
    count = 0;
    Arguments arguments(given, count);
    std::string text;
    for (std::size_t at = 0; at < format.size();) {
        const std::size_t plain = format[at] != '%' ? 1 : length_if_unknown(format, at);
        if (plain > 0) {
            text += format.substr(at, plain);
            at += plain;
        } else {
            const Conversion conversion = parse(format, ++at, arguments);
            text += converted(conversion, arguments);
        }
    }
    return text;
}

}  // namespace sass
