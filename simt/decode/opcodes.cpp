#include "simt/decode/opcode.h"

#include <unordered_map>

namespace sass {

const std::vector<Opcode>& opcodes() {
    static const std::vector<Opcode> all = {
#define ROW(name, pipe, counted, order, is_control, operands, decode) \
    {#name, Pipe::pipe, Class::counted, Order::order, is_control, operands, make_##decode},
#define OPCODE(name, pipe, counted, order, ...) ROW(name, pipe, counted, order, false, __VA_ARGS__)
#define CONTROL(name, pipe, counted, order, ...) ROW(name, pipe, counted, order, true, __VA_ARGS__)
#include "simt/decode/opcodes.def"
#undef OPCODE
#undef CONTROL
#undef ROW
    };
    return all;
}

const Opcode* find_opcode(const std::string& name, bool& is_uniform) {
    static const auto& by_name = *[] {
        auto* const all = new std::unordered_map<std::string, const Opcode*>;
        for (const Opcode& opcode : opcodes()) all->emplace(opcode.name, &opcode);
        return all;
    }();
    const auto find = [](const std::string& which) {
        const auto at = by_name.find(which);
        return at == by_name.end() ? nullptr : at->second;
    };
    // On uniform registers, with the U at another place than the front.
    static const auto& inner = *new std::unordered_map<std::string, std::string>{
        {"LDCU", "LDC"}, {"CS2UR", "CS2R"}, {"UP2UR", "P2R"}, {"UR2UP", "R2P"}};
    if (const auto known = inner.find(name); known != inner.end())
        return is_uniform = true, find(known->second);
    const Opcode* const ordinary = name[0] == 'U' ? find(name.substr(1)) : nullptr;
    const Opcode* const own = find(name);
    is_uniform = ordinary != nullptr;
    return own != nullptr ? own : ordinary;
}

}  // namespace sass

/// The names of the opcodes; null after the last. For simt-run --opcodes.
extern "C" const char* const* simt_opcodes() {
    static const std::vector<const char*> names = [] {
        std::vector<const char*> all;
        for (const sass::Opcode& opcode : sass::opcodes()) all.push_back(opcode.name);
        all.push_back(nullptr);
        return all;
    }();
    return names.data();
}
