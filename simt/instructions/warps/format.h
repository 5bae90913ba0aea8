// The text that a kernel's printf makes, from its format and the bytes of its arguments.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace sass {

/// How arguments are read: each at a multiple of its size, one after another; and strings, by their address.
struct PrintfArguments {
    std::function<void(unsigned offset, void* to, unsigned bytes)> read;
    std::function<std::string(std::uint64_t address)> text;
};

/// As C's printf, but that %n writes nothing. `count`: how many arguments were used.
std::string formatted(const std::string& format, const PrintfArguments& arguments, int& count);

}  // namespace sass
