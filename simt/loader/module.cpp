#include "simt/loader/module.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <stdexcept>

#include "simt/loader/attributes.h"
#include "simt/loader/disassembly.h"
#include "simt/loader/image.h"
#include "simt/loader/line_table.h"
#include "simt/loader/names.h"
#include "simt/run/memory.h"

namespace sass {
namespace {

const std::string PTX = ".nv_debug_ptx_txt";

/// The lines of PTX that -lineinfo keeps in a cubin, by the section's name: a linked one has one of each
/// unit.
std::map<std::string, std::vector<std::string>> ptx_of(const Elf& elf) {
    std::map<std::string, std::vector<std::string>> by_section;
    for (const Section& section : elf.sections()) {
        if (section.name.rfind(PTX, 0) != 0 || section.data == nullptr) continue;
        std::vector<std::string>& lines = by_section[section.name] = {""};  // they count from 1
        const auto* begin = reinterpret_cast<const char*>(section.data);
        for (std::uint64_t at = 0; at < section.size; at += lines.back().size() + 1)
            lines.emplace_back(begin + at, strnlen(begin + at, section.size - at));
    }
    return by_section;
}

/// Lies it in a toolkit's folder of headers, in CUB's and Thrust's or the system's?
bool is_of_toolkit(const std::string& file) {
    static auto& known = *new std::map<std::string, bool>();
    static auto& mutex = *new std::mutex();
    const std::lock_guard lock(mutex);
    const auto [entry, is_new] = known.try_emplace(file, false);
    if (!is_new) return entry->second;
    const std::string folder = "/include/", header = "cuda_runtime_api.h";
    bool is = file.rfind("/usr/include/", 0) == 0 || file.find("/cccl/") != std::string::npos;
    for (std::size_t at = 0; !is && (at = file.find(folder, at)) != std::string::npos; at++)
        is = access((file.substr(0, at) + folder + header).c_str(), F_OK) == 0;
    return entry->second = is;
}

}  // namespace

const Place* place_of_user(const std::vector<Place>& places, int place) {
    for (; place >= 0; place = places[std::size_t(place)].caller)
        if (!is_of_toolkit(places[std::size_t(place)].file)) return &places[std::size_t(place)];
    return nullptr;
}

struct Module::State {
    explicit State(std::vector<std::uint8_t> file)
        : image(std::move(file)),
          lines(image.elf()),
          ptx_lines(image.elf(), ".nv_debug_line_sass"),
          ptx(ptx_of(image.elf())) {}

    Image image;
    LineTable lines, ptx_lines;
    std::map<std::string, std::vector<std::string>> ptx;
    std::vector<Function> all;  ///< by address as image.code()
    std::map<std::uint64_t, const Function*> disassembled;
    std::vector<Function> system;
    std::vector<std::uint8_t> code;  ///< of all functions; empty until the first is asked for
    Disassembly text;                ///< of all functions; empty until a second kernel is asked for
    std::map<int, std::vector<std::uint8_t>> banks;  ///< by section
    std::vector<std::uint8_t> constants;

    void declare();
    void load_code();
    void load(std::size_t index);
    void fill(std::size_t index, const Disassembly& text, std::size_t first);
    const std::vector<std::uint8_t>& section(const std::string& name);
    std::vector<bool> of_ptxas(const Image::Code& part) const;
};

/// By instruction: is it of a function that ptxas has added, as for a division, or for a barrier to which the
/// lanes come apart? These have no lines; the table goes on with the kernel's last one.
std::vector<bool> Module::State::of_ptxas(const Image::Code& part) const {
    std::vector<bool> is(part.bytes / 16);
    for (const Symbol& symbol : image.elf().symbols()) {
        if (symbol.section != part.section || symbol.name.find("$__internal_") == std::string::npos) continue;
        const std::size_t begin = std::min<std::size_t>(symbol.value / 16, is.size());
        const std::size_t end = std::min<std::size_t>((symbol.value + symbol.size) / 16, is.size());
        std::fill(is.begin() + long(begin), is.begin() + long(std::max(begin, end)), true);
    }
    return is;
}

void Module::State::declare() {
    for (const Image::Code& part : image.code()) {
        Function function;
        function.name = part.name;
        function.address = part.address;
        read_attributes(image.elf(), part.section, function);
        all.push_back(function);
    }
}

/// The bytes of all code, and the functions that the driver provides: each is one instruction SYSCALL, which
/// names it, and a return.
void Module::State::load_code() {
    if (!code.empty()) return;
    for (const Image::Code& part : image.code()) {
        const auto bytes = image.relocated(part.section);
        code.insert(code.end(), bytes.begin(), bytes.end());
    }
    // All banks, before several cores ask for them; bank 4 has addresses of functions, the driver's too.
    for (const Section& part : image.elf().sections())
        if (part.name.compare(0, 12, ".nv.constant") == 0) section(part.name);
    system.reserve(image.system_functions().size());
    for (const auto& [address, name] : image.system_functions()) {
        Function function;
        function.name = name;
        function.address = address;
        function.lines.resize(2);
        function.lines[0].opcode = "SYSCALL";
        function.lines[0].operands = {name};
        function.lines[1].opcode = "RET.ABS.NODEC";
        function.lines[1].operands = {"R20", "0x0"};
        system.push_back(function);
        disassembled[address] = &system.back();
    }
}

/// Reads a function's lines from a text in which it begins at instruction `first`.
void Module::State::fill(std::size_t index, const Disassembly& from, std::size_t first) {
    const Image::Code& part = image.code()[index];
    Function& function = all[index];
    function.lines.resize(part.bytes / 16);
    const std::vector<bool> is_of_ptxas = of_ptxas(part);
    for (std::size_t i = 0; i < function.lines.size(); i++) {
        const std::uint64_t address = part.address + 16 * i;
        std::uint32_t immediate;
        std::memcpy(&immediate, &code[address - image.code()[0].address + 4], sizeof immediate);
        function.lines[i] = parse_line(from[first + i], address, immediate);
        std::memcpy(&function.lines[i].upper, &code[address - image.code()[0].address + 8], 8);
        if (is_of_ptxas[i]) continue;
        function.lines[i].place = lines.place(part.section, 16 * i);
        const int index = ptx_lines.place(part.section, 16 * i);
        if (index < 0) continue;
        const Place& place = ptx_lines.places()[std::size_t(index)];
        const auto unit = ptx.find(place.file.empty() ? PTX : place.file);  // which a linked cubin names
        if (unit != ptx.end() && std::size_t(place.line) < unit->second.size())
            function.lines[i].ptx = &unit->second[std::size_t(place.line)];
    }
    disassembled[part.address] = &function;
}

/// Text of a function. A program that launches one kernel only has that one disassembled, if it calls no
/// other function; with the second comes the rest of the module, for starting nvdisasm takes longer than a
/// function.
void Module::State::load(std::size_t index) {
    load_code();
    const std::uint64_t first = image.code()[0].address;
    if (text.size() == 0) text = disassembled_before(code, first);
    bool is_alone = disassembled.empty();
    for (const Function& function : all) is_alone = is_alone && function.is_kernel;
    if (text.size() == 0 && is_alone) {
        const Image::Code& part = image.code()[index];
        const auto begin = code.begin() + std::ptrdiff_t(part.address - first);
        return fill(index, disassemble({begin, begin + std::ptrdiff_t(part.bytes)}, part.address), 0);
    }
    if (text.size() == 0) text = disassemble(code, first);
    for (std::size_t i = 0; i < all.size(); i++)
        if ((i == index || !all[i].is_kernel) && all[i].lines.empty())
            fill(i, text, (image.code()[i].address - first) / 16);
}

const std::vector<std::uint8_t>& Module::State::section(const std::string& name) {
    static const std::vector<std::uint8_t> none;
    const int index = image.elf().section(name);
    if (index < 0) return none;
    const auto [bank, is_new] = banks.try_emplace(index);
    if (is_new) bank->second = image.relocated(index);
    return bank->second;
}

Module::Module(std::vector<std::uint8_t> file) : state_(std::make_unique<State>(std::move(file))) {
    state_->declare();
    std::vector<std::uint8_t>& constants = state_->constants = state_->section(".nv.constant3");
    if (!constants.empty()) Memory::of_device().adopt(constants.data(), constants.size());
}

Module::~Module() {
    if (!state_->constants.empty()) Memory::of_device().free(state_->constants.data());
}

const Function* Module::kernel(const std::string& name) {
    for (std::size_t i = 0; i < state_->all.size(); i++) {
        if (state_->all[i].name != name || !state_->all[i].is_kernel) continue;
        if (state_->all[i].lines.empty()) state_->load(i);
        return &state_->all[i];
    }
    return nullptr;
}

const Function* Module::kernel_at(std::uint64_t address) {
    for (const Function& function : state_->all)
        if (function.address == address && function.is_kernel) return kernel(function.name);
    return nullptr;
}

std::vector<std::string> Module::kernels() const {
    std::vector<std::string> names;
    for (const Function& function : state_->all)
        if (function.is_kernel) names.push_back(function.name);
    return names;
}

const std::map<std::uint64_t, const Function*>& Module::functions() const { return state_->disassembled; }

const std::vector<Place>& Module::places() const { return state_->lines.places(); }

std::vector<std::uint8_t>& Module::constants() { return state_->constants; }

const std::vector<std::uint8_t>& Module::bank(int bank, const Function& of) const {
    if (bank == 3) return state_->constants;
    const std::string name = ".nv.constant" + std::to_string(bank);
    const auto& own = state_->section(name + "." + of.name);
    return own.empty() ? state_->section(name) : own;
}

const Module::Variable* Module::variable(const std::string& name) const {
    const auto at = state_->image.variables().find(name);
    return at == state_->image.variables().end() ? nullptr : &at->second;
}

std::vector<SharedArray> Module::shared_arrays(const Function& of) const {
    const Elf& elf = state_->image.elf();
    const int section = elf.section(".nv.shared." + of.name);
    std::vector<SharedArray> arrays;
    for (const Symbol& symbol : elf.symbols())
        if (section >= 0 && symbol.section == section && symbol.type == STT_OBJECT)
            arrays.push_back({demangled(symbol.name), symbol.value, symbol.size});
    std::sort(arrays.begin(), arrays.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
    return arrays;
}

}  // namespace sass
