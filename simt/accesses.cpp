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

/// Mask of bytes [begin, end) of a word, as in the low bits of its entry in written_.
unsigned byte_bits(std::uintptr_t begin, std::uintptr_t end) { return (1u << end) - (1u << begin); }

/// Is a read of `size` bytes initialised if written(i) tells which of them are? Of up to 4 bytes each must
/// be. A larger read may be of a struct, whose padding is read along with its members but never written:
/// bytes at the end of a word, after a member, or the second of two words.
template <class Written>
bool is_initialised(unsigned size, Written written) {
    if (size <= 4) {
        for (unsigned i = 0; i < size; ++i)
            if (!written(i)) return false;
        return true;
    }
    for (unsigned word = 0; word < size; word += 4) {
        const bool after_member = word % 8 == 4 && written(word - 4);
        if (!written(word) && !after_member) return false;
    }
    return true;
}

/// The shadow of the program's variables.
Shadow& shadow_of_variables() {
    const ProgramMemory& program = ProgramMemory::get();
    static Shadow shadow(program.data_begin, program.data_end - program.data_begin, false);
    return shadow;
}

}  // namespace

/// What identifies an instruction: the hook's return address, and those of the functions between it and the
/// kernel, so that two calls of a function that is not inlined are two instructions.
const void* Block::identity(const void* site) const {
    const auto on_stack = [this](const Frame* frame) {
        const auto at = reinterpret_cast<std::uintptr_t>(frame);
        return at >= lane_->stack_begin && at < lane_->stack_end;
    };
    const Frame* frame = static_cast<const Frame*>(lane_->frame)->caller;
    if (lane_->kernel_caller == nullptr) {  // the frame from which the kernel was called: always the same
        const Frame* outer = frame;
        while (on_stack(outer) && outer->caller != lane_->base_frame) outer = outer->caller;
        lane_->kernel_caller = outer;
    }
    std::uintptr_t callers = 0;
    for (; on_stack(frame) && frame->caller != lane_->kernel_caller; frame = frame->caller)
        callers = (callers + frame->return_address) * 0x9e3779b97f4a7c15u;
    return static_cast<const char*>(site) + (callers & ~std::uintptr_t(0xffffffff));
}

void Block::apply_operator(const void* site) {
    warps_[lane_->number / 32].log.add(lane_->number % 32, identity(site), Kind::op, 0, 0);
}

void Block::access(std::uintptr_t address, unsigned size, AccessType type, const void* site) {
    if (is_shared(address)) return shared_access(address, size, type, site);
    const bool local = address >= lane_->stack_begin && address < lane_->stack_end;
    const bool parameter = address - reinterpret_cast<std::uintptr_t>(grid_->call) < grid_->call_bytes;
    if (!local && !parameter) global_access(address, size, type, site);
}

template <class Describe>
void Block::warn(const void* site, Describe what) {
    if (warned_.insert(site).second) warnings_.push_back(describe(*lane_, what(), site));
}

/// The access meets one that does not happen before it.
void Block::report_conflict(Shadow& shadow, std::uintptr_t address, unsigned size, PastAccess now,
                            Shadow::Conflict conflict, const void* site) {
    const bool writes = (now.kind & PastAccess::WRITE) != 0;
    while (conflict) {
        if (conflict.precedence != Precedence::likely || grid_->strict)
            fault_of_race(conflict, address, writes, site);
        warn(site, [&] { return race_text(conflict, address, writes); });
        order_.acquire_likely(lane_->number);  // as if the fence were there, from here on
        conflict =
            shadow.access(address, size, now, order_, lane_->number, grid_->parallel && !is_shared(address));
    }
}

void Block::fault_of_race(const Shadow::Conflict& conflict, std::uintptr_t address, bool writes,
                          const void* site) {
    const Hazard hazard = conflict.precedence == Precedence::likely ? Hazard::missing_acquire : Hazard::race;
    fault(hazard, race_text(conflict, address, writes), site);
}

std::string Block::race_text(const Shadow::Conflict& conflict, std::uintptr_t address, bool writes) {
    const PastAccess& past = conflict.past;
    const bool same_block = past.block == order_.block();
    std::string other = same_block ? "" : "block " + std::to_string(past.block - grid_->first_block) + ", ";
    if (past.lanes == 0) {
        other += "a bulk copy";
    } else {
        std::uint32_t lanes = past.lanes;
        if (same_block && past.unit == warp_unit(lane_->number / 32)) lanes &= ~(1u << lane_->number % 32);
        other += "thread " + std::to_string((past.unit - WARPS) * 32u + unsigned(__builtin_ctz(lanes)));
    }
    other += (past.kind & PastAccess::WRITE) != 0 ? ", which wrote it" : ", which read it";
    const std::string position = source_position(program_.at(past.site));
    if (!position.empty()) other += (past.lanes == 0 ? ", issued at " : " at ") + position;

    const bool likely = conflict.precedence == Precedence::likely;
    return std::string(likely ? "missing fence" : "data race") + " on " +
           (is_shared(address) ? "shared" : "global") + " memory: " + place(address) + ": this " +
           (writes ? "write" : "read") + " and " + other +
           (conflict.unseen ? "; no proxy fence shows that write to bulk copies"
            : likely ? "; a strong read observed what was released after it, but no fence follows that read"
            : past.lanes == 0 ? "; nothing has waited for the copy"
            : same_block      ? "; no barrier or other synchronisation orders the two"
                              : "; no fences and flag order the two blocks");
}

/// The array or buffer that holds the address, and the byte within it.
std::string Block::place(std::uintptr_t address) {
    if (is_shared(address)) {
        const std::uintptr_t offset = address - shared_base_;
        const SharedArray& array = arrays_.all()[std::size_t(arrays_.at(offset))];
        return array.name + ", byte " + std::to_string(offset - array.begin) + " (address " + hex(address) +
               ")";
    }
    const Buffer* const buffer = buffer_at(address, 1);
    if (buffer == nullptr) return "address " + hex(address);
    return "byte " + std::to_string(address - buffer->begin) + " of a buffer of " +
           std::to_string(buffer->end - buffer->begin) + " bytes (address " + hex(address) + ")";
}

/// The bytes must lie in one shared array, which the kernel may access.
void Block::check_array(std::uintptr_t address, std::size_t size, const void* site) {
    const std::uintptr_t offset = address - shared_base_;
    if (offset >= array_begin_ && offset + size <= array_end_) return;
    const int index = arrays_.at(offset);
    if (index >= 0 && grid_->allowed[std::size_t(index)]) {
        const SharedArray& array = arrays_.all()[std::size_t(index)];
        const std::size_t end = array.dynamic() ? array.begin + grid_->dynamic_shared_bytes : array.end;
        if (offset >= array.begin && offset + size <= end) {
            array_begin_ = array.begin;
            array_end_ = end;
            return;
        }
    }
    std::string nearest;
    std::size_t distance = ~std::size_t(0);
    for (std::size_t i = 0; i < arrays_.all().size(); ++i) {
        const SharedArray& array = arrays_.all()[i];
        if (!grid_->allowed[i]) continue;
        const std::size_t end = array.dynamic() ? array.begin + grid_->dynamic_shared_bytes : array.end;
        const std::size_t away = offset < array.begin ? array.begin - offset : offset + size - end;
        if (away >= distance) continue;
        distance = away;
        nearest = "; " + std::to_string(away) +
                  (offset < array.begin ? " bytes before " : " bytes past the end of ") + array.name + ", " +
                  std::to_string(end - array.begin) + " bytes";
    }
    fault(Hazard::out_of_bounds, "out-of-bounds access: shared memory at address " + hex(address) + nearest,
          site);
}

void Block::shared_access(std::uintptr_t address, unsigned size, AccessType type, const void* site) {
    const std::uintptr_t offset = address - shared_base_;
    check_array(address, size, site);
    PastAccess now = past(type, size, site);
    if (is_strong(type) && type != AccessType::atomic && !order_.has_released(lane_->number))
        now.kind |= PastAccess::LOCKSTEP;
    check_order(shared_shadow_, address, size, now, site);
    if (!is_write(type) && !shared_written(offset, size))
        uninitialised_read("uninitialised read of shared memory: " + place(address) +
                               ": it is never set, or a barrier before this read is missing",
                           site);
    if (!is_read(type)) mark_shared(offset, size);
    if (type == AccessType::volatile_write) shared_released_.write(address, size, order_, lane_->number);
    if (type == AccessType::atomic || type == AccessType::volatile_read) poll(address, size, site);

    const Kind kind = is_read(type)    ? Kind::shared_load
                      : is_write(type) ? Kind::shared_store
                                       : Kind::shared_atomic;
    warps_[lane_->number / 32].log.add(lane_->number % 32, identity(site), kind, size, address);
}

void Block::uninitialised_read(const std::string& what, const void* site) {
    if (!grid_->uninitialised_reads_allowed) fault(Hazard::uninitialised_read, what, site);
    warn(site, [&] { return what; });
}

bool Block::shared_written(std::uintptr_t offset, unsigned size) const {
    if (size == 4 && offset % 4 == 0) return written_[offset / 4] == (block_serial_ << 4 | 15);
    return is_initialised(size, [&](unsigned byte) {
        const std::uintptr_t at = offset + byte;
        return written_[at / 4] >> 4 == block_serial_ && (written_[at / 4] >> at % 4 & 1) != 0;
    });
}

void Block::mark_shared(std::uintptr_t offset, std::size_t size) {
    if (size == 4 && offset % 4 == 0) {
        written_[offset / 4] = block_serial_ << 4 | 15;
        return;
    }
    for (std::uintptr_t at = offset; at < offset + size;) {
        const std::uintptr_t end = std::min(at / 4 * 4 + 4, offset + size);
        std::uint64_t& entry = written_[at / 4];
        if (entry >> 4 != block_serial_) entry = block_serial_ << 4;
        entry |= byte_bits(at % 4, at % 4 + end - at);
        at = end;
    }
}

Buffer* Block::buffer_at(std::uintptr_t address, std::size_t size) {
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
        if (program_.is_constant(address)) {
            if (!is_read(type)) fault(Hazard::out_of_bounds, "write to constant memory", site);
            return;
        }
        const bool variable = address >= program_.data_begin && address < program_.data_end;
        if (!variable && address >= program_.begin && address < program_.end) return;  // constants
        if (!variable)
            fault(Hazard::out_of_bounds,
                  "out-of-bounds access: address " + hex(address) + Memory::device().nearest(address), site);
    }

    if (type == AccessType::volatile_write) maybe_yield();

    PastAccess now = past(type, size, site);
    check_order(buffer != nullptr ? *buffer->shadow : shadow_of_variables(), address, size, now, site);
    if (buffer != nullptr) {
        unsigned char* const written = &buffer->written[address - buffer->begin];
        if (!is_write(type) && !is_initialised(size, [&](unsigned byte) { return written[byte] != 0; }))
            uninitialised_read("uninitialised read of global memory: " + place(address), site);
        if (!is_read(type)) std::memset(written, 1, size);
    }

    if (type == AccessType::volatile_write) grid_->released.write(address, size, order_, lane_->number);
    const bool may_poll = type == AccessType::atomic || type == AccessType::volatile_read;
    const bool failed_poll = may_poll && poll(address, size, site);
    if (!is_read(type) && !failed_poll) changed_memory_ = true;
    // The number of failed polls depends on the schedule: do not count them.
    if (type == AccessType::volatile_read && failed_poll) return;

    const Kind kind = type == AccessType::read            ? Kind::global_load
                      : type == AccessType::volatile_read ? Kind::volatile_load
                      : is_write(type)                    ? Kind::global_store
                                                          : Kind::global_atomic;
    warps_[lane_->number / 32].log.add(lane_->number % 32, identity(site), kind, size, address);
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
    lane.observed = address;
    lane.observed_size = size;
    return failed;
}

void Block::observe_now() {
    Lane& lane = *lane_;
    released_at(lane.observed).read(lane.observed, lane.observed_size, order_, lane.number);
    lane.observed_size = 0;
}

void Block::begin_atomic(std::uintptr_t address, unsigned size, const void* site) {
    access(address, size, AccessType::atomic, site);
    lane_->observed_size = 0;
    released_at(address).begin_update(address, size, order_, lane_->number);
}

void Block::end_atomic(std::uintptr_t address) { released_at(address).end_update(); }

}  // namespace simt
