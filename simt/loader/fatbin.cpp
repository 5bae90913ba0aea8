#include "simt/loader/fatbin.h"

#include <dlfcn.h>

#include <cstring>
#include <stdexcept>
#include <string>

#include "simt/loader/architecture.h"
#include "simt/loader/bytes.h"

namespace sass {
namespace {

constexpr std::uint32_t WRAPPER_MAGIC = 0x466243b1, DATA_MAGIC = 0xba55ed50;
constexpr std::uint64_t IS_LZ4 = 0x2000, IS_ZSTD = 0x8000;
constexpr int KIND_PTX = 1, KIND_ELF = 2;

struct Wrapper {
    std::uint32_t magic, version;
    const std::uint8_t* data;
};

struct Header {
    std::uint32_t magic;
    std::uint16_t version, header_bytes;
    std::uint64_t bytes;  ///< of the entries
};

struct Entry {
    std::uint16_t kind, version;
    std::uint32_t header_bytes;
    std::uint64_t bytes;  ///< as stored, padding included
    std::uint32_t compressed_bytes, unknown[2];
    std::uint32_t architecture;  ///< 90: sm_90
    std::uint64_t names, flags, unknown_too, uncompressed_bytes;
};

/// By the system's libzstd, which need not be there when this is built.
std::vector<std::uint8_t> decompress_zstd(const std::uint8_t* from, std::size_t from_bytes,
                                          std::size_t bytes) {
    using Decompress = std::size_t (*)(void*, std::size_t, const void*, std::size_t);
    static void* const library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    static const auto decompress =
        library == nullptr ? nullptr : reinterpret_cast<Decompress>(dlsym(library, "ZSTD_decompress"));
    if (decompress == nullptr)
        throw std::runtime_error(
            "the program's GPU code is compressed, and there is no libzstd.so.1 to read it; "
            "install it, or compile with nvcc --no-compress");
    std::vector<std::uint8_t> to(bytes);
    if (decompress(to.data(), bytes, from, from_bytes) != bytes)
        throw std::runtime_error("the program's GPU code is compressed by zstd, and broken");
    return to;
}

std::vector<std::uint8_t> payload(const Entry& entry, const std::uint8_t* from) {
    if (entry.flags & IS_ZSTD) return decompress_zstd(from, entry.compressed_bytes, entry.uncompressed_bytes);
    if (entry.flags & IS_LZ4) return decompress_lz4(from, entry.compressed_bytes, entry.uncompressed_bytes);
    return {from, from + entry.bytes};
}

/// Calls visit(entry, what it holds).
template <class Visit>
void for_each_entry(const void* fat_binary, Visit visit) {
    const auto* data = static_cast<const std::uint8_t*>(fat_binary);
    if (read<std::uint32_t>(data) == WRAPPER_MAGIC) data = read<Wrapper>(data).data;
    const auto header = read<Header>(data);
    if (header.magic != DATA_MAGIC) throw std::runtime_error("the program registers no fat binary");
    const std::uint8_t* const end = data + header.header_bytes + header.bytes;
    for (const std::uint8_t* at = data + header.header_bytes; at + sizeof(Entry) <= end;) {
        const auto entry = read<Entry>(at);
        visit(entry, at + entry.header_bytes);
        at += entry.header_bytes + entry.bytes;
    }
}

}  // namespace

std::vector<std::uint8_t> decompress_lz4(const std::uint8_t* from, std::size_t from_bytes,
                                         std::size_t bytes) {
    const std::runtime_error broken("the program's GPU code is compressed by LZ4, and broken");
    std::vector<std::uint8_t> to;
    to.reserve(bytes);
    std::size_t at = 0;
    const auto next = [&] {
        if (at >= from_bytes) throw broken;
        return from[at++];
    };
    const auto length = [&](std::size_t first) {  // 15 says that more bytes follow, 255 that yet more do
        if (first < 15) return first;
        for (std::uint8_t more = 255; more == 255;) first += more = next();
        return first;
    };
    while (at < from_bytes) {
        const unsigned token = next();
        const std::size_t literals = length(token >> 4);
        if (literals > from_bytes - at || literals > bytes - to.size()) throw broken;
        to.insert(to.end(), from + at, from + at + literals);
        at += literals;
        if (at == from_bytes) break;  // the last sequence has literals only
        std::size_t distance = next();
        distance |= std::size_t(next()) << 8;
        const std::size_t match = length(token & 15) + 4;
        if (distance == 0 || distance > to.size() || match > bytes - to.size()) throw broken;
        for (std::size_t i = 0; i < match; i++) to.push_back(to[to.size() - distance]);
    }
    if (to.size() != bytes) throw broken;
    return to;
}

std::vector<int> architectures_of(const void* fat_binary) {
    std::vector<int> all;
    for_each_entry(fat_binary, [&](const Entry& entry, const std::uint8_t*) {
        if (entry.kind == KIND_ELF) all.push_back(int(entry.architecture));
    });
    return all;
}

std::vector<std::uint8_t> cubin_of_fat_binary(const void* fat_binary) {
    std::string others;
    Entry best{};
    const std::uint8_t* contents = nullptr;
    for_each_entry(fat_binary, [&](const Entry& entry, const std::uint8_t* at) {
        if (entry.kind != KIND_ELF && entry.kind != KIND_PTX) return;
        others += (others.empty() ? "" : ", ") + std::string(entry.kind == KIND_ELF ? "sm_" : "compute_") +
                  std::to_string(entry.architecture);
        if (entry.kind != KIND_ELF || !runs(architecture(), int(entry.architecture))) return;
        if (contents == nullptr || entry.architecture > best.architecture) best = entry, contents = at;
    });
    if (contents != nullptr) return payload(best, contents);
    const std::string wanted = "sm_" + std::to_string(architecture().number);
    throw std::runtime_error("the program has no machine code for " + wanted +
                             (others.empty() ? "" : ", only " + others) +
                             "; compile it with nvcc -arch=" + wanted);
}

}  // namespace sass
