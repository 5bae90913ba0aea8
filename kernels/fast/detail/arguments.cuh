// Checks of a call's arguments, before anything is queued.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

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

/// Whether two ranges of bytes share one.
inline bool share_bytes(const void* a, std::size_t bytes_of_a, const void* b, std::size_t bytes_of_b) {
    const auto begin_of_a = reinterpret_cast<std::uintptr_t>(a),
               begin_of_b = reinterpret_cast<std::uintptr_t>(b);
    return begin_of_a < begin_of_b + bytes_of_b && begin_of_b < begin_of_a + bytes_of_a;
}

/// Whether vectors of n elements each share a byte; known of pointers only.
template <class A, class B>
bool overlap(A a, B b, long long n) {
    if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B>)
        return share_bytes(a, static_cast<std::size_t>(n) * sizeof(*a), b,
                           static_cast<std::size_t>(n) * sizeof(*b));
    else
        return false;
}

/// Whether they do without being the same vector.
template <class A, class B>
bool overlap_partly(A a, B b, long long n) {
    if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B>)
        if (static_cast<const void*>(a) == static_cast<const void*>(b) && sizeof(*a) == sizeof(*b))
            return false;
    return overlap(a, b, n);
}

/// Whether a result whose length only the device will know begins within a vector of n elements. What is
/// before the vector may be long enough for it or not.
template <class Out, class In>
bool begins_in(Out out, In in, long long n) {
    if constexpr (std::is_pointer_v<Out> && std::is_pointer_v<In>)
        return share_bytes(out, 1, in, static_cast<std::size_t>(n) * sizeof(*in));
    else
        return false;
}

}  // namespace trial
