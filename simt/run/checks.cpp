// Whether the addresses of a request are allocated, within the block's shared memory, and aligned.
#include "simt/instructions/words.h"
#include "simt/run/host_memory.h"
#include "simt/run/lanes.h"
#include "simt/run/launch.h"
#include "simt/run/memory.h"

namespace sass {
namespace {

constexpr int ILLEGAL_ADDRESS = 700, ILLEGAL_INSTRUCTION = 715, MISALIGNED = 716;

std::string hex(U64 value) {
    char text[24];
    std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

/// The allocations that this thread used last.
struct Remembered {
    Allocation entries[4];
    int next = 0;
    const Allocation* find(U64 low, U64 high) const {
        for (const Allocation& each : entries)
            if (low >= each.begin && high <= each.end) return &each;
        return nullptr;
    }
};
thread_local Remembered remembered;

bool is_allocated(U64 low, U64 high) {
    if (remembered.find(low, high)) return true;
    const Allocation allocation = Memory::of_device().find(low);
    if (allocation.begin == allocation.end || high > allocation.end || high < low) return false;
    remembered.entries[remembered.next++ % 4] = allocation;
    return true;
}

}  // namespace

void forget_allocations() { remembered = {}; }

namespace {

[[noreturn]] void refuse(U64 address, int lane) {
    if (address < 4096) throw Fault{ILLEGAL_ADDRESS, "a null pointer is accessed", lane};
    const std::string what = "an illegal address is accessed: " + hex(address),
                      near = Memory::of_device().near(address);
    const HostMemory host = near.empty() ? host_memory(address) : HostMemory();
    throw Fault{ILLEGAL_ADDRESS, what + near + host.what, lane, host.cure};
}

}  // namespace

std::uint8_t* global_bytes(U64 address, U64 bytes, int lane) {
    if (!is_allocated(address, address + bytes)) refuse(address, lane);
    return reinterpret_cast<std::uint8_t*>(address);
}

void check_global(const U64* addresses, U lanes, unsigned bytes) {
    const Span<U64> span(addresses, lanes);
    if (span.bits % bytes == 0 && is_allocated(span.low, span.high + bytes)) return;
    for_lanes(lanes, [&](int l) {
        if (addresses[l] % bytes != 0)
            throw Fault{
                MISALIGNED,
                "an access of " + std::to_string(bytes) + " bytes is misaligned: " + hex(addresses[l]), l};
        (void)global_bytes(addresses[l], bytes, l);
    });
}

void check_shared(const Block& block, const U* addresses, U lanes, unsigned bytes) {
    check_shared(block, addresses, lanes, bytes, Span<U>(addresses, lanes));
}
void check_shared(const Block& block, const U* addresses, U lanes, unsigned bytes, const Span<U>& span) {
    const U size = U(block.shared.size()), first = block.kernel->first_shared_byte;
    if (span.low >= first && span.high <= size - bytes && size >= bytes && span.bits % bytes == 0) return;
    for_lanes(lanes, [&](int l) {
        if (addresses[l] % bytes != 0)
            throw Fault{MISALIGNED,
                        "an access of " + std::to_string(bytes) +
                            " bytes to shared memory is misaligned: byte " +
                            std::to_string(addresses[l] - system_shared_bytes()),
                        l};
        if (addresses[l] < first || U64(addresses[l]) + bytes > size)
            // The upper 8 bits say of which block of the cluster: an H200 gives another error if it does not
            // exist.
            throw Fault{
                addresses[l] >> 24 == 0 ? ILLEGAL_ADDRESS : ILLEGAL_INSTRUCTION,
                "byte " +
                    std::to_string(std::int64_t(std::int32_t(addresses[l])) - int(system_shared_bytes())) +
                    " of shared memory is accessed, of which the block has " +
                    std::to_string(size - system_shared_bytes()) + " bytes",
                l};
    });
}

}  // namespace sass
