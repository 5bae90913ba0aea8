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

namespace trial {

/// Step 2 of multi_gpu/scan_parts. Blocks the host until the totals are known.
struct HostExchange {
    template <class Scan, class T, class Op>
    cudaError_t operator()(const std::vector<Part<Scan, T>>& parts, Op op) {
        std::vector<Prefix<T>> totals(parts.size(), {{}, false}), prefixes(parts.size(), {{}, false});
        // Copies to pageable memory wait for their stream, so all reductions must have been launched already.
        const std::size_t used = parts_in_use(parts);
        const cudaError_t copied = on_devices(parts, used > 0 ? used - 1 : 0, [&](std::size_t i) {
            totals[i].exists = parts[i].n > 0;
            if (!totals[i].exists) return cudaSuccess;
            const cudaError_t status = cudaMemcpyAsync(&totals[i].value, parts[i].scan->total(), sizeof(T),
                                                       cudaMemcpyDeviceToHost, parts[i].stream);
            return status == cudaSuccess ? cudaStreamSynchronize(parts[i].stream) : status;
        });
        if (copied != cudaSuccess) return copied;
        return on_devices(parts, parts.size(), [&](std::size_t i) {
            prefixes[i] = prefix_of_part(totals.data(), static_cast<int>(i), op);
            return cudaMemcpyAsync(parts[i].scan->prefix(), &prefixes[i], sizeof(prefixes[i]),
                                   cudaMemcpyHostToDevice, parts[i].stream);
        });
    }
};

/// The scan of all parts with this exchange.
template <class Scan, class T, class Op>
cudaError_t scan_parts(const std::vector<Part<Scan, T>>& parts, Op op) {
    HostExchange exchange;
    return scan_parts(parts, op, exchange);
}

}  // namespace trial
