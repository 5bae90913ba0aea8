// What a GPU's driver provides to kernels: printf, malloc and free, what a failed assertion calls, and, in
// launches.cpp, launches from kernels. The loader puts the instruction SYSCALL in place of such a function:
// it counts as one instruction. Arguments lie in registers from R4 on, those of 64 bits in pairs that begin
// at an even one; the result is in R4.
#include "simt/instructions/warps/syscalls.h"

#include "simt/instructions/memory/accesses.h"
#include "simt/instructions/memory/distributed.h"
#include "simt/instructions/warps/format.h"
#include "simt/run/heap.h"

namespace sass {
namespace {

constexpr int ASSERTION = 710, LAUNCH_FAILURE = 719;

/// Reads a thread's memory at a generic address.
void read(Warp& w, int lane, U64 address, void* to, unsigned bytes) {
    auto* out = static_cast<std::uint8_t*>(to);
    const U window = U(address >> 32), offset = U(address);
    for (unsigned k = 0; k < bytes; ++k) {
        if (window == LOCAL_WINDOW) {
            out[k] = std::uint8_t(local_word(w, (offset + k) / 4 * 4, lane) >> 8 * ((offset + k) % 4));
        } else if (window == SHARED_WINDOW) {
            const Block& block = block_at(w, offset, lane);
            U all[LANES];
            all[lane] = (offset & OFFSET_BITS) + k;
            check_shared(block, all, 1u << lane, 1);
            out[k] = block.shared[all[lane]];
        } else {
            out[k] = *global_bytes(address + k, 1, lane);
        }
    }
}

std::string text_at(Warp& w, int lane, U64 address) {
    std::string text;
    if (address == 0) return "(null)";
    for (char c;; text += c) {
        read(w, lane, address + text.size(), &c, 1);
        if (c == 0) return text;
    }
}

void print(Warp& w, const Instruction&, U lanes) {
    U* const result = w.row(4);
    for_lanes(lanes, [&](int l) {
        const U64 begin = argument(w, 6, l);
        const PrintfArguments arguments{
            [&](unsigned offset, void* to, unsigned bytes) { read(w, l, begin + offset, to, bytes); },
            [&](U64 address) { return text_at(w, l, address); }};
        int count = 0;
        std::string text = formatted(text_at(w, l, argument(w, 4, l)), arguments, count);
        w.block->observed->printed.push_back({w.block->number, std::move(text)});
        result[l] = U(count);
    });
}

void allocate(Warp& w, const Instruction&, U lanes) {
    U* const result = w.row(4);
    for_lanes(lanes, [&](int l) {
        const U64 address = DeviceHeap::get().allocate(argument(w, 4, l));
        result[l] = U(address);
        result[LANES + l] = U(address >> 32);
    });
    forget_allocations();  // the heap may be new
    ++*w.block->progress;
}

void release(Warp& w, const Instruction&, U lanes) {
    for_lanes(lanes, [&](int l) {
        if (!DeviceHeap::get().free(argument(w, 4, l)))
            throw Fault{LAUNCH_FAILURE, "free of an address that malloc did not give", l};
    });
    ++*w.block->progress;
}

/// What a bulk copy to other blocks of the cluster is on sm_120: (shared, global, bytes, mask of blocks,
/// mbarrier).
void copy_to_blocks(Warp& w, const Instruction&, U lanes) {
    for_lanes(lanes, [&](int l) {
        load_bulk(w, l, w.row(4)[l], w.row(10)[l], argument(w, 6, l), w.row(8)[l], w.row(9)[l] & 0xffff);
    });
}
/// (shared, global, bytes, nothing, mbarrier)
void copy_to_block(Warp& w, const Instruction&, U lanes) {
    for_lanes(lanes, [&](int l) {
        const U to = w.row(4)[l];
        load_bulk(w, l, to, w.row(10)[l], argument(w, 6, l), w.row(8)[l], 1u << (to >> RANK_SHIFT & 31));
    });
}

/// (message, file, line, function, bytes of a character)
[[noreturn]] void fail_assertion(Warp& w, const Instruction&, U lanes) {
    const int l = __builtin_ctz(lanes);
    const std::string place = text_at(w, l, argument(w, 6, l)) + ":" + std::to_string(w.row(8)[l]);
    throw Fault{ASSERTION, "assertion `" + text_at(w, l, argument(w, 4, l)) + "` failed at " + place, l};
}

}  // namespace

Handler make_syscall(Decoder& d) {
    static const std::map<std::string, Handler> KNOWN = {
        {"vprintf", print},
        {"malloc", allocate},
        {"free", release},
        {"__assertfail", fail_assertion},
        {"__cuda_syscall_cp_async_bulk_multicast", copy_to_blocks},
        {"__cuda_syscall_cp_async_bulk_unicast", copy_to_block}};
    const std::string name = d.take().text;
    if (const auto at = KNOWN.find(name); at != KNOWN.end()) return at->second;
    const auto of_runtime = runtime_functions().find(name);
    if (of_runtime == runtime_functions().end()) d.refuse("function");
    d.code().asks_runtime = true;
    return of_runtime->second;
}

}  // namespace sass
