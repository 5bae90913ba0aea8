// The line program is that of DWARF 2 to 4. NVIDIA adds two extended opcodes (LLVM's names):
// DW_LNE_NVIDIA_inlined_call gives the row that follows a context, the row (counted from 1 within the
// function) of the call that was inlined, and the name of the function, an offset in .debug_str;
// DW_LNE_NVIDIA_set_function_name gives the name only.
#include "simt/loader/line_table.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>
#include <tuple>

#include "simt/loader/names.h"

namespace sass {
namespace {

/// Reads numbers one after the other; throws std::out_of_range at the end.
struct Reader {
    const std::uint8_t* begin;
    std::uint64_t at, end;

    template <class T>
    T fixed() {
        if (end - at < sizeof(T)) throw std::out_of_range("line table");
        T value;
        std::memcpy(&value, begin + at, sizeof value);
        at += sizeof value;
        return value;
    }
    std::uint64_t uleb() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto byte = fixed<std::uint8_t>();
            if (shift < 64) value |= std::uint64_t(byte & 0x7f) << shift;
            if (!(byte & 0x80)) return value;
        }
    }
    std::int64_t sleb() {
        std::int64_t value = 0;
        for (unsigned shift = 0;;) {
            const auto byte = fixed<std::uint8_t>();
            if (shift < 64) value |= std::int64_t(byte & 0x7f) << shift;
            shift += 7;
            if (!(byte & 0x80))
                return (byte & 0x40) && shift < 64 ? value - (std::int64_t(1) << shift) : value;
        }
    }
    std::string text() {
        std::string value;
        while (const char letter = fixed<char>()) value += letter;
        return value;
    }
};

bool is_octal(const std::string& text, std::size_t at) {
    return text.size() >= at + 3 && text.find_first_not_of("01234567", at) >= at + 3;
}

/// nvcc writes bytes that are not ASCII as \ooo.
std::string unescaped(const std::string& name) {
    std::string text;
    for (std::size_t at = 0; at < name.size(); ++at) {
        const bool is_byte = name[at] == '\\' && is_octal(name, at + 1);
        text += is_byte ? char(std::stoi(name.substr(at + 1, 3), nullptr, 8)) : name[at];
        at += is_byte ? 3 : 0;
    }
    return text;
}

/// Does the text end within a character of UTF-8?
bool is_cut(const std::string& text) {
    std::size_t rest = 0;  // bytes after the first of a character
    while (rest < 3 && rest < text.size() && (text[text.size() - 1 - rest] & 0xc0) == 0x80) ++rest;
    const auto first = rest < text.size() ? std::uint8_t(text[text.size() - 1 - rest]) : 0;
    return first >= 0xc0 && rest < (first >= 0xf0 ? 3u : first >= 0xe0 ? 2u : 1u);
}

/// ptxas takes the last backslash of a path, too, for the end of the folder.
std::string joined(const std::string& folder, const std::string& file) {
    const bool is_parted = is_cut(unescaped(folder)) && is_octal(file, 0);
    return unescaped(folder + (is_parted ? "\\" : "/") + file);
}

constexpr std::uint64_t NO_NAME = ~std::uint64_t(0);

}  // namespace

/// One line program: header, state, rows.
struct LineTable::Program {
    LineTable& table;
    const Elf& elf;
    const std::map<std::uint64_t, const Relocation*>& relocations;  ///< by offset in .debug_line
    const Section* names;                                           ///< .debug_str
    std::vector<std::string> folders{""}, files{""};

    struct State {
        int section = -1;
        std::uint64_t offset = 0, file = 1, line = 1, context = 0, name = NO_NAME;
    };
    std::vector<State> rows{State()};  ///< of the sequence; [0] is none: contexts count from 1
    std::vector<int> placed{};         ///< index in places_ of each row; -2: not yet
    std::map<std::uint64_t, std::string> name_at{};
    std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, int>, int> known{};

    std::string path(std::uint64_t file) const { return file < files.size() ? files[file] : ""; }

    const std::string& name(std::uint64_t offset) {
        const auto [entry, is_new] = name_at.try_emplace(offset);
        if (!is_new || names == nullptr || names->data == nullptr || offset >= names->size)
            return entry->second;
        const char* begin = reinterpret_cast<const char*>(names->data) + offset;
        return entry->second = demangled(std::string(begin, strnlen(begin, names->size - offset)));
    }

    int place(std::size_t index) {
        if (index == 0 || index >= rows.size()) return -1;
        if (placed[index] != -2) return placed[index];
        placed[index] = -1;  // of a row that is its own caller
        const State& row = rows[index];
        const int caller = row.context == 0 ? -1 : place(row.context);
        const auto [same, is_new] =
            known.emplace(std::make_tuple(row.file, row.line, row.name, caller), int(table.places_.size()));
        if (is_new)
            table.places_.push_back(
                {path(row.file), int(row.line), row.name == NO_NAME ? "" : name(row.name), caller});
        return placed[index] = same->second;
    }

    void header(Reader& in, int version, std::uint8_t& step, std::int8_t& line_base, std::uint8_t& line_range,
                std::vector<std::uint8_t>& arguments) {
        step = in.fixed<std::uint8_t>();
        if (version >= 4) in.fixed<std::uint8_t>();
        in.fixed<std::uint8_t>();
        line_base = in.fixed<std::int8_t>();
        line_range = in.fixed<std::uint8_t>();
        arguments.resize(in.fixed<std::uint8_t>());
        for (std::size_t i = 1; i < arguments.size(); i++) arguments[i] = in.fixed<std::uint8_t>();
        for (std::string folder = in.text(); !folder.empty(); folder = in.text()) folders.push_back(folder);
        for (std::string file = in.text(); !file.empty(); file = in.text()) {
            const std::uint64_t folder = in.uleb();
            in.uleb(), in.uleb();
            const bool is_whole = file[0] == '/' || folder == 0 || folder >= folders.size();
            files.push_back(is_whole ? unescaped(file) : joined(folders[folder], file));
        }
    }

    void run(Reader& in, int version) {
        std::uint8_t step, line_range;
        std::int8_t line_base;
        std::vector<std::uint8_t> arguments;
        const std::uint64_t header_bytes = in.fixed<std::uint32_t>(), begin = in.at + header_bytes;
        header(in, version, step, line_base, line_range, arguments);
        in.at = begin;
        if (line_range == 0) return;
        State row;
        while (in.at < in.end) {
            const auto opcode = in.fixed<std::uint8_t>();
            if (opcode >= arguments.size()) {
                const unsigned adjusted = opcode - unsigned(arguments.size());
                row.offset += adjusted / line_range * step;
                row.line += line_base + int(adjusted % line_range);
                rows.push_back(row);
                continue;
            }
            switch (opcode) {
                case 0: extended(in, row); break;
                case 1: rows.push_back(row); break;                                         // copy
                case 2: row.offset += in.uleb() * step; break;                              // advance_pc
                case 3: row.line += in.sleb(); break;                                       // advance_line
                case 4: row.file = in.uleb(); break;                                        // set_file
                case 8: row.offset += (255 - arguments.size()) / line_range * step; break;  // const_add_pc
                case 9: row.offset += in.fixed<std::uint16_t>(); break;  // fixed_advance_pc
                default:
                    for (int i = 0; i < arguments[opcode]; i++) in.uleb();
            }
        }
    }

    void extended(Reader& in, State& row) {
        const std::uint64_t length = in.uleb(), end = in.at + length;
        if (length == 0) return;
        switch (in.fixed<std::uint8_t>()) {
            case 1:  // end_sequence: what lies behind has no line
                finish(row);
                row = State();
                break;
            case 2: {  // set_address: by a relocation, for sections lie nowhere yet
                const auto relocation = relocations.find(in.at);
                row.offset = in.fixed<std::uint64_t>();
                row.section = -1;
                if (relocation == relocations.end()) break;
                const Symbol& symbol = elf.symbols()[relocation->second->symbol];
                row.section = symbol.section;
                row.offset += symbol.value + relocation->second->addend;
                break;
            }
            case 0x90:  // NVIDIA_inlined_call
                row.context = in.uleb();
                row.name = row.context == 0 ? in.uleb(), NO_NAME : in.uleb();
                break;
            case 0x91: row.name = in.uleb(); break;  // NVIDIA_set_function_name
        }
        in.at = end;
    }

    void finish(const State& end) {
        placed.assign(rows.size(), -2);
        if (end.section >= 0) {
            auto& to = table.by_section_[end.section];
            for (std::size_t i = 1; i < rows.size(); i++) to.push_back({rows[i].offset, place(i)});
            to.push_back({end.offset, -1});
        }
        rows.assign(1, State());
    }
};

LineTable::LineTable(const Elf& elf, const char* name) {
    const int index = elf.section(name), names = elf.section(".debug_str");
    if (index < 0 || elf.sections()[index].data == nullptr) return;
    const auto relocations = elf.relocations(index);
    std::map<std::uint64_t, const Relocation*> by_offset;
    for (const Relocation& relocation : relocations) by_offset[relocation.offset] = &relocation;
    const Section& section = elf.sections()[index];
    try {
        for (Reader in{section.data, 0, section.size}; in.at < section.size;) {
            const auto length = in.fixed<std::uint32_t>();
            if (length > section.size - in.at) return;
            Reader unit{section.data, in.at, in.at + length};
            in.at += length;
            const int version = unit.fixed<std::uint16_t>();
            if (version < 2 || version > 4) continue;
            Program program{*this, elf, by_offset, names < 0 ? nullptr : &elf.sections()[names]};
            program.run(unit, version);
        }
    } catch (const std::out_of_range&) {  // a table that breaks off: what was read before it stays
    }
    for (auto& [of, rows] : by_section_)  // of two rows at one offset the later counts, but an end only alone
        std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
            return a.offset != b.offset ? a.offset < b.offset : a.place < 0 && b.place >= 0;
        });
}

int LineTable::place(int section, std::uint64_t offset) const {
    const auto of_section = by_section_.find(section);
    if (of_section == by_section_.end()) return -1;
    const auto& rows = of_section->second;
    const auto after = std::upper_bound(rows.begin(), rows.end(), offset,
                                        [](std::uint64_t at, const Row& row) { return at < row.offset; });
    return after == rows.begin() ? -1 : std::prev(after)->place;
}

}  // namespace sass
