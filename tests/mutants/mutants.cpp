// The choice of a mutant, and which mutants a program reaches: when it ends, their numbers go to a
// file, which MUTANTS_REACHED in the environment names.
#include "tests/mutants/mutants.h"

#include <cstdio>
#include <cstdlib>

namespace {

constexpr int NUMBERS = 1 << 24;
bool reached[NUMBERS];

int chosen() {
    static const char* const text = std::getenv("MUTANT");
    static const int number = text == nullptr ? -1 : std::atoi(text);
    return number;
}

struct Reached {
    Reached() { chosen(); }
    ~Reached() {
        const char* const path = std::getenv("MUTANTS_REACHED");
        std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "w");
        if (file == nullptr) return;
        for (int number = 0; number < NUMBERS; ++number)
            if (reached[number]) std::fprintf(file, "%d\n", number);
        std::fclose(file);
    }
} write_reached;

}  // namespace

extern "C" int mutants_chosen(int number) {
    reached[number] = true;
    return number == chosen();
}
