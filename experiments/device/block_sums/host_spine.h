// The parts of a host spine, each on its own: block sums copied to the host, scanned there, copied back.
#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "experiments/harness/cuda_check.h"
#include "experiments/harness/own_vectors.h"
#include "experiments/harness/suite.h"

namespace harness {

/// Block sums on the device and, in pageable memory, on the host.
struct BlockSums {
    explicit BlockSums(long long count) : device(count), host(count) {}

    OwnVector<float> device;
    std::vector<float> host;

    long long bytes() const { return device.bytes(); }
    void set(float value) {
        std::fill(host.begin(), host.end(), value);
        check(cudaMemcpy(device.data(), host.data(), bytes(), cudaMemcpyHostToDevice), "cudaMemcpy");
    }
};

/// Cases "spine/to_host", "spine/scan" and "spine/to_device" of a vector of n elements in tiles of `tile`, in
/// the way of ThreePhaseScan. GPU only.
inline void add_parts_of_host_spine(Suite& suite, long long n, int tile) {
    using Shared = std::shared_ptr<BlockSums>;
    const long long count = (n + tile - 1) / tile, bytes = count * static_cast<long long>(sizeof(float));
    const auto add = [&](const std::string& name, const std::function<void(BlockSums&, cudaStream_t)>& run,
                         const std::function<bool(BlockSums&)>& is_right) {
        const auto prepare = [=](cudaStream_t stream) {
            const Shared sums = std::make_shared<BlockSums>(count);
            sums->set(1);
            const auto find_error = [=] { return is_right(*sums) ? std::string() : name + ": a wrong sum"; };
            const auto poison = [=] {
                if (name == "to_host") std::fill(sums->host.begin(), sums->host.end(), 0.f);
                if (name == "scan") sums->set(1);
                if (name == "to_device") sums->device.poison();
            };
            return Trial{[=] { run(*sums, stream); }, poison, find_error};
        };
        suite.own({"spine", name}, n, {bytes, bytes, prepare}).queue(Queued::live);
    };
    add(
        "to_host",
        [](BlockSums& sums, cudaStream_t stream) {
            (void)cudaMemcpyAsync(sums.host.data(), sums.device.data(), sums.bytes(), cudaMemcpyDeviceToHost,
                                  stream);
            (void)cudaStreamSynchronize(stream);
        },
        [](BlockSums& sums) { return sums.host.back() == 1; });
    add(
        "scan",
        [](BlockSums& sums, cudaStream_t) {
            float* const host = sums.host.data();
            for (std::size_t i = 1; i < sums.host.size(); ++i) host[i] = host[i - 1] + host[i];
        },
        [count](BlockSums& sums) { return sums.host.back() == static_cast<float>(count); });
    add(
        "to_device",
        [](BlockSums& sums, cudaStream_t stream) {
            (void)cudaMemcpyAsync(sums.device.data(), sums.host.data(), sums.bytes(), cudaMemcpyHostToDevice,
                                  stream);
        },
        [count](BlockSums& sums) { return sums.device.read(count)[0] == 1; });
}

}  // namespace harness
