// From nvdisasm's text to instructions.
#pragma once
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "simt/decode/instruction.h"
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
    bool shows_operators = true;  ///< see operators.h

    /// Index of the instruction at this address of the module's code space. Throws Fault if there is none.
    std::uint32_t at(std::uint64_t address) const;
    std::uint64_t address(std::uint32_t index) const;
};

/// Decodes the kernel and all it may call. `operators`: see operators.h; may be empty.
std::unique_ptr<Code> decode(Module& module, const Function& kernel, const std::string& operators);

/// Reads one instruction, operand by operand.
class Decoder {
   public:
    Decoder(Code& code, const Function& function, const Line& line, Instruction& out);

    Instruction& out;
    const Function& function;
    const std::string& base() const { return base_; }
    const Line& line() const { return line_; }
    const std::vector<std::string>& modifiers() const { return modifiers_; }
    bool has(const std::string& modifier);  ///< and it is understood
    bool starts_with(const std::string& modifier);
    void ignore(std::initializer_list<const char*> modifiers);
    void refuse_others() const;  ///< throws if a modifier has not been understood
    std::size_t left() const { return operands_.size() - next_; }
    const Operand& peek(std::size_t ahead = 0) const;
    const Operand& take();

    /// Destinations.
    std::uint16_t destination();  ///< of a register, uniform or not
    std::uint8_t predicate_destination();
    bool next_is_predicate() const;
    std::uint8_t predicate_source();
    /// A source: `type` says what - and | | mean.
    enum Type { integer, logic, f32, f64, halves, wide_integer, integer_halves };
    Source source(Type type);
    Source constant_row(const Constant& constant);
    Source immediate_row(std::uint32_t value);
    /// The value of a source; null if it is not immediate, or is modified.
    const std::uint32_t* value_of(const Source& source) const;
    std::uint32_t number();  ///< an immediate operand
    void address();          ///< out.a, out.b (uniform part), out.offset, out.is_wide
    /// The index in Code::list of an address within the function.
    std::uint32_t index_of(std::uint64_t address) const;
    void finish(Handler handler);  ///< `handler` runs behind the modifiers of the sources

    [[noreturn]] void refuse(const std::string& why) const;

   private:
    Code& code_;
    const Line& line_;
    std::string base_;
    std::vector<std::string> modifiers_;
    std::vector<bool> understood_;
    std::vector<Operand> operands_;
    std::size_t next_ = 0;
};

}  // namespace sass
