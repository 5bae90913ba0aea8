// What a lane may touch: its block's shared memory, the buffers of global memory, the program's variables,
// its own stack.
#include <algorithm>
#include <cstring>

#include "simt/worker.h"

namespace simt {

namespace {

/// The low bits of a word's entry that stand for bytes [begin, end) of the word.
unsigned byte_bits(std::uintptr_t begin, std::uintptr_t end) { return (1u << end) - (1u << begin); }

}  // namespace

void Worker::apply_operator(const void* site) {
    warps_[lane_->number / 32].log.add(lane_->number % 32, site, Kind::op, 0, 0);
}

void Worker::access(std::uintptr_t address, unsigned size, Touch touch, const void* site) {
    const std::uintptr_t offset = address - shared_base_;
    if (offset < arrays_.segment_bytes()) {
        shared_access(offset, address, size, touch, site);
    } else if (address < lane_->stack_begin || address >= lane_->stack_end) {  // not local memory
        global_access(address, size, touch, site);
    }
}

void Worker::shared_access(std::uintptr_t offset, std::uintptr_t address, unsigned size, Touch touch,
                           const void* site) {
    const int index = arrays_.at(offset);
    const SharedArray* const array = index < 0 ? nullptr : &arrays_.all()[std::size_t(index)];
    const bool allowed = array != nullptr && grid_->allowed[std::size_t(index)] && offset >= array->begin;
    const std::size_t dynamic_end = allowed ? array->begin + grid_->dynamic_shared_bytes : 0;
    if (!allowed || offset + size > (array->dynamic() ? dynamic_end : array->end))
        fault("an access outside any buffer: shared memory at address " + hex(address), site);

    const unsigned thread = lane_->number;
    Warp& warp = warps_[thread / 32];
    const int other = hazards_.touch(address, size, touch, thread, warp.order);
    if (other >= 0 || (touch != Touch::write && !shared_written(offset, size))) {
        const std::string where = array->name + ", byte " + std::to_string(offset - array->begin) +
                                  " (address " + hex(address) + ")";
        if (other < 0) fault("a read of shared memory that nothing wrote: " + where, site);
        fault("a race on shared memory " + where + " with thread " + std::to_string(other), site);
    }
    if (touch != Touch::read) mark_shared(offset, size);

    const Kind kind = touch == Touch::read    ? Kind::shared_load
                      : touch == Touch::write ? Kind::shared_store
                                              : Kind::atomic;
    warp.log.add(thread % 32, site, kind, size, address);
}

bool Worker::shared_written(std::uintptr_t offset, unsigned size) const {
    for (std::uintptr_t at = offset; at < offset + size;) {
        const std::uintptr_t end = std::min(at / 4 * 4 + 4, offset + size);
        const std::uint64_t entry = written_[at / 4];
        const unsigned bits = byte_bits(at % 4, at % 4 + end - at);
        if (entry >> 4 != block_serial_ || (entry & bits) != bits) return false;
        at = end;
    }
    return true;
}

void Worker::mark_shared(std::uintptr_t offset, unsigned size) {
    for (std::uintptr_t at = offset; at < offset + size;) {
        const std::uintptr_t end = std::min(at / 4 * 4 + 4, offset + size);
        std::uint64_t& entry = written_[at / 4];
        if (entry >> 4 != block_serial_) entry = block_serial_ << 4;
        entry |= byte_bits(at % 4, at % 4 + end - at);
        at = end;
    }
}

Buffer* Worker::buffer_at(std::uintptr_t address, unsigned size) {
    if (recent_[0] != nullptr && recent_[0]->holds(address, size)) return recent_[0];
    std::swap(recent_[0], recent_[1]);
    if (recent_[0] != nullptr && recent_[0]->holds(address, size)) return recent_[0];
    Buffer* const found = Memory::device().find(address);
    if (found == nullptr || !found->holds(address, size)) return nullptr;
    return recent_[0] = found;
}

void Worker::global_access(std::uintptr_t address, unsigned size, Touch touch, const void* site) {
    Buffer* const buffer = buffer_at(address, size);
    if (buffer == nullptr) {
        const auto call = reinterpret_cast<std::uintptr_t>(grid_->call);
        if (address >= call && address < call + grid_->call_bytes) return;  // the kernel's parameters
        const ProgramMemory& program = ProgramMemory::get();
        const bool variable = address >= program.data_begin && address < program.data_end;
        if (!variable && address >= program.begin && address < program.end) return;  // constants
        if (!variable) fault("an access outside any buffer: address " + hex(address), site);
    }

    const unsigned thread = lane_->number;
    Warp& warp = warps_[thread / 32];
    const int other = hazards_.touch(address, size, touch, thread, warp.order);
    if (other >= 0)
        fault("a race on global memory at address " + hex(address) + " with thread " + std::to_string(other),
              site);
    if (buffer != nullptr) {
        unsigned char* const written = &buffer->written[address - buffer->begin];
        if (touch != Touch::write && std::memchr(written, 0, size) != nullptr)
            fault("a read of global memory that nothing wrote: byte " +
                      std::to_string(address - buffer->begin) + " of a buffer of " +
                      std::to_string(buffer->end - buffer->begin) + " bytes (address " + hex(address) + ")",
                  site);
        if (touch != Touch::read) std::memset(written, 1, size);
    }

    const Kind kind = touch == Touch::read    ? Kind::global_load
                      : touch == Touch::write ? Kind::global_store
                                              : Kind::atomic;
    warp.log.add(thread % 32, site, kind, size, address);
}

}  // namespace simt
