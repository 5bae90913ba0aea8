// The newest CUB, of the Python package nvidia-cuda-cccl (.setup/requirements.in): CMakeLists.txt compiles
// this file, and no other, with the package's headers ahead of the toolkit's. cub_device.h says what keeps
// the two versions apart.
#define THRUST_CUB_WRAPPED_NAMESPACE cub_newest
#define _LIBCUDACXX_ABI_NAMESPACE __cub_newest
#define CUB_WORK harness::newest

// CUB 3.5 hard-codes libcu++'s usual inline namespace in one place, cub/thread/thread_load.cuh.
namespace cuda::std {
inline namespace _LIBCUDACXX_ABI_NAMESPACE {}
namespace __4 = _LIBCUDACXX_ABI_NAMESPACE;
}  // namespace cuda::std

#include "experiments/libraries/cub_device.h"

#include <cuda/execution.determinism.h>
#include <cuda/execution.require.h>
#include <cuda/memory_resource>
#include <cuda/stream_ref>

namespace harness {
namespace {

/// A memory resource from which CUB takes its temporary storage: device memory that is allocated at the first
/// request and returned again at every later one.
class Storage {
   public:
    void* allocate(cuda::stream_ref, std::size_t bytes, std::size_t) { return allocate_sync(bytes, 0); }
    void deallocate(cuda::stream_ref, void*, std::size_t, std::size_t) noexcept {}
    void* allocate_sync(std::size_t bytes, std::size_t) {
        if (!*data_) *data_ = harness::allocate(bytes);
        return data_->get();
    }
    void deallocate_sync(void*, std::size_t, std::size_t) noexcept {}
    friend bool operator==(const Storage& a, const Storage& b) { return a.data_ == b.data_; }
    friend bool operator!=(const Storage& a, const Storage& b) { return !(a == b); }

   private:
    std::shared_ptr<std::shared_ptr<void>> data_ = std::make_shared<std::shared_ptr<void>>();
};

}  // namespace

template <class T>
Work newest::cub_device_scan_run_to_run(Vectors<T> v) {
    namespace execution = cuda::execution;
    const auto scan = [v, storage = Storage()] {
        const auto environment = cuda::std::execution::env{
            cuda::stream_ref{v.stream}, cuda::std::execution::prop{cuda::mr::get_memory_resource, storage},
            execution::require(execution::determinism::run_to_run)};
        return cub_newest::cub::DeviceScan::InclusiveSum(v.in, v.out, v.n, environment);
    };
    check(scan(), "cub::DeviceScan");  // run now, so that the storage is allocated
    return [scan] { (void)scan(); };
}

namespace newest {
CUB_NEWEST_INSTANCES
}

}  // namespace harness
