#include "simt/simt-run/unknown.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

#include "simt/loader/elf.h"

namespace {

struct Found {
    std::string example, why;
    int count = 0;
};

/// By the opcode with its modifiers, and why.
std::map<std::string, Found> found;

void note(const char* text, const char* why) {
    const std::string line = text, reason = why;
    const std::size_t begin = line[0] == '@' ? line.find(' ') + 1 : 0;
    Found& of = found[line.substr(begin, line.find(' ', begin) - begin) + reason];
    of.example = line.substr(begin);
    of.why = reason;
    of.count++;
}

using List = void (*)(const void* fat_binary, void (*show)(const char* text, const char* why));

List list_of(const std::string& runtime_library) {
    void* const library = dlopen(runtime_library.c_str(), RTLD_NOW);
    void* const list = library == nullptr ? nullptr : dlsym(library, "simt_unknown");
    if (list == nullptr) throw std::runtime_error("cannot open " + runtime_library);
    return reinterpret_cast<List>(list);
}

}  // namespace

bool print_unknown(const std::string& program, const std::string& runtime_library) {
    constexpr std::uint32_t MAGIC = 0xba55ed50;
    std::ifstream file(program, std::ios::binary);
    const sass::Elf elf(std::vector<std::uint8_t>((std::istreambuf_iterator<char>(file)), {}));
    const int section = elf.section(".nv_fatbin");
    if (section < 0) throw std::runtime_error(program + " has no code for GPUs");
    const List list = list_of(runtime_library);
    const auto bytes = elf.contents(section);
    for (std::size_t at = 0; at + 16 <= bytes.size(); at += 8)
        if (std::memcmp(&bytes[at], &MAGIC, sizeof MAGIC) == 0) list(&bytes[at], note);
    for (const auto& [key, each] : found)
        std::printf("%6d  %s  (%s)\n", each.count, each.example.c_str(), each.why.c_str());
    return found.empty();
}
