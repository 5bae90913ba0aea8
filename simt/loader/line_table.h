// Which source line an instruction comes from: the section .debug_line of a cubin, which nvcc -lineinfo
// writes, with NVIDIA's rows for inlined calls.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simt/loader/elf.h"
#include "simt/loader/module.h"

namespace sass {

class LineTable {
   public:
    /// Empty if the cubin has no such section, or one of an unknown form. The lines of .nv_debug_line_sass
    /// are those of the cubin's own PTX.
    explicit LineTable(const Elf& elf, const char* section = ".debug_line");
    /// Index in places() of the instruction at an offset of a section, -1 if unknown.
    int place(int section, std::uint64_t offset) const;
    const std::vector<Place>& places() const { return places_; }

   private:
    struct Program;
    struct Row {
        std::uint64_t offset;
        int place;
    };

    std::vector<Place> places_;
    std::map<int, std::vector<Row>> by_section_;  ///< sorted by offset; from there on, that place
};

}  // namespace sass
