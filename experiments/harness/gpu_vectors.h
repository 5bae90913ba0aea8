// The vectors that the GPU's cases share. They are allocated once, for the largest case of each kind, so that
// repetitions of many cases can be interleaved at any n that fits.
#pragma once
#include <cuda_runtime.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "experiments/harness/case.h"
#include "experiments/harness/cuda_check.h"

namespace harness {

/// A buffer in any of the three kinds of memory. Throws std::runtime_error or std::bad_alloc if it cannot be
/// allocated.
class Buffer {
   public:
    Buffer(Memory memory, long long bytes) : memory_(memory) {
        if (memory == Memory::device) check(cudaMalloc(&data_, bytes), "cudaMalloc");
        if (memory == Memory::pinned) check(cudaMallocHost(&data_, bytes), "cudaMallocHost");
        if (memory == Memory::pageable) data_ = ::operator new(bytes);
    }
    ~Buffer() {
        if (memory_ == Memory::device) (void)cudaFree(data_);
        if (memory_ == Memory::pinned) (void)cudaFreeHost(data_);
        if (memory_ == Memory::pageable) ::operator delete(data_);
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    void* data() const { return data_; }

   private:
    Memory memory_;
    void* data_ = nullptr;
};

class SharedVectors {
   public:
    /// `device_room`: bytes of GPU memory that the vectors may take. They may take half of the host's memory.
    explicit SharedVectors(long long device_room)
        : device_room_(device_room), host_room_(sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / 2) {}

    /// Reserve memory for a case. Returns "", or why the case does not fit.
    std::string admit(const Case& c) {
        Sizes grown = sizes_;
        if (c.element != nullptr) {
            grow(grown[{Memory::device, c.element}], c);
            grow(grown[{c.vector, c.element}], c);
        }
        const auto [on_device, on_host] = totals(grown);
        const long long device_total = on_device + own_bytes_ + c.own_bytes;
        if (device_total > device_room_) return lack("GPU", device_total, device_room_);
        if (on_host > host_room_) return lack("host", on_host, host_room_);
        sizes_ = std::move(grown);
        own_bytes_ += c.own_bytes;
        return "";
    }

    /// Allocate what the admitted cases need, and fill the inputs.
    void allocate(std::uint64_t seed) {
        for (const auto& [kind, bytes] : sizes_) {
            in_[kind] = std::make_unique<Buffer>(kind.first, bytes.in);
            out_[kind] = std::make_unique<Buffer>(kind.first, bytes.out);
        }
        // The device's vectors come first in the map; the host's are copied from them.
        for (const auto& [kind, bytes] : sizes_) {
            const auto [memory, element] = kind;
            void* const data = in(memory, element);
            if (memory == Memory::device) {
                element->fill(data, bytes.in / element->bytes, seed);
            } else {
                const void* source = in(Memory::device, element);
                check(cudaMemcpy(data, source, bytes.in, cudaMemcpyDeviceToHost), "cudaMemcpy");
            }
        }
    }

    /// The case's vectors in `memory`: Memory::device, or where they lie before and after the work. Null if
    /// the case brings its own.
    void* in(const Case& c, Memory memory) const { return c.element ? in(memory, c.element) : nullptr; }
    void* out(const Case& c, Memory memory) const {
        return c.element ? out_.at({memory, c.element})->data() : nullptr;
    }

   private:
    using Kind = std::pair<Memory, const ElementType*>;
    struct Bytes {
        long long in = 0, out = 0;
    };
    using Sizes = std::map<Kind, Bytes>;

    void* in(Memory memory, const ElementType* element) const { return in_.at({memory, element})->data(); }

    static void grow(Bytes& bytes, const Case& c) {
        bytes = {std::max(bytes.in, c.in_bytes()), std::max(bytes.out, c.out_bytes())};
    }

    /// Bytes on the device and on the host.
    static std::pair<long long, long long> totals(const Sizes& sizes) {
        std::pair<long long, long long> total;
        for (const auto& [kind, bytes] : sizes)
            (kind.first == Memory::device ? total.first : total.second) += bytes.in + bytes.out;
        return total;
    }

    static std::string lack(const char* whose, long long needed, long long room) {
        constexpr double GIB = 1LL << 30;
        char text[96];
        std::snprintf(text, sizeof(text), "needs %.1f GiB of %s memory, %.1f GiB are available", needed / GIB,
                      whose, room / GIB);
        return text;
    }

    long long device_room_, host_room_;
    Sizes sizes_;
    long long own_bytes_ = 0;  // of the cases that bring their own vectors
    std::map<Kind, std::unique_ptr<Buffer>> in_, out_;
};

}  // namespace harness
