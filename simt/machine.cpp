// The host's side: memory, copies, launches, and the record of them.
#include <cuda_runtime.h>

#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include "simt/memory.h"
#include "simt/program.h"
#include "simt/simt.h"
#include "simt/worker.h"

namespace simt {

namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

unsigned cores = 0;
std::uint64_t seed = from_environment("SIMT_SEED", 0);
unsigned resident = unsigned(from_environment("SIMT_RESIDENT", 0));
Recording* recording = nullptr;
bool tracing = false;
cudaError_t last_error = cudaSuccess;

/// The machine's CPU threads: the caller's and `helpers` more, kept from launch to launch.
class Crew {
   public:
    explicit Crew(unsigned helpers) {
        for (unsigned i = 0; i < helpers; ++i) threads_.emplace_back([this] { help(); });
    }
    ~Crew() {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            closing_ = true;
        }
        begin_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }

    /// CPU threads that a launch of so many blocks gets.
    unsigned workers(unsigned blocks) const { return blocks > 1 ? unsigned(threads_.size()) + 1 : 1; }

    void run(Job& job) {
        const bool share = workers(job.blocks()) > 1;
        if (share) {
            const std::lock_guard<std::mutex> lock(mutex_);
            job_ = &job;
            ++round_;
            busy_ = threads_.size();
        }
        if (share) begin_.notify_all();
        if (!own_) own_ = std::make_unique<Worker>();
        own_->work(job);
        if (!share) return;
        std::unique_lock<std::mutex> lock(mutex_);
        end_.wait(lock, [this] { return busy_ == 0; });
    }

   private:
    void help() {
        Worker worker;
        std::unique_lock<std::mutex> lock(mutex_);
        for (std::uint64_t round = 0;;) {
            begin_.wait(lock, [&] { return closing_ || round_ != round; });
            if (closing_) return;
            round = round_;
            Job* const job = job_;
            lock.unlock();
            worker.work(*job);
            lock.lock();
            if (--busy_ == 0) end_.notify_all();
        }
    }

    std::unique_ptr<Worker> own_;
    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable begin_, end_;
    Job* job_ = nullptr;
    std::uint64_t round_ = 0;
    std::size_t busy_ = 0;
    bool closing_ = false;
};

Crew& crew() {
    static std::unique_ptr<Crew> current;
    static unsigned size = 0;
    if (cores == 0)
        cores = std::max(1u, unsigned(from_environment("SIMT_CORES", std::thread::hardware_concurrency())));
    if (size != cores) {
        current = std::make_unique<Crew>(cores - 1);
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

/// Bytes of shared memory that the kernel declares itself.
std::size_t static_shared_bytes(const void* kernel) {
    const std::string name = mangled_name(kernel);
    std::size_t bytes = 0;
    for (const SharedArray& array : SharedArrays::of_program().all())
        if (array.function == name) bytes += array.end - array.begin;
    return bytes;
}

cudaError_t failed(cudaError_t error) { return last_error = error; }

bool on_device(const void* address) {
    return Memory::device().find(reinterpret_cast<std::uintptr_t>(address)) != nullptr;
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
void set_resident(int blocks) { resident = unsigned(std::max(1, blocks)); }

}  // namespace simt

using simt::Memory;

cudaError_t simt_launch(const void* kernel, const cudaLaunchConfig_t& config, void (*invoke)(const void*),
                        const void* call, std::size_t call_bytes) {
    simt::Grid grid{kernel,     config.gridDim, config.blockDim,         invoke,
                    call,       call_bytes,     config.dynamicSmemBytes, simt::arrays_allowed(kernel),
                    simt::seed, simt::tracing};
    const std::size_t shared = simt::static_shared_bytes(kernel);
    if (grid.block_count() == 0 || grid.thread_count() == 0 || grid.thread_count() > 1024 ||
        shared > simt::STATIC_SHARED_LIMIT || shared + config.dynamicSmemBytes > simt::SHARED_LIMIT)
        return simt::failed(cudaErrorInvalidConfiguration);

    simt::Crew& crew = simt::crew();
    const unsigned resident = simt::resident != 0 ? simt::resident : std::max(16u, simt::cores);
    simt::Job job(grid, resident, crew.workers(grid.block_count()));
    crew.run(job);
    if (!job.fault().empty()) throw simt::Fault(job.fault());

    if (simt::recording != nullptr) {
        simt::Launch launch;
        launch.kernel = simt::kernel_name(kernel);
        launch.blocks = grid.block_count();
        launch.threads = grid.thread_count();
        launch.steps = job.result().steps;
        for (const simt::Counters& step : launch.steps) launch.total += step;
        const auto add = [number = int(simt::recording->launches.size())](auto& all, const auto& part) {
            for (auto each : part) {
                each.launch = number;
                all.push_back(each);
            }
        };
        add(simt::recording->trace, job.result().trace);
        add(simt::recording->shared, job.result().shared);
        simt::recording->launches.push_back(std::move(launch));
    }
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
    *address = std::malloc(bytes);
    return bytes != 0 && *address == nullptr ? simt::failed(cudaErrorMemoryAllocation) : cudaSuccess;
}

cudaError_t cudaFreeHost(void* address) {
    std::free(address);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    if (bytes == 0) return cudaSuccess;
    const bool to_device = simt::on_device(to), from_device = simt::on_device(from);
    const bool says_to = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool says_from = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind != cudaMemcpyDefault && (says_to != to_device || says_from != from_device))
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

// A process is one machine, and a machine one device.
cudaError_t cudaSetDevice(int device) {
    return device == 0 ? cudaSuccess : simt::failed(cudaErrorInvalidDevice);
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
        case cudaErrorInvalidDevice: return "invalid device ordinal";
        case cudaErrorPeerAccessUnsupported: return "peer access is not supported between these two devices";
        case cudaErrorPeerAccessAlreadyEnabled: return "peer access is already enabled";
    }
    return "unrecognized error code";
}

}  // extern "C"
