#include "simt/simt-run/opcode_list.h"

#include <dlfcn.h>

#include <cstdio>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "covered_opcodes.h"  // made by CMake from simt/test/opcodes/covered.txt
#include "simt/loader/architecture.h"

namespace {

std::set<std::string> known(const std::string& runtime_library) {
    void* const library = dlopen(runtime_library.c_str(), RTLD_NOW);
    using List = const char* const* (*)();
    const auto list = library == nullptr ? nullptr : reinterpret_cast<List>(dlsym(library, "simt_opcodes"));
    if (list == nullptr) throw std::runtime_error("no opcodes in " + runtime_library);
    std::set<std::string> names;
    for (const char* const* name = list(); *name != nullptr; ++name) names.insert(*name);
    return names;
}

/// The opcode that executes a form: IADD3 executes UIADD3.X, too. "" if the machine has none.
std::string opcode_of(const std::string& form, const std::set<std::string>& names) {
    const std::string name = form.substr(0, form.find('.'));
    if (names.count(name) > 0) return name;
    return name[0] == 'U' && names.count(name.substr(1)) > 0 ? name.substr(1) : "";
}

/// The forms that are executed in code of an architecture.
std::vector<std::string> forms_of(int architecture) {
    std::vector<std::string> forms;
    for (const char* const line : COVERED_OPCODES) {
        std::istringstream words(line);
        std::string form;
        words >> form;
        for (int number; words >> number;)
            if (number == architecture) forms.push_back(form);
    }
    return forms;
}

void print_list(const char* title, const std::vector<std::string>& names) {
    if (names.empty()) return;
    std::printf("%s:", title);
    for (const std::string& name : names) std::printf(" %s", name.c_str());
    std::puts("");
}

}  // namespace

void print_opcodes(const std::string& runtime_library, int architecture) {
    const std::set<std::string> names = known(runtime_library);
    std::map<std::string, std::string> tested;
    std::vector<std::string> untested, unknown;
    std::size_t forms = 0;
    for (const std::string& form : forms_of(architecture)) {
        const std::string name = opcode_of(form, names);
        if (name.empty())
            unknown.push_back(form);
        else
            tested[name] += " " + form, ++forms;
    }
    for (const std::string& name : names) {
        std::printf("%-12s%s\n", name.c_str(), tested.count(name) > 0 ? tested[name].c_str() : " no test");
        if (tested.count(name) == 0) untested.push_back(name);
    }
    std::printf("%zu opcodes; in code of sm_%d %zu forms of %zu are tested\n", names.size(), architecture,
                forms, tested.size());
    print_list(("no test in code of sm_" + std::to_string(architecture)).c_str(), untested);
    print_list("not known", unknown);
    std::printf("forms that are tested in code of:");
    for (const sass::Architecture& each : sass::architectures())
        std::printf(" sm_%d %zu", each.number, forms_of(each.number).size());
    std::puts("");
}
