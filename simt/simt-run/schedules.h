// Several schedules of a program: its runs, one after the other, each with a seed of its own.
//
// A run is a process. What it has found it adds to a list that it passes on, so each finding is told once,
// with the first seed that shows it. The first run has the terminal; the others print nothing, and read what
// the first one read if that was a file, else nothing. What the program writes into files it writes again.
#pragma once
#include <cstdint>

struct Schedules {
    std::uint64_t first = 0, count = 1;  ///< seeds
    double budget = 60;                  ///< seconds after which no further run begins
};

/// Runs the program, arguments[0] its path. Returns the exit status: the first of a run that is neither 0 nor
/// 3, else 3 if anything was found. Ends by a signal if the first run did.
int run_schedules(const Schedules& schedules, const char* program, char** arguments);
