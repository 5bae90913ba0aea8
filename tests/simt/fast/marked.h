// Elements that carry a mark; uninitialised and default values do not. The operator must be applied to
// elements only: it may use them as indices.
#pragma once
#include <atomic>
#include <random>

#include "tests/kernels/bytes.h"

struct Marked {
    static constexpr int MARK = 0x600d;
    int value, mark;
};
/// How often the operator met what is no element. Not a variable of the kernel.
__attribute__((noinline, no_sanitize_thread)) inline std::atomic<int>& no_elements() {
    static std::atomic<int> met = 0;
    return met;
}
__attribute__((noinline, no_sanitize_thread)) inline void meet_no_element() { ++no_elements(); }
struct MarkedSum {
    Marked operator()(Marked left, Marked right) const {
        if (left.mark != Marked::MARK || right.mark != Marked::MARK) meet_no_element();
        return {left.value + right.value, Marked::MARK};
    }
    static Marked identity() { return {0, Marked::MARK}; }
};
inline bool same(const Marked& a, const Marked& b) { return a.value == b.value && a.mark == b.mark; }

template <>
struct Maker<Marked> {
    static Marked make(std::mt19937& random) { return {static_cast<int>(random() % 1000), Marked::MARK}; }
};
