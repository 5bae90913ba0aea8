// Exchange of the totals of parts through the host: for one process that holds all parts, on any GPUs.
//
//     GPUs       t0  t1  t2        -    t0    t0+t1        copied to the host, and back
//     host         waits             combines
//
// Bytes: G - 1 totals copied to the host, G prefixes copied back. Source: ours.
#pragma once
#include <cuda_runtime.h>

#include <vector>

#include "kernels/multi_gpu/scan_parts.cuh"

/// Step 2 of multi_gpu/scan_parts. Blocks the host until the totals are known.
struct HostExchange {
    template <class Scan, class T, class Op>
    cudaError_t operator()(const std::vector<Part<Scan, T>>& parts, Op op) {
        cudaError_t status = cudaSuccess;
        const auto check = [&](cudaError_t error) {
            if (status == cudaSuccess) status = error;
            return status == cudaSuccess;
        };
        std::vector<Prefix<T>> totals(parts.size(), {{}, false}), prefixes(parts.size(), {{}, false});
        // Copies to pageable memory wait for their stream, so all reductions must have been launched already.
        for (std::size_t i = 0; i + 1 < parts_in_use(parts); ++i) {
            totals[i].exists = parts[i].n > 0;
            if (!totals[i].exists) continue;
            if (!check(cudaSetDevice(parts[i].device)) ||
                !check(cudaMemcpyAsync(&totals[i].value, parts[i].scan->total(), sizeof(T),
                                       cudaMemcpyDeviceToHost, parts[i].stream)) ||
                !check(cudaStreamSynchronize(parts[i].stream)))
                return status;
        }
        for (std::size_t i = 0; i < parts.size(); ++i) {
            prefixes[i] = prefix_of_part(totals.data(), static_cast<int>(i), op);
            if (!check(cudaSetDevice(parts[i].device)) ||
                !check(cudaMemcpyAsync(parts[i].scan->prefix(), &prefixes[i], sizeof(prefixes[i]),
                                       cudaMemcpyHostToDevice, parts[i].stream)))
                return status;
        }
        return status;
    }
};

/// The scan of all parts with this exchange.
template <class Scan, class T, class Op>
cudaError_t scan_parts(const std::vector<Part<Scan, T>>& parts, Op op) {
    HostExchange exchange;
    return scan_parts(parts, op, exchange);
}
