// What the programs of this folder share: arrays on the device, filled from a fixed seed, and the verdict on
// them.
//
// Each program checks what its kernels computed, prints "ok" and ends with status 0, or says what differs and
// ends with status 1. Its launches are few and small: their counters were read on a GPU, and are compared
// with the machine's by test_agreement.py.
#pragma once
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

inline bool has_failed = false;

inline void ensure(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    std::printf("%s: %s\n", what, cudaGetErrorString(status));
    std::exit(1);
}

/// The i-th of a fixed sequence of words that look random (a finaliser of MurmurHash3).
__host__ __device__ inline unsigned random_word(unsigned i) {
    unsigned x = i * 0x9e3779b9u + 0x7f4a7c15u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

/// n elements, on the host and on the device.
template <class T>
class Array {
   public:
    explicit Array(int n, T value = T()) : host_(n, value) { upload(); }
    /// value(i): the i-th element.
    template <class Value>
    Array(int n, Value value) : host_(n) {
        for (int i = 0; i < n; ++i) host_[i] = value(i);
        upload();
    }
    ~Array() { cudaFree(device_); }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;

    T* device() { return device_; }
    operator T*() { return device_; }
    /// As it was before the launches, until download().
    const T& operator[](int i) const { return host_[i]; }
    int size() const { return static_cast<int>(host_.size()); }

    const std::vector<T>& download() {
        ensure(cudaGetLastError(), "launch");
        ensure(cudaMemcpy(host_.data(), device_, size() * sizeof(T), cudaMemcpyDeviceToHost), "the kernel");
        return host_;
    }
    /// Every element must be equal to want(i).
    template <class Want>
    void expect(const char* what, Want want) {
        download();
        for (int i = 0; i < size(); ++i)
            if (!(host_[i] == T(want(i)))) return say(what, i, double(host_[i]), double(T(want(i))));
    }
    /// Every element must be within this share of want(i).
    template <class Want>
    void expect_near(const char* what, double share, Want want) {
        download();
        for (int i = 0; i < size(); ++i) {
            const double wanted = want(i), got = host_[i];
            if (!(std::fabs(got - wanted) <= share * std::fabs(wanted) + 1e-30))
                return say(what, i, got, wanted);
        }
    }

   private:
    void upload() {
        ensure(cudaMalloc(&device_, host_.size() * sizeof(T)), "cudaMalloc");
        ensure(cudaMemcpy(device_, host_.data(), host_.size() * sizeof(T), cudaMemcpyHostToDevice),
               "cudaMemcpy");
    }
    static void say(const char* what, int i, double got, double wanted) {
        std::printf("%s: element %d is %.9g, not %.9g\n", what, i, got, wanted);
        has_failed = true;
    }

    std::vector<T> host_;
    T* device_ = nullptr;
};

/// A program's last line, and its exit status.
inline int verdict() {
    ensure(cudaDeviceSynchronize(), "the kernels");
    if (!has_failed) std::printf("ok\n");
    return has_failed;
}

/// This thread's rank in a grid of one dimension.
__device__ inline int global_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
