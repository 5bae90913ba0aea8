// The instructions of a program that the machine cannot run.
#pragma once
#include <string>

/// Prints them, a line each: how often it stands in the program, the instruction, why it is refused.
/// Whether there are none. Throws std::runtime_error, one line, if program or runtime library cannot be
/// read.
bool print_unknown(const std::string& program, const std::string& runtime_library);
