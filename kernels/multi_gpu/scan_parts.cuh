// Scan of a vector in parts on several GPUs: the idea of the block sums, one scope up.
//
//     part          |     0     |     1     |     2     |     3     |      on GPU 0, 1, 2, 3
//     1  reduce          t0          t1          t2          (none)        each its own; not the last
//     2  exchange    -           t0          t0+t1       t0+t1+t2          one element a GPU
//     3  scan       |     0     |t0,  1     |t0+t1, 2   |t0+t1+t2, 3|      each its own, seeded
//
// Totals are combined from left to right, so the operator need not commute. A part may be empty: it has no
// total, and enters no operation. An element's result depends on all elements to its left, so no result can
// be written before all those have been read: hence all GPUs but the last read their part twice. Bytes of a
// part of n elements: 3 n, or 2 n for the last, plus those of tiles and exchange. launches: 2 a part, 1 for
// the last.
// Source: Harris, Sengupta and Owens, GPU Gems 3, chapter 39, 2007, for blocks; the bound is ours.
//
// Two settings are supported. One process holds all parts: scan_parts below, with the exchange of
// multi_gpu/flag_exchange, multi_gpu/host_exchange or multi_gpu/nccl_one_process. One process holds one part:
// the operator() of PartScan, with multi_gpu/mpi_exchange, multi_gpu/nccl_exchange or another class with
//
//     bool is_last() const;                     whether no part follows this one
//     template <class T, class Op>
//     void operator()(const T* total, bool exists, Prefix<T>* prefix, Op op, cudaStream_t stream);
//
// All parts call it once. *total is this part's total if it exists; *prefix is set to the part's exclusive
// prefix. Both are on the device, in stream order.
#pragma once
#include <cuda_runtime.h>

#include <type_traits>
#include <vector>

#include "kernels/device_array.cuh"
#include "kernels/multi_gpu/scan_look_back_seeded.cuh"
#include "kernels/prefix.cuh"
#include "kernels/textbook/device/reduce_last_block.cuh"

namespace trial {

/// The exclusive prefix of part `part`: the existing totals before it, combined from left to right.
template <class T, class Op>
__host__ __device__ Prefix<T> prefix_of_part(const Prefix<T>* totals, int part, Op op) {
    Prefix<T> prefix = {{}, false};
    for (int i = 0; i < part; ++i) {
        if (!totals[i].exists) continue;
        const T total = totals[i].value;
        prefix = {prefix.exists ? op(prefix.value, total) : total, true};
    }
    return prefix;
}

/// The device side of one part. Reduction: must preserve the order of elements.
template <class T, class Op, Form FORM = Form::inclusive, class Reduction = LastBlockReduction<T, Op>,
          class Scan = SeededLookBackScan<T, Op, FORM>>
class PartScan {
   public:
    static_assert(std::is_trivially_copyable_v<T>, "totals are copied as bytes");

    /// Make room on the current device for a part of up to `capacity` elements. Throws nothing; see status().
    explicit PartScan(long long capacity)
        : capacity_(capacity),
          device_status_(cudaGetDevice(&device_)),
          scan_(capacity),
          total_(1),
          prefix_(1) {}

    /// cudaSuccess; why there is no room; or what the workspace of the reduction or the scan says.
    cudaError_t status() const {
        return first_error(
            {device_status_, reduction_.status(), scan_.status(), total_.status(), prefix_.status()});
    }

    /// Whether a part of n elements may be scanned on the current device: cudaSuccess, cudaErrorInvalidValue,
    /// or status().
    cudaError_t check(long long n) const {
        if (const cudaError_t problem = status(); problem != cudaSuccess) return problem;
        int device = 0;
        const bool here = cudaGetDevice(&device) == cudaSuccess && device == device_;
        return n >= 0 && n <= capacity_ && here ? cudaSuccess : cudaErrorInvalidValue;
    }

    /// Step 1: sets *total() to the part's total, if n > 0.
    cudaError_t reduce(const T* in, long long n, Op op, cudaStream_t stream) {
        return n > 0 ? reduction_(in, total_.data(), n, op, stream) : cudaSuccess;
    }
    const T* total() const { return total_.data(); }

    /// Where step 2 writes the prefix of the part, on the device.
    Prefix<T>* prefix() { return prefix_.data(); }

    /// Step 3: sets out, n elements, to this part of the scan; may be in.
    cudaError_t scan(const T* in, T* out, long long n, Op op, cudaStream_t stream) {
        return scan_(in, out, n, prefix_.data(), op, stream);
    }

    /// Whether one launch can do all three steps, and that launch; totals: as in multi_gpu/part_totals.
    bool fits_one_wave(long long n) const { return scan_.fits_one_wave(n); }
    template <class Totals>
    cudaError_t scan_one_wave(const T* in, T* out, long long n, Op op, cudaStream_t stream,
                              const Totals& totals) {
        return scan_.scan_one_wave(in, out, n, op, stream, totals);
    }

    /// All three steps, in a process that holds this part only, 0 <= n <= capacity. Throws what the exchange
    /// throws. If it does not return success, it took no part in the exchange: end the run, as others wait.
    template <class Exchange>
    [[nodiscard]] cudaError_t operator()(const T* in, T* out, long long n, Op op, Exchange& exchange,
                                         cudaStream_t stream) {
        cudaError_t result = check(n);
        const bool exists = n > 0 && !exchange.is_last();
        if (result == cudaSuccess && exists) result = reduce(in, n, op, stream);
        if (result != cudaSuccess) return result;
        exchange(static_cast<const T*>(total_.data()), exists, prefix_.data(), op, stream);
        return scan(in, out, n, op, stream);
    }

   private:
    long long capacity_;
    int device_ = 0;
    cudaError_t device_status_;
    Reduction reduction_;
    Scan scan_;
    DeviceArray<T> total_;
    DeviceArray<Prefix<T>> prefix_;
};

/// One of the parts that one process holds. scan was created on `device`, and all pointers belong to it.
template <class Scan, class T>
struct Part {
    int device;
    cudaStream_t stream;
    Scan* scan;
    const T* in;
    T* out;       ///< may be in
    long long n;  ///< 0 or more
};

/// Number of parts up to and including the last one that has elements.
template <class Parts>
std::size_t parts_in_use(const Parts& parts) {
    std::size_t count = parts.size();
    while (count > 0 && parts[count - 1].n == 0) --count;
    return count;
}

/// run(p) for parts 0 .. count - 1, each with its device current, up to the first that does not succeed.
template <class Parts, class Run>
cudaError_t on_devices(const Parts& parts, std::size_t count, Run run) {
    for (std::size_t p = 0; p < count; ++p) {
        cudaError_t result = cudaSetDevice(parts[p].device);
        if (result == cudaSuccess) result = run(p);
        if (result != cudaSuccess) return result;
    }
    return cudaSuccess;
}

/// Whether all parts may be scanned; nothing has been queued if not.
template <class Scan, class T>
cudaError_t check_parts(const std::vector<Part<Scan, T>>& parts) {
    return on_devices(parts, parts.size(), [&](std::size_t p) { return parts[p].scan->check(parts[p].n); });
}

/// Step 1 for all parts.
template <class Scan, class T, class Op>
cudaError_t reduce_parts(const std::vector<Part<Scan, T>>& parts, Op op) {
    const std::size_t used = parts_in_use(parts);
    return on_devices(parts, used > 0 ? used - 1 : 0, [&](std::size_t p) {
        return parts[p].scan->reduce(parts[p].in, parts[p].n, op, parts[p].stream);
    });
}

/// Step 3 for all parts.
template <class Scan, class T, class Op>
cudaError_t scan_seeded_parts(const std::vector<Part<Scan, T>>& parts, Op op) {
    return on_devices(parts, parts.size(), [&](std::size_t p) {
        const auto& part = parts[p];
        return part.n > 0 ? part.scan->scan(part.in, part.out, part.n, op, part.stream) : cudaSuccess;
    });
}

/// The scan of all parts, from left to right, by one process. exchange(parts, op) is step 2: for every part
/// that has elements, it sets the exclusive prefix, in the order of the part's stream. Does not wait for the
/// results; the device of the last part stays current.
template <class Scan, class T, class Op, class Exchange>
cudaError_t scan_parts(const std::vector<Part<Scan, T>>& parts, Op op, Exchange& exchange) {
    cudaError_t result = check_parts(parts);
    if (result == cudaSuccess) result = reduce_parts(parts, op);
    if (result == cudaSuccess) result = exchange(parts, op);
    return result == cudaSuccess ? scan_seeded_parts(parts, op) : result;
}

}  // namespace trial
