// The cases, ready to run: what is the same on a GPU and on the SIMT machine.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "experiments/harness/case.h"
#include "experiments/harness/gpu_vectors.h"
#include "experiments/harness/graph.h"

namespace harness {

/// On a GPU, where the repetitions of all cases are interleaved, cases share vectors, see gpu_vectors.h. On
/// the SIMT machine a case runs once, and its vectors are of exactly its size: accesses past their ends are
/// found.
class Trials {
   public:
    /// seed: of the input. reserved: bytes of the GPU's memory that are not for the cases' vectors.
    Trials(std::uint64_t seed, long long reserved);
    ~Trials();
    Trials(const Trials&) = delete;
    Trials& operator=(const Trials&) = delete;

    cudaStream_t stream() const { return stream_; }

    /// Vectors for the cases that fit, from now on. The others by case, and why not.
    std::map<const Case*, std::string> hold(const std::vector<const Case*>& cases);

    /// Make the case ready, with the copies to the GPU and back if its vector lies on the host.
    void prepare(const Case& c);
    void drop(const Case& c) { prepared_.erase(&c); }
    const Trial& trial(const Case& c) const { return prepared_.at(&c).trial; }

    /// Overwrite the output, after whatever is queued and before whatever follows.
    void poison(const Case& c) const;
    /// Queue the work, as calls or as a graph, whichever the case asks for.
    void submit(const Case& c) const;
    /// The same, and wait for it. Throws std::runtime_error.
    void run(const Case& c) const;
    /// Run the twin of the case's work whose operator is marked, in the same vectors.
    void run_marked(const Case& c) const;

    /// The result of the latest run; empty if it is not, or not known to be, on the device.
    std::vector<DeviceBytes> result_on_device(const Case& c) const;
    /// "", or what is wrong with it, compared element by element.
    std::string find_error(const Case& c) const;

   private:
    struct Prepared {
        Trial trial;
        std::unique_ptr<Graph> graph;  // of a case submitted as a graph
    };

    Trial make(const Case& c) const;
    void poison_vectors(const Case& c) const;

    std::uint64_t seed_;
    long long reserved_;
    cudaStream_t stream_ = nullptr;
    std::unique_ptr<SharedVectors> vectors_;
    std::map<const Case*, Prepared> prepared_;
};

}  // namespace harness
