#include "simt/program.h"

#include <cxxabi.h>
#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <set>

namespace simt {

namespace {

/// Call visit(info) for the program itself, which is the first object loaded.
template <class Visit>
void visit_program(Visit visit) {
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
            (*static_cast<Visit*>(data))(*info);
            return 1;
        },
        &visit);
}

/// The difference between the program's load address and its link address.
std::uintptr_t load_bias() {
    std::uintptr_t bias = 0;
    visit_program([&](const dl_phdr_info& info) { bias = info.dlpi_addr; });
    return bias;
}

std::vector<char> read_program() {
    std::ifstream file("/proc/self/exe", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Call visit(symbol, name) for every entry of the program file's full symbol table.
template <class Visit>
void for_each_symbol(const std::vector<char>& file, Visit visit) {
    if (file.size() < sizeof(Elf64_Ehdr)) return;
    const auto* header = reinterpret_cast<const Elf64_Ehdr*>(file.data());
    const auto* sections = reinterpret_cast<const Elf64_Shdr*>(file.data() + header->e_shoff);
    for (int i = 0; i < header->e_shnum; ++i) {
        if (sections[i].sh_type != SHT_SYMTAB) continue;
        const auto* symbols = reinterpret_cast<const Elf64_Sym*>(file.data() + sections[i].sh_offset);
        const char* names = file.data() + sections[sections[i].sh_link].sh_offset;
        for (std::size_t s = 0; s < sections[i].sh_size / sizeof(Elf64_Sym); ++s)
            visit(symbols[s], names + symbols[s].st_name);
    }
}

/// Kernels are the functions to which simt/include/cuda_runtime.h gives protected visibility. A static
/// function cannot have it; but static device functions are always inlined, so a static function with a
/// symbol is taken for a kernel.
bool is_kernel(const Elf64_Sym& symbol) {
    return ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
           (symbol.st_other == STV_PROTECTED || ELF64_ST_BIND(symbol.st_info) == STB_LOCAL);
}

/// Names of all functions that may be kernels, by address.
const std::map<std::uintptr_t, std::string>& kernel_names() {
    static const std::map<std::uintptr_t, std::string> names = [] {
        std::map<std::uintptr_t, std::string> found;
        for_each_symbol(read_program(), [&](const Elf64_Sym& symbol, const char* name) {
            if (is_kernel(symbol)) found[load_bias() + symbol.st_value] = name;
        });
        return found;
    }();
    return names;
}

/// Split the mangled name of a function's static variable, _ZZ <function> E <length> <name>, into the names
/// of the function and of the variable.
void split(const std::string& mangled, SharedArray& array) {
    array.name = mangled;
    if (mangled.compare(0, 3, "_ZZ") != 0) return;
    for (std::size_t e = mangled.rfind('E'); e != std::string::npos && e > 3; e = mangled.rfind('E', e - 1)) {
        char* rest = nullptr;
        const long length = std::strtol(mangled.c_str() + e + 1, &rest, 10);
        const std::size_t start = std::size_t(rest - mangled.c_str());
        if (length <= 0 || start + std::size_t(length) > mangled.size()) continue;
        array.name = mangled.substr(start, std::size_t(length));
        array.function = "_Z" + mangled.substr(3, e - 3);
        return;
    }
}

}  // namespace

// What the sources call the dynamic shared memory, if scripts/try_cuda has compiled them.
extern "C" {
extern const char simt_dynamic_shared_name[] __attribute__((weak));
}

// The linker's names of the section in which simt/include/cuda_runtime.h puts __constant__ variables.
extern "C" {
extern char simt_constants_begin[] __asm__("__start_simt_constants") __attribute__((weak));
extern char simt_constants_end[] __asm__("__stop_simt_constants") __attribute__((weak));
}

SharedArrays::SharedArrays() {
    visit_program([this](const dl_phdr_info& info) {
        for (int i = 0; i < info.dlpi_phnum; ++i)
            if (info.dlpi_phdr[i].p_type == PT_TLS) segment_bytes_ = info.dlpi_phdr[i].p_memsz;
    });

    const std::vector<char> file = read_program();
    std::set<std::string> kernels;
    for_each_symbol(file, [&](const Elf64_Sym& symbol, const char* name) {
        if (ELF64_ST_TYPE(symbol.st_info) == STT_TLS && symbol.st_shndx != SHN_UNDEF) {
            SharedArray array{};
            array.begin = symbol.st_value;
            array.end = symbol.st_value + symbol.st_size;
            split(name, array);
            if (array.name == "simt_dynamic_shared" && simt_dynamic_shared_name != nullptr)
                array.name = simt_dynamic_shared_name;
            arrays_.push_back(array);
        } else if (is_kernel(symbol)) {
            kernels.insert(name);
        }
    });
    std::sort(arrays_.begin(), arrays_.end(), [](auto& a, auto& b) { return a.begin < b.begin; });

    by_word_.assign(segment_bytes_ / 4 + 1, -1);
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
        arrays_[i].of_kernel = kernels.count(arrays_[i].function) != 0;
        for (std::size_t word = arrays_[i].begin / 4; word * 4 < arrays_[i].end; ++word)
            by_word_[word] = std::int16_t(i);
    }
}

const SharedArrays& SharedArrays::of_program() {
    static const SharedArrays arrays;
    return arrays;
}

std::uintptr_t SharedArrays::segment() {
    std::uintptr_t start = 0;
    visit_program(
        [&](const dl_phdr_info& info) { start = reinterpret_cast<std::uintptr_t>(info.dlpi_tls_data); });
    return start;
}

const ProgramMemory& ProgramMemory::get() {
    static const ProgramMemory memory = [] {
        ProgramMemory found;
        found.constant_begin = reinterpret_cast<std::uintptr_t>(simt_constants_begin);
        found.constant_end = reinterpret_cast<std::uintptr_t>(simt_constants_end);
        visit_program([&](const dl_phdr_info& info) {
            found.begin = ~std::uintptr_t(0);
            for (int i = 0; i < info.dlpi_phnum; ++i) {
                const auto& segment = info.dlpi_phdr[i];
                if (segment.p_type != PT_LOAD) continue;
                const std::uintptr_t begin = info.dlpi_addr + segment.p_vaddr, end = begin + segment.p_memsz;
                found.begin = std::min(found.begin, begin);
                found.end = std::max(found.end, end);
                if (segment.p_flags & PF_W) {
                    found.data_begin = begin;
                    found.data_end = end;
                }
            }
        });
        return found;
    }();
    return memory;
}

const void* kernel_around(const void* instruction) {
    const auto after = kernel_names().upper_bound(reinterpret_cast<std::uintptr_t>(instruction));
    if (after == kernel_names().begin()) return nullptr;
    return reinterpret_cast<const void*>(std::prev(after)->first);
}

std::string mangled_name(const void* kernel) {
    const auto found = kernel_names().find(reinterpret_cast<std::uintptr_t>(kernel));
    return found == kernel_names().end() ? "kernel" : found->second;
}

std::string kernel_name(const void* kernel) {
    const std::string mangled = mangled_name(kernel);
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> demangled(
        abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
    if (status != 0) return mangled;
    // Strip the return type and the parameters from "void name<arguments>(parameters)".
    std::string name = demangled.get();
    if (name.compare(0, 5, "void ") == 0) name.erase(0, 5);
    int depth = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
        if (name[i] == ')') ++depth;
        if (name[i] == '(' && --depth == 0) return name.substr(0, i);
    }
    return name;
}

std::string hex(std::uintptr_t number) {
    char text[24];
    std::snprintf(text, sizeof(text), "0x%zx", std::size_t(number));
    return text;
}

/// Of a call that was inlined, the innermost line that is not in one of the machine's own headers.
namespace {

std::string search_source_position(const void* instruction) {
    // The byte before the return address belongs to the call.
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(instruction) - 1 - load_bias();
    char command[128];
    std::snprintf(command, sizeof(command), "addr2line -i -e /proc/%d/exe 0x%zx 2>/dev/null", int(getpid()),
                  offset);
    FILE* pipe = popen(command, "r");
    if (pipe == nullptr) return "";
    std::string found;
    char line[1024] = "";
    while (std::fgets(line, sizeof(line), pipe) != nullptr) {
        const std::string position = line;  // <folders>/<file>:<line> (discriminator 1)
        const bool of_machine = position.find("/simt/include/") != std::string::npos ||
                                position.find("/simt/stand_in/") != std::string::npos;
        if (position[0] == '?' || of_machine || !found.empty()) continue;
        const std::string file = position.substr(position.rfind('/') + 1);
        found = file.substr(0, file.find_first_of(" \n"));
    }
    pclose(pipe);
    return found;
}

}  // namespace

std::string source_position(const void* instruction) {
    static std::mutex mutex;
    static std::map<const void*, std::string> known;
    const std::lock_guard<std::mutex> lock(mutex);
    const auto [found, is_new] = known.try_emplace(instruction);
    if (is_new) found->second = search_source_position(instruction);
    return found->second;
}

}  // namespace simt
