// The operators and predicates that calls are given: what they yield, and any of them as a const object.
#pragma once
#include <cuda_runtime.h>

#include <type_traits>
#include <utility>

#include "kernels/fast/detail/columns.cuh"

namespace trial {

/// Of a __device__ lambda the host knows neither whether it is const nor, without a trailing return type, its
/// result.
#ifdef __CUDACC_EXTENDED_LAMBDA__
template <class Op>
inline constexpr bool IS_DEVICE_LAMBDA = __nv_is_extended_device_lambda_closure_type(Op);
template <class Op>
inline constexpr bool HIDES_RESULT =
    IS_DEVICE_LAMBDA<Op> && !__nv_is_extended_device_lambda_with_preserved_return_type(Op);
#else
template <class Op>
inline constexpr bool IS_DEVICE_LAMBDA = false;
template <class Op>
inline constexpr bool HIDES_RESULT = false;
#endif

/// An operator whose operator() is not const: each call calls a copy.
template <class Op>
struct CallsCopy : Op {
    CallsCopy(const Op& op) : Op(op) {}
    template <class... Operands>
    __host__ __device__ auto operator()(Operands&&... operands) const {
        Op copy = *this;
        return copy(std::forward<Operands>(operands)...);
    }
};

template <class Op, class... Operands>
constexpr bool needs_copy() {
    if constexpr (IS_DEVICE_LAMBDA<Op>)
        return false;
    else
        return !std::is_invocable_v<const Op&, Operands...> && std::is_invocable_v<Op&, Operands...>;
}
/// What kernels call: the operator itself, or that which calls its copy.
template <class Op, class... Operands>
using callable = std::conditional_t<needs_copy<Op, Operands...>(), CallsCopy<Op>, Op>;

/// What elements are combined to: the result of the operator; of one that hides it their own type.
template <class In, class Op, bool HIDDEN = HIDES_RESULT<Op>>
struct AccumulatorOf {
    static_assert(
        std::is_invocable_v<Op&, element_of<In>, element_of<In>>,
        "the operator cannot be called with two elements; of a __device__ lambda in an iterator, say "
        "what it returns: cuda::proclaim_return_type<T>(..), or -> T");
    using Type = std::decay_t<std::invoke_result_t<Op&, element_of<In>, element_of<In>>>;
    static_assert(!std::is_floating_point_v<element_of<In>> || !std::is_integral_v<Type>,
                  "elements are combined as the operator's result: each float would become an integer first, "
                  "as by Sum<int>. Give an operator of floats, or an iterator that converts");
};
template <class In, class Op>
struct AccumulatorOf<In, Op, true> {
    using Type = element_of<In>;
};
template <class In, class Op>
using accumulator_of = typename AccumulatorOf<In, Op>::Type;

/// Of elements of In.
template <class In, class Op>
using operator_of = callable<Op, element_of<In>, element_of<In>>;
template <class In, class Predicate>
using predicate_of = callable<Predicate, element_of<In>>;

}  // namespace trial
