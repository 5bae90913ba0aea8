// Launches that were written with <<<...>>>. scripts/try rewrites
//
//     kernel<T><<<grid, block, bytes, stream>>>(a, b)
// to
//     simt::kernel([=](auto&... simt_a) { kernel<T>(simt_a...); }).on(grid, block, bytes, stream)(a, b)
//
// so that the kernel may be a template whose arguments are deduced, an overload, or a pointer, and may have
// default arguments. Every kernel's body begins with simt_enter_kernel().
#pragma once
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_functions.h>
#include <vector_types.h>

extern "C" void simt_enter_kernel();
/// The kernel that invoke(call) calls. It is called, and left by an exception at simt_enter_kernel().
const void* simt_find_kernel(void (*invoke)(const void*), const void* call);

/// The array of dynamic shared memory. `extern __shared__ T name[]` in a function becomes a reference to it.
extern thread_local char simt_dynamic_shared[];

namespace simt {

template <class Call>
class Launchable {
   public:
    explicit Launchable(Call call) : call_(call) {}

    Launchable& on(dim3 grid, dim3 block, std::size_t bytes = 0, cudaStream_t stream = nullptr) {
        config_.gridDim = grid;
        config_.blockDim = block;
        config_.dynamicSmemBytes = bytes;
        config_.stream = stream;
        return *this;
    }

    /// Arguments are evaluated once, here.
    template <class... Arguments>
    void operator()(Arguments&&... arguments) {
        using Values = std::tuple<std::decay_t<Arguments>...>;
        struct Bound {
            Call call;
            Values values;
            static void invoke(const void* self) {
                std::apply(static_cast<const Bound*>(self)->call, static_cast<const Bound*>(self)->values);
            }
        };
        const Bound bound{call_, Values(std::forward<Arguments>(arguments)...)};
        simt_launch(simt_find_kernel(&Bound::invoke, &bound), config_, &Bound::invoke, &bound, sizeof(bound));
    }

   private:
    Call call_;
    cudaLaunchConfig_t config_;
};

template <class Call>
Launchable<Call> kernel(Call call) {
    return Launchable<Call>(call);
}

namespace detail {
template <class... Parameters, std::size_t... I>
std::tuple<std::decay_t<Parameters>...> values_at(void** from, std::index_sequence<I...>) {
    return {*static_cast<std::decay_t<Parameters>*>(from[I])...};
}

template <class... Parameters>
cudaError_t launch_with(void (*kernel)(Parameters...), cudaLaunchConfig_t config, void** arguments) {
    struct Bound {
        void (*kernel)(Parameters...);
        std::tuple<std::decay_t<Parameters>...> values;
        static void invoke(const void* self) {
            std::apply(static_cast<const Bound*>(self)->kernel, static_cast<const Bound*>(self)->values);
        }
    };
    const Bound bound{kernel, values_at<Parameters...>(arguments, std::index_sequence_for<Parameters...>())};
    return simt_launch(reinterpret_cast<const void*>(kernel), config, &Bound::invoke, &bound, sizeof(bound));
}
}  // namespace detail
}  // namespace simt

/// `arguments` points to a pointer for each parameter of the kernel. All blocks of a cooperative launch are
/// resident, so that the grid can synchronise.
template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                        void** arguments, std::size_t bytes = 0,
                                        cudaStream_t stream = nullptr) {
    return simt::detail::launch_with(kernel, {grid, block, bytes, stream, nullptr, 0, true}, arguments);
}
template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                             std::size_t bytes = 0, cudaStream_t stream = nullptr) {
    return simt::detail::launch_with(kernel, {grid, block, bytes, stream, nullptr, 0, false}, arguments);
}
