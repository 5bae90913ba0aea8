// What the host does by itself: it accesses memory, and looks at errors.
#include <atomic>

#include "simt/test/hazards/program.h"

namespace {
using namespace hazards;

constexpr int N = 64;

__global__ void fill(int* out, int value) { out[threadIdx.x] = value; }
__global__ void copy(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void signal(int* data, int* flag) {
    data[threadIdx.x] = 42;
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch_system(flag, 1);
}

/// Memory that both may access.
class Both {
   public:
    enum Kind { managed, pinned };
    Both(Kind kind, std::size_t n) : kind_(kind) {
        check(kind == managed ? cudaMallocManaged(&data_, n * sizeof(int))
                              : cudaMallocHost(&data_, n * sizeof(int)));
        for (std::size_t i = 0; i < n; ++i) data_[i] = 1;
    }
    ~Both() { (void)(kind_ == managed ? cudaFree(data_) : cudaFreeHost(data_)); }
    Both(const Both&) = delete;
    Both& operator=(const Both&) = delete;
    int* data() { return data_; }
    int& operator[](int i) { return data_[i]; }

   private:
    Kind kind_;
    int* data_ = nullptr;
};

class Stream {
   public:
    Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~Stream() { (void)cudaStreamDestroy(stream_); }
    operator cudaStream_t() const { return stream_; }

   private:
    cudaStream_t stream_ = nullptr;
};

/// A pointer to the device's memory.
template <bool DEREFERENCED, bool WRITES>
std::string run_device_pointer() {
    Device<int> vector(some_values(N));
    int value = 5;
    if (DEREFERENCED && WRITES) vector.data()[3] = value;
    if (DEREFERENCED && !WRITES) value = vector.data()[3];
    if (!DEREFERENCED && WRITES)
        check(cudaMemcpy(vector.data() + 3, &value, sizeof value, cudaMemcpyHostToDevice));
    if (!DEREFERENCED && !WRITES)
        check(cudaMemcpy(&value, vector.data() + 3, sizeof value, cudaMemcpyDeviceToHost));
    return value == (WRITES ? 5 : 10) ? "" : "another value";
}

enum class Wait { nothing, device, stream, other_stream, event, event_too_early, query };

void wait(Wait how, cudaStream_t stream, cudaStream_t other, cudaEvent_t event) {
    if (how == Wait::device) check(cudaDeviceSynchronize());
    if (how == Wait::stream) check(cudaStreamSynchronize(stream));
    if (how == Wait::other_stream) check(cudaStreamSynchronize(other));
    if (how == Wait::event || how == Wait::event_too_early) check(cudaEventSynchronize(event));
    while (how == Wait::query && cudaStreamQuery(stream) == cudaErrorNotReady) continue;
}

enum class Work { launch_writes, launch_reads, copy_reads, copy_writes, fills };
enum class Access { read, write, write_elsewhere };

/// Work that the host does not wait for, or does, before its access to what that uses.
template <Work WORK, Access ACCESS, Wait WAIT, Both::Kind KIND>
std::string run_shared_memory() {
    Both both(KIND, 2 * N);
    Device<int> vector(zeros(N));
    Stream stream, other;
    cudaEvent_t event;
    check(cudaEventCreate(&event));
    if (WAIT == Wait::event_too_early) check(cudaEventRecord(event, stream));
    constexpr std::size_t BYTES = N * sizeof(int);
    if (WORK == Work::launch_writes) check(launch(fill, 1, N, stream, both.data(), 1));
    if (WORK == Work::launch_reads)
        check(launch(copy, 1, N, stream, static_cast<const int*>(both.data()), vector.data()));
    if (WORK == Work::copy_reads)
        check(cudaMemcpyAsync(vector.data(), both.data(), BYTES, cudaMemcpyHostToDevice, stream));
    if (WORK == Work::copy_writes)
        check(cudaMemcpyAsync(both.data(), vector.data(), BYTES, cudaMemcpyDeviceToHost, stream));
    if (WORK == Work::fills) check(cudaMemsetAsync(both.data(), 0, BYTES, stream));
    if (WAIT == Wait::event) check(cudaEventRecord(event, stream));
    wait(WAIT, stream, other, event);
    int seen = 1;
    if (ACCESS == Access::read) seen = both[3];
    if (ACCESS == Access::write) both[3] = 7;
    if (ACCESS == Access::write_elsewhere) both[N] = 7;
    check(cudaDeviceSynchronize());
    check(cudaEventDestroy(event));
    return seen < 0 ? "another value" : "";
}

/// The host may change memory of its own as soon as the call returns: it was copied before.
std::string run_pageable() {
    std::vector<int> values = some_values(N);
    Device<int> vector(zeros(N));
    Stream stream;
    check(cudaMemcpyAsync(vector.data(), values.data(), N * sizeof(int), cudaMemcpyHostToDevice, stream));
    values.assign(N, 0);
    check(cudaDeviceSynchronize());
    return difference(vector.read(), some_values(N));
}

/// A kernel signals that data is there; the host waits for that, or does not.
template <bool WAITS>
std::string run_signal() {
    Both data(Both::pinned, N), flag(Both::pinned, 1);
    flag[0] = 0;
    signal<<<1, N>>>(data.data(), flag.data());
    check(cudaGetLastError());
    while (WAITS && __atomic_load_n(flag.data(), __ATOMIC_ACQUIRE) == 0) continue;
    const int seen = *static_cast<volatile int*>(data.data() + 5);
    check(cudaDeviceSynchronize());
    return !WAITS || seen == 42 ? "" : "too early";
}

/// A host function of the stream tells the host, after the launch or before it.
template <bool AFTER>
std::string run_host_function() {
    Both both(Both::pinned, N);
    Stream stream;
    std::atomic<bool> is_told{false};
    const auto tell = [](void* told) { *static_cast<std::atomic<bool>*>(told) = true; };
    if (!AFTER) check(cudaLaunchHostFunc(stream, tell, &is_told));
    check(launch(fill, 1, N, stream, both.data(), 42));
    if (AFTER) check(cudaLaunchHostFunc(stream, tell, &is_told));
    while (!is_told) continue;
    const int seen = both[3];
    check(cudaDeviceSynchronize());
    return seen == 42 || (!AFTER && seen == 1) ? "" : "another value";
}

/// Memory is freed in the order of a stream, which is the launch's or not.
enum class Freed { in_stream, in_other_stream, after_event };
template <Freed FREED>
std::string run_freed() {
    Stream stream, other;
    int* memory = nullptr;
    cudaEvent_t event;
    check(cudaEventCreate(&event));
    check(cudaMallocAsync(&memory, N * sizeof(int), stream));
    check(launch(fill, 1, N, stream, memory, 1));
    check(cudaEventRecord(event, stream));
    if (FREED == Freed::after_event) check(cudaStreamWaitEvent(other, event, 0));
    check(cudaFreeAsync(memory, FREED == Freed::in_stream ? stream : other));
    check(cudaDeviceSynchronize());
    check(cudaEventDestroy(event));
    return "";
}

/// Two copies to one place, in one stream, in two, or in two that an event orders.
enum class Two { one_stream, unordered, event };
template <Two TWO>
std::string run_two_copies() {
    Stream stream, other;
    Device<int> first(some_values(N)), second(zeros(N)), target(zeros(N));
    cudaEvent_t event;
    check(cudaEventCreate(&event));
    constexpr std::size_t BYTES = N * sizeof(int);
    check(cudaMemcpyAsync(target.data(), first.data(), BYTES, cudaMemcpyDeviceToDevice, stream));
    check(cudaEventRecord(event, stream));
    if (TWO == Two::event) check(cudaStreamWaitEvent(other, event, 0));
    check(cudaMemcpyAsync(target.data(), second.data(), BYTES, cudaMemcpyDeviceToDevice,
                          TWO == Two::one_stream ? stream : other));
    check(cudaDeviceSynchronize());
    check(cudaEventDestroy(event));
    return TWO == Two::unordered ? "" : difference(target.read(), zeros(N));
}

/// What a stream did that is destroyed: the device is waited for, or not.
template <bool WAITS>
std::string run_destroyed_stream() {
    Both both(Both::managed, N);
    {
        Stream stream;
        check(launch(fill, 1, N, stream, both.data(), 42));
    }
    if (WAITS) check(cudaDeviceSynchronize());
    const int seen = *static_cast<volatile int*>(both.data() + 1);
    check(cudaDeviceSynchronize());
    return !WAITS || seen == 42 ? "" : "too early";
}

enum class Looks { never, at_the_call, later, by_if };

/// A copy of more than was allocated fails.
template <Looks LOOKS>
std::string run_failing_copy() {
    Device<int> vector(zeros(N));
    std::vector<int> values(2 * N);
    const std::size_t bytes = 2 * N * sizeof(int);
    bool has_failed = true;
    if (LOOKS == Looks::never) {
        cudaMemcpy(vector.data(), values.data(), bytes, cudaMemcpyHostToDevice);
    } else if (LOOKS == Looks::at_the_call) {
        const cudaError_t error = cudaMemcpy(vector.data(), values.data(), bytes, cudaMemcpyHostToDevice);
        has_failed = error == cudaErrorInvalidValue;
    } else if (LOOKS == Looks::by_if) {
        if (cudaMemcpy(vector.data(), values.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess)
            has_failed = false;
    } else {
        cudaMemcpy(vector.data(), values.data(), bytes, cudaMemcpyHostToDevice);
        has_failed = cudaGetLastError() == cudaErrorInvalidValue;
    }
    return has_failed ? "" : "it does not fail";
}

/// A block of 2,048 threads.
template <Looks LOOKS>
std::string run_failing_launch() {
    Device<int> vector(zeros(2048));
    fill<<<1, 2048>>>(vector.data(), 1);
    if (LOOKS == Looks::later) return cudaGetLastError() == cudaErrorInvalidValue ? "" : "it does not fail";
    return "";
}

/// More shared memory than a launch may have unless the kernel's attribute says so.
__global__ void use_much(int* out) {
    extern __shared__ int much[];
    much[threadIdx.x] = int(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = much[blockDim.x - 1 - threadIdx.x];
}
template <bool ALLOWED>
std::string run_use_much() {
    constexpr int BYTES = 64 << 10;
    Device<int> vector(zeros(N));
    if (ALLOWED) check(cudaFuncSetAttribute(use_much, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
    use_much<<<1, N, BYTES>>>(vector.data());
    return ALLOWED && vector.read()[0] != N - 1 ? "another value" : "";
}

constexpr Both::Kind MANAGED = Both::managed, PINNED = Both::pinned;

const Bench host(
    "host",
    {
        {"device_pointer_read", Expected::host_access, "the host cannot read the device's memory",
         run_device_pointer<true, false>},
        {"device_pointer_written", Expected::host_access, "nor write it", run_device_pointer<true, true>},
        {"device_pointer_copied", Expected::clean, "a copy reads it", run_device_pointer<false, false>},
        {"device_pointer_copied_to", Expected::clean, "a copy writes it", run_device_pointer<false, true>},

        {"managed_read_waits", Expected::clean, "the host waits for the device",
         run_shared_memory<Work::launch_writes, Access::read, Wait::device, MANAGED>},
        {"managed_read", Expected::race, "nothing waits for the launch",
         run_shared_memory<Work::launch_writes, Access::read, Wait::nothing, MANAGED>},
        {"managed_read_other_stream", Expected::race, "another stream is waited for",
         run_shared_memory<Work::launch_writes, Access::read, Wait::other_stream, MANAGED>},
        {"managed_read_event", Expected::clean, "the event follows the launch",
         run_shared_memory<Work::launch_writes, Access::read, Wait::event, MANAGED>},
        {"managed_read_early_event", Expected::race, "the event comes before the launch",
         run_shared_memory<Work::launch_writes, Access::read, Wait::event_too_early, MANAGED>},
        {"managed_read_query", Expected::clean, "the host asks until the stream is done",
         run_shared_memory<Work::launch_writes, Access::read, Wait::query, MANAGED>},
        {"managed_write", Expected::race, "the launch writes it, too",
         run_shared_memory<Work::launch_writes, Access::write, Wait::nothing, MANAGED>},
        {"managed_write_waits", Expected::clean, "the host waits for the stream",
         run_shared_memory<Work::launch_writes, Access::write, Wait::stream, MANAGED>},
        {"managed_write_elsewhere", Expected::clean, "the launch does not touch that element",
         run_shared_memory<Work::launch_writes, Access::write_elsewhere, Wait::nothing, MANAGED>},
        {"managed_read_read", Expected::clean, "both read",
         run_shared_memory<Work::launch_reads, Access::read, Wait::nothing, MANAGED>},
        {"managed_write_what_is_read", Expected::race, "the launch may read the new value",
         run_shared_memory<Work::launch_reads, Access::write, Wait::nothing, MANAGED>},
        {"managed_write_what_was_read", Expected::clean, "the host waits",
         run_shared_memory<Work::launch_reads, Access::write, Wait::stream, MANAGED>},
        {"managed_cleared", Expected::race, "nothing waits for the filling",
         run_shared_memory<Work::fills, Access::read, Wait::nothing, MANAGED>},
        {"managed_cleared_waits", Expected::clean, "the host waits",
         run_shared_memory<Work::fills, Access::read, Wait::stream, MANAGED>},

        {"zero_copy_write", Expected::race, "the launch reads it",
         run_shared_memory<Work::launch_reads, Access::write, Wait::nothing, PINNED>},
        {"zero_copy_write_waits", Expected::clean, "the host waits",
         run_shared_memory<Work::launch_reads, Access::write, Wait::stream, PINNED>},
        {"source_changed", Expected::race, "the copy may take the new value",
         run_shared_memory<Work::copy_reads, Access::write, Wait::nothing, PINNED>},
        {"source_changed_later", Expected::clean, "the host waits for the copy",
         run_shared_memory<Work::copy_reads, Access::write, Wait::event, PINNED>},
        {"source_changed_elsewhere", Expected::clean, "the copy does not touch that element",
         run_shared_memory<Work::copy_reads, Access::write_elsewhere, Wait::nothing, PINNED>},
        {"source_read", Expected::clean, "both read",
         run_shared_memory<Work::copy_reads, Access::read, Wait::nothing, PINNED>},
        {"target_read", Expected::race, "the copy may not have written it",
         run_shared_memory<Work::copy_writes, Access::read, Wait::nothing, PINNED>},
        {"target_read_query", Expected::clean, "the host asks until it has",
         run_shared_memory<Work::copy_writes, Access::read, Wait::query, PINNED>},
        {"pageable_source_changed", Expected::clean, "memory that is not pinned is copied at once",
         run_pageable},

        {"host_waits_for_signal", Expected::clean, "the host sees the flag that follows the data",
         run_signal<true>},
        {"host_does_not_wait", Expected::race, "the data may not be there", run_signal<false>},

        {"told_by_host_function", Expected::clean, "the stream calls it after the launch",
         run_host_function<true>},
        {"told_before_the_launch", Expected::race, "it says nothing of the launch", run_host_function<false>},

        {"freed_in_stream", Expected::clean, "the launch comes before", run_freed<Freed::in_stream>},
        {"freed_in_other_stream", Expected::race, "the launch may still use it",
         run_freed<Freed::in_other_stream>},
        {"freed_after_event", Expected::clean, "the event orders the two", run_freed<Freed::after_event>},

        {"two_copies_in_stream", Expected::clean, "one after the other", run_two_copies<Two::one_stream>},
        {"two_copies_in_two_streams", Expected::race, "either may be last", run_two_copies<Two::unordered>},
        {"two_copies_and_event", Expected::clean, "the event orders the two", run_two_copies<Two::event>},

        {"destroyed_stream_waits", Expected::clean, "its work is waited for", run_destroyed_stream<true>},
        {"destroyed_stream", Expected::race, "to destroy a stream waits for nothing",
         run_destroyed_stream<false>},

        {"copy_fails_unseen", Expected::ignored_error, "nobody looks", run_failing_copy<Looks::never>},
        {"copy_fails", Expected::clean, "the result is kept", run_failing_copy<Looks::at_the_call>},
        {"copy_fails_if", Expected::clean, "the result decides", run_failing_copy<Looks::by_if>},
        {"copy_fails_last_error", Expected::clean, "the last error is asked for",
         run_failing_copy<Looks::later>},
        {"launch_fails_unseen", Expected::ignored_error, "nobody looks", run_failing_launch<Looks::never>},
        {"launch_fails", Expected::clean, "the last error is asked for", run_failing_launch<Looks::later>},
        {"much_shared_memory_unseen", Expected::ignored_error, "more than 48 KiB must be allowed",
         run_use_much<false>},
        {"much_shared_memory", Expected::clean, "it is", run_use_much<true>},
    });

}  // namespace
