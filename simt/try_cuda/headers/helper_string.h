// Command lines, as programs read them by the header of this name in NVIDIA's samples; written anew.
#pragma once
#include <cstdlib>
#include <cstring>
#include <string>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, size, from) std::strncpy(to, from, size)
#define SPRINTF sprintf
#define FOPEN(file, name, mode) ((file) = std::fopen(name, mode))

namespace simt {
/// What follows -name or --name: "" or what is behind the "="; null if the option is not given.
inline const char* option(int count, const char** arguments, const char* name) {
    const std::size_t length = std::strlen(name);
    for (int i = 1; i < count; ++i) {
        const char* text = arguments[i];
        if (*text != '-') continue;
        while (*text == '-') ++text;
        if (std::strncmp(text, name, length) != 0) continue;
        if (text[length] == '\0') return text + length;
        if (text[length] == '=') return text + length + 1;
    }
    return nullptr;
}
}  // namespace simt

inline bool checkCmdLineFlag(int count, const char** arguments, const char* name) {
    return simt::option(count, arguments, name) != nullptr;
}
inline int getCmdLineArgumentInt(int count, const char** arguments, const char* name) {
    const char* const text = simt::option(count, arguments, name);
    return text == nullptr ? 0 : std::atoi(text);
}
inline float getCmdLineArgumentFloat(int count, const char** arguments, const char* name) {
    const char* const text = simt::option(count, arguments, name);
    return text == nullptr ? 0 : float(std::atof(text));
}
inline bool getCmdLineArgumentString(int count, const char** arguments, const char* name, char** value) {
    const char* const text = simt::option(count, arguments, name);
    *value = const_cast<char*>(text);
    return text != nullptr;
}
template <class T>
bool getCmdLineArgumentValue(int count, const char** arguments, const char* name, T* value) {
    const char* const text = simt::option(count, arguments, name);
    if (text != nullptr) *value = T(std::atof(text));
    return text != nullptr;
}
/// Files beside a sample are not searched for.
inline char* sdkFindFilePath(const char*, const char*) { return nullptr; }
