#include "simt/runtime/launch.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "simt/loader/names.h"
#include "simt/order/device.h"
#include "simt/run/grid.h"
#include "simt/runtime/per_thread.h"
#include "simt/runtime/recorder.h"
#include "simt/runtime/running.h"
#include "simt/runtime/state.h"

namespace simt_runtime {
namespace {

/// A grid at work, with what it launches.
class GridTask : public Task {
   public:
    GridTask(int device, std::unique_ptr<sass::Grid> grid) : Task(device), running_(std::move(grid)) {}

    bool run() override {
        if (!std::exchange(has_begun_, true) && sass::Options::current().checks)
            sass::GlobalOrder::get().forget(State::get().queue.known_to_all());
        if (!running_.run()) return false;
        take_over_failure();
        return true;
    }
    std::uint64_t changes() const override { return running_.progress(); }
    void give_up() override {
        running_.give_up();
        take_over_failure();
    }

   private:
    void take_over_failure() {
        if (const int error = running_.failure().error)
            State::get().devices[device()]->error = cudaError_t(error);
    }

    Running running_;
    bool has_begun_ = false;
};

sass::Dim3 dim(const dim3& from) { return {from.x, from.y, from.z}; }

std::vector<std::uint8_t> packed(const sass::Function& function, void** pointers) {
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i < function.parameters.size(); i++) {
        const sass::Parameter& parameter = function.parameters[i];
        bytes.resize(std::max<std::size_t>(bytes.size(), parameter.offset + parameter.bytes));
        std::memcpy(&bytes[parameter.offset], pointers[i], parameter.bytes);
    }
    return bytes;
}

bool is_within(const sass::Dim3& dim, unsigned x, unsigned y, unsigned z) {
    return dim.x >= 1 && dim.y >= 1 && dim.z >= 1 && dim.x <= x && dim.y <= y && dim.z <= z;
}

cudaError_t check_cluster(const sass::Launch& launch, const CUkern_st& kernel, int device) {
    constexpr unsigned LARGEST = 16;
    const sass::Dim3 &cluster = launch.cluster, &grid = launch.grid;
    const bool is_good = may_have_cluster(kernel, device, cluster) && cluster.count() <= LARGEST &&
                         grid.x % cluster.x == 0 && grid.y % cluster.y == 0 && grid.z % cluster.z == 0;
    return is_good ? cudaSuccess : cudaErrorInvalidClusterSize;
}

}  // namespace

cudaError_t check(const sass::Launch& launch, const CUkern_st& kernel, int device) {
    const unsigned shared = launch.dynamic_shared_bytes;
    if (!is_within(launch.grid, 0x7fffffff, 65535, 65535) || !is_within(launch.block, 1024, 1024, 64) ||
        launch.block.count() > unsigned(launch.kernel->max_threads) ||
        shared > unsigned(std::max(0, kernel.most_dynamic_shared_bytes(device))))
        return cudaErrorInvalidValue;
    if (const cudaError_t error = check_cluster(launch, kernel, device)) return error;
    const int resident = resident_blocks(kernel, device, int(launch.block.count()), shared);
    const bool fits = !launch.is_cooperative ||
                      launch.grid.count() <= std::uint64_t(sass::architecture().multiprocessors) * resident;
    return fits ? cudaSuccess : cudaErrorCooperativeLaunchTooLarge;
}

cudaError_t prepare(const LaunchArguments& arguments, int device, Submission& submission) {
    CUkern_st& kernel = *arguments.kernel;
    const sass::Function& function = kernel.function(device);
    sass::Launch launch{&kernel.binary->module(device),
                        &function,
                        dim(arguments.grid),
                        dim(arguments.block),
                        {},
                        unsigned(arguments.dynamic_shared_bytes),
                        arguments.is_cooperative,
                        packed(function, arguments.parameters)};
    launch.stack_bytes = unsigned(limit(cudaLimitStackSize));
    launch.runtime = runtime_of_kernels(device);
    const std::array<int, 3> required = required_cluster(kernel, device);
    const bool is_required = required != std::array<int, 3>{};
    launch.is_clustered = arguments.has_cluster || is_required;
    if (arguments.has_cluster)
        launch.cluster = dim(arguments.cluster);
    else if (is_required)
        launch.cluster = {unsigned(required[0]), unsigned(required[1]), unsigned(required[2])};
    if (const cudaError_t error = check(launch, kernel, device)) return error;
    submission = [launch, device](CUstream_st& stream) {
        sass::Launch placed = launch;
        placed.submitted = State::get().queue.next(stream);
        auto grid = std::make_unique<sass::Grid>(placed, Recorder::get().options());
        if (grid->failure().error != 0) {
            complain(grid->failure().line);
            Recorder::get().refused(grid->failure().kernel, launch.grid, launch.block,
                                    cudaGetErrorString(cudaError_t(grid->failure().error)));
            return cudaError_t(grid->failure().error);
        }
        State::get().queue.submit(stream, std::make_shared<GridTask>(device, std::move(grid)));
        return cudaSuccess;
    };
    return cudaSuccess;
}

namespace {

std::string text_of(const dim3& dim) {
    return "(" + std::to_string(dim.x) + ", " + std::to_string(dim.y) + ", " + std::to_string(dim.z) + ")";
}

std::string refusal(const LaunchArguments& launch, cudaError_t error) {
    return sass::demangled(launch.kernel->name) + ": the launch is refused: " + cudaGetErrorString(error) +
           "; grid " + text_of(launch.grid) + ", block " + text_of(launch.block) + ", " +
           std::to_string(launch.dynamic_shared_bytes) + " bytes of dynamic shared memory";
}

}  // namespace

cudaError_t launch(const LaunchArguments& arguments, cudaStream_t handle) {
    return call_with_turn([&]() -> cudaError_t {
        CUstream_st* stream = State::get().stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (arguments.kernel == nullptr) return cudaErrorInvalidResourceHandle;
        State::get().show_printed();
        Submission submission;
        const cudaError_t error = prepare(arguments, stream->device, submission);
        if (error != cudaSuccess) {
            complain(refusal(arguments, error));
            Recorder::get().refused(sass::demangled(arguments.kernel->name), dim(arguments.grid),
                                    dim(arguments.block), cudaGetErrorString(error));
        }
        return error != cudaSuccess ? error : perform(*stream, cudaGraphNodeTypeKernel, submission);
    });
}

namespace {

/// What <<< >>> was given, until the kernel's stand-in on the host takes it.
struct Configuration {
    dim3 grid, block;
    std::size_t shared;
    cudaStream_t stream;
};
thread_local std::vector<Configuration> configurations;

}  // namespace
}  // namespace simt_runtime

using namespace simt_runtime;

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
    configurations.push_back({grid, block, shared, stream});
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
    if (configurations.empty()) return report(cudaErrorMissingConfiguration);
    const Configuration& last = configurations.back();
    *grid = last.grid;
    *block = last.block;
    *shared = last.shared;
    *static_cast<cudaStream_t*>(stream) = last.stream;
    configurations.pop_back();
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream) {
    return launch({kernel, grid, block, shared, arguments}, stream);
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared, cudaStream_t stream) {
    return launch({Registry::get().kernel(function), grid, block, shared, arguments}, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared, cudaStream_t stream) {
    return launch({Registry::get().kernel(function), grid, block, shared, arguments, true}, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
    if (config == nullptr) return report(cudaErrorInvalidValue);
    LaunchArguments all{Registry::get().kernel(function), config->gridDim, config->blockDim,
                        config->dynamicSmemBytes, arguments};
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute& attribute = config->attrs[i];
        if (attribute.id == cudaLaunchAttributeCooperative)
            all.is_cooperative = attribute.val.cooperative != 0;
        if (attribute.id != cudaLaunchAttributeClusterDimension) continue;
        all.cluster =
            dim3(attribute.val.clusterDim.x, attribute.val.clusterDim.y, attribute.val.clusterDim.z);
        all.has_cluster = true;
    }
    return launch(all, config->stream);
}

}  // extern "C"

// clang-format off: several a line.
PTSZ(__cudaLaunchKernel) PTSZ(cudaLaunchKernel) PTSZ(cudaLaunchCooperativeKernel) PTSZ(cudaLaunchKernelExC)
