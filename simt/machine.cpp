// The host side: memory, copies, launches, and their recording.
#include <cuda_runtime.h>

#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>

#include "simt/memory.h"
#include "simt/program.h"
#include "simt/simt.h"
#include "simt/source_counts.h"
#include "simt/watchdog.h"
#include "simt/worker.h"

namespace simt {

namespace {

std::uint64_t from_environment(const char* name, std::uint64_t fallback) {
    const char* text = std::getenv(name);
    return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

unsigned cores = 0;
std::uint64_t seed = from_environment("SIMT_SEED", 0);
unsigned resident = unsigned(from_environment("SIMT_RESIDENT", 0));
Recording* recording = nullptr;
bool tracing = false;
bool strict = from_environment("SIMT_STRICT", 0) != 0;
bool uninitialised_reads_allowed = false;
std::int64_t observed_launches = 0;
std::uint32_t blocks_so_far = 1;  // of all launches
cudaError_t last_error = cudaSuccess;
Device device;
std::map<const void*, std::size_t> dynamic_shared;  // by kernel: the most that it may have, if it was set

/// Of the program's first initialisers one may set it.
LaunchObserver& observer() {
    static LaunchObserver current;
    return current;
}

/// The machine's CPU threads: the caller's and `helpers` more, which persist from launch to launch.
class ThreadPool {
   public:
    explicit ThreadPool(unsigned helpers) {
        for (unsigned i = 0; i < helpers; ++i) threads_.emplace_back([this] { run_jobs(); });
    }
    ~ThreadPool() {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            stopping_ = true;
        }
        start_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }

    /// Number of CPU threads that execute a launch of `blocks` blocks.
    unsigned workers(unsigned blocks) const { return blocks > 1 ? unsigned(threads_.size()) + 1 : 1; }

    void run(Job& job) {
        const bool parallel = workers(job.blocks()) > 1;
        if (parallel) {
            const std::lock_guard<std::mutex> lock(mutex_);
            job_ = &job;
            ++generation_;
            busy_ = threads_.size();
        }
        if (parallel) start_.notify_all();
        if (!caller_) caller_ = std::make_unique<Worker>();
        caller_->work(job);
        if (!parallel) return;
        std::unique_lock<std::mutex> lock(mutex_);
        finish_.wait(lock, [this] { return busy_ == 0; });
    }

   private:
    void run_jobs() {
        Worker worker;
        std::unique_lock<std::mutex> lock(mutex_);
        for (std::uint64_t generation = 0;;) {
            start_.wait(lock, [&] { return stopping_ || generation_ != generation; });
            if (stopping_) return;
            generation = generation_;
            Job* const job = job_;
            lock.unlock();
            worker.work(*job);
            lock.lock();
            if (--busy_ == 0) finish_.notify_all();
        }
    }

    std::unique_ptr<Worker> caller_;
    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable start_, finish_;
    Job* job_ = nullptr;
    std::uint64_t generation_ = 0;
    std::size_t busy_ = 0;
    bool stopping_ = false;
};

ThreadPool& thread_pool() {
    static std::unique_ptr<ThreadPool> current;
    static unsigned size = 0;
    if (cores == 0)
        cores = std::max(1u, unsigned(from_environment("SIMT_CORES", std::thread::hardware_concurrency())));
    if (size != cores) {
        current = std::make_unique<ThreadPool>(cores - 1);
        size = cores;
    }
    return *current;
}

std::vector<bool> arrays_allowed(const void* kernel) {
    const std::string name = mangled_name(kernel);
    std::vector<bool> allowed;
    for (const SharedArray& array : SharedArrays::of_program().all())
        allowed.push_back(!array.of_kernel || array.function == name);
    return allowed;
}

/// Bytes of the kernel's static shared arrays.
std::size_t static_shared_bytes(const void* kernel) {
    const std::string name = mangled_name(kernel);
    std::size_t bytes = 0;
    for (const SharedArray& array : SharedArrays::of_program().all())
        if (array.function == name) bytes += array.end - array.begin;
    return bytes;
}

/// The words of a text, but for those that number bytes, blocks, threads or addresses.
std::string without_numbers(const std::string& text) {
    static const std::set<std::string> NUMBERED = {"byte", "block", "thread", "address", "(address"};
    std::istringstream words(text);
    std::string word, result;
    for (bool is_number = false; words >> word; is_number = NUMBERED.count(word) != 0)
        if (!is_number) result += word + " ";
    return result;
}

/// Record the warnings, and print each once, unless they are asked for: those of other threads and blocks at
/// the same lines are the same.
void warn(const std::vector<std::string>& warnings) {
    static std::set<std::string> printed;
    for (const std::string& warning : warnings) {
        const std::string lines =
            warning.substr(0, warning.find(": block ")) + warning.substr(warning.find("), "));
        const std::string key = without_numbers(lines);
        if (recording != nullptr) recording->warnings.push_back(warning);
        if (!uninitialised_reads_allowed && printed.insert(key).second)
            std::fprintf(stderr, "simt: warning: %s\n", warning.c_str());
    }
}

void record_launch(const Grid& grid, const Tally& tally) {
    Launch launch;
    launch.kernel = kernel_name(grid.kernel);
    launch.blocks = grid.block_count();
    launch.threads = grid.thread_count();
    launch.steps = tally.steps;
    for (const Counters& step : launch.steps) launch.total += step;
    const auto add = [number = int(recording->launches.size())](auto& all, const auto& part) {
        for (auto each : part) {
            each.launch = number;
            all.push_back(each);
        }
    };
    add(recording->trace, tally.trace);
    add(recording->shared, tally.shared);
    recording->launches.push_back(std::move(launch));
}

/// What an observer is told of a launch.
ObservedLaunch observed(const Grid& grid, std::size_t static_shared_bytes, cudaError_t error,
                        const Tally& tally) {
    ObservedLaunch launch;
    launch.kernel = kernel_name(grid.kernel);
    launch.entry = ProgramMemory::get().offset(grid.kernel);
    const auto copy = [](unsigned(&to)[3], dim3 from) { to[0] = from.x, to[1] = from.y, to[2] = from.z; };
    copy(launch.grid, grid.blocks);
    copy(launch.block, grid.threads);
    launch.static_shared_bytes = static_shared_bytes;
    launch.dynamic_shared_bytes = grid.dynamic_shared_bytes;
    launch.error = error;
    for (const Counters& step : tally.steps) launch.total += step;
    launch.sites = tally.sites;
    launch.trace = tally.site_trace;
    launch.warnings = tally.warnings;
    return launch;
}

cudaError_t failed(cudaError_t error) { return last_error = error; }

/// The variables of which cudaGetSymbolAddress has given the address: begin and end.
std::map<std::uintptr_t, std::uintptr_t> symbols;

bool is_symbol(const void* address) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const auto after = symbols.upper_bound(at);
    return after != symbols.begin() && std::prev(after)->second > at;
}

/// Whether the memory at `address` may be what a copy says of it: the device's, or the host's.
bool may_be(bool device, const void* address) {
    if (is_symbol(address)) return device;
    const Buffer* const buffer = Memory::device().find(reinterpret_cast<std::uintptr_t>(address));
    return buffer == nullptr ? !device : buffer->on_host || device;
}

bool on_device(const void* address) {
    const Buffer* const buffer = Memory::device().find(reinterpret_cast<std::uintptr_t>(address));
    return buffer != nullptr && !buffer->on_host;
}

/// The buffer that holds [address, address + bytes), or null.
Buffer* whole_buffer(const void* address, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    Buffer* const buffer = Memory::device().find(begin);
    return buffer != nullptr && buffer->holds(begin, bytes) ? buffer : nullptr;
}

}  // namespace

Counters Recording::total() const {
    Counters sum;
    for (const Launch& launch : launches) sum += launch.total;
    return sum;
}

Recording record(const std::function<void()>& run, bool trace) {
    Recording result;
    struct Restore {
        ~Restore() {
            recording = nullptr;
            tracing = false;
        }
    } restore;
    recording = &result;
    tracing = trace;
    run();
    return result;
}

void set_cores(int count) { cores = unsigned(std::max(0, count)); }
void set_seed(std::uint64_t value) { seed = value; }
void set_device(const Device& value) { device = value; }
void set_strict(bool value) { strict = value; }
void set_uninitialised_reads_allowed(bool value) { uninitialised_reads_allowed = value; }
void set_observer(LaunchObserver value) {
    observer() = std::move(value);
    observed_launches = 0;
}
void set_resident(int blocks) { resident = unsigned(std::max(1, blocks)); }

}  // namespace simt

using simt::Memory;

cudaError_t simt_launch(const void* kernel, const cudaLaunchConfig_t& config, void (*invoke)(const void*),
                        const void* call, std::size_t call_bytes) {
    simt::ReleasedWords released;
    simt::LaunchObserver& observer = simt::observer();
    const bool observed = observer.launched != nullptr;
    const bool traced = observed && simt::observed_launches++ == observer.traced_launch;
    simt::Grid grid{kernel,
                    config.gridDim,
                    config.blockDim,
                    invoke,
                    call,
                    call_bytes,
                    config.dynamicSmemBytes,
                    simt::arrays_allowed(kernel),
                    simt::seed,
                    simt::tracing,
                    observed,
                    traced ? std::int64_t(observer.traced_block) : -1,
                    simt::strict,
                    simt::uninitialised_reads_allowed,
                    simt::blocks_so_far,
                    config.cooperative,
                    {0},
                    false,
                    released};
    const std::size_t shared = simt::static_shared_bytes(kernel);
    const auto allowed = simt::dynamic_shared.find(kernel);
    const std::size_t limit =
        allowed == simt::dynamic_shared.end() ? simt::STATIC_SHARED_LIMIT - shared : allowed->second;
    if (grid.block_count() == 0 || grid.thread_count() == 0 || grid.thread_count() > 1024 ||
        shared > simt::STATIC_SHARED_LIMIT || config.dynamicSmemBytes > limit) {
        if (observed) observer.launched(simt::observed(grid, shared, cudaErrorInvalidConfiguration, {}));
        return simt::failed(cudaErrorInvalidConfiguration);
    }

    simt::start_watchdog();
    simt::ThreadPool& thread_pool = simt::thread_pool();
    grid.parallel = thread_pool.workers(grid.block_count()) > 1;
    simt::blocks_so_far += grid.block_count();
    const unsigned resident = config.cooperative    ? grid.block_count()
                              : simt::resident != 0 ? simt::resident
                                                    : std::max(16u, simt::cores);
    simt::Job job(grid, resident, thread_pool.workers(grid.block_count()));
    thread_pool.run(job);
    if (!job.fault().empty()) {
        const simt::Fault fault(job.hazard(), job.fault());
        if (observer.faulted != nullptr) observer.faulted(fault);
        throw fault;
    }
    simt::warn(job.result().warnings);

    if (observed) observer.launched(simt::observed(grid, shared, cudaSuccess, job.result()));
    if (simt::recording != nullptr) simt::record_launch(grid, job.result());
    return cudaSuccess;
}

extern "C" {

cudaError_t simt_malloc(void** address, std::size_t bytes) {
    *address = bytes == 0 ? nullptr : Memory::device().allocate(bytes);
    return bytes != 0 && *address == nullptr ? simt::failed(cudaErrorMemoryAllocation) : cudaSuccess;
}

cudaError_t cudaFree(void* address) {
    return address == nullptr || Memory::device().free(address) ? cudaSuccess
                                                                : simt::failed(cudaErrorInvalidValue);
}

cudaError_t simt_malloc_host(void** address, std::size_t bytes) {
    *address = bytes == 0 ? nullptr : Memory::device().allocate(bytes, true);
    return bytes != 0 && *address == nullptr ? simt::failed(cudaErrorMemoryAllocation) : cudaSuccess;
}

cudaError_t cudaFreeHost(void* address) { return cudaFree(address); }

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    if (bytes == 0) return cudaSuccess;
    const bool to_device = simt::on_device(to), from_device = simt::on_device(from);
    const bool says_to = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool says_from = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind != cudaMemcpyDefault && !(simt::may_be(says_to, to) && simt::may_be(says_from, from)))
        return simt::failed(cudaErrorInvalidValue);
    simt::Buffer* const target = to_device ? simt::whole_buffer(to, bytes) : nullptr;
    simt::Buffer* const source = from_device ? simt::whole_buffer(from, bytes) : nullptr;
    if ((to_device && target == nullptr) || (from_device && source == nullptr))
        return simt::failed(cudaErrorInvalidValue);

    std::memmove(to, from, bytes);
    if (target != nullptr) {
        unsigned char* const written = &target->written[reinterpret_cast<std::uintptr_t>(to) - target->begin];
        if (source != nullptr)
            std::memmove(written, &source->written[reinterpret_cast<std::uintptr_t>(from) - source->begin],
                         bytes);
        else
            std::memset(written, 1, bytes);
    }
    if (simt::recording != nullptr && to_device != from_device) {
        ++simt::recording->copies;
        (to_device ? simt::recording->bytes_to_device : simt::recording->bytes_to_host) +=
            std::int64_t(bytes);
    }
    return cudaSuccess;
}

cudaError_t cudaMemset(void* address, int value, std::size_t bytes) {
    if (bytes == 0) return cudaSuccess;
    simt::Buffer* const buffer = simt::whole_buffer(address, bytes);
    if (buffer == nullptr) return simt::failed(cudaErrorInvalidValue);
    std::memset(address, value, bytes);
    std::memset(&buffer->written[reinterpret_cast<std::uintptr_t>(address) - buffer->begin], 1, bytes);
    return cudaSuccess;
}

// A process has one machine, and a machine has one device.
cudaError_t cudaSetDevice(int device) {
    return device == simt::device.number ? cudaSuccess : simt::failed(cudaErrorInvalidDevice);
}

cudaError_t cudaGetDevice(int* device) {
    *device = simt::device.number;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
    const simt::Device& device = simt::device;
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock: *value = 1024; break;
        case cudaDevAttrMaxSharedMemoryPerBlock: *value = int(simt::STATIC_SHARED_LIMIT); break;
        case cudaDevAttrWarpSize: *value = 32; break;
        case cudaDevAttrMultiProcessorCount: *value = device.multiprocessors; break;
        case cudaDevAttrMaxThreadsPerMultiProcessor: *value = 2048; break;
        case cudaDevAttrComputeCapabilityMajor: *value = device.architecture / 10; break;
        case cudaDevAttrComputeCapabilityMinor: *value = device.architecture % 10; break;
        case cudaDevAttrManagedMemory:
        case cudaDevAttrConcurrentManagedAccess:
        case cudaDevAttrCooperativeLaunch: *value = 1; break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = device.shared_bytes; break;
        default: return simt::failed(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

cudaError_t simt_register_symbol(const void* address, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    simt::symbols[begin] = begin + bytes;
    return cudaSuccess;
}

cudaError_t simt_architecture(int* version) {
    *version = simt::device.architecture;
    return cudaSuccess;
}

cudaError_t simt_allow_dynamic_shared(const void* kernel, int bytes) {
    if (bytes < 0 || bytes > simt::device.shared_bytes) return simt::failed(cudaErrorInvalidValue);
    simt::dynamic_shared[kernel] = std::size_t(bytes);
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaPeekAtLastError() { return simt::last_error; }

cudaError_t cudaGetLastError() { return std::exchange(simt::last_error, cudaSuccess); }

const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
        case cudaSuccess: return "no error";
        case cudaErrorInvalidValue: return "invalid argument";
        case cudaErrorMemoryAllocation: return "out of memory";
        case cudaErrorInvalidConfiguration: return "invalid configuration argument";
        case cudaErrorInvalidSymbol: return "invalid device symbol";
        case cudaErrorNoDevice: return "no CUDA-capable device is detected";
        case cudaErrorNotReady: return "device not ready";
        case cudaErrorLaunchFailure: return "unspecified launch failure";
        case cudaErrorNotSupported: return "operation not supported";
        case cudaErrorUnknown: return "unknown error";
        case cudaErrorInvalidDevice: return "invalid device ordinal";
        case cudaErrorIllegalState: return "the operation cannot be performed in the present state";
        case cudaErrorPeerAccessUnsupported: return "peer access is not supported between these two devices";
        case cudaErrorPeerAccessAlreadyEnabled: return "peer access is already enabled";
    }
    return "unrecognized error code";
}

}  // extern "C"
