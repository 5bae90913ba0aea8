#pragma once

namespace harness {

/// A claim as data: stated once, at the head of its experiment; the results carry it, the report prints it.
struct Claim {
    const char* id;          ///< the stem of every file that belongs to it
    int order;               ///< place in the report; 1000 if it does not matter
    const char* title;       ///< a few words
    const char* claim;       ///< what the source says
    const char* source;      ///< who says so
    const char* prediction;  ///< what follows from it, in numbers
    const char* method;      ///< what is varied, what is held, what is measured
    const char* fails_if;    ///< the evidence that would refute it
};

}  // namespace harness
