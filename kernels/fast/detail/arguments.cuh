// Checks of a single argument, before anything is queued; of several: ranges.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>

namespace trial {

/// Whether a pointer may be a vector of n > 0 elements. Other iterators are not looked into.
template <class T>
bool may_hold(T* vector) {
    return vector != nullptr && reinterpret_cast<std::uintptr_t>(vector) % alignof(T) == 0;
}
template <class Iterator>
bool may_hold(const Iterator&) {
    return true;
}

}  // namespace trial
