// <suite> --list     the programs as CSV: name, kind, expected finding
// <suite> <name>     one program, with each of its arguments, in a process of its own each time
//
// What hazards/record.py asks for. The arguments of each run stand between the semicolons of ARGUMENTS.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "simt/test/suites/suite.h"

using suite::Program;

namespace {

/// True if it ends as it should, and its result is right.
bool run(const Program& program, const std::string& line) {
    std::istringstream words(line);
    std::vector<std::string> each = {program.name};
    for (std::string word; words >> word;) each.push_back(word);
    std::vector<char*> argument;
    for (std::string& word : each) argument.push_back(word.data());
    const pid_t child = fork();
    if (child == 0) {
        const int status = program.run(int(argument.size()), argument.data());
        std::exit(cudaDeviceSynchronize() != cudaSuccess || suite::differs ? 1 : status);
    }
    int status = 1;
    return waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

int main(int, char** argument) {
    const std::string name = argument[1] == nullptr ? "--list" : argument[1];
    std::sort(suite::programs.begin(), suite::programs.end(), [](const Program& left, const Program& right) {
        return std::strcmp(left.name, right.name) < 0;
    });
    if (name == "--list") std::puts("name,kind,expected");
    for (const Program& program : suite::programs) {
        if (name == "--list") std::printf("%s,%s,%s\n", program.name, program.kind, program.expected);
        if (name != program.name) continue;
        bool is_right = true;
        std::istringstream lines(ARGUMENTS);
        for (std::string line; std::getline(lines, line, ';');) is_right &= run(program, line);
        std::printf("%s: the result is %s\n", program.name, is_right ? "right" : "wrong");
    }
}
