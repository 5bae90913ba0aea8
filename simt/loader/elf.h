// An ELF64 file in memory: sections, symbols and relocations, each within the file's bounds.
#pragma once
#include <elf.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sass {

struct Section {
    std::string name;
    Elf64_Shdr header;
    const std::uint8_t* data;  ///< null if it takes no room in the file (SHT_NOBITS)
    std::uint64_t size;
};

struct Symbol {
    std::string name;
    std::uint64_t value, size;
    int section;  ///< SHN_UNDEF (0): elsewhere
    int type;     ///< STT_FUNC, STT_OBJECT, STT_SECTION ..
    int other;    ///< NVIDIA's flags
};

struct Relocation {
    std::uint64_t offset;  ///< within the section
    unsigned type;
    int symbol;
    std::int64_t addend;
};

/// Throws std::runtime_error, one line, if the bytes are no whole ELF64 file.
class Elf {
   public:
    explicit Elf(std::vector<std::uint8_t> image);

    const Elf64_Ehdr& header() const { return header_; }
    const std::vector<Section>& sections() const { return sections_; }
    const std::vector<Symbol>& symbols() const { return symbols_; }
    /// Index of the section of this name, -1 if there is none.
    int section(const std::string& name) const;
    /// What applies to the section, in the file's order.
    std::vector<Relocation> relocations(int section) const;
    /// A copy of the section's contents; zeroes for SHT_NOBITS.
    std::vector<std::uint8_t> contents(int section) const;

   private:
    std::vector<std::uint8_t> image_;
    Elf64_Ehdr header_;
    std::vector<Section> sections_;
    std::vector<Symbol> symbols_;
};

}  // namespace sass
