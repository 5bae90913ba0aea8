// For simt-run --unknown: what of a program's machine code the machine cannot run, found without running it.
#include <stdexcept>

#include "simt/decode/decode.h"
#include "simt/loader/fatbin.h"
#include "simt/runtime/registry.h"

/// Calls show(the instruction, why it is refused) for each such instruction of a fat binary's kernels.
extern "C" void simt_unknown(const void* fat_binary, void (*show)(const char* text, const char* why)) {
    try {
        if (sass::architectures_of(fat_binary).empty()) return;
        simt_runtime::choose_architecture(fat_binary);
        sass::Module module(sass::cubin_of_fat_binary(fat_binary));
        for (const std::string& name : module.kernels()) {
            const auto code = sass::decode(module, *module.kernel(name), "");
            for (const auto& [text, why] : code->unknown) show(text.c_str(), why.c_str());
        }
    } catch (const std::exception& error) {
        show("the program's code", error.what());
    }
}
