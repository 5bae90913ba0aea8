// A cubin, as the machine reads it: kernels and device functions, each as the list of its instructions, and
// the memory that they refer to.
//
// The instructions are nvdisasm's text, with every label and relocation replaced by its value, so that
// operands are registers, predicates, numbers, constants c[bank][offset] and addresses [..] only.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sass {

/// Where an instruction comes from in the source, by -lineinfo.
struct Place {
    std::string file;
    int line = 0;
    std::string function;  ///< demangled, of the innermost inlined function; empty if unknown
    int caller = -1;       ///< index in Module::places() of the call that was inlined; -1: not inlined
};

/// The line that a user knows: of an inlined call the innermost that is in no header of CUDA's; null if there
/// is none.
const Place* place_of_user(const std::vector<Place>& places, int place);

/// One instruction: "@!P0 IMAD.WIDE.U32 R2, R0, 0x4, R2" has guard "!P0" and four operands.
struct Line {
    std::string guard;   ///< "" if there is none; else a predicate, "!" before it if negated
    std::string opcode;  ///< with its modifiers
    std::vector<std::string>
        operands;    ///< split at the commas outside brackets; targets of branches as "0x<address>"
    int place = -1;  ///< index in Module::places(), -1 if unknown
    const std::string* ptx =
        nullptr;  ///< the instruction of PTX that it is made from; null if unknown (no -lineinfo)

    std::uint64_t upper = 0;  ///< half of its 128 bits, see simt/clock/control.h; 0: of no machine code

    std::string text() const;
};

struct Parameter {
    int offset, bytes;  ///< within the parameters, which begin at Function::parameter_base
};

/// A kernel or a device function with a section of its own.
struct Function {
    std::string name;  ///< mangled
    bool is_kernel = false;
    std::uint64_t address =
        0;  ///< of its first instruction in the module's code space: never 0, multiple of 16
    std::vector<Line> lines;  ///< line i has address + 16 i
    int registers = 0;        ///< R0 .. of a thread
    int shared_bytes = 0;     ///< static, without what the system reserves
    int local_bytes = 0;  ///< of a thread's stack, of the functions called too where the compiler knows them
    int max_threads = 1024;  ///< of a block: __launch_bounds__
    int parameter_base = 0;  ///< in constant bank 0
    std::vector<Parameter> parameters;
    int cluster[3] = {0, 0, 0};  ///< __cluster_dims__; 0: none
};

/// An array in a block's shared memory.
struct SharedArray {
    std::string name;
    std::uint64_t offset, bytes;  ///< in the block's window
};

/// A cubin that a program has registered. Its variables are in global memory from the start.
class Module {
   public:
    /// `image`: the ELF file. Throws std::runtime_error, one line, if it is no cubin that the machine runs.
    explicit Module(std::vector<std::uint8_t> image);
    ~Module();
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;

    /// A kernel by its mangled name, null if there is none. Disassembled when first asked for, with all
    /// functions that it may reach. Throws std::runtime_error, one line, without a disassembler.
    const Function* kernel(const std::string& name);
    /// By the address of its first instruction.
    const Function* kernel_at(std::uint64_t address);
    /// The mangled names of all kernels.
    std::vector<std::string> kernels() const;
    /// Every function that has been disassembled, by address: a call or a branch to an address finds its
    /// target here.
    const std::map<std::uint64_t, const Function*>& functions() const;
    const std::vector<Place>& places() const;

    /// The contents of a constant bank, relocations applied: 2 and 4 of a function's own, 3 the module's
    /// __constant__ variables (written by cudaMemcpyToSymbol). Empty if there is none. Bank 0 is made by the
    /// launch.
    const std::vector<std::uint8_t>& bank(int bank, const Function& of) const;
    std::vector<std::uint8_t>& constants();  ///< bank 3, which kernels may also read as global memory

    /// A __device__ or __constant__ variable by its mangled name.
    struct Variable {
        std::uint64_t address;  ///< in global memory, or in bank 3
        std::size_t bytes;
        bool is_constant;
    };
    const Variable* variable(const std::string& name) const;

    /// The arrays of shared memory that the cubin's symbols name, by offset: those of code that is not
    /// optimised.
    std::vector<SharedArray> shared_arrays(const Function& of) const;

   private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sass
