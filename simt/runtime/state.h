// What the runtime keeps: devices, streams, pending work and errors, all under one lock.
#pragma once
#include <cuda_runtime_api.h>

#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "simt/runtime/host/host_guard.h"
#include "simt/runtime/work.h"

namespace simt_runtime {

/// Of one device.
struct Device {
    int index = 0;
    cudaError_t error = cudaSuccess;  ///< of a launch that failed: every later call on this device returns it
    CUstream_st legacy_stream, thread_stream;  ///< the default streams
    sass::SharedClock left;                    ///< what streams had submitted that are no more
    std::set<int> peers;                       ///< devices whose memory it may access
};

struct State {
    std::recursive_mutex lock;
    std::vector<std::unique_ptr<Device>> devices;  ///< one, or as many as SIMT_DEVICES says
    std::set<CUstream_st*> streams;                ///< those that the program made
    std::set<CUevent_st*> events;
    Queue queue;
    std::string printed;      ///< by kernels, until the host waits for one or launches the next
    std::uint64_t calls = 0;  ///< of the program

    /// Made at the first use, and never destroyed: a program's own destructors may still call the runtime.
    static State& get();
    Device& device();  ///< of the calling thread
    /// The stream that a handle means; null if there is none.
    CUstream_st* stream(cudaStream_t handle);
    void show_printed();  ///< on stdout

   private:
    State();
};

/// Of the calling thread.
struct Thread {
    int device = 0;
    cudaError_t last_error = cudaSuccess;
    cudaError_t call_error = cudaSuccess;  ///< of the call that the program makes now
    static Thread& get();
};

/// Remembers an error for cudaGetLastError.
cudaError_t report(cudaError_t error);

/// A call of the program. An error that it ends with, and that the program does not look at, is a finding.
class Call {
   public:
    Call();
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    static void look_at_errors();  ///< the program does
    static void report_ignored();  ///< at its end
    /// The last one that failed, whether or not the program has looked: where, which, and how; "": none has.
    static std::string last_failed();

   private:
    bool was_broken_;
};

/// What the program has not freed.
void report_leaks();
/// Of memory that both may access, and that the program has not freed: what nothing has written.
void report_unwritten();

/// An attribute of the device, as cudaDeviceGetAttribute gives it; false if there is no such.
bool device_attribute(int attribute, int& value);

/// What cudaDeviceSetLimit has set, or an H200's default.
std::size_t limit(cudaLimit limit);

/// Prints one line about what went wrong; the same line once only.
void complain(const std::string& line);

/// The body of a call that does not need a working device: under the lock, an exception becomes a line and an
/// error.
template <class Body>
cudaError_t call_always(Body body) {
    const std::lock_guard lock(State::get().lock);
    const HostGuard::Inside inside;
    const Call call;
    ++State::get().calls;
    try {
        return report(body());
    } catch (const std::runtime_error& error) {  // what the loader says of the program's machine code
        complain(error.what());
        return report(cudaErrorNoKernelImageForDevice);
    } catch (const std::bad_alloc&) {
        return report(cudaErrorMemoryAllocation);
    }
}

/// The body of any other call.
template <class Body>
cudaError_t call(Body body) {
    return call_always([&]() -> cudaError_t {
        const cudaError_t error = State::get().device().error;
        return error != cudaSuccess ? error : body();
    });
}

/// The same for a call that submits work or asks about it: launches that wait get another turn.
template <class Body>
cudaError_t call_with_turn(Body body) {
    return call([&]() -> cudaError_t {
        State::get().queue.turn();
        return body();
    });
}

}  // namespace simt_runtime
