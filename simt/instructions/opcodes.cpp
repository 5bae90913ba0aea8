#include "simt/instructions/families.h"

namespace sass {

const std::vector<Opcode>& opcodes() {
    static const std::vector<Opcode> all = [] {
        std::vector<Opcode> made;
        for (const auto& family :
             {integer_opcodes(), bit_opcodes(), comparison_opcodes(), float_opcodes(), conversion_opcodes(),
              half_opcodes(), memory_opcodes(), local_opcodes(), ordering_opcodes(), atomic_opcodes(),
              warp_opcodes(), control_opcodes(), convergence_opcodes(), barrier_opcodes(), special_opcodes(),
              system_opcodes(), copy_opcodes()})
            made.insert(made.end(), family.begin(), family.end());
        return made;
    }();
    return all;
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
