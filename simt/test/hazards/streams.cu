// Launches and copies: the work of a stream is done in order; that of two streams is not, unless an event,
// the host, or the legacy default stream stands between (CUDA C++ Programming Guide, "Streams").
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

constexpr int N = 256;

__global__ void fill(int* out, int value) { out[threadIdx.x] = value; }
__global__ void add_one(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] + 1; }

class Stream {
   public:
    explicit Stream(unsigned flags = cudaStreamNonBlocking) {
        check(cudaStreamCreateWithFlags(&stream_, flags));
    }
    ~Stream() { (void)cudaStreamDestroy(stream_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return stream_; }

   private:
    cudaStream_t stream_ = nullptr;
};

enum class Between { nothing, more_work, one_stream, event, event_too_early, host, legacy_stream };

/// One launch fills a vector, the next one reads it, in another stream.
template <Between BETWEEN>
std::string run_two_launches() {
    Device<int> first(zeros(N)), second(zeros(N + 1));
    const unsigned flags = BETWEEN == Between::legacy_stream ? cudaStreamDefault : cudaStreamNonBlocking;
    Stream one(flags), other(flags);
    cudaEvent_t event;
    check(cudaEventCreate(&event));
    if (BETWEEN == Between::event_too_early) check(cudaEventRecord(event, one));
    check(launch(fill, 1, N, one, first.data(), 41));
    if (BETWEEN == Between::event) check(cudaEventRecord(event, one));
    if (BETWEEN == Between::event || BETWEEN == Between::event_too_early)
        check(cudaStreamWaitEvent(other, event, 0));
    if (BETWEEN == Between::more_work) check(launch(fill, 1, 1, one, second.data() + N, 0));
    if (BETWEEN == Between::host) check(cudaStreamSynchronize(one));
    if (BETWEEN == Between::legacy_stream) check(launch(fill, 1, 1, nullptr, second.data(), 0));
    check(launch(add_one, 1, N, BETWEEN == Between::one_stream ? one : other, first.data(), second.data()));
    check(cudaDeviceSynchronize());
    check(cudaEventDestroy(event));
    return difference(second.read(), repeated(N, 42));
}

/// A launch fills a vector, which is copied to the host: in the launch's stream, or in another one.
template <bool IN_STREAM>
std::string run_copy_to_host() {
    Device<int> vector(zeros(N));
    Stream stream, other;
    std::vector<int> found(N);
    check(launch(fill, 1, N, stream, vector.data(), 42));
    check(cudaMemcpyAsync(found.data(), vector.data(), N * sizeof(int), cudaMemcpyDeviceToHost,
                          IN_STREAM ? stream : other));
    check(cudaDeviceSynchronize());
    return difference(found, repeated(N, 42));
}

/// A vector is cleared, then filled by a launch.
template <bool IN_STREAM>
std::string run_clear() {
    Device<int> vector(zeros(N));
    Stream stream, other;
    check(cudaMemsetAsync(vector.data(), 0, N * sizeof(int), IN_STREAM ? stream : other));
    check(launch(fill, 1, N, stream, vector.data(), 42));
    check(cudaDeviceSynchronize());
    return difference(vector.read(), repeated(N, 42));
}

const Bench streams(
    "streams",
    {
        {"one_stream", Expected::clean, "the work of a stream is done in order",
         run_two_launches<Between::one_stream>},
        {"two_streams", Expected::race, "nothing orders two streams", run_two_launches<Between::nothing>},
        {"two_streams_and_more_work", Expected::race, "what follows in the first stream orders nothing",
         run_two_launches<Between::more_work>},
        {"streams_and_event", Expected::clean, "the second stream waits for the launch",
         run_two_launches<Between::event>},
        {"streams_and_early_event", Expected::race, "the event comes before the launch",
         run_two_launches<Between::event_too_early>},
        {"streams_and_host", Expected::clean, "the host waits in between", run_two_launches<Between::host>},
        {"streams_and_legacy_stream", Expected::clean, "blocking streams keep order with the legacy stream",
         run_two_launches<Between::legacy_stream>},
        {"copy_in_stream", Expected::clean, "the copy follows the launch", run_copy_to_host<true>},
        {"copy_in_other_stream", Expected::race, "the copy may come before the launch",
         run_copy_to_host<false>},
        {"clear_in_stream", Expected::clean, "the launch follows", run_clear<true>},
        {"clear_in_other_stream", Expected::race, "the launch may come first", run_clear<false>},
    });

}  // namespace
