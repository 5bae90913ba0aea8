// Values at any address, aligned or not.
#pragma once
#include <cstdint>
#include <cstring>

namespace sass {

template <class T>
T read(const std::uint8_t* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

}  // namespace sass
