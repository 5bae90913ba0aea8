// What the SIMT machine reads from the program into which it is linked: the __shared__ arrays, the loaded
// segments, and the names and source positions of functions.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace simt {

/// Limits of a block's shared memory in bytes, static and in total, as on an H100 or H200.
inline constexpr std::size_t STATIC_SHARED_LIMIT = 48 * 1024, SHARED_LIMIT = 227 * 1024;

/// A __shared__ array. On this machine it is thread_local: a symbol in the program's TLS segment. The symbol
/// gives its size, and its mangled name the function that declares it.
struct SharedArray {
    std::string name;        ///< as in the source
    std::string function;    ///< mangled name of the declaring function; empty at namespace scope
    bool of_kernel;          ///< is this function a kernel?
    std::size_t begin, end;  ///< byte offsets in the segment

    /// Is this the array of dynamic shared memory? Only this one may exceed the static limit.
    bool dynamic() const { return function.empty() && end - begin > STATIC_SHARED_LIMIT; }
};

/// All __shared__ arrays of the program, by address. In a stripped program none is found, and every access to
/// shared memory is out of bounds.
class SharedArrays {
   public:
    static const SharedArrays& of_program();

    const std::vector<SharedArray>& all() const { return arrays_; }
    std::size_t segment_bytes() const { return segment_bytes_; }

    /// Index of the array that may contain byte `offset` of the segment, or -1. The caller checks its bounds.
    int at(std::size_t offset) const {
        int index = by_word_[offset / 4];
        while (index > 0 && arrays_[std::size_t(index)].begin > offset) --index;  // small arrays share a word
        return index;
    }

    /// Start address of the calling thread's TLS segment.
    static std::uintptr_t segment();

   private:
    SharedArrays();
    std::vector<SharedArray> arrays_;
    std::vector<std::int16_t> by_word_;
    std::size_t segment_bytes_ = 0;
};

/// Address ranges of the program's constants and variables.
struct ProgramMemory {
    std::uintptr_t begin = 0, end = 0;            ///< all loaded segments
    std::uintptr_t data_begin = 0, data_end = 0;  ///< the writable segment; contains __device__ variables
    std::uintptr_t constant_begin = 0, constant_end = 0;  ///< the __constant__ variables in it
    static const ProgramMemory& get();

    bool is_constant(std::uintptr_t address) const {
        return address >= constant_begin && address < constant_end;
    }

    /// An instruction's offset from the first byte of the program, and the converse.
    std::uint32_t offset(const void* instruction) const {
        return std::uint32_t(reinterpret_cast<std::uintptr_t>(instruction) - begin);
    }
    const void* at(std::uint32_t offset) const { return reinterpret_cast<const void*>(begin + offset); }
};

/// Mangled name of the kernel at this address, and its name in the source with template arguments. "kernel"
/// if the program is stripped.
/// The kernel that contains the instruction; null if none does.
const void* kernel_around(const void* instruction);
std::string mangled_name(const void* kernel);
std::string kernel_name(const void* kernel);

/// Hexadecimal text with prefix, e.g. 0x1f.
std::string hex(std::uintptr_t number);

/// Source position of the call that returns to `instruction`, as "file:line"; empty if it is unknown.
std::string source_position(const void* instruction);

}  // namespace simt
