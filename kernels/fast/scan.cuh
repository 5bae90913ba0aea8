// Scan of any vector on the device, by the algorithm that suits its length. This is the header to include.
//
//     trial::Workspace workspace(trial::scan_bytes<float>(n), stream);
//     cudaError_t status = trial::inclusive_scan(workspace, in, out, n, trial::Sum<float>{}, stream);
//
//     vector        up to what the GPU's registers hold     longer                   compiled for
//     algorithm     fast/detail/scan_one_wave               fast/detail/scan_ring    sm_90 or newer
//                   fast/detail/scan_look_back_seeded       the same                 older
//
// Elements: trivially copyable, default-constructible, 1 to 16 bytes. Operators: any associative one, see
// kernels/operators.cuh; the neutral element is only the first value of an exclusive scan without a seed,
// never an operand. Vectors: of any length, at any address aligned for the element; `out` may be `in`, but
// must not overlap it otherwise. A call is one launch, which writes only `out` and the memory, and which a
// CUDA graph may capture; on plain bytes a memset precedes it. By one wave and ring, float results are
// bitwise reproducible for the same n and alignment on one GPU. By look-back they need not be, and a memset
// clears the statuses.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "kernels/fast/detail/arguments.cuh"
#include "kernels/fast/detail/device.cuh"
#include "kernels/fast/detail/operation.cuh"
#include "kernels/fast/detail/ranges.cuh"
#include "kernels/fast/detail/scan_look_back_seeded.cuh"
#include "kernels/fast/detail/scan_policies.cuh"
#include "kernels/fast/detail/scan_problem.cuh"
#include "kernels/fast/detail/scan_tasks.cuh"
#include "kernels/fast/memory.cuh"
#include "kernels/launch.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// The value combined before in[0]: known to the host, or read on the device when the kernel starts, if it
/// exists there. Converts from either.
template <class T>
struct Seed {
    using Itself = Seed;  ///< a parameter of this type is converted, not deduced
    Seed(T seed) : value{seed, true} {}
    /// Of what converts to T: a literal 0 is one, and no pointer.
    template <class V, class = std::enable_if_t<std::is_arithmetic_v<V> && std::is_convertible_v<V, T>>>
    Seed(V seed) : value{static_cast<T>(seed), true} {}
    Seed(const Prefix<T>* place) : at(place) {}

    Prefix<T> value = {{}, false};
    const Prefix<T>* at = nullptr;
};

namespace scan_detail {

/// The words on GPUs without bulk copies: a ticket counter, and the statuses of the tiles.
inline constexpr int LOOK_BACK_THREADS = 256;
template <class T>
std::size_t look_back_bytes(long long n) {
    const long long statuses = ceil_div(n, seeded_look_back_items<T>() * LOOK_BACK_THREADS);
    return (1 + statuses * ChainStatus<T>::WORDS) * sizeof(typename ChainStatus<T>::Word);
}

}  // namespace scan_detail

/// Bytes that scans of up to n elements of T need, n >= 0, on any device.
template <class T>
std::size_t scan_bytes(long long n) {
    constexpr long long MAX_WAVE_TILES = WavePolicies<T>::Small::template Tiles<T>::MAX_TILES;
    return std::max({bytes_of_words<T>(MAX_WAVE_TILES), ring_bytes<RingPolicy<T>>(n),
                     ring_bytes<SmallRingPolicy<T>>(n), CONTROL_BYTES + scan_detail::look_back_bytes<T>(n)});
}

namespace scan_detail {

/// Where and how one scan is queued.
struct Place {
    const Memory& memory;
    std::size_t bytes;  ///< that it needs
    const Device& device;
    cudaStream_t stream;
};

/// Resident blocks that hold n elements in one wave; 0 if the GPU cannot hold as many blocks.
template <class Policy, class T>
long long wave_blocks(const Device& device, long long n) {
    using Tiles = typename Policy::template Tiles<T>;
    const long long blocks = ceil_div(n, Tiles::TILE);
    return blocks > Tiles::MAX_TILES || blocks > 1LL * device.multiprocessors * Policy::BLOCKS ? 0 : blocks;
}

/// Queue one wave if its tiles hold the vector. Returns whether they do; if so, `status` is set.
template <class Policy, Form FORM, class T, class Op, class Exchange>
bool one_wave(const Place& place, const ScanProblem<T>& problem, Op op, cudaError_t& status,
              const Exchange& exchange) {
    using Tiles = typename Policy::template Tiles<T>;
    const long long blocks = wave_blocks<Policy, T>(place.device, problem.n);
    if (blocks == 0) return false;
    VersionedWords words;
    status = place.memory.words(place.bytes, place.stream, words);
    if (status != cudaSuccess) return true;
    const auto kernel = problem.in == problem.out
                            ? scan_one_wave<Policy, FORM, true, Tiles, T, Op, Exchange>
                            : scan_one_wave<Policy, FORM, false, Tiles, T, Op, Exchange>;
    status = launch(kernel, static_cast<unsigned>(blocks), Tiles::THREADS, place.stream, problem, words, op,
                    exchange);
    return true;
}

/// Queue the smallest wave that holds the vector. Returns whether there is one; if so, `status` is set.
template <Form FORM, class T, class Op, class Exchange>
bool any_wave(const Place& place, const ScanProblem<T>& problem, Op op, cudaError_t& status,
              const Exchange& exchange) {
    using Policies = WavePolicies<T>;
    return one_wave<typename Policies::Small, FORM>(place, problem, op, status, exchange) ||
           one_wave<typename Policies::Medium, FORM>(place, problem, op, status, exchange) ||
           one_wave<typename Policies::Large, FORM>(place, problem, op, status, exchange);
}

template <class Policy, bool IN_WORDS, Form FORM, class T, class Op>
cudaError_t ring(const Place& place, const ScanProblem<T>& problem, Op op) {
    using Tiles = typename Policy::template Tiles<IN_WORDS>;
    static SharedMemoryLeave leave;
    VersionedWords words;
    const cudaError_t status = place.memory.words(place.bytes, place.stream, words);
    if (status != cudaSuccess) return status;
    return queue_ring<Tiles, Ring<Policy, Tiles, T>>(scan_ring<Policy, FORM, Tiles, T, Op>, leave,
                                                     place.device, place.stream, problem, words, op);
}

/// Shared memory of a block, for tiles of either kind.
template <class Policy, class T>
inline constexpr std::size_t MAX_RING_BYTES =
    std::max(sizeof(Ring<Policy, typename Policy::template Tiles<Policy::HAS_WORD_TILES>, T>),
             sizeof(Ring<Policy, typename Policy::template Tiles<!Policy::HAS_ELEMENT_TILES>, T>));

template <class Policy, Form FORM, class T, class Op>
cudaError_t ring(const Place& place, const ScanProblem<T>& problem, Op op) {
    return by_kind_of_tiles<Policy>(problem.in, [&](auto in_words) {
        return ring<Policy, decltype(in_words)::value, FORM>(place, problem, op);
    });
}

template <Form FORM, class T, class Op>
cudaError_t look_back(const Place& place, const ScanProblem<T>& problem, Op op) {
    constexpr int ITEMS_PER_THREAD = seeded_look_back_items<T>(), THREADS = LOOK_BACK_THREADS;
    auto* const words = static_cast<typename ChainStatus<T>::Word*>(place.memory.after_control());
    const cudaError_t status = cudaMemsetAsync(words, 0, look_back_bytes<T>(problem.n), place.stream);
    if (status != cudaSuccess) return status;
    return launch(scan_look_back_seeded<FORM, ITEMS_PER_THREAD, THREADS, T, Op, ScanProblem<T>>,
                  static_cast<unsigned>(ceil_div(problem.n, ITEMS_PER_THREAD * THREADS)), THREADS,
                  place.stream, problem.in, problem.out, problem.n, ChainStatus<T>(words + 1), words, op,
                  problem);
}

/// queue(place) queues the scan, if the arguments allow one.
template <class T, class Queue>
cudaError_t with_place(const Memory& memory, const ScanProblem<T>& problem, cudaStream_t stream,
                       Queue queue) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 16, "elements are copied as <= 16 bytes");
    const long long n = problem.n;
    if (n == 0) return cudaSuccess;
    if (n < 0 || !may_hold(problem.in) || !may_hold(problem.out)) return cudaErrorInvalidValue;
    if (!are_apart(ranges::SCAN, memory, {{problem.in, n}, {problem.seed_at, 1}, {problem.out, n}}))
        return cudaErrorInvalidValue;
    Device device;
    cudaError_t status = Device::current(device);
    if (status != cudaSuccess) return status;
    const std::size_t bytes = scan_bytes<T>(n);
    status = memory.check(bytes, device.ordinal);
    if (status != cudaSuccess) return status;
    return queue(Place{memory, bytes, device, stream});
}

template <Form FORM, class T, class Op>
cudaError_t scan(const Memory& memory, const ScanProblem<T>& problem, Op op, cudaStream_t stream) {
    return with_place(memory, problem, stream, [&](const Place& place) {
        if (!place.device.has_bulk_copies) return look_back<FORM>(place, problem, op);
        cudaError_t status = cudaSuccess;
        if (any_wave<FORM>(place, problem, op, status, NoExchange{})) return status;
        using Policy = RingPolicy<T>;
        return place.device.shared_bytes >= static_cast<int>(MAX_RING_BYTES<Policy, T>)
                   ? ring<Policy, FORM>(place, problem, op)
                   : ring<SmallRingPolicy<T>, FORM>(place, problem, op);
    });
}

/// Whether in and out are plain vectors of what is combined.
template <class In, class Out, class V>
inline constexpr bool ARE_VECTORS =
    std::is_pointer_v<In> && std::is_same_v<Out, V*> && std::is_same_v<element_of<In>, V>;

/// Policy: void, or of the pass that scans iterators, which then scans vectors as well.
template <Form FORM, class Policy, class In, class Out, class V, class Op>
cudaError_t scan_any(const Memory& memory, const In& in, const Out& out, long long n, Op op, Prefix<V> seed,
                     const Prefix<V>* seed_at, cudaStream_t stream) {
    if constexpr (ARE_VECTORS<In, Out, V> && sizeof(V) <= 16 && std::is_void_v<Policy>) {
        return scan<FORM>(memory, ScanProblem<V>{in, out, n, seed, seed_at}, op, stream);
    } else {
        using Task = ScanTask<policy_or<Policy, IteratorPass<V>>, FORM, In, Out, V, Op>;
        if (n == 0) return cudaSuccess;
        if (n < 0 || !may_hold(in) || !may_hold(out)) return cudaErrorInvalidValue;
        if (!are_apart(ranges::SCAN, memory, {{in, n}, {seed_at, 1}, {out, n}})) return cudaErrorInvalidValue;
        return run_pass(memory, Task{in, out, op, seed, seed_at}, n, stream);
    }
}

/// The function objects inclusive_scan and exclusive_scan.
template <Form FORM, class Policy = void>
struct Scan {
    template <class In, class Out, class Op>
    cudaError_t operator()(const Memory& memory, In in, Out out, long long n, Op op,
                           cudaStream_t stream) const {
        using V = accumulator_of<In, Op>;
        static_assert(FORM == Form::inclusive || HAS_IDENTITY<Op, V>,
                      "an exclusive scan needs a seed, or an operator with a static identity()");
        return scan_any<FORM, Policy, In, Out, V>(memory, in, out, n, operator_of<In, Op>(op), {{}, false},
                                                  nullptr, stream);
    }
    template <class In, class Out, class Op>
    cudaError_t operator()(const Memory& memory, In in, Out out, long long n, Op op,
                           typename Seed<accumulator_of<In, Op>>::Itself seed, cudaStream_t stream) const {
        using V = accumulator_of<In, Op>;
        return scan_any<FORM, Policy, In, Out, V>(memory, in, out, n, operator_of<In, Op>(op), seed.value,
                                                  seed.at, stream);
    }
    template <class In, class Out, class N, class Op>
    cudaError_t operator()(const Memory& memory, In in, Out out, OnDevice<N> n, Op op,
                           cudaStream_t stream) const {
        using V = accumulator_of<In, Op>;
        static_assert(FORM == Form::inclusive || HAS_IDENTITY<Op, V>,
                      "an exclusive scan needs a seed, or an operator with a static identity()");
        return on_device<In, Out, V>(memory, in, out, n, operator_of<In, Op>(op), {{}, false}, nullptr,
                                     stream);
    }
    template <class In, class Out, class N, class Op>
    cudaError_t operator()(const Memory& memory, In in, Out out, OnDevice<N> n, Op op,
                           typename Seed<accumulator_of<In, Op>>::Itself seed, cudaStream_t stream) const {
        using V = accumulator_of<In, Op>;
        return on_device<In, Out, V>(memory, in, out, n, operator_of<In, Op>(op), seed.value, seed.at,
                                     stream);
    }

   private:
    template <class In, class Out, class V, class N, class Op>
    static cudaError_t on_device(const Memory& memory, const In& in, const Out& out, OnDevice<N> n, Op op,
                                 Prefix<V> seed, const Prefix<V>* seed_at, cudaStream_t stream) {
        using Task = ScanTask<policy_or<Policy, IteratorPass<V>>, FORM, In, Out, V, Op>;
        if (n.most == 0) return cudaSuccess;
        if (n.most < 0 || !may_hold(n.at) || !may_hold(in) || !may_hold(out)) return cudaErrorInvalidValue;
        if (!are_apart(ranges::SCAN, memory, {{in, n.most}, {seed_at, 1}, {out, n.most}}) ||
            !are_apart(ranges::SCAN, memory, {{}, {n.at, 1}, {out, n.most}}))
            return cudaErrorInvalidValue;
        return run_pass(memory, Task{in, out, op, seed, seed_at}, n, stream);
    }
};

}  // namespace scan_detail

/// On the device, for 0 <= i < n:
///     inclusive_scan(memory, in, out, n, op, stream)          out[i] = in[0] op .. op in[i]
///     inclusive_scan(memory, in, out, n, op, seed, stream)    out[i] = seed op in[0] op .. op in[i]
/// in, out: any random-access iterators on the device. Pointers to what is combined take the kernels named at
/// the top of this file; all else fast/detail/single_pass.
/// n may be OnDevice{n_at, most}: the device reads it when it scans, by fast/detail/single_pass also vectors;
/// memory and places suffice for `most` elements.
/// cudaErrorInvalidValue: n is negative, a pointer is null or not aligned, ranges overlap that must not, or
/// the memory is too small; then nothing is queued.
inline constexpr scan_detail::Scan<Form::inclusive> inclusive_scan;

/// The same up to in[i - 1]: out[0] is the seed, or the neutral element.
inline constexpr scan_detail::Scan<Form::exclusive> exclusive_scan;

}  // namespace trial
