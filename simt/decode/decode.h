// From nvdisasm's text to instructions.
#pragma once
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "simt/decode/opcode.h"
#include "simt/decode/operand.h"

namespace sass {

/// A row of the launch: an immediate value, or a word of a constant bank.
struct Constant {
    int bank = -1;  ///< -1: `value` is the value itself, otherwise its byte offset in the bank
    std::uint32_t value = 0;
    const Function* of = nullptr;
    bool operator<(const Constant& other) const {
        return std::tie(bank, value, of) < std::tie(other.bank, other.value, other.of);
    }
};

/// The decoded functions that a kernel may reach, one after another.
struct Code {
    Module* module = nullptr;
    const Function* kernel = nullptr;
    std::vector<Instruction> list;
    std::vector<const Function*> function_of;  ///< by instruction
    std::map<std::uint64_t, std::uint32_t>
        functions;                         ///< address of a function: index of its first instruction
    int uniform_registers = 0;             ///< UR0 ..
    std::vector<Constant> constants;       ///< rows of the launch
    bool has_parameter_addresses = false;  ///< of __grid_constant__ parameters
    bool has_groups = false;      ///< uses what cooperative groups keep in the shared memory of the system
    bool asks_runtime = false;    ///< may launch kernels, say
    bool shows_operators = true;  ///< see operators.h
    std::vector<std::pair<std::string, std::string>>
        unknown;  ///< instructions that are refused when met, and why

    /// Index of the instruction at this address of the module's code space. Throws Fault if there is none.
    std::uint32_t at(std::uint64_t address) const;
    std::uint64_t address(std::uint32_t index) const;
};

/// Decodes the kernel and all it may call. `operators`: see operators.h; may be empty.
std::unique_ptr<Code> decode(Module& module, const Function& kernel, const std::string& operators);

/// Reads one instruction: its operands as its row in opcodes.def says, and what make_<decode> asks for.
class Decoder {
   public:
    Decoder(Code& code, const Function& function, const Line& line, Instruction& out);

    Instruction& out;
    const Function& function;
    /// The opcode's name, without modifiers; of an instruction on uniform registers that of the ordinary one.
    const std::string& base() const { return base_; }
    void set_base(const char* name) { base_ = name; }
    const Line& line() const { return line_; }
    Code& code() { return code_; }

    const std::vector<std::string>& modifiers() const { return modifiers_; }
    bool has(const std::string& modifier);  ///< and it is understood
    /// A bit for each modifier that the instruction has, the first one's the lowest.
    std::uint8_t flags(std::initializer_list<const char*> modifiers);
    /// Which of the modifiers it has, the last of several; -1: none.
    int one_of(std::initializer_list<const char*> modifiers);
    /// The same; without any the instruction is refused: it has no such.
    int one_of(std::initializer_list<const char*> modifiers, const char* what);
    void ignore(std::initializer_list<const char*> modifiers);
    void ignore_all() { understood_.assign(modifiers_.size(), true); }
    void refuse_others() const;  ///< throws if a modifier has not been understood

    /// Reads the operands, into `out`: see opcodes.def.
    void read(const std::string& operands);
    const Operand& operand(std::size_t number) const;  ///< read or not
    std::size_t left() const { return operands_.size() - next_; }
    const Operand& peek(std::size_t ahead = 0) const { return operand(next_ + ahead); }
    const Operand& take();
    bool next_is_predicate() const;

    std::uint16_t destination();  ///< of a register, uniform or not
    std::uint8_t predicate_destination();
    std::uint8_t predicate_source();
    std::uint8_t convergence_barrier();
    /// What - and | | mean of a source, and how many rows it has. upper: the upper word of an immediate
    /// double, else f32.
    enum Type {
        integer,
        logic,
        f32,
        f64,
        halves,
        bfloats,
        wide_integer,
        upper_integer,  ///< of 64 bits, of which a number is the upper word
        integer_halves,
        integer_bytes,
        upper
    };
    Source source(Type type);
    /// That word of a bank of constants, for all lanes.
    Source word_of_bank(int bank, std::uint32_t word);
    Source immediate_row(std::uint32_t value);
    /// The value of a source; null if it is not immediate, or is modified.
    const std::uint32_t* value_of(const Source& source) const;
    std::uint32_t number();  ///< an immediate operand
    void address();          ///< out.a, out.scale, out.b (uniform part), out.offset, out.is_wide
    /// The index in Code::list of an address within the function.
    std::uint32_t index_of(std::uint64_t address) const;

    /// Says that the handler itself does what sources' modifiers say.
    Handler with_modifiers(Handler handler) { return applies_modifiers_ = true, handler; }
    void finish(Handler handler);  ///< out.run; but for with_modifiers(), behind the modifiers of sources

    [[noreturn]] void refuse(const std::string& why) const;

   private:
    Type type_of(const std::string& name) const;
    bool takes_parts() const;
    void read_one(char what, char otherwise, Type type);
    Source immediate(const Operand& operand, Type type);
    Source constant(const Operand& operand, Type type);
    Source constant_row(const Constant& constant);
    Source constant_pair(const Constant& low, const Constant& high);

    Code& code_;
    const Line& line_;
    std::string base_;
    std::vector<std::string> modifiers_;
    std::vector<bool> understood_;
    std::vector<Operand> operands_;
    std::size_t next_ = 0;
    bool applies_modifiers_ = false;
};

}  // namespace sass
