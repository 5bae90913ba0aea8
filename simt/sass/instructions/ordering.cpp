// Instructions that order memory, and those that change nothing that is counted or computed here.
#include "simt/sass/instructions/families.h"
#include "simt/sass/instructions/words.h"

namespace sass {
namespace {

void nothing(Warp&, const Instruction&, U) {}
void make_nothing(Decoder& d) {
    for (const std::string& modifier : d.modifiers()) d.has(modifier);
    d.out.run = nothing;
}
void make_mark(Decoder& d) {  // PMTRIG: see operators.h
    while (d.left()) d.take();
    d.out.run = nothing;
}
void fence(Warp&, const Instruction&, U) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void make_fence(Decoder& d) {
    for (const std::string& modifier : d.modifiers()) d.has(modifier);
    d.out.run = fence;
}

}  // namespace

std::vector<Opcode> ordering_opcodes() {
    return {{"MEMBAR", make_fence},      {"FENCE", make_fence},       {"ERRBAR", make_nothing},
            {"CGAERRBAR", make_nothing}, {"CCTL", make_nothing},      {"CCTLL", make_nothing},
            {"NOP", make_nothing},       {"NANOSLEEP", make_nothing}, {"PMTRIG", make_mark},
            {"PREEXIT", make_nothing},   {"ACQBULK", make_nothing},   {"DEPBAR", make_nothing},
            {"LDGDEPBAR", make_nothing}};
}

}  // namespace sass
