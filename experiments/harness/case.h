// One thing to measure, and what the harness must know of it.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace harness {

/// A type of element, as the harness keeps vectors of it. One object a type: element_type<T>() in oracle.h.
struct ElementType {
    int bytes;
    void (*fill)(void* device, long long n, std::uint64_t seed);  ///< the first n elements of the input
    bool is_number;
};

/// Where the vector lies before and after the work. From the host it is copied down and up again, and
/// that is measured too.
enum class Memory { device, pinned, pageable };

/// Whether the host has queued the work when the clock starts, or queues it while the clock runs.
enum class Queued { ahead, live };

/// How the work gets to the GPU: as calls that queue it on the stream, or as a CUDA graph, captured from
/// these calls once and launched as a whole each time.
enum class Submitted { stream, graph };

/// What the work must produce: a scan, or a reduction, of every `segment` consecutive elements; or a copy; or
/// a digest: the exclusive or of all 32-bit words of the vector and the one that the output has there
/// already; or nothing: it must leave the output alone. `own`: the work brings its own vectors and its own
/// check.
struct Expected {
    enum Kind { inclusive_scan, exclusive_scan, reduction, copy, digest, nothing, own } kind;
    long long segment;
};

/// Queues one execution on the stream. Called many times; it must not allocate.
using Work = std::function<void()>;

/// Named values that a case adds to its row of results, such as an error in ulps.
using Findings = std::vector<std::pair<std::string, double>>;

/// A case that is ready to run. What is left out is the harness's: the check against `expected`; no findings.
struct Trial {
    Work work;
    std::function<std::string()> find_error = {};  ///< after one run: "", or what is wrong
    std::function<Findings()> findings = {};       ///< after that; it may run the work
    /// One sample in seconds, of work that lies on several GPUs and times itself; cold or warm. GPU only.
    std::function<double(bool cold)> sample = {};
};

struct Case {
    std::string stem;  ///< the name, without the cache state and n
    long long n;
    const ElementType* element;  ///< null: the work brings its own vectors
    Expected expected;
    std::function<Trial(const void* in, void* out, cudaStream_t stream)> prepare;
    /// "" if `result` is as expected, else the first element that is not; it lies where `vector` says.
    std::string (*find_error)(const Case& c, std::uint64_t seed, const void* result) = nullptr;
    long long own_bytes = 0;  ///< of the GPU's memory, for vectors of its own
    long long own_moved = 0;  ///< bytes of them that the work has to move
    Memory vector = Memory::device;
    Queued queued = Queued::ahead;
    Submitted submitted = Submitted::stream;
    bool traced = false, traced_contents = false;
    bool ordered = false, stepless = false, entangled = false;
    int repetitions = 15;
    std::vector<std::pair<std::string, long long>> predictions = {};

    /// State what the SIMT machine must count: the closed form of `quantity`.
    Case& predict(const std::string& quantity, long long value) {
        predictions.emplace_back(quantity, value);
        return *this;
    }
    /// Write every access of block 0 to the trace (SIMT machine).
    Case& trace() {
        traced = true;
        return *this;
    }
    /// The same, and what each step of block 0 leaves in shared memory.
    Case& trace_contents() {
        traced_contents = true;
        return trace();
    }
    /// Leave the case out of the table of steps (SIMT machine), where it would fill thousands of lines.
    Case& without_steps() {
        stepless = true;
        return *this;
    }
    /// Count on one core, block after block (SIMT machine): for blocks that talk to one another, as what they
    /// make of it would differ from run to run.
    Case& in_order() {
        ordered = true;
        return *this;
    }
    /// Kernels of the case wait for one another, so a profiler, which lets one run at a time, must leave it.
    Case& not_profiled() {
        entangled = true;
        return *this;
    }
    /// Keep the vector in `memory` and count the way to the GPU and back.
    Case& from(Memory memory) {
        vector = memory;
        return *this;
    }
    /// Count the host's part in queueing the work.
    Case& queue(Queued when) {
        queued = when;
        return *this;
    }
    /// Submit the work in this way, which the name says too. Work that cannot be captured for a graph, as it
    /// waits or allocates, is an error. The SIMT machine, which has no graphs, counts the work as it is.
    Case& submit(Submitted how) {
        submitted = how;
        return *this;
    }
    Case& repeat(int times) {
        repetitions = times;
        return *this;
    }

    std::string name() const { return stem + "/n:" + std::to_string(n); }
    int element_bytes() const { return element == nullptr ? 0 : element->bytes; }
    long long in_bytes() const { return n * element_bytes(); }
    long long out_elements() const {
        if (expected.kind == Expected::digest) return (3 + element_bytes()) / element_bytes();
        return expected.kind == Expected::reduction ? (n + expected.segment - 1) / expected.segment : n;
    }
    long long out_bytes() const { return out_elements() * element_bytes(); }
    /// What the work has to move.
    long long bytes() const {
        if (expected.kind == Expected::own) return own_moved;
        return expected.kind == Expected::nothing ? 0 : in_bytes() + out_bytes();
    }
    bool begins_on_host() const { return queued == Queued::live || vector != Memory::device; }
};

}  // namespace harness
