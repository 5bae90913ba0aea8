// What a lane may touch: its block's shared memory, the buffers of global memory, the program's variables,
// its own stack.
#include <algorithm>
#include <cstring>

#include "simt/block.h"

namespace simt {

namespace {

/// What the first bytes of memory at `address` hold, while others may write there.
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

bool is_write(Touch touch) { return touch == Touch::write || touch == Touch::volatile_write; }
bool is_read(Touch touch) { return touch == Touch::read || touch == Touch::volatile_read; }
bool is_volatile(Touch touch) { return touch == Touch::volatile_read || touch == Touch::volatile_write; }

/// The low bits of a word's entry that stand for bytes [begin, end) of the word.
unsigned byte_bits(std::uintptr_t begin, std::uintptr_t end) { return (1u << end) - (1u << begin); }

}  // namespace

void Block::apply_operator(const void* site) {
    warps_[lane_->number / 32].log.add(lane_->number % 32, site, Kind::op, 0, 0);
}

void Block::access(std::uintptr_t address, unsigned size, Touch touch, const void* site) {
    const std::uintptr_t offset = address - shared_base_;
    if (offset < arrays_.segment_bytes()) {
        shared_access(offset, address, size, touch, site);
    } else if (address < lane_->stack_begin || address >= lane_->stack_end) {  // not local memory
        global_access(address, size, touch, site);
    }
}

void Block::shared_access(std::uintptr_t offset, std::uintptr_t address, unsigned size, Touch touch,
                          const void* site) {
    const int index = arrays_.at(offset);
    const SharedArray* const array = index < 0 ? nullptr : &arrays_.all()[std::size_t(index)];
    const bool allowed = array != nullptr && grid_->allowed[std::size_t(index)] && offset >= array->begin;
    const std::size_t dynamic_end = allowed ? array->begin + grid_->dynamic_shared_bytes : 0;
    if (!allowed || offset + size > (array->dynamic() ? dynamic_end : array->end))
        fault("an access outside any buffer: shared memory at address " + hex(address), site);

    // Volatile does not order lanes: a warp that relies on it races.
    const Touch race = is_write(touch) ? Touch::write : is_read(touch) ? Touch::read : Touch::atomic;
    const unsigned thread = lane_->number;
    Warp& warp = warps_[thread / 32];
    const int other = hazards_.touch(address, size, race, thread, warp.order);
    if (other >= 0 || (!is_write(touch) && !shared_written(offset, size))) {
        const std::string where = array->name + ", byte " + std::to_string(offset - array->begin) +
                                  " (address " + hex(address) + ")";
        if (other < 0) fault("a read of shared memory that nothing wrote: " + where, site);
        fault("a race on shared memory " + where + " with thread " + std::to_string(other), site);
    }
    if (!is_read(touch)) mark_shared(offset, size);
    if (touch == Touch::atomic || touch == Touch::volatile_read) look(address, size, site);

    const Kind kind = race == Touch::read    ? Kind::shared_load
                      : race == Touch::write ? Kind::shared_store
                                             : Kind::shared_atomic;
    warp.log.add(thread % 32, site, kind, size, address);
}

// A type may have holes, which nothing writes, but which the compiler reads along with the rest. Hence a read
// is taken for sound if something wrote part of every 8 bytes of it.
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

void Block::global_access(std::uintptr_t address, unsigned size, Touch touch, const void* site) {
    Buffer* const buffer = buffer_at(address, size);
    if (buffer == nullptr) {
        const auto call = reinterpret_cast<std::uintptr_t>(grid_->call);
        if (address >= call && address < call + grid_->call_bytes) return;  // the kernel's parameters
        const ProgramMemory& program = ProgramMemory::get();
        const bool variable = address >= program.data_begin && address < program.data_end;
        if (!variable && address >= program.begin && address < program.end) return;  // constants
        if (!variable) fault("an access outside any buffer: address " + hex(address), site);
    }

    if (touch == Touch::volatile_write) may_give_way();

    // Volatile accesses to global memory are how lanes talk to one another: as atomics, they race with plain
    // ones only.
    const Touch race = is_volatile(touch) ? Touch::atomic : touch;
    const unsigned thread = lane_->number;
    Warp& warp = warps_[thread / 32];
    const int other = hazards_.touch(address, size, race, thread, warp.order);
    if (other >= 0)
        fault("a race on global memory at address " + hex(address) + " with thread " + std::to_string(other),
              site);
    if (buffer != nullptr) {
        unsigned char* const written = &buffer->written[address - buffer->begin];
        if (!is_write(touch) && !global_written(written, size))
            fault("a read of global memory that nothing wrote: byte " +
                      std::to_string(address - buffer->begin) + " of a buffer of " +
                      std::to_string(buffer->end - buffer->begin) + " bytes (address " + hex(address) + ")",
                  site);
        if (!is_read(touch)) std::memset(written, 1, size);
    }

    const bool looks = touch == Touch::atomic || touch == Touch::volatile_read;
    const bool in_vain = looks && look(address, size, site);
    if (!is_read(touch) && !in_vain) changed_memory_ = true;
    if (touch == Touch::volatile_read && in_vain) return;  // how often depends on who runs when: not counted

    const Kind kind = touch == Touch::read            ? Kind::global_load
                      : touch == Touch::volatile_read ? Kind::volatile_load
                      : is_write(touch)               ? Kind::global_store
                                                      : Kind::global_atomic;
    warp.log.add(thread % 32, site, kind, size, address);
}

/// The lane is about to look at memory that others may change. If it looked before and found the same, it
/// polls and gives way. True if so.
bool Block::look(std::uintptr_t address, unsigned size, const void* site) {
    Lane& lane = *lane_;
    lane.last = {site, address, value_at(address, size)};
    const Look* const end = lane.kept + std::min(lane.looks_kept, LOOKS_KEPT);
    const bool again = std::find(static_cast<const Look*>(lane.kept), end, lane.last) != end;
    if (!again) lane.kept[lane.looks_kept++ % LOOKS_KEPT] = lane.last;
    if (again || ++lane.looks % LOOKS_AT_MOST == 0) give_way();
    return again;
}

}  // namespace simt
