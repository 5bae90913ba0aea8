// What the SIMT machine knows about the program it is linked into: its __shared__ arrays, its memory, and the
// names and places of its functions.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace simt {

/// Bytes of shared memory that a block may have, declared in the kernel and in all: those of an H100 or H200.
inline constexpr std::size_t STATIC_SHARED_LIMIT = 48 * 1024, SHARED_LIMIT = 227 * 1024;

/// A __shared__ array. On this machine it is thread-local: a symbol of the program's thread-local segment,
/// with its size, and with the function that declares it in its mangled name.
struct SharedArray {
    std::string name;        ///< as in the source
    std::string function;    ///< mangled name of the function that declares it; empty if none does
    bool of_kernel;          ///< that function is a kernel
    std::size_t begin, end;  ///< bytes from the start of the segment

    /// Room for dynamic shared memory: larger than any array that a kernel may declare.
    bool dynamic() const { return function.empty() && end - begin > STATIC_SHARED_LIMIT; }
};

/// All __shared__ arrays of the program, by address. A stripped program shows none; its kernels' accesses to
/// shared memory are then outside any buffer.
class SharedArrays {
   public:
    static const SharedArrays& of_program();

    const std::vector<SharedArray>& all() const { return arrays_; }
    std::size_t segment_bytes() const { return segment_bytes_; }

    /// Index of the array that holds byte `offset` of the segment, if any does; or -1.
    int at(std::size_t offset) const {
        int index = by_word_[offset / 4];
        while (index > 0 && arrays_[std::size_t(index)].begin > offset) --index;  // small arrays share a word
        return index;
    }

    /// Start of the calling thread's own segment.
    static std::uintptr_t segment();

   private:
    SharedArrays();
    std::vector<SharedArray> arrays_;
    std::vector<std::int16_t> by_word_;
    std::size_t segment_bytes_ = 0;
};

/// Where the program's constants and variables lie.
struct ProgramMemory {
    std::uintptr_t begin = 0, end = 0;            ///< all that is loaded
    std::uintptr_t data_begin = 0, data_end = 0;  ///< what may be written; __device__ variables are here
    static const ProgramMemory& get();
};

/// Name of the kernel at an address, as the linker knows it, and as the source does, with its template
/// arguments. "kernel" if the program is stripped.
std::string mangled_name(const void* kernel);
std::string kernel_name(const void* kernel);

/// A number as in C, 0x1f.
std::string hex(std::uintptr_t number);

/// Source position of the call that returns to `instruction`, as "file:line"; empty if it is not known.
std::string source_position(const void* instruction);

}  // namespace simt
