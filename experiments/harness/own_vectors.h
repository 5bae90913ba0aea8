// Vectors that a case makes itself: see Suite::own. Cases that work on the same vectors share them.
#pragma once
#include <functional>
#include <memory>

#include "experiments/harness/cuda_check.h"
#include "experiments/harness/oracle.h"

namespace harness {

/// A vector on the device.
template <class T>
class OwnVector {
   public:
    explicit OwnVector(long long n) : n_(n) { check(cudaMalloc(&data_, bytes()), "cudaMalloc"); }
    ~OwnVector() { (void)cudaFree(data_); }
    OwnVector(const OwnVector&) = delete;
    OwnVector& operator=(const OwnVector&) = delete;

    /// Element i becomes at(i), which several threads ask at a time.
    template <class At>
    void fill(At at) {
        fill_with(data_, n_, at);
    }
    void poison() { check(cudaMemset(data_, POISON, bytes()), "cudaMemset"); }

    T* data() { return data_; }
    long long bytes() const { return n_ * static_cast<long long>(sizeof(T)); }
    /// The first `count` elements, from front to back, or from an element `begin` on.
    Reader<T> read(long long count, long long begin = 0) const {
        return Reader<T>(data_, count, Memory::device, begin);
    }
    T read_first() const {
        T first;
        check(cudaMemcpy(&first, data_, sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
        return first;
    }

   private:
    T* data_ = nullptr;
    long long n_;
};

/// What make() returns, made when it is first asked for and then the same for all who ask.
template <class T>
std::function<std::shared_ptr<T>()> made_once(std::function<std::shared_ptr<T>()> make) {
    return [made = std::make_shared<std::shared_ptr<T>>(), make = std::move(make)] {
        if (!*made) *made = make();
        return *made;
    };
}

}  // namespace harness
