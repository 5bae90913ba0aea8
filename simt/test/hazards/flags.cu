// Flags between blocks: the writer writes a payload, fences, and sets a flag; the reader sees the flag,
// fences, and reads the payload.
#include "simt/test/hazards/fences.h"
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

enum class Flag { is_volatile, atomic, plain };

/// Block 0 hands a payload to block 1.
template <Fence RELEASE, Fence ACQUIRE, Flag FLAG>
__global__ void hand_over(int* payload, int* flag, int* out) {
    volatile int* const strong_flag = flag;
    if (blockIdx.x == 0) {
        *payload = 42;
        fence<RELEASE>();
        if (FLAG == Flag::is_volatile) *strong_flag = 1;
        if (FLAG == Flag::atomic) atomicExch(flag, 1);
        if (FLAG == Flag::plain) *flag = 1;
    } else {
        if (FLAG == Flag::atomic)
            while (atomicAdd(flag, 0) == 0) {
            }
        else
            while (*strong_flag == 0) {
            }
        fence<ACQUIRE>();
        *out = *payload;
    }
}

template <Fence RELEASE, Fence ACQUIRE, Flag FLAG = Flag::is_volatile>
std::string run_hand_over() {
    return result_of(hand_over<RELEASE, ACQUIRE, FLAG>, 2, 1, {42}, zeros(1), zeros(1), zeros(1));
}

/// The flag is set first, and the fence follows it.
__global__ void fence_too_late(int* payload, volatile int* flag, int* out) {
    if (blockIdx.x == 0) {
        *payload = 42;
        *flag = 1;
        __threadfence();
    } else {
        while (*flag == 0) {
        }
        __threadfence();
        *out = *payload;
    }
}

std::string run_fence_too_late() {
    return result_of(fence_too_late, 2, 1, {42}, zeros(1), zeros(1), zeros(1));
}

/// Block 0 tells block 1, which tells block 2, which reads what block 0 wrote.
template <Fence MIDDLE>
__global__ void relay(int* payload, volatile int* flags, int* out) {
    if (blockIdx.x == 0) {
        *payload = 42;
        __threadfence();
        flags[0] = 1;
    } else if (blockIdx.x == 1) {
        while (flags[0] == 0) {
        }
        fence<MIDDLE>();
        flags[1] = 1;
    } else {
        while (flags[1] == 0) {
        }
        __threadfence();
        *out = *payload;
    }
}

template <Fence MIDDLE>
std::string run_relay() {
    return result_of(relay<MIDDLE>, 3, 1, {42}, zeros(1), zeros(2), zeros(1));
}

/// The same with one flag that block 1 changes from 1 to 2, without a fence: a read-modify-write continues
/// the release sequence of the write that it reads.
template <bool FENCE>
__global__ void release_sequence(int* payload, int* flag, int* out) {
    if (blockIdx.x == 0) {
        *payload = 42;
        if (FENCE) __threadfence();
        *static_cast<volatile int*>(flag) = 1;
    } else if (blockIdx.x == 1) {
        while (atomicCAS(flag, 1, 2) != 1) {
        }
    } else {
        while (*static_cast<volatile int*>(flag) != 2) {
        }
        __threadfence();
        *out = *payload;
    }
}

template <bool FENCE>
std::string run_release_sequence() {
    return result_of(release_sequence<FENCE>, 3, 1, {42}, zeros(1), zeros(1), zeros(1));
}

/// Three blocks write a slot each and count themselves. The last block waits for all three.
template <Fence RELEASE, Fence ACQUIRE>
__global__ void gather(int* slots, int* count, int* out) {
    const int b = blockIdx.x;
    if (b < 3) {
        slots[b] = b + 1;
        fence<RELEASE>();
        atomicAdd(count, 1);
    } else {
        while (*(volatile int*)count != 3) {
        }
        fence<ACQUIRE>();
        *out = slots[0] + slots[1] + slots[2];
    }
}

template <Fence RELEASE, Fence ACQUIRE>
std::string run_gather() {
    return result_of(gather<RELEASE, ACQUIRE>, 4, 1, {6}, zeros(3), zeros(1), zeros(1));
}

constexpr Fence NONE = Fence::none, BLOCK = Fence::block, DEVICE = Fence::device, SYSTEM = Fence::system;

const Bench flags(
    "flag between blocks",
    {
        {"flag", Expected::clean, "fence and flag, then flag and fence", run_hand_over<DEVICE, DEVICE>},
        {"flag_system", Expected::clean, "a fence of the system includes the device",
         run_hand_over<SYSTEM, SYSTEM>},
        {"flag_no_fences", Expected::race, "volatile alone orders no other word", run_hand_over<NONE, NONE>},
        {"flag_no_release", Expected::race, "the flag may be seen before the payload",
         run_hand_over<NONE, DEVICE>},
        {"flag_no_acquire", Expected::missing_acquire, "the payload may be read before the flag",
         run_hand_over<DEVICE, NONE>},
        {"flag_release_in_block", Expected::race, "the releasing fence does not reach the other block",
         run_hand_over<BLOCK, DEVICE>},
        {"flag_acquire_in_block", Expected::missing_acquire, "the acquiring fence is too narrow to count",
         run_hand_over<DEVICE, BLOCK>},
        {"flag_plain", Expected::race, "a plain write of the flag races with its volatile read",
         run_hand_over<DEVICE, DEVICE, Flag::plain>},
        {"flag_fence_too_late", Expected::race, "the fence follows the flag that it should precede",
         run_fence_too_late},
        {"flag_atomic", Expected::clean, "atomics are strong: fences around them order the payload",
         run_hand_over<DEVICE, DEVICE, Flag::atomic>},
        {"flag_atomic_no_release", Expected::race, "an atomic alone orders no other word",
         run_hand_over<NONE, DEVICE, Flag::atomic>},
        {"relay", Expected::clean, "the middle block's fence both acquires and releases", run_relay<DEVICE>},
        {"relay_no_fence", Expected::race, "the middle block neither acquires nor releases", run_relay<NONE>},
        {"release_sequence", Expected::clean, "a read-modify-write continues the release sequence",
         run_release_sequence<true>},
        {"release_sequence_broken", Expected::race, "the first write of the sequence releases nothing",
         run_release_sequence<false>},
        {"gather", Expected::clean, "the last count continues the release sequences of the earlier ones",
         run_gather<DEVICE, DEVICE>},
        {"gather_no_release", Expected::race, "the count may be seen before the slots",
         run_gather<NONE, DEVICE>},
    });

}  // namespace
