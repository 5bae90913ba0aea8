// Reads an instruction's operands as its row in opcodes.def says.
#include <algorithm>
#include <unordered_map>

#include "simt/decode/decode.h"

namespace sass {

Decoder::Type Decoder::type_of(const std::string& name) const {
    static const std::unordered_map<std::string, Type> NAMES = {{"logic", logic},
                                                                {"f32", f32},
                                                                {"f64", f64},
                                                                {"upper", upper},
                                                                {"wide", wide_integer},
                                                                {"high", upper_integer},
                                                                {"pairs", integer_halves},
                                                                {"bytes", integer_bytes}};
    if (name != "halves") return NAMES.at(name);
    const auto is_bfloat = [](const std::string& modifier) {
        return modifier == "BF16" || modifier == "BF16_V2";
    };
    return std::any_of(modifiers_.begin(), modifiers_.end(), is_bfloat) ? bfloats : halves;
}

void Decoder::read_one(char what, char otherwise, Type type) {
    switch (what) {
        case 'd':
            if (otherwise == 0 || (!next_is_predicate() && peek().kind != Operand::address))
                out.d = destination();
            break;
        case 'p':
        case 'q':
            if (otherwise == 0 || next_is_predicate())
                (what == 'p' ? out.p : out.q) = predicate_destination();
            break;
        case 'P':
        case 'Q': {
            std::uint8_t& read = what == 'P' ? out.pa : out.pb;
            if (otherwise == 0 || next_is_predicate())
                read = predicate_source();
            else if (otherwise != '?')
                read = otherwise == '=' ? out.pa : PT | INVERTED;
            break;
        }
        case 'a':
        case 'b': (what == 'a' ? out.a : out.b) = source(type); break;
        case 'c': {  // if it may be missing, a single number is not it: LEA.HI R0, R1, R2, 0x7, 0x4 has two
            const bool is_number = peek().kind == Operand::immediate;
            const bool is_last = left() < 2 || peek(1).kind != Operand::immediate;
            if (otherwise == 0 || !is_number || !is_last) out.c = source(type);
            break;
        }
        case 'n': out.number = number(); break;
        case '@': address(); break;
        case 'B': out.kind = convergence_barrier(); break;
        case 'Z':
            if (!is_zero(source(logic))) refuse("only RZ is known here");
            break;
        default: refuse("signature");
    }
}

void Decoder::read(const std::string& operands) {
    Type type = integer;
    for (const std::string& word : split(operands, ' ')) {
        const std::size_t colon = word.find(':');
        if (word == "PR" || word == "-p" || word == "-?") {
            const auto is_word = [&] { return peek().text == word || peek().text == "U" + word; };
            if (left() > 0 && (word == "-?" || (word == "-p" ? next_is_predicate() : is_word()))) take();
        } else if (colon != std::string::npos) {
            if (has(word.substr(0, colon))) type = type_of(word.substr(colon + 1));
        } else if (word.size() > 2) {
            type = type_of(word);
        } else {
            read_one(word[0], word.size() > 1 ? word[1] : '\0', type);
        }
    }
}

}  // namespace sass
