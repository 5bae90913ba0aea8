// A decoded instruction: a function and the rows that it reads and writes.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "simt/loader/module.h"

namespace sass {

struct Warp;
struct Instruction;

constexpr int LANES = 32;
constexpr std::uint32_t ALL = ~0u;  ///< of them

// Words and pairs of words.
using U = std::uint32_t;
using U64 = std::uint64_t;

/// Executes the instruction for these lanes, at least one. A uniform one gets all lanes.
using Handler = void (*)(Warp&, const Instruction&, std::uint32_t lanes);

// Rows of a warp. R255, RZ, reads as zeros, as many rows as an operand has; what is written to it goes to
// NOWHERE.
constexpr std::uint16_t ZERO = 255, UNIFORM = 259, NOWHERE = 355, TEMPORARY = 361;
constexpr std::uint16_t TID_X = 375, TID_Y = 376, TID_Z = 377, LANE = 378, RPC = 379, SCRATCH = 381,
                        WARP_ROWS = 389;

// Predicates: P0 .. P6, PT; UP0 .. UP6, UPT; one to write to in vain.
constexpr int PT = 7, UPT = 15, NO_PREDICATE = 16, SCRATCH_PREDICATE = 17, PREDICATES = 18;
constexpr std::uint8_t INVERTED = 0x80;

/// A row that is read.
struct Source {
    std::uint16_t row = ZERO;
    std::uint8_t of = 0;        ///< 0: of the warp; 1: of the launch: constants and immediate values
    std::uint8_t modifier = 0;  ///< see Modifier
};

/// RZ, or nothing.
inline bool is_uniform(std::uint16_t row) { return row >= UNIFORM && row < NOWHERE; }  ///< register
inline bool is_zero(const Source& s) { return s.row == ZERO && s.of == 0; }

/// What is done to a source before it is used.
enum Modifier : std::uint8_t {
    as_is = 0,
    negate = 1,                        ///< of an integer
    invert = 2,                        ///< its bits
    flip_sign = 4,                     ///< of floats: 32 bits, 64 bits (two rows), two halves
    clear_sign = 8,                    ///< before flip_sign
    of_double = 16,                    ///< on two rows
    of_halves = 32,                    ///< on both halves
    of_bytes = of_double | of_halves,  ///< on each byte
    low_twice = 64,                    ///< .H0_H0
    high_twice = 128,                  ///< .H1_H1
    /// .H0_NH1: the halves change places, and what becomes the lower one its sign.
    exchange = low_twice | high_twice,
    /// .F32 of sm_75: a float, which becomes a half, cut off towards zero, twice.
    as_half = of_double | low_twice
};

/// Of which counts an instruction is part.
enum class Class : std::uint8_t {
    other,
    branch,
    shared_load,
    shared_store,
    shared_atomic,
    matrix_load,  ///< of shared memory, too: LDSM and STSM, which have counters of their own
    matrix_store,
    global_load,
    global_store,
    asynchronous_load,  ///< to shared memory: the GPU's counter of requests leaves it out
    global_atomic,
    local_load,
    local_store,
    texture,  ///< of the units for textures and surfaces
    block_barrier,
    shuffle,
    vote,
    warp_reduction,
    bulk_load,
    bulk_store,
    mbarrier_arrival
};

/// The pipe of a multiprocessor that executes an instruction, if a warp may have to wait for it. A scheduler
/// issues one warp instruction a cycle, but every second one at the most to the ALU (integers without
/// products, logic, comparisons, choices) and to the unit for doubles, and every eighth one to the special
/// functions' (XU). Loads, stores, shuffles and barriers of all four schedulers share one pipe to memory
/// (MIO), which takes one a cycle, also where no lane is at work. Products of matrices have tensor cores.
/// Source: CUDA C++ Programming Guide, throughput of native arithmetic instructions, compute capability 9.0;
/// which opcodes are whose: Nsight Compute's documentation, pipelines.
enum class Pipe : std::uint8_t { fast, alu, fp64, xu, mio, tensor };

/// Which threads a strong access or a fence includes. Several GPUs are one device here.
enum class Scope : std::uint8_t { none, block, cluster, device };

/// What an instruction means for the order of events: by its modifiers, and where these do not tell, by the
/// PTX that it is made from.
/// In its word, of the half that PRMT's selector stands for.
inline std::uint32_t half_offset(std::uint32_t selector) { return selector == 0x3254 ? 0 : 2; }
struct Ordering {
    Scope scope = Scope::none;  ///< of a strong access, or of a fence
    bool is_volatile = false;   ///< strong for PTX, not for C++
    bool is_of_system = false;  ///< strong for the host, too
    bool acquires = false;      ///< ld.acquire and the like
    // An atomic that the GPU lacks becomes a load of the word and a compare-and-swap; on 2 bytes, of the word
    // that has them, which PRMT puts into it.
    bool is_for_atomic = false;          ///< that load: no access of its own
    std::uint16_t which_half = NOWHERE;  ///< of that compare-and-swap: the register with PRMT's selector
    std::uint8_t parts = 1;  ///< of a strong access to a vector, whose elements are accesses; 0: unknown
    bool is_merged = false;  ///< a load of words that PTX loads one by one: the first need be the program's
    // Where lanes of a warp add to one word, the compiler has them vote, and one add for all.
    bool gathers = false;      ///< that vote
    bool is_gathered = false;  ///< the atomic, or a fence of the same line of PTX
    bool is_of_long = false;   ///< a strong access to one of the two words that PTX accesses
    bool syncs_warp = false;   ///< the lanes at work wait for one another
    bool releases = false;     ///< an arrival at the cluster's barrier: a fence precedes it
    bool is_sync = false;      ///< and the wait follows
    std::uint32_t mask = ~0u;  ///< then: no others
};

struct Instruction {
    const char* base = "";  ///< the opcode's name, of a uniform one that of the ordinary one
    Handler run = nullptr;
    Handler inner = nullptr;  ///< if sources have modifiers, `run` applies them and calls this
    Source a, b, c;
    std::uint16_t d = NOWHERE;
    std::uint8_t guard = PT;                          ///< predicate codes: an index, INVERTED or not
    std::uint8_t p = NO_PREDICATE, q = NO_PREDICATE;  ///< predicates that are written
    std::uint8_t pa = PT, pb = PT, pc = PT;           ///< and read
    bool is_uniform = false;
    bool is_control = false;     ///< may change the program counter or the group
    bool is_collective = false;  ///< WARPSYNC.COLLECTIVE
    bool is_strong = false;      ///< volatile, relaxed, acquire
    Ordering ordering = {};      ///< what it means for the order of events
    bool is_of_user = false;     ///< of a line that is, or is inlined into, the user's
    bool is_wide = false;        ///< addresses have 64 bits
    std::uint8_t scale = 1;      ///< of an address's register
    Class counted = Class::other;
    std::uint8_t bytes = 4;  ///< of a memory access, a lane
    std::uint8_t kind = 0;   ///< further choice of the handler
    Pipe pipe = Pipe::fast;
    bool is_operator = false;  ///< applies the operator of the scan or reduction
    std::uint32_t number = 0;  ///< immediate value: table, shift, mask, target
    std::int64_t offset = 0;   ///< of an address
    const Line* line = nullptr;
};

}  // namespace sass
