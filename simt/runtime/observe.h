// What a program can ask of the SIMT machine while it runs on it. On a GPU's own runtime the functions do not
// exist: simt_observer() is then null, and a program knows that it runs on a GPU.
#pragma once
#include <dlfcn.h>

#include <cstdint>
#include <string>
#include <vector>

#include "simt/count/counts.h"
#include "simt/run/grid.h"

namespace simt_runtime {

struct LaunchRecord {
    std::string kernel;  ///< demangled
    std::uint64_t blocks = 0;
    unsigned threads = 0, registers = 0, shared_bytes = 0;  ///< of a block, of a thread, of a block
    std::int64_t sectors_read = 0, sectors_written = 0;     ///< distinct ones of global memory
    sass::Counts total;
    bool shows_operators =
        true;  ///< whether `ops` are all that the source applies: see simt/decode/operators.h
    std::vector<sass::Counts> steps;
    std::vector<sass::Access> trace;
    std::vector<sass::Word> contents;
};

struct Recording {
    std::vector<LaunchRecord> launches;
    std::int64_t copies = 0;  ///< between host and device
    std::int64_t bytes_to_device = 0, bytes_to_host = 0;
};

/// The machine's side of a program's observation.
class Observer {
   public:
    virtual ~Observer() = default;
    /// Forget what was recorded, and record from now on with these options.
    virtual void begin(const sass::Options& options) = 0;
    /// The launches and copies since begin(); waits for all launches.
    virtual Recording end() = 0;
};

/// The observer of the machine that this program runs on; null on a GPU.
inline Observer* observer() {
    using Get = Observer* (*)();
    const auto get = reinterpret_cast<Get>(dlsym(RTLD_DEFAULT, "simt_observer"));
    return get == nullptr ? nullptr : get();
}

}  // namespace simt_runtime
