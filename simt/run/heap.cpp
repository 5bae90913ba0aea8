#include "simt/run/heap.h"

#include <iterator>

#include "simt/run/memory.h"

namespace sass {

DeviceHeap& DeviceHeap::get() {
    static DeviceHeap heap;
    return heap;
}

void DeviceHeap::set_size(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    size_ = bytes;
}

std::uint64_t DeviceHeap::allocate(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    if (!is_made_) {
        is_made_ = true;
        void* const memory = Memory::of_device().allocate(size_, false, "the heap of malloc");
        if (memory != nullptr) unused_[reinterpret_cast<std::uint64_t>(memory)] = size_;
    }
    if (bytes == 0 || bytes > size_) return 0;
    bytes = (bytes + 15) / 16 * 16;
    for (const auto& [address, room] : unused_) {
        if (room < bytes) continue;
        const std::uint64_t begin = address;
        if (room > bytes) unused_[address + bytes] = room - bytes;
        unused_.erase(begin);
        used_[begin] = bytes;
        return begin;
    }
    return 0;
}

bool DeviceHeap::free(std::uint64_t address) {
    if (address == 0) return true;
    const std::lock_guard lock(mutex_);
    const auto part_in_use = used_.find(address);
    if (part_in_use == used_.end()) return false;
    auto part = unused_.emplace(*part_in_use).first;
    used_.erase(part_in_use);
    const auto after = std::next(part);
    if (after != unused_.end() && part->first + part->second == after->first) {
        part->second += after->second;
        unused_.erase(after);
    }
    if (part == unused_.begin()) return true;
    const auto before = std::prev(part);
    if (before->first + before->second == part->first) {
        before->second += part->second;
        unused_.erase(part);
    }
    return true;
}

}  // namespace sass
