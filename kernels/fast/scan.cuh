// Scan of any vector on the device, by the algorithm that suits its length. This is the header to include.
//
//     Workspace workspace(scan_bytes<float>(n));
//     CallResult result = inclusive_scan(workspace, in, out, n, Sum<float>{}, stream);
//
//     vector        up to what the GPU's registers hold     longer                   compiled for
//     algorithm     fast/detail/scan_one_wave               fast/detail/scan_ring    sm_90 or newer
//                   textbook/device/scan_look_back          the same                 older
//
// Elements: trivially copyable, default-constructible, 1 to 16 bytes. Operators: as in kernels/operators.cuh,
// any associative one; the neutral element is only the first value of an exclusive scan without a seed, never
// an operand. Vectors: of any length, at any address aligned for the element; `out` may be `in`, but must not
// overlap it otherwise. A call is one launch, which writes only `out` and the workspace, and which a CUDA
// graph may capture. By one wave and ring, float results are bitwise reproducible for the same n and
// alignment on one GPU. By look-back they need not be, a memset clears the statuses, and calls that overlap
// go unnoticed.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "kernels/call_result.cuh"
#include "kernels/fast/detail/scan_policies.cuh"
#include "kernels/fast/detail/scan_problem.cuh"
#include "kernels/fast/detail/workspace.cuh"
#include "kernels/launch.cuh"
#include "kernels/textbook/device/scan_look_back.cuh"
#include "kernels/tile.cuh"

/// The value combined before in[0]: known to the host, or read on the device when the kernel starts, if it
/// exists there. Converts from either.
template <class T>
struct Seed {
    using Itself = Seed;  ///< a parameter of this type is converted, not deduced
    Seed(T seed) : value{seed, true} {}
    Seed(const Prefix<T>* place) : at(place) {}

    Prefix<T> value = {{}, false};
    const Prefix<T>* at = nullptr;
};

namespace scan_detail {

/// The workspace on GPUs without bulk copies: a ticket counter, and the statuses of the tiles.
inline constexpr int LOOK_BACK_THREADS = 256;
template <class T>
std::size_t look_back_bytes(long long n) {
    const long long statuses = ceil_div(n, look_back_items<T>() * LOOK_BACK_THREADS);
    return (1 + statuses * TileStatus<T>::WORDS) * sizeof(typename TileStatus<T>::Word);
}

}  // namespace scan_detail

/// Bytes of a workspace for scans of up to n elements of T, n >= 0, on any device. See the top of this file.
template <class T>
std::size_t scan_bytes(long long n) {
    constexpr long long MAX_WAVE_TILES = WavePolicies<T>::Small::template Tiles<T>::MAX_TILES;
    return std::max({Workspace::bytes<T>(MAX_WAVE_TILES), ring_bytes<RingPolicy<T>>(n),
                     ring_bytes<SmallRingPolicy<T>>(n),
                     Workspace::bytes<T>(0) + scan_detail::look_back_bytes<T>(n)});
}

namespace scan_detail {

/// Resident blocks that hold n elements in one wave; 0 if the GPU cannot hold as many blocks.
template <class Policy, class T>
long long wave_blocks(const Workspace& workspace, long long n) {
    using Tiles = typename Policy::template Tiles<T>;
    const long long blocks = ceil_div(n, Tiles::TILE);
    return blocks > Tiles::MAX_TILES || blocks > 1LL * workspace.multiprocessors() * Policy::BLOCKS ? 0
                                                                                                    : blocks;
}

/// Launch one wave if its tiles hold the vector. Returns whether they do; if so, `result` is set.
template <class Policy, Form FORM, class T, class Op, class Exchange>
bool one_wave(const Workspace& workspace, const ScanProblem<T>& problem, Op op, cudaStream_t stream,
              CallResult& result, const Exchange& exchange) {
    using Tiles = typename Policy::template Tiles<T>;
    const long long blocks = wave_blocks<Policy, T>(workspace, problem.n);
    if (blocks == 0) return false;
    const auto kernel = problem.in == problem.out
                            ? scan_one_wave<Policy, FORM, true, Tiles, T, Op, Exchange>
                            : scan_one_wave<Policy, FORM, false, Tiles, T, Op, Exchange>;
    result =
        result_of(launch(kernel, blocks, Tiles::THREADS, stream, problem, workspace.words(), op, exchange));
    return true;
}

/// Launch the smallest wave that holds the vector. Returns whether there is one; if so, `result` is set.
template <Form FORM, class T, class Op, class Exchange>
bool any_wave(const Workspace& workspace, const ScanProblem<T>& problem, Op op, cudaStream_t stream,
              CallResult& result, const Exchange& exchange) {
    using Policies = WavePolicies<T>;
    return one_wave<typename Policies::Small, FORM>(workspace, problem, op, stream, result, exchange) ||
           one_wave<typename Policies::Medium, FORM>(workspace, problem, op, stream, result, exchange) ||
           one_wave<typename Policies::Large, FORM>(workspace, problem, op, stream, result, exchange);
}

template <class Policy, bool IN_WORDS, Form FORM, class T, class Op>
CallResult ring(const Workspace& workspace, const ScanProblem<T>& problem, Op op, cudaStream_t stream) {
    using Tiles = typename Policy::template Tiles<IN_WORDS>;
    using Memory = Ring<Policy, Tiles, T>;
    const auto kernel = scan_ring<Policy, FORM, Tiles, T, Op>;
    const cudaError_t status =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Memory));
    if (status != cudaSuccess) return CallResult::cuda_error;
    const long long blocks =
        std::min<long long>(workspace.multiprocessors(), Tiles(problem.in, problem.n).count());
    return result_of(launch_with_shared_memory(kernel, blocks, ring_threads<Tiles>(), sizeof(Memory), stream,
                                               problem, workspace.words(), op));
}

/// Shared memory of a block, for tiles of either kind.
template <class Policy, class T>
inline constexpr std::size_t MAX_RING_BYTES =
    std::max(sizeof(Ring<Policy, typename Policy::template Tiles<Policy::HAS_WORD_TILES>, T>),
             sizeof(Ring<Policy, typename Policy::template Tiles<!Policy::HAS_ELEMENT_TILES>, T>));

/// By tiles of whole words if the vector has any, else by tiles of single elements.
template <class Policy, Form FORM, class T, class Op>
CallResult ring(const Workspace& workspace, const ScanProblem<T>& problem, Op op, cudaStream_t stream) {
    if constexpr (!Policy::HAS_WORD_TILES) {
        return ring<Policy, false, FORM>(workspace, problem, op, stream);
    } else {
        if constexpr (Policy::HAS_ELEMENT_TILES) {
            if (reinterpret_cast<std::uintptr_t>(problem.in) % sizeof(T) != 0)
                return ring<Policy, false, FORM>(workspace, problem, op, stream);
        }
        return ring<Policy, true, FORM>(workspace, problem, op, stream);
    }
}

template <Form FORM, class T, class Op>
CallResult look_back(const Workspace& workspace, const ScanProblem<T>& problem, Op op, cudaStream_t stream) {
    constexpr int ITEMS_PER_THREAD = look_back_items<T>(), THREADS = LOOK_BACK_THREADS;
    auto* const words = static_cast<typename TileStatus<T>::Word*>(workspace.memory());
    if (cudaMemsetAsync(words, 0, look_back_bytes<T>(problem.n), stream) != cudaSuccess)
        return CallResult::cuda_error;
    return result_of(launch(scan_look_back<FORM, ITEMS_PER_THREAD, THREADS, T, Op, ScanProblem<T>>,
                            ceil_div(problem.n, ITEMS_PER_THREAD * THREADS), THREADS, stream, problem.in,
                            problem.out, problem.n, TileStatus<T>(words + 1), words, op, problem));
}

template <Form FORM, class T, class Op>
CallResult scan(const Workspace& workspace, const ScanProblem<T>& problem, Op op, cudaStream_t stream) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 16, "elements are copied as <= 16 bytes");
    CallResult result = workspace.check(problem.n, scan_bytes<T>);
    if (result != CallResult::success || problem.n == 0) return result;
    if (!workspace.has_bulk_copies()) return look_back<FORM>(workspace, problem, op, stream);
    if (any_wave<FORM>(workspace, problem, op, stream, result, NoExchange{})) return result;
    using Policy = RingPolicy<T>;
    return workspace.shared_bytes() >= MAX_RING_BYTES<Policy, T>
               ? ring<Policy, FORM>(workspace, problem, op, stream)
               : ring<SmallRingPolicy<T>, FORM>(workspace, problem, op, stream);
}

/// The function objects inclusive_scan and exclusive_scan.
template <Form FORM>
struct Scan {
    template <class T, class Op>
    CallResult operator()(const Workspace& workspace, const T* in, T* out, long long n, Op op,
                          cudaStream_t stream) const {
        return scan<FORM>(workspace, ScanProblem<T>{in, out, n, {{}, false}}, op, stream);
    }
    template <class T, class Op>
    CallResult operator()(const Workspace& workspace, const T* in, T* out, long long n, Op op,
                          typename Seed<T>::Itself seed, cudaStream_t stream) const {
        return scan<FORM>(workspace, ScanProblem<T>{in, out, n, seed.value, seed.at}, op, stream);
    }
};

}  // namespace scan_detail

/// On the device, for 0 <= i < n:
///     inclusive_scan(workspace, in, out, n, op, stream)          out[i] = in[0] op .. op in[i]
///     inclusive_scan(workspace, in, out, n, op, seed, stream)    out[i] = seed op in[0] op .. op in[i]
inline constexpr scan_detail::Scan<Form::inclusive> inclusive_scan;

/// The same up to in[i - 1]: out[0] is the seed, or the neutral element.
inline constexpr scan_detail::Scan<Form::exclusive> exclusive_scan;
