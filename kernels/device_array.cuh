// Arrays on the device, freed with what owns them.
#pragma once
#include <cuda_runtime.h>

#include <deque>
#include <initializer_list>

namespace trial {

/// Room for n elements of T on the current device, uninitialised; none for n <= 0. Throws nothing; see
/// status().
template <class T>
class DeviceArray {
   public:
    explicit DeviceArray(long long n) : status_(n > 0 ? cudaMalloc(&data_, n * sizeof(T)) : cudaSuccess) {}
    ~DeviceArray() { (void)cudaFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    T* data() const { return data_; }
    /// cudaSuccess, or why there is no room.
    cudaError_t status() const { return status_; }

   private:
    T* data_ = nullptr;
    cudaError_t status_;
};

/// The first status that is no success, or cudaSuccess.
inline cudaError_t first_error(std::initializer_list<cudaError_t> statuses) {
    for (const cudaError_t status : statuses)
        if (status != cudaSuccess) return status;
    return cudaSuccess;
}

/// Arrays for the sums of tiles, level upon level: a level's sums are the next level's elements.
template <class T>
class DeviceLevels {
   public:
    /// The next level has room for n sums.
    void add(long long n) { levels_.emplace_back(n); }

    T* operator[](std::size_t level) const { return levels_[level].data(); }
    /// cudaSuccess, or why there is no room.
    cudaError_t status() const {
        cudaError_t status = cudaSuccess;
        for (const auto& level : levels_) status = first_error({status, level.status()});
        return status;
    }

   private:
    std::deque<DeviceArray<T>> levels_;
};

}  // namespace trial
