// The program nvdisasm: where it is, running it, and the cache of what it printed.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sass {

/// nvdisasm at work on code that begins at an address; several may be at once.
class Disassembler {
   public:
    Disassembler(const std::uint8_t* code, std::size_t bytes, std::uint64_t address);
    ~Disassembler();
    Disassembler(Disassembler&& other) noexcept;
    Disassembler(const Disassembler&) = delete;
    Disassembler& operator=(const Disassembler&) = delete;

    /// What it printed; waits for its end. Throws std::runtime_error, one line, if it failed.
    std::string output();
    std::size_t bytes() const { return bytes_; }

   private:
    std::size_t bytes_;
    pid_t process_ = -1;
    int printed_ = -1;  ///< file in memory
};

/// The text kept for this code at this address by this nvdisasm; empty if there is none.
std::string cached(const std::vector<std::uint8_t>& code, std::uint64_t address);
/// Keeps it. A cache that cannot be written is no error.
void keep(const std::vector<std::uint8_t>& code, std::uint64_t address, const std::string& text);

}  // namespace sass
