// simt-run: runs a program for NVIDIA GPUs on the SIMT machine. The machine is a CUDA runtime library of its
// own, which lies beside this program; the program that is run finds it in place of NVIDIA's.
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "simt/clock/prices.h"
#include "simt/loader/architecture.h"
#include "simt/loader/elf.h"
#include "simt/simt-run/opcode_list.h"
#include "simt/simt-run/schedules.h"
#include "simt/simt-run/unknown.h"

namespace {

constexpr const char* RUNTIME = "libcudart.so.13";
constexpr const char* USAGE =
    "usage: simt-run [OPTIONS] PROGRAM [ARGUMENTS]\n"
    "       simt-run [--arch N] --opcodes\n"
    "       simt-run [--arch N] --unknown PROGRAM\n"
    "  --arch N       be a GPU of sm_N (90, if the program has code for it)\n"
    "  --json FILE    write the counts of every launch, in total and by source line, and the findings\n"
    "  --counts-only  no checks for hazards\n"
    "  --clock GPU    predict how long every launch takes, and why warps wait; by results/GPU/clock.csv\n"
    "  --longer N     with --clock: of grids N times as large\n"
    "  --at-once PLACE  with --clock: as if this line, file:line, waited for no result\n"
    "  --allow PLACE  no findings at this place, as file:line\n"
    "  --cores N      run blocks on N cores (0: all; with checks always one)\n"
    "  --seed N       another schedule: order of blocks and warps, odd: late copies (0: ascending)\n"
    "  --seeds N      run the program under N schedules, from --seed on, and tell each finding once (1)\n"
    "  --budget S     of these, begin no further one after S seconds (60)\n"
    "  --trace N      of launch N, from 1, also write block 0's requests to shared memory,\n"
    "                 with --clock also what its warps wait for, cycle by cycle\n"
    "  --launches N   end the program after N launches\n"
    "  --limit N      end the program after N seconds, with exit status 124, and say how much was checked\n"
    "  --opcodes      list the opcodes that the machine knows, and their tests in code of sm_N\n"
    "  --unknown      list the program's instructions that the machine does not know, without running it\n"
    "The exit status is the program's own; 3 instead of 0 if the checks have found anything.\n";

constexpr const char* NUMBERS[][2] = {{"--cores", "SIMT_CORES"},         {"--seed", "SIMT_SEED"},
                                      {"--trace", "SIMT_TRACED"},        {"--launches", "SIMT_LAUNCHES"},
                                      {"--longer", "SIMT_CLOCK_LONGER"}, {"--limit", "SIMT_LIMIT"}};

struct Request {
    std::string program;
    char** arguments;  ///< the program's, its name first
    Schedules schedules;
};

std::string own_folder() {
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    return length <= 0 ? "." : std::string(path, std::string(path, length).rfind('/'));
}

std::string absolute(const std::string& path) {
    char folder[PATH_MAX];
    return path[0] == '/' || getcwd(folder, sizeof folder) == nullptr ? path
                                                                      : std::string(folder) + "/" + path;
}

/// A program as a shell would find it.
std::string find_program(const std::string& name) {
    if (name.find('/') != std::string::npos) return name;
    const char* path = std::getenv("PATH");
    const std::string folders = path == nullptr ? "" : path;
    for (std::size_t at = 0; at <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', at), folders.size());
        const std::string whole = folders.substr(at, end - at) + "/" + name;
        if (access(whole.c_str(), X_OK) == 0) return whole;
        at = end + 1;
    }
    return name;
}

std::uint64_t number_of(const std::string& option, const std::string& text) {
    if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos || text.size() > 18)
        throw std::runtime_error(option + " takes a number, not '" + text + "'");
    return std::stoull(text);
}

/// "86" of "86" or "sm_86".
std::string architecture_of(const std::string& text) {
    const std::string number = text.compare(0, 3, "sm_") == 0 ? text.substr(3) : text;
    if (!sass::select(int(number_of("--arch", number))))
        throw std::runtime_error("the SIMT machine cannot be sm_" + number + "; it can be " +
                                 sass::names_of_architectures());
    return number;
}

/// The file with a GPU's prices.
std::string prices_of(const std::string& gpu) {
    const std::string path = gpu.find('/') == std::string::npos
                                 ? own_folder() + "/../results/" + gpu + "/clock.csv"
                                 : absolute(gpu);
    (void)sass::clock::Prices::read(path);
    return path;
}

/// Where the runtime looks for an option's number; null if it takes none.
const char* variable_of(const std::string& option) {
    for (const auto& [name, variable] : NUMBERS)
        if (option == name) return variable;
    return nullptr;
}

Request parse(int count, char** arguments) {
    int at = 1;
    const auto value = [&](const std::string& option) -> std::string {
        if (++at >= count) throw std::runtime_error(option + " takes a value");
        return arguments[at];
    };
    Schedules schedules;
    for (; at < count && arguments[at][0] == '-'; at++) {
        const std::string option = arguments[at];
        if (option == "--json") {
            setenv("SIMT_JSON", absolute(value(option)).c_str(), 1);
        } else if (option == "--arch") {
            setenv("SIMT_ARCH", architecture_of(value(option)).c_str(), 1);
        } else if (option == "--counts-only") {
            setenv("SIMT_COUNTS_ONLY", "1", 1);
        } else if (option == "--clock") {
            setenv("SIMT_CLOCK", prices_of(value(option)).c_str(), 1);
        } else if (option == "--at-once") {
            setenv("SIMT_CLOCK_AT_ONCE", value(option).c_str(), 1);
        } else if (option == "--allow") {
            setenv("SIMT_ALLOWED", value(option).c_str(), 1);
        } else if (const char* const variable = variable_of(option)) {
            const std::uint64_t number = number_of(option, value(option));
            setenv(variable, std::to_string(number).c_str(), 1);
            if (option == "--seed") schedules.first = number;
        } else if (option == "--seeds") {
            schedules.count = number_of(option, value(option));
            if (schedules.count == 0) throw std::runtime_error("--seeds takes at least 1");
        } else if (option == "--budget") {
            schedules.budget = double(number_of(option, value(option)));
        } else if (option == "--opcodes") {
            print_opcodes(own_folder() + "/" + RUNTIME, sass::architecture().number);
            std::exit(0);
        } else if (option == "--unknown") {
            const std::string program = find_program(value(option));
            std::exit(print_unknown(program, own_folder() + "/" + RUNTIME) ? 0 : 1);
        } else if (option == "--help" || option == "-h") {
            std::fputs(USAGE, stdout);
            std::exit(0);
        } else if (option == "--") {
            at++;
            break;
        } else {
            throw std::runtime_error("no option " + option + "; see simt-run --help");
        }
    }
    if (at >= count) throw std::runtime_error("no program to run; see simt-run --help");
    return {find_program(arguments[at]), arguments + at, schedules};
}

/// The shared libraries that an ELF program asks for.
std::vector<std::string> libraries_of(const sass::Elf& elf) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < elf.sections().size(); i++) {
        const sass::Section& section = elf.sections()[i];
        if (section.header.sh_type != SHT_DYNAMIC) continue;
        const auto strings = elf.contents(int(section.header.sh_link));
        for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= section.size; at += sizeof(Elf64_Dyn)) {
            Elf64_Dyn entry;
            std::memcpy(&entry, section.data + at, sizeof entry);
            if (entry.d_tag == DT_NEEDED && entry.d_un.d_val < strings.size())
                names.push_back(reinterpret_cast<const char*>(strings.data()) + entry.d_un.d_val);
        }
    }
    return names;
}

/// Throws if the program cannot be one for the machine. A script is left to the system: what it starts is
/// asked then.
void check(const std::string& path) {
    if (access(path.c_str(), F_OK) != 0) throw std::runtime_error("no program " + path);
    if (access(path.c_str(), X_OK) != 0) throw std::runtime_error(path + " is not a program");
    std::ifstream file(path, std::ios::binary);
    std::vector<std::uint8_t> image((std::istreambuf_iterator<char>(file)), {});
    if (image.size() < SELFMAG || std::memcmp(image.data(), ELFMAG, SELFMAG) != 0) return;
    const sass::Elf elf(std::move(image));
    bool has_gpu_code = false;
    for (const sass::Section& section : elf.sections())
        has_gpu_code = has_gpu_code || section.name == ".nv_fatbin";
    for (const std::string& name : libraries_of(elf)) {
        if (name == RUNTIME) return;
        if (name.compare(0, 12, "libcudart.so") == 0)
            throw std::runtime_error(path + " needs " + name + "; the SIMT machine takes the place of " +
                                     RUNTIME);
    }
    if (has_gpu_code)
        throw std::runtime_error(path + " has the CUDA runtime linked in; link it with nvcc -cudart shared");
}

}  // namespace

int main(int count, char** arguments) {
    try {
        const Request request = parse(count, arguments);
        check(request.program);
        const std::string folder = own_folder();
        if (access((folder + "/" + RUNTIME).c_str(), R_OK) != 0)
            throw std::runtime_error("no " + std::string(RUNTIME) + " beside simt-run, in " + folder);
        const char* others = std::getenv("LD_LIBRARY_PATH");
        const std::string path = others == nullptr || *others == '\0' ? folder : folder + ":" + others;
        setenv("LD_LIBRARY_PATH", path.c_str(), 1);
        if (request.schedules.count > 1)
            return run_schedules(request.schedules, request.program.c_str(), request.arguments);
        execv(request.program.c_str(), request.arguments);
        throw std::runtime_error("cannot run " + request.program + ": " + std::strerror(errno));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "simt-run: %s\n", error.what());
        return 2;
    }
}
