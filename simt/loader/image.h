// A cubin laid out in memory, as the driver lays it out: every function and variable has its address, and
// relocations are applied.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simt/loader/elf.h"
#include "simt/loader/module.h"

namespace sass {

class Image {
   public:
    /// Throws std::runtime_error, one line, if the file is no cubin that the machine runs.
    explicit Image(std::vector<std::uint8_t> file);
    ~Image();
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;

    /// The code of a kernel and what the compiler put behind it, or of another function.
    struct Code {
        std::string name;
        int section;
        std::uint64_t address, bytes;
    };

    const Elf& elf() const { return elf_; }
    const std::vector<Code>& code() const {
        return code_;
    }  ///< by address, each where the one before it ends
    /// Functions that the driver provides (vprintf, malloc, ..), by address: those that the code refers to.
    const std::map<std::uint64_t, std::string>& system_functions() const { return system_functions_; }
    const std::map<std::string, Module::Variable>& variables() const { return variables_; }

    /// A section's contents with relocations applied.
    std::vector<std::uint8_t> relocated(int section);

   private:
    void place_code();
    void place_variables();
    std::uint64_t address_of(const Symbol& symbol, std::int64_t addend);

    Elf elf_;
    std::vector<Code> code_;
    std::uint64_t next_system_function_ = 0;
    std::map<std::uint64_t, std::string> system_functions_;
    std::map<std::string, Module::Variable> variables_;
    std::map<std::pair<int, std::uint64_t>, Module::Variable> by_place_;  ///< by section and offset in it
};

}  // namespace sass
