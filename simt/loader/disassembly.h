// Machine code as text: NVIDIA's nvdisasm prints it, once for each program; the user's cache keeps what it
// printed.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "simt/loader/module.h"

namespace sass {

/// Instructions as text, as "@!P0 IMAD.WIDE.U32 R2, R0, 0x4, R2": targets of branches are addresses.
class Disassembly {
   public:
    Disassembly() = default;
    explicit Disassembly(std::string text);
    std::size_t size() const { return begin_.size(); }
    std::string operator[](std::size_t instruction) const;

   private:
    std::string text_;  ///< a line each
    std::vector<std::uint32_t> begin_;
};

/// The text of instructions that begin at an address. `code`: 16 bytes each, relocations applied. Throws
/// std::runtime_error, one line, if there is no nvdisasm or it refuses. SIMT_NVDISASM names it; else it is on
/// PATH, beside nvcc, or in the project's environment.
Disassembly disassemble(const std::vector<std::uint8_t>& code, std::uint64_t address);

/// The same if the cache has it; else empty.
Disassembly disassembled_before(const std::vector<std::uint8_t>& code, std::uint64_t address);

/// One line of that text. `address`: of the instruction, for targets that are relative to it. `immediate`:
/// its second word, which takes the place of a number of which the text says only that it is a NaN.
Line parse_line(const std::string& text, std::uint64_t address, std::uint32_t immediate);

}  // namespace sass
