// Results in device memory, compared by a hash: a result with the bytes of one that was found right is right
// too.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "experiments/harness/case.h"

namespace harness {

/// A hash of 64 bits: the sum, over all 8-byte words, of a hash of the word and its place. Two results that
/// differ have the same one with a probability of about 2^-64. Each of `result` starts at a multiple of 8
/// bytes. Waits for the stream. Throws std::runtime_error.
class Fingerprint {
   public:
    explicit Fingerprint(cudaStream_t stream);
    ~Fingerprint();
    Fingerprint(const Fingerprint&) = delete;
    Fingerprint& operator=(const Fingerprint&) = delete;

    std::uint64_t of(const std::vector<DeviceBytes>& result) const;

   private:
    cudaStream_t stream_;
    unsigned long long* sum_ = nullptr;
};

}  // namespace harness
