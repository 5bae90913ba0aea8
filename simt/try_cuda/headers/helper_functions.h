// What programs use of the header of this name in NVIDIA's samples, written anew.
#pragma once
#include <helper_string.h>
#include <helper_timer.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <vector>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/// Whether the relative error in the Euclidean norm is below epsilon.
inline bool sdkCompareL2fe(const float* reference, const float* data, unsigned length, float epsilon) {
    double error = 0, norm = 0;
    for (unsigned i = 0; i < length; ++i) {
        error += (double(reference[i]) - data[i]) * (double(reference[i]) - data[i]);
        norm += double(reference[i]) * reference[i];
    }
    return norm > 0 && std::sqrt(error / norm) < epsilon;
}
/// Whether all but `threshold` of the elements, as a fraction, differ by at most epsilon.
template <class T, class Epsilon>
bool compareData(const T* reference, const T* data, unsigned length, Epsilon epsilon, float threshold) {
    unsigned wrong = 0;
    for (unsigned i = 0; i < length; ++i)
        if (!(std::fabs(double(reference[i]) - double(data[i])) <= double(epsilon))) ++wrong;
    return wrong <= threshold * float(length);
}
