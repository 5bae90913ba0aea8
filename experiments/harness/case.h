// A case: one thing to measure, and what the harness must know about it.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/harness/factors.h"

namespace harness {

/// An element type, as the harness handles vectors of it. One object per type: element_type<T>() in oracle.h.
struct ElementType {
    int bytes;
    void (*fill)(void* device, long long n, std::uint64_t seed);  ///< the first n elements of the input
    bool is_number;
};

/// Where the vector lies before and after the work. A vector in host memory is copied to the GPU and back,
/// and the copies are measured too.
enum class Memory { device, pinned, pageable };

/// Whether the host queues the work before the clock starts (ahead) or while it runs (live).
enum class Queued { ahead, live };

/// How the work reaches the GPU: as calls that queue it on the stream, or as a CUDA graph, captured once from
/// these calls and launched as a whole each time.
enum class Submitted { stream, graph };

/// What the work must produce. inclusive_scan, exclusive_scan, reduction: of every `segment` consecutive
/// elements. copy: the vector. digest: the exclusive or of the vector's 32-bit words and the word already in
/// the output. nothing: the output must stay unchanged. own: the work brings its own vectors and its own
/// check.
struct Expected {
    enum Kind { inclusive_scan, exclusive_scan, reduction, copy, digest, nothing, own } kind;
    long long segment;
};

/// Queues one execution on the stream. Called many times; it must not allocate.
using Work = std::function<void()>;

/// Named values that a case adds to its row of results, such as an error in ulps.
using Findings = std::vector<std::pair<std::string, double>>;

/// A vector in device memory.
struct DeviceBytes {
    const void* data;
    long long bytes;
};

/// A case that is ready to run. Defaults: the harness poisons the output and checks the result against
/// `expected`; no findings. Work that brings its own vectors must do both, any number of times.
struct Trial {
    Work work;
    std::function<void()> poison = {};             ///< overwrite the output, or an earlier result would do
    std::function<std::string()> find_error = {};  ///< after the latest run: "", or what is wrong
    std::function<Findings()> findings = {};       ///< after the first check; it may run the work
    /// One sample in seconds, cold or warm, of work on several GPUs, which times itself. `poison`, if not
    /// empty, is called between the warm-up and the sample. GPU only.
    std::function<double(bool cold, const std::function<void()>& poison)> sample = {};
    /// All that find_error reads: a result with the same bytes as an earlier one is not compared anew.
    std::vector<DeviceBytes> result = {};
};

struct Case {
    Factors factors;  ///< without the cache state and n
    long long n;
    const ElementType* element;  ///< null: the work brings its own vectors
    Expected expected;
    std::function<Trial(const void* in, void* out, cudaStream_t stream)> prepare;
    /// "" if `result` is as expected, else the first wrong element. `result` lies in the memory `vector`.
    std::string (*find_error)(const Case& c, std::uint64_t seed, const void* result) = nullptr;
    long long own_bytes = 0;  ///< GPU memory that its own vectors take
    long long own_moved = 0;  ///< bytes of them that the work must move
    Memory vector = Memory::device;
    Queued queued = Queued::ahead;
    Submitted submitted = Submitted::stream;
    bool traced = false, traced_contents = false;
    bool single_core = false, has_steps = false, skip_profiling = false;
    int repetitions = 15;
    std::vector<std::pair<std::string, long long>> predictions = {};
    /// The same work by a twin of the kernel whose operator is marked (marked.h): its applications are
    /// counted, no more.
    std::function<Work(const void* in, void* out, cudaStream_t stream)> prepare_marked = {};

    /// Predict what the SIMT machine counts: the closed form of `quantity`.
    Case& predict(const std::string& quantity, long long value) {
        predictions.emplace_back(quantity, value);
        return *this;
    }
    /// Take the closed form of `quantity` back.
    Case& predict_no(const std::string& quantity) {
        const auto of_quantity = [&](const auto& form) { return form.first == quantity; };
        predictions.erase(std::remove_if(predictions.begin(), predictions.end(), of_quantity),
                          predictions.end());
        return *this;
    }
    /// Write every access of block 0 to the trace (SIMT machine).
    Case& trace() {
        traced = true;
        return *this;
    }
    /// The same, and the contents of shared memory after each step of block 0.
    Case& trace_contents() {
        traced_contents = true;
        return trace();
    }
    /// Write the counts of each step between two barriers to a table (SIMT machine).
    Case& count_steps() {
        has_steps = true;
        return *this;
    }
    /// Count on one core, block after block (SIMT machine). For blocks that communicate: on several cores
    /// their counts would differ from run to run.
    Case& on_single_core() {
        single_core = true;
        return *this;
    }
    /// Skip the case under a profiler, which runs one kernel at a time: its kernels wait for one another.
    Case& without_profiling() {
        skip_profiling = true;
        return *this;
    }
    /// Keep the vector in `memory`, and measure the copies to the GPU and back too.
    Case& from(Memory memory) {
        vector = memory;
        return *this;
    }
    /// Queue the work before the clock starts, or live, so that the host's queueing is measured too.
    Case& queue(Queued when) {
        queued = when;
        return *this;
    }
    /// Submit the work this way; the case's name must say so. Work that cannot be captured in a graph,
    /// because it waits or allocates, is an error.
    Case& submit(Submitted how) {
        submitted = how;
        return *this;
    }
    Case& repeat(int times) {
        repetitions = times;
        return *this;
    }

    std::string name() const { return factors.with({{"n", n}}).name(); }
    int element_bytes() const { return element == nullptr ? 0 : element->bytes; }
    long long in_bytes() const { return n * element_bytes(); }
    long long out_elements() const {
        if (expected.kind == Expected::digest) return (3 + element_bytes()) / element_bytes();
        return expected.kind == Expected::reduction ? (n + expected.segment - 1) / expected.segment : n;
    }
    long long out_bytes() const { return out_elements() * element_bytes(); }
    /// Bytes that the work must move.
    long long bytes() const {
        if (expected.kind == Expected::own) return own_moved;
        return expected.kind == Expected::nothing ? 0 : in_bytes() + out_bytes();
    }
    bool begins_on_host() const { return queued == Queued::live || vector != Memory::device; }
};

}  // namespace harness
