// What a program registers when it starts: fat binaries, their kernels and variables, known by the addresses
// of the host's stand-ins for them.
#pragma once
#include <cuda_runtime_api.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "simt/loader/module.h"

namespace simt_runtime {

/// One fat binary. Each device has its own copy of the module, as it has its own variables.
class Binary {
   public:
    explicit Binary(const void* fat_binary) : fat_binary_(fat_binary) {}
    /// Loaded at the first use. Throws std::runtime_error, one line.
    sass::Module& module(int device);

   private:
    const void* fat_binary_;
    std::map<int, std::unique_ptr<sass::Module>> modules_;
};

/// The machine is what SIMT_ARCH says; else sm_90, or, if the first fat binary with machine code has none
/// for it, the newest that it has code for.
void choose_architecture(const void* fat_binary);

struct HostVariable {
    Binary* binary;
    std::string name;  ///< mangled
    void** pointer;    ///< where a managed variable's address belongs; null for any other
};

struct Registry {
    std::map<const void*, std::unique_ptr<Binary>> binaries;    ///< by handle
    std::map<const void*, std::unique_ptr<CUkern_st>> kernels;  ///< by the host's function
    std::map<const void*, HostVariable> variables;              ///< by the host's variable

    static Registry& get();  ///< never destroyed
    /// By the host's function or a cudaKernel_t; null if neither.
    CUkern_st* kernel(const void* function);
};

}  // namespace simt_runtime

/// A kernel, and what was set for it on each device.
struct CUkern_st {
    simt_runtime::Binary* binary = nullptr;
    std::string name;  ///< mangled

    struct Settings {
        int dynamic_shared_bytes = -1;  ///< the most that a launch may ask for; -1: what needs no setting
        int carveout = -1;
        int cluster[3] = {0, 0, 0};  ///< of a kernel that has none of its own
        int large_cluster = 0;       ///< not 0: clusters may have more than 8 blocks
        int cluster_policy = 0;
    };
    std::map<int, Settings> settings;  ///< by device

    /// Disassembled at the first use. Throws std::runtime_error, one line.
    const sass::Function& function(int device) const;
    /// The dynamic shared memory that a launch on the device may ask for.
    int most_dynamic_shared_bytes(int device) const;

   private:
    mutable std::map<int, const sass::Function*> functions_;  ///< by device
};
