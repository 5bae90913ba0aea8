// The opcodes that the machine knows, and which of them a test compares with a GPU.
#pragma once
#include <string>

/// Prints the opcodes of the machine whose runtime library this is, a line each: the forms that are tested in
/// code of sm_<architecture>; then those of which there is no test in it, some of which it does not have;
/// and how many forms are tested for each architecture. Throws std::runtime_error if the library cannot be
/// opened.
void print_opcodes(const std::string& runtime_library, int architecture);
