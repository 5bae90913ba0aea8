// Whole numbers: what all closed forms are written in. log is to base 2.
#pragma once

namespace harness::closed_form {

constexpr long long minimum(long long a, long long b) { return a < b ? a : b; }
constexpr long long round_up(long long a, long long b) { return (a + b - 1) / b; }
constexpr long long log2(long long n) { return n == 1 ? 0 : 1 + log2(n / 2); }

}  // namespace harness::closed_form
