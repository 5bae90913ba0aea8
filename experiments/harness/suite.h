// The interface for writing an experiment: it adds its cases to a Suite and calls run().
//
//     const harness::Claim CLAIM = {...};
//
//     void add_cases(harness::Suite& suite) {
//         suite.scan<float>({"scan", "blelloch", {{"tile", 1024}}}, n, {1024, false}, [](auto v) {
//             return [v] { launch(scan_tiles<...>, ceil_div(v.n, 1024), 512, v.stream, v.in, v.out, ...); };
//         }).predict("ops", 2046 * ceil_div(n, 1024));
//     }
//
//     int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
//
// The harness fills the input, poisons the output, checks every element, measures, and writes the results.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "experiments/harness/case.h"
#include "experiments/harness/oracle.h"
#include "kernels/operators.cuh"

namespace harness {

/// A claim as data: stated once, at the head of its experiment; the results carry it, the report prints it.
struct Claim {
    int order;               ///< place in the report; 1000 if it does not matter
    const char* title;       ///< a few words
    const char* claim;       ///< what the source says
    const char* source;      ///< who says so
    const char* prediction;  ///< what follows from it, in numbers
    const char* method;      ///< what is varied, what is held fixed, what is measured
    const char* fails_if;    ///< the evidence that would refute it
};

/// Whether the kernels run on a GPU, where they are timed. Otherwise they run on the SIMT machine, which
/// takes the place of the CUDA runtime (build/simt-run) and counts what they do.
bool on_gpu();

/// Seed the order in which the SIMT machine runs blocks and warps from here on: 0 is the default order, any
/// other seed another one. No effect on a GPU.
void order_blocks(std::uint64_t seed);

/// A scan's segments: every `length` consecutive elements are scanned independently.
struct Segments {
    long long length;
    bool inclusive = true;
};

/// What the work receives: n elements on the device, space for the result, the stream to queue on.
template <class T>
struct Vectors {
    const T* in;
    T* out;
    long long n;
    cudaStream_t stream;
};

/// Reads `bytes` bytes; see Suite::read. Defined in read_all.cu.
Work read_all(const void* data, long long bytes, void* digest, cudaStream_t stream);

/// Allocates what the work needs and returns the work, which owns it.
template <class T>
using Prepare = std::function<Work(Vectors<T>)>;

/// The same for work that brings its own vectors: it makes and fills them; the trial poisons and checks the
/// result.
struct Own {
    long long room;   ///< bytes of the GPU's memory that they take
    long long moved;  ///< bytes that the work must move: `bytes` in the results
    std::function<Trial(cudaStream_t stream)> prepare;
};

/// Why the cases run: to be counted, by the SIMT machine or by a GPU's hardware counters, or to be timed.
enum class Purpose { counts, times };

/// The cases of one experiment, in the order of the report.
class Suite {
   public:
    Suite(Purpose purpose, bool quick) : purpose_(purpose), quick_(quick) {}

    /// Whether the cases are timed. Timed cases are large enough to fill a GPU, and CUB and a copy run beside
    /// them.
    bool timed() const { return purpose_ == Purpose::times; }

    /// Whether to use small sizes, for a quick look rather than a recording.
    bool quick() const { return quick_; }

    /// Elements of a long vector: larger than every cache if timed, enough for many blocks if counted.
    long long long_vector() const {
        if (timed()) return quick_ ? 1 << 20 : 1 << 26;
        return quick_ ? 1 << 12 : 1 << 16;
    }

    /// The harness adds the cache state and n to the factors.
    template <class T, class Op = Sum<T>>
    Case& scan(const Factors& factors, long long n, Segments segments, Prepare<T> prepare) {
        const auto kind = segments.inclusive ? Expected::inclusive_scan : Expected::exclusive_scan;
        return add<T, Op>(factors, n, {kind, segments.length}, std::move(prepare));
    }
    /// Count the case's applications of the operator by a twin of its work, see marked.h.
    template <class T>
    static void count_marks(Case& c, Prepare<T> twin) {
        c.prepare_marked = [n = c.n, twin = std::move(twin)](const void* in, void* out, cudaStream_t stream) {
            return twin({static_cast<const T*>(in), static_cast<T*>(out), n, stream});
        };
    }
    /// The work writes one value for every `segment` elements.
    template <class T, class Op = Sum<T>>
    Case& reduce(const Factors& factors, long long n, long long segment, Prepare<T> prepare) {
        return add<T, Op>(factors, n, {Expected::reduction, segment}, std::move(prepare));
    }
    /// The bandwidth limit to compare with: the runtime's device-to-device copy.
    template <class T>
    Case& copy(const Factors& factors, long long n) {
        return add<T, AnyOperator<T>>(factors, n, {Expected::copy, n}, [](Vectors<T> v) {
            return [v] {
                (void)cudaMemcpyAsync(v.out, v.in, v.n * sizeof(T), cudaMemcpyDeviceToDevice, v.stream);
            };
        });
    }

    /// The bandwidth limit of work that writes almost nothing: a kernel that reads n elements in 16-byte
    /// words and combines one word with the output. Elements must have no padding bytes. GPU only.
    template <class T>
    Case& read(const Factors& factors, long long n) {
        return add<T, AnyOperator<T>>(factors, n, {Expected::digest, n}, [](Vectors<T> v) {
            const auto bytes = v.n * static_cast<long long>(sizeof(T));
            return read_all(v.in, bytes, v.out, v.stream);
        });
    }

    /// Work that must leave its one output element unchanged. `factors` say how much work it is.
    Case& launch(const Factors& factors, Prepare<int> prepare) {
        return add<int, Sum<int>>(factors, 1, {Expected::nothing, 1}, std::move(prepare));
    }

    /// Any other work on n elements.
    Case& own(const Factors& factors, long long n, Own work) {
        const auto prepare = [own = work.prepare](const void*, void*, cudaStream_t stream) {
            Trial trial = own(stream);
            if (!trial.poison || !trial.find_error)
                throw std::runtime_error("work with its own vectors needs poison and find_error");
            return trial;
        };
        cases_.push_back({factors, n, nullptr, {Expected::own, n}, prepare, nullptr, work.room, work.moved});
        return cases_.back();
    }

    std::deque<Case>& cases() { return cases_; }

   private:
    template <class T, class Op>
    Case& add(const Factors& factors, long long n, Expected expected, Prepare<T> prepare) {
        const auto erased = [n, prepare = std::move(prepare)](const void* in, void* out,
                                                              cudaStream_t stream) {
            return Trial{prepare({static_cast<const T*>(in), static_cast<T*>(out), n, stream})};
        };
        cases_.push_back({factors, n, &element_type<T>(), expected, erased, find_error<T, Op>});
        return cases_.back();
    }

    Purpose purpose_;
    bool quick_;
    std::deque<Case> cases_;  // a deque, so that returned references stay valid
};

/// Parse the command line, check every case of experiments/<id>.cu, measure it, and show or write the
/// results. Returns the exit status. On any failure it is not 0, one line on stderr says why, and no file is
/// written.
int run(int argc, char** argv, const std::string& id, const Claim& claim, void (*add_cases)(Suite&));

#ifdef EXPERIMENT
/// An experiment's main. The build defines EXPERIMENT as the stem of the source file, which names the claim.
inline int run(int argc, char** argv, const Claim& claim, void (*add_cases)(Suite&)) {
    return run(argc, argv, EXPERIMENT, claim, add_cases);
}
#endif

}  // namespace harness
