// Calls by key: a run is consecutive elements with equal keys, compared with ==. Each is one launch and one
// pass, fast/detail/single_pass.
//
//     keys                              1  1  1  3  3  1
//     in                                1  2  3  4  5  6
//     inclusive_scan_by_key   out       1  3  6  4  9  6
//     exclusive_scan_by_key   out       0  1  3  0  4  0          or from a seed in the place of 0
//     reduce_by_key           unique    1        3     1          out  6  9  6       num_runs  3
//     run_length_encode       unique    1        3     1          out  3  2  1       num_runs  3
//     unique_by_key           unique    1        3     1          out  1  4  6       num_selected  3
//
// Iterators: any random-access ones on the device; keys trivially copyable, 1 to 16 bytes. Operators: any
// associative one. Bytes: keys and elements read once, results written once. Results of inexact operators are
// bitwise reproducible on one GPU.
#pragma once
#include <cuda_runtime.h>

#include <type_traits>

#include "kernels/fast/detail/arguments.cuh"
#include "kernels/fast/detail/ranges.cuh"
#include "kernels/fast/detail/run_tasks.cuh"
#include "kernels/fast/detail/scan_tasks.cuh"
#include "kernels/fast/detail/select_task.cuh"
#include "kernels/fast/memory.cuh"
#include "kernels/fast/scan.cuh"
#include "kernels/operators.cuh"

namespace trial {
namespace by_key_detail {

template <Form FORM, class Policy = void>
struct Scan {
    template <class Keys, class In, class Out, class Op>
    cudaError_t operator()(const Memory& memory, Keys keys, In in, Out out, long long n, Op op,
                           cudaStream_t stream) const {
        using V = accumulator_of<In, Op>;
        static_assert(FORM == Form::inclusive || HAS_IDENTITY<Op, V>,
                      "an exclusive scan needs a seed, or an operator with a static identity()");
        return queue(memory, keys, in, out, n, operator_of<In, Op>(op), NoRunSeed<V>{}, stream);
    }
    template <class Keys, class In, class Out, class Op>
    cudaError_t operator()(const Memory& memory, Keys keys, In in, Out out, long long n, Op op,
                           accumulator_of<In, Op> seed, cudaStream_t stream) const {
        using V = accumulator_of<In, Op>;
        return queue(memory, keys, in, out, n, operator_of<In, Op>(op), RunSeed<V>{seed}, stream);
    }

   private:
    template <class Keys, class In, class Out, class Op, class Seed>
    static cudaError_t queue(const Memory& memory, Keys keys, In in, Out out, long long n, Op op, Seed seed,
                             cudaStream_t stream) {
        using Task = ScanByFlagsTask<policy_or<Policy, KeyedScanPass<typename Seed::Value>>, FORM,
                                     KeyFlags<Keys>, In, StoreAll<Out>, Op, Seed>;
        if (n == 0) return cudaSuccess;
        if (n < 0 || !may_hold(keys) || !may_hold(in) || !may_hold(out)) return cudaErrorInvalidValue;
        if (!are_apart(ranges::SCAN_BY_KEY, memory, {{in, n}, {keys, n}, {out, n}}))
            return cudaErrorInvalidValue;
        return run_pass(memory, Task{{keys}, in, {out}, op, seed}, n, stream);
    }
};

}  // namespace by_key_detail

/// inclusive_scan_by_key(memory, keys, in, out, n, op, [seed,] stream): the scan of each run; the seed comes
/// before the first element of each. out may be in, and must not overlap in or keys otherwise.
/// cudaErrorInvalidValue, here and below: n is negative, a pointer is null or not aligned, ranges overlap
/// that must not, or the memory is too small; then nothing is queued.
inline constexpr by_key_detail::Scan<Form::inclusive> inclusive_scan_by_key;
inline constexpr by_key_detail::Scan<Form::exclusive> exclusive_scan_by_key;

/// unique_out[r], out[r]: the key of run r, and its elements combined. *num_runs: their number, of any
/// integer type. Outputs overlap nothing.
template <class Policy = void, class Keys, class In, class UniqueOut, class Out, class Count, class Op>
cudaError_t reduce_by_key(const Memory& memory, Keys keys, In in, UniqueOut unique_out, Out out,
                          Count* num_runs, long long n, Op op, cudaStream_t stream) {
    using V = accumulator_of<In, Op>;
    using Used = operator_of<In, Op>;
    using Task = ReduceByKeyTask<policy_or<Policy, RunsPass>, Keys, UniqueOut, In, Out, V, Used, Count>;
    if (n < 0 || !may_hold(num_runs)) return cudaErrorInvalidValue;
    if (n == 0) return cudaMemsetAsync(num_runs, 0, sizeof(*num_runs), stream);
    if (!may_hold(keys) || !may_hold(in) || !may_hold(unique_out) || !may_hold(out))
        return cudaErrorInvalidValue;
    if (!are_apart(ranges::REDUCE_BY_KEY, memory,
                   {{in, n}, {keys, n}, {unique_out, n}, {out, n}, {num_runs, 1}}))
        return cudaErrorInvalidValue;
    return run_pass(memory, Task{{keys}, unique_out, in, out, num_runs, Used(op)}, n, stream);
}

/// unique_out[r], out[r]: the element of run r, and its length.
template <class Policy = void, class In, class UniqueOut, class LengthsOut, class Count>
cudaError_t run_length_encode(const Memory& memory, In in, UniqueOut unique_out, LengthsOut lengths_out,
                              Count* num_runs, long long n, cudaStream_t stream) {
    using Task =
        RunLengthTask<policy_or<Policy, VectorPass<element_of<In>>>, In, UniqueOut, LengthsOut, Count>;
    if (n < 0 || !may_hold(num_runs)) return cudaErrorInvalidValue;
    if (n == 0) return cudaMemsetAsync(num_runs, 0, sizeof(*num_runs), stream);
    if (!may_hold(in) || !may_hold(unique_out) || !may_hold(lengths_out)) return cudaErrorInvalidValue;
    if (!are_apart(ranges::RUN_LENGTH_ENCODE, memory,
                   {{in, n}, {unique_out, n}, {lengths_out, n}, {num_runs, 1}}))
        return cudaErrorInvalidValue;
    return run_pass(memory, Task{{in}, unique_out, lengths_out, num_runs}, n, stream);
}

/// keys_out[r], out[r]: the first key and the first element of run r.
template <class Policy = void, class Keys, class In, class KeysOut, class Out, class Count>
cudaError_t unique_by_key(const Memory& memory, Keys keys, In in, KeysOut keys_out, Out out,
                          Count* num_selected, long long n, cudaStream_t stream) {
    using K = element_of<Keys>;
    using T = element_of<In>;
    using Own = PairsPass<std::conditional_t<(sizeof(K) > sizeof(T)), K, T>>;
    using Task = SelectTask<policy_or<Policy, Own>, false, KeyFlags<Keys>, KeysOut, In, Out, Count>;
    if (n < 0 || !may_hold(num_selected)) return cudaErrorInvalidValue;
    if (n == 0) return cudaMemsetAsync(num_selected, 0, sizeof(*num_selected), stream);
    if (!may_hold(keys) || !may_hold(in) || !may_hold(keys_out) || !may_hold(out))
        return cudaErrorInvalidValue;
    if (!are_apart(ranges::UNIQUE_BY_KEY, memory,
                   {{in, n}, {keys, n}, {keys_out, n}, {out, n}, {num_selected, 1}}))
        return cudaErrorInvalidValue;
    return run_pass(memory, Task{{keys}, keys_out, in, out, num_selected, n}, n, stream);
}

}  // namespace trial
