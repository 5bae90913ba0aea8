// What strong writes have left for the strong reads that observe them, by address.
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "simt/order.h"

namespace simt {

/// Of the shared memory of a block, or of global memory during one launch.
class ReleasedWords {
   public:
    void clear() {
        words_.clear();
        is_used_ = false;
    }

    /// A plain strong write of `lane`: what an earlier one left is no longer observed.
    void write(std::uintptr_t address, unsigned size, const BlockOrder& order, unsigned lane) {
        if (!is_used_ && !order.has_released(lane)) return;
        const std::lock_guard<std::mutex> lock(mutex_);
        is_used_ = true;
        for_each_word(address, size, [&](std::uintptr_t word) { order.strong_write(lane, words_[word]); });
    }
    void read(std::uintptr_t address, unsigned size, BlockOrder& order, unsigned lane) {
        if (!is_used_) return;
        const std::lock_guard<std::mutex> lock(mutex_);
        for_each_word(address, size, [&](std::uintptr_t word) {
            const auto found = words_.find(word);
            if (found != words_.end()) order.strong_read(lane, found->second);
        });
    }
    /// An atomic. No other one takes place on these words until end_update().
    void begin_update(std::uintptr_t address, unsigned size, BlockOrder& order, unsigned lane) {
        mutex_.lock();
        if (!is_used_ && !order.has_released(lane)) return;
        is_used_ = true;
        for_each_word(address, size, [&](std::uintptr_t word) {
            Released& released = words_[word];
            order.strong_read(lane, released);
            order.strong_update(lane, released);
        });
    }
    void end_update() { mutex_.unlock(); }

   private:
    template <class Visit>
    static void for_each_word(std::uintptr_t address, unsigned size, Visit visit) {
        for (std::uintptr_t word = address / 4; word <= (address + size - 1) / 4; ++word) visit(word);
    }

    std::mutex mutex_;
    std::atomic<bool> is_used_{false};
    std::unordered_map<std::uintptr_t, Released> words_;
};

}  // namespace simt
