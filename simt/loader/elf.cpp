#include "simt/loader/elf.h"

#include <cstring>
#include <stdexcept>

#include "simt/loader/bytes.h"

namespace sass {
namespace {

[[noreturn]] void refuse(const char* why) {
    throw std::runtime_error(std::string("no whole ELF file: ") + why);
}

/// The string at an offset of a string table.
std::string string_at(const Section& table, std::uint64_t offset) {
    if (table.data == nullptr || offset >= table.size) refuse("a name lies outside its table");
    const char* begin = reinterpret_cast<const char*>(table.data) + offset;
    return std::string(begin, strnlen(begin, table.size - offset));
}

}  // namespace

Elf::Elf(std::vector<std::uint8_t> image) : image_(std::move(image)) {
    if (image_.size() < sizeof header_ || std::memcmp(image_.data(), ELFMAG, SELFMAG) != 0)
        refuse("no header");
    header_ = read<Elf64_Ehdr>(image_.data());
    if (header_.e_ident[EI_CLASS] != ELFCLASS64) refuse("not of 64 bits");
    const std::uint64_t count = header_.e_shnum;
    if (header_.e_shentsize != sizeof(Elf64_Shdr) || header_.e_shoff > image_.size() ||
        count > (image_.size() - header_.e_shoff) / sizeof(Elf64_Shdr) || header_.e_shstrndx >= count)
        refuse("the table of sections lies outside it");
    for (std::uint64_t i = 0; i < count; i++) {
        const auto shdr = read<Elf64_Shdr>(&image_[header_.e_shoff + i * sizeof(Elf64_Shdr)]);
        const bool in_file = shdr.sh_type != SHT_NOBITS && shdr.sh_type != SHT_NULL;
        if (in_file && (shdr.sh_offset > image_.size() || shdr.sh_size > image_.size() - shdr.sh_offset))
            refuse("a section lies outside it");
        sections_.push_back({"", shdr, in_file ? image_.data() + shdr.sh_offset : nullptr, shdr.sh_size});
    }
    for (Section& section : sections_)
        section.name = string_at(sections_[header_.e_shstrndx], section.header.sh_name);
    for (const Section& section : sections_) {
        if (section.header.sh_type != SHT_SYMTAB) continue;
        if (section.header.sh_link >= count) refuse("symbols without names");
        for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= section.size; at += sizeof(Elf64_Sym)) {
            const auto sym = read<Elf64_Sym>(section.data + at);
            symbols_.push_back({string_at(sections_[section.header.sh_link], sym.st_name), sym.st_value,
                                sym.st_size, sym.st_shndx, ELF64_ST_TYPE(sym.st_info), sym.st_other});
        }
    }
}

int Elf::section(const std::string& name) const {
    for (std::size_t i = 0; i < sections_.size(); i++)
        if (sections_[i].name == name) return int(i);
    return -1;
}

std::vector<Relocation> Elf::relocations(int of) const {
    std::vector<Relocation> all;
    for (const Section& section : sections_) {
        const bool has_addend = section.header.sh_type == SHT_RELA;
        if ((!has_addend && section.header.sh_type != SHT_REL) || int(section.header.sh_info) != of) continue;
        const std::size_t step = has_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
        for (std::uint64_t at = 0; at + step <= section.size; at += step) {
            const auto rel = read<Elf64_Rel>(section.data + at);
            const std::int64_t addend = has_addend ? read<Elf64_Rela>(section.data + at).r_addend : 0;
            const std::uint64_t symbol = ELF64_R_SYM(rel.r_info);
            if (symbol >= symbols_.size()) refuse("a relocation against no symbol");
            all.push_back({rel.r_offset, unsigned(ELF64_R_TYPE(rel.r_info)), int(symbol), addend});
        }
    }
    return all;
}

std::vector<std::uint8_t> Elf::contents(int index) const {
    const Section& section = sections_.at(index);
    if (section.data == nullptr) return std::vector<std::uint8_t>(section.size);
    return {section.data, section.data + section.size};
}

}  // namespace sass
