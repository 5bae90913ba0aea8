// A vector on the device.
#pragma once
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <vector>

template <class T>
class DeviceVector {
   public:
    /// n uninitialised elements. The first one is `late` elements after an address with the alignment of
    /// cudaMalloc().
    explicit DeviceVector(std::size_t n, std::size_t late = 0) : size_(n) {
        EXPECT_EQ(cudaMalloc(&memory_, (late + n) * sizeof(T)), cudaSuccess);
        data_ = memory_ + late;
    }
    explicit DeviceVector(const std::vector<T>& values, std::size_t late = 0)
        : DeviceVector(values.size(), late) {
        EXPECT_EQ(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
    }
    ~DeviceVector() { (void)cudaFree(memory_); }
    DeviceVector(const DeviceVector&) = delete;
    DeviceVector& operator=(const DeviceVector&) = delete;

    T* data() { return data_; }
    long long size() const { return static_cast<long long>(size_); }
    std::vector<T> read() const {
        std::vector<T> values(size_);
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_EQ(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
        return values;
    }
    void poison() { EXPECT_EQ(cudaMemset(data_, 0xff, size_ * sizeof(T)), cudaSuccess); }

   private:
    T* memory_ = nullptr;
    T* data_ = nullptr;
    std::size_t size_;
};
