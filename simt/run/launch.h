// A kernel that is being run: its code, the constants of this launch, and where its counts go.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "simt/count/footprint.h"
#include "simt/decode/decode.h"
#include "simt/loader/architecture.h"
#include "simt/run/from_kernels.h"
#include "simt/run/grid.h"
#include "simt/run/warp.h"

namespace sass {

// Upper words of generic addresses that mean shared or local memory: no host has memory there.
constexpr std::uint32_t SHARED_WINDOW = 0x00ff0000, LOCAL_WINDOW = 0x00fe0000;
/// At the start of a block's window.
inline unsigned system_shared_bytes() { return architecture().first_shared_byte; }

struct Kernel {
    Launch launch;
    Options options;
    std::shared_ptr<const Code> code;
    std::vector<std::uint8_t> bank0;
    std::vector<std::uint32_t> rows;       ///< of the launch: one for each of code->constants
    std::shared_ptr<void> workspace;       ///< global memory of a cooperative launch
    std::shared_ptr<void> parameters;      ///< global memory with a copy of them, if code has their address
    std::unique_ptr<Footprint> footprint;  ///< null: not wanted
    unsigned shared_bytes = 0;             ///< of a block's window, the system's included
    unsigned local_bytes = 0;              ///< of a thread
    unsigned first_shared_byte = system_shared_bytes();  ///< that its code may access
    /// What cooperative groups keep in shared memory: before the block's own, or behind it. Empty if they
    /// do not.
    unsigned groups_begin = 0, groups_end = 0;

    /// What the block takes of a multiprocessor's.
    unsigned shared_of_multiprocessor() const {
        return shared_bytes - system_shared_bytes() + unsigned(architecture().reserved_shared);
    }
    /// A word of a constant bank, for LDC; throws Fault beyond its end.
    const std::uint8_t* constant(int bank, std::uint32_t offset, unsigned bytes, const Function& of) const;
    bool has_constant(int bank, std::uint32_t offset, unsigned bytes, const Function& of) const;
    const std::vector<std::uint8_t>& bank(int number, const Function& of) const;
};

/// Those of a thread, and a few that vectors may reach into.
inline int registers_of(const Kernel& kernel) { return std::min(kernel.launch.kernel->registers + 8, 255); }

/// Constant bank 0, and the rows of the constants that the kernel's code names.
std::vector<std::uint8_t> bank0_of(const Kernel& kernel);
std::vector<std::uint32_t> rows_of(const Kernel& kernel);

/// Why a GPU refuses the launch, and with which error; "" and 0 if it does not.
std::string refusal_of(const Kernel& kernel, int& error);
/// How many blocks a multiprocessor holds at once, by threads, registers and shared memory.
unsigned blocks_per_multiprocessor(const Kernel& kernel);

/// What the blocks of one core have counted.
struct Observation {
    struct Step {
        std::vector<Tally> tallies;  ///< by instruction
        std::int64_t barriers = 0, cluster_barriers = 0, active_warps = 0;
    };
    std::vector<std::unique_ptr<Step>> steps;
    const Kernel* kernel = nullptr;
    std::vector<Access> trace;  ///< of block 0
    std::vector<Word> contents;
    struct Printed {
        std::uint64_t block;
        std::string text;
    };
    std::vector<Printed> printed;  ///< by printf
    struct Asked {
        std::uint64_t block;
        AskedLaunch launch;
    };
    std::vector<Asked> asked;

    Step& step(int number);  ///< one for all if steps are not wanted
};

/// Passes over the 32 banks of 4 bytes that a request to shared memory takes, and the fewest that as many
/// lanes could need. Addresses in bytes. The rule for 8 and 16 bytes was found from an H200's counters and
/// holds for every pattern of results/nvidia-h200/wavefronts.csv.
struct Passes {
    int taken, ideal;
};
Passes passes_of(const std::uint32_t* addresses, std::uint32_t lanes, unsigned bytes, bool is_store = false);

/// The same for matrices of 8 x 8 halves, of which every eight lanes name the rows: 16 bytes each.
Passes matrix_passes_of(const std::uint32_t* addresses, std::uint32_t lanes);

/// The same for an asynchronous copy by single threads, from global to shared memory. It takes as many passes
/// as lanes are at one bank, where their word comes from or where it goes. One of 16 bytes that bypasses L1
/// goes line by line: see there. Found from an H200's counters.
Passes copy_passes_of(const std::uint64_t* from, const std::uint32_t* to, std::uint32_t lanes, unsigned bytes,
                      bool bypasses);
/// And then its sectors are those of shared memory, for each line that they come from.
int bypassing_sectors_of(const std::uint64_t* from, const std::uint32_t* to, std::uint32_t lanes);

/// The same for an atomic: every lane takes a pass of its own, also at an address that another has;
/// compare-and-swap two. Only ATOMS.POPC.INC adds up the lanes of an address first.
enum class AtomicKind : std::uint8_t { plain, counts, compares };
Passes atomic_passes_of(const std::uint32_t* addresses, std::uint32_t lanes, unsigned bytes, AtomicKind kind);

/// The least and the largest address of the lanes, and the bits that any has.
template <class Address>
struct Span {
    Address low, high, bits;
    Span(const Address* addresses, std::uint32_t lanes) {
        low = high = bits = addresses[__builtin_ctz(lanes)];
        if (lanes == ALL) {
            for (int l = 0; l < LANES; ++l) {
                low = addresses[l] < low ? addresses[l] : low;
                high = addresses[l] > high ? addresses[l] : high;
                bits |= addresses[l];
            }
        } else {
            for (; lanes != 0; lanes &= lanes - 1) {
                const Address address = addresses[__builtin_ctz(lanes)];
                low = address < low ? address : low;
                high = address > high ? address : high;
                bits |= address;
            }
        }
    }
};

// For advice.
/// The passes, if a word of padding followed every 32 words: of a wider access, as much as it is wide.
int padded_passes_of(const std::uint32_t* addresses, std::uint32_t lanes, unsigned bytes, bool is_store);
/// Bytes from each lane at work to the next; 0 if that is not the same for all.
template <class Address>
std::int64_t stride_of(const Address* addresses, std::uint32_t lanes) {
    const int first = __builtin_ctz(lanes);
    const std::uint32_t others = lanes & (lanes - 1);
    if (others == 0) return 0;
    const int second = __builtin_ctz(others);
    const std::int64_t step =
        (std::int64_t(addresses[second]) - std::int64_t(addresses[first])) / (second - first);
    for (std::uint32_t left = others; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        if (std::int64_t(addresses[l]) - std::int64_t(addresses[first]) != step * (l - first)) return 0;
    }
    return step < 0 ? -step : step;
}
/// How many different addresses.
template <class Address>
int distinct(const Address* addresses, std::uint32_t lanes) {
    int count = 0;
    for (; lanes != 0; ++count) {
        const Address one = addresses[__builtin_ctz(lanes)];
        for (std::uint32_t left = lanes; left != 0; left &= left - 1)
            if (addresses[__builtin_ctz(left)] == one) lanes &= ~(left & -left);
    }
    return count;
}

/// Distinct 32-byte sectors of global memory that a request touches.
int sectors_of(const std::uint64_t* addresses, std::uint32_t lanes, unsigned bytes);

/// Sectors that a bulk copy to global memory writes: it travels in packets, one for each 128 bytes of shared
/// memory, and a sector that two packets write counts twice.
int bulk_sectors(std::uint64_t to, std::uint64_t from, unsigned bytes);

// Memory, checked. `lanes` are the lanes at work; a fault names the first lane at fault.
/// The host's address of `bytes` bytes of global memory at this address.
std::uint8_t* global_bytes(std::uint64_t address, std::uint64_t bytes, int lane);
/// All lanes' accesses are within an allocation and aligned.
void check_global(const std::uint64_t* addresses, std::uint32_t lanes, unsigned bytes);
void check_shared(const Block& block, const std::uint32_t* addresses, std::uint32_t lanes, unsigned bytes);
void check_shared(const Block& block, const std::uint32_t* addresses, std::uint32_t lanes, unsigned bytes,
                  const Span<std::uint32_t>& span);
void forget_allocations();  ///< that this thread remembers: before a launch goes on

void record_access(Warp& w, const char* kind, const std::uint32_t* addresses, std::uint32_t lanes,
                   unsigned bytes);

}  // namespace sass
