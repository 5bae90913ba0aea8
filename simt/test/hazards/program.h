// A bench of small programs: for every kind of order a correct kernel and its faulty twins. Each program says
// what a checker should find. All run on the SIMT machine and, one at a time, on a GPU.
//
// What orders two accesses is PTX's memory model: a block barrier, __syncwarp, an mbarrier, a launch, or a
// release pattern (a fence, then a strong write) that an acquire pattern observes (a strong read, then a
// fence), where the scopes of both fences include both threads. Strong is a volatile, relaxed or atomic
// access. Two accesses to one byte race if at least one writes, not both are strong, and nothing orders them,
// in whatever order they happened to run. So a verdict does not depend on the schedule, but for what a
// program does in some schedules only (schedules.cu). A faulty program initialises all memory that its race
// may read too early: it has one fault, not two.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/launch.cuh"

using namespace trial;

namespace hazards {

enum class Expected {
    clean,
    race,
    same_value,       // a race of writes that write what is there already
    first_read,       // a race of a plain read and atomics, which an atomicCAS by the reader checks
    missing_acquire,  // ordered but for the acquiring fence
    uninitialised_read,
    out_of_bounds,
    misaligned,
    host_access,    // by the host, to memory of the device
    ignored_error,  // of a call
    divergent_barrier,
    divergent_warp,
    block_lifetime,  // of a block whose shared memory another one accesses
    deadlock,
    misuse,        // of an mbarrier or a bulk copy
    wrong_result,  // no fault of the above by the model, but the result depends on the schedule
};

enum class OnGpu { ends, hangs };

struct Program {
    const char* name;
    Expected expected;
    const char* why;
    std::string (
        *run)();  ///< allocates, launches, returns what is wrong with the result: nothing, if correct
    OnGpu on_gpu = OnGpu::ends;
    const char* kind = "";  ///< of order; the same for all programs of a file
};

inline std::vector<Program>& bench() {
    static std::vector<Program> programs;
    return programs;
}

/// Registers the programs of a file.
struct Bench {
    Bench(const char* kind, std::vector<Program> programs) {
        for (Program& program : programs) {
            program.kind = kind;
            bench().push_back(program);
        }
    }
};

inline void check(cudaError_t error) {
    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

/// A vector on the device.
template <class T>
class Device {
   public:
    /// n uninitialised elements.
    explicit Device(std::size_t n) : size_(n) { check(cudaMalloc(&data_, n * sizeof(T))); }
    explicit Device(const std::vector<T>& values) : Device(values.size()) {
        check(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~Device() { (void)cudaFree(data_); }
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    T* data() { return data_; }
    std::vector<T> read() const {
        std::vector<T> values(size_);
        check(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }

   private:
    T* data_ = nullptr;
    std::size_t size_;
};

template <class T = int>
std::vector<T> zeros(std::size_t n) {
    return std::vector<T>(n);
}

inline std::vector<int> repeated(int n, int value) { return std::vector<int>(n, value); }
inline std::vector<int> reversed(const std::vector<int>& values) { return {values.rbegin(), values.rend()}; }

/// n different values, none of them 0.
inline std::vector<int> some_values(int n) {
    std::vector<int> values;
    for (int i = 0; i < n; ++i) values.push_back(3 * i + 1);
    return values;
}

/// Launch and wait for the end.
template <class... Parameters, class... Arguments>
void run(void (*kernel)(Parameters...), int blocks, int threads, Arguments... arguments) {
    check(launch(kernel, blocks, threads, nullptr, arguments...));
    check(cudaDeviceSynchronize());
}

/// The same with dynamic shared memory.
template <class... Parameters, class... Arguments>
void run_with_memory(void (*kernel)(Parameters...), int blocks, int threads, std::size_t shared_bytes,
                     Arguments... arguments) {
    check(launch_with_shared_memory(kernel, blocks, threads, shared_bytes, nullptr, arguments...));
    check(cudaDeviceSynchronize());
}

/// What is wrong with a result: nothing, if it is as expected.
template <class T>
std::string difference(const std::vector<T>& found, const std::vector<T>& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i)
        if (found[i] != expected[i])
            return "element " + std::to_string(i) + " is " + std::to_string(found[i]) + ", not " +
                   std::to_string(expected[i]);
    return "";
}

/// A launch's argument: a vector goes to the device, and the kernel gets its address.
template <class T>
struct Argument {
    T value;
    explicit Argument(const T& given) : value(given) {}
    T get() { return value; }
    template <class Result>
    void read(Result&) {}
};
template <class T>
struct Argument<std::vector<T>> {
    Device<T> value;
    explicit Argument(const std::vector<T>& given) : value(given) {}
    T* get() { return value.data(); }
    void read(std::vector<T>& result) { result = value.read(); }
    template <class Result>
    void read(Result&) {}
};

/// Launch a kernel, with these arguments. What is wrong with the last vector among them?
template <class T = int, class... Parameters, class... Arguments>
std::string result_of(void (*kernel)(Parameters...), int blocks, int threads, const std::vector<T>& expected,
                      const Arguments&... arguments) {
    std::tuple<Argument<Arguments>...> held(arguments...);
    std::vector<T> result;
    std::apply([&](auto&... each) { run(kernel, blocks, threads, each.get()...), (each.read(result), ...); },
               held);
    return difference(result, expected);
}

}  // namespace hazards
