#include "simt/decode/pipes.h"

#include <unordered_map>

namespace sass {

Pipe pipe_of(const std::string& opcode) {
    static const auto* const pipes = [] {
        auto* const all = new std::unordered_map<std::string, Pipe>;
        for (const char* const name :
             {"BMSK",  "F2FP",  "FMNMX", "FSEL", "FSET",     "FSETP", "HMNMX2",    "HSETP2", "IABS",
              "IADD3", "IMNMX", "ISETP", "LEA",  "LOP3",     "MOV",   "P2R",       "PLOP3",  "PRMT",
              "R2P",   "SEL",   "SGXT",  "SHF",  "VABSDIFF", "VIADD", "VIADDMNMX", "VIMNMX", "VIMNMX3"})
            all->emplace(name, Pipe::alu);
        for (const char* const name : {"DADD", "DFMA", "DMUL", "DSETP"}) all->emplace(name, Pipe::fp64);
        for (const char* const name : {"BREV", "F2F", "F2I", "FLO", "FRND", "I2F", "MUFU", "POPC"})
            all->emplace(name, Pipe::xu);
        return all;
    }();
    const auto found = pipes->find(opcode);
    return found == pipes->end() ? Pipe::fast : found->second;
}

}  // namespace sass
