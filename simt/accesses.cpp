// Checks and counts the memory accesses of a lane. It may access its block's shared memory, the buffers of
// global memory, the program's variables and its own stack.
#include <algorithm>
#include <cstring>

#include "simt/block.h"

namespace simt {

namespace {

/// The value of the first min(size, 8) bytes at `address`, loaded atomically: other CPU threads may write it.
std::uint64_t value_at(std::uintptr_t address, unsigned size) {
    const auto load = [&](auto number) {
        return std::uint64_t(__atomic_load_n(reinterpret_cast<decltype(number)*>(address), __ATOMIC_RELAXED));
    };
    switch (size) {
        case 1: return load(std::uint8_t());
        case 2: return load(std::uint16_t());
        case 4: return load(std::uint32_t());
        default: return load(std::uint64_t());
    }
}

bool is_write(AccessType type) { return type == AccessType::write || type == AccessType::volatile_write; }
bool is_read(AccessType type) { return type == AccessType::read || type == AccessType::volatile_read; }
bool is_volatile(AccessType type) {
    return type == AccessType::volatile_read || type == AccessType::volatile_write;
}

/// Mask of bytes [begin, end) of a word, as in the low bits of its entry in written_.
unsigned byte_bits(std::uintptr_t begin, std::uintptr_t end) { return (1u << end) - (1u << begin); }

}  // namespace

void Block::apply_operator(const void* site) {
    warps_[lane_->number / 32].log.add(lane_->number % 32, site, Kind::op, 0, 0);
}

void Block::access(std::uintptr_t address, unsigned size, AccessType type, const void* site) {
    const std::uintptr_t offset = address - shared_base_;
    if (offset < arrays_.segment_bytes()) {
        shared_access(offset, address, size, type, site);
    } else if (address < lane_->stack_begin || address >= lane_->stack_end) {  // not local memory
        global_access(address, size, type, site);
    }
}

void Block::shared_access(std::uintptr_t offset, std::uintptr_t address, unsigned size, AccessType type,
                          const void* site) {
    const int index = arrays_.at(offset);
    const SharedArray* const array = index < 0 ? nullptr : &arrays_.all()[std::size_t(index)];
    const bool allowed = array != nullptr && grid_->allowed[std::size_t(index)] && offset >= array->begin;
    const std::size_t dynamic_end = allowed ? array->begin + grid_->dynamic_shared_bytes : 0;
    if (!allowed || offset + size > (array->dynamic() ? dynamic_end : array->end))
        fault("out-of-bounds access: shared memory at address " + hex(address), site);

    // Volatile does not order lanes, so volatile accesses to shared memory race like plain ones.
    const AccessType race = is_write(type)  ? AccessType::write
                            : is_read(type) ? AccessType::read
                                            : AccessType::atomic;
    const unsigned thread = lane_->number;
    Warp& warp = warps_[thread / 32];
    const int other = hazards_.access(address, size, race, thread, warp.order);
    if (other >= 0 || (!is_write(type) && !shared_written(offset, size))) {
        const std::string where = array->name + ", byte " + std::to_string(offset - array->begin) +
                                  " (address " + hex(address) + ")";
        if (other < 0) fault("uninitialised read of shared memory: " + where, site);
        fault("data race on shared memory: " + where + ", with thread " + std::to_string(other), site);
    }
    if (!is_read(type)) mark_shared(offset, size);
    if (type == AccessType::atomic || type == AccessType::volatile_read) poll(address, size, site);

    const Kind kind = race == AccessType::read    ? Kind::shared_load
                      : race == AccessType::write ? Kind::shared_store
                                                  : Kind::shared_atomic;
    warp.log.add(thread % 32, site, kind, size, address);
}

// A type may have padding that is never written but that the compiler reads along with the members. Hence a
// read counts as initialised if part of every 8 bytes of it was written.
constexpr std::uintptr_t PART = 8;

bool Block::shared_written(std::uintptr_t offset, unsigned size) const {
    for (std::uintptr_t part = offset; part < offset + size; part += PART) {
        bool written = false;
        for (std::uintptr_t at = part; at < std::min(part + PART, offset + size);) {
            const std::uintptr_t end = std::min(at / 4 * 4 + 4, offset + size);
            const std::uint64_t entry = written_[at / 4];
            written |= entry >> 4 == block_serial_ && (entry & byte_bits(at % 4, at % 4 + end - at)) != 0;
            at = end;
        }
        if (!written) return false;
    }
    return true;
}

bool Block::global_written(const unsigned char* written, unsigned size) {
    for (unsigned part = 0; part < size; part += PART)
        if (std::memchr(written + part, 1, std::min<std::size_t>(size - part, PART)) == nullptr) return false;
    return true;
}

void Block::mark_shared(std::uintptr_t offset, unsigned size) {
    for (std::uintptr_t at = offset; at < offset + size;) {
        const std::uintptr_t end = std::min(at / 4 * 4 + 4, offset + size);
        std::uint64_t& entry = written_[at / 4];
        if (entry >> 4 != block_serial_) entry = block_serial_ << 4;
        entry |= byte_bits(at % 4, at % 4 + end - at);
        at = end;
    }
}

Buffer* Block::buffer_at(std::uintptr_t address, unsigned size) {
    if (recent_[0] != nullptr && recent_[0]->holds(address, size)) return recent_[0];
    std::swap(recent_[0], recent_[1]);
    if (recent_[0] != nullptr && recent_[0]->holds(address, size)) return recent_[0];
    Buffer* const found = Memory::device().find(address);
    if (found == nullptr || !found->holds(address, size)) return nullptr;
    return recent_[0] = found;
}

void Block::global_access(std::uintptr_t address, unsigned size, AccessType type, const void* site) {
    Buffer* const buffer = buffer_at(address, size);
    if (buffer == nullptr) {
        const auto call = reinterpret_cast<std::uintptr_t>(grid_->call);
        if (address >= call && address < call + grid_->call_bytes) return;  // the kernel's parameters
        const ProgramMemory& program = ProgramMemory::get();
        const bool variable = address >= program.data_begin && address < program.data_end;
        if (!variable && address >= program.begin && address < program.end) return;  // constants
        if (!variable) fault("out-of-bounds access: address " + hex(address), site);
    }

    if (type == AccessType::volatile_write) maybe_yield();

    // Blocks communicate by volatile global accesses. Like atomics, these race with plain accesses only.
    const AccessType race = is_volatile(type) ? AccessType::atomic : type;
    const unsigned thread = lane_->number;
    Warp& warp = warps_[thread / 32];
    const int other = hazards_.access(address, size, race, thread, warp.order);
    if (other >= 0)
        fault(
            "data race on global memory: address " + hex(address) + ", with thread " + std::to_string(other),
            site);
    if (buffer != nullptr) {
        unsigned char* const written = &buffer->written[address - buffer->begin];
        if (!is_write(type) && !global_written(written, size))
            fault("uninitialised read of global memory: byte " + std::to_string(address - buffer->begin) +
                      " of a buffer of " + std::to_string(buffer->end - buffer->begin) + " bytes (address " +
                      hex(address) + ")",
                  site);
        if (!is_read(type)) std::memset(written, 1, size);
    }

    const bool may_poll = type == AccessType::atomic || type == AccessType::volatile_read;
    const bool failed_poll = may_poll && poll(address, size, site);
    if (!is_read(type) && !failed_poll) changed_memory_ = true;
    // The number of failed polls depends on the schedule: do not count them.
    if (type == AccessType::volatile_read && failed_poll) return;

    const Kind kind = type == AccessType::read            ? Kind::global_load
                      : type == AccessType::volatile_read ? Kind::volatile_load
                      : is_write(type)                    ? Kind::global_store
                                                          : Kind::global_atomic;
    warp.log.add(thread % 32, site, kind, size, address);
}

/// The lane is about to execute a volatile load or an atomic. The poll fails if one of its recent polls at
/// this site and address found the same value; the lane then yields. Returns whether the poll failed.
bool Block::poll(std::uintptr_t address, unsigned size, const void* site) {
    Lane& lane = *lane_;
    lane.last_poll = {site, address, value_at(address, size)};
    const Poll* const end = lane.poll_history + std::min(lane.polls_recorded, POLL_HISTORY);
    const bool failed = std::find(static_cast<const Poll*>(lane.poll_history), end, lane.last_poll) != end;
    if (!failed) lane.poll_history[lane.polls_recorded++ % POLL_HISTORY] = lane.last_poll;
    if (failed || ++lane.polls % POLLS_BEFORE_YIELD == 0) yield();
    return failed;
}

}  // namespace simt
