#include "tests/emulation/emulator/copy_engine.h"

#include <cstdint>
#include <cstring>

#include "tests/emulation/emulator/block.h"
#include "tests/emulation/emulator/lane.h"

namespace emulation {

namespace {

bool is_aligned(const void* address) { return reinterpret_cast<std::uintptr_t>(address) % 16 == 0; }

}  // namespace

CopyEngine::CopyEngine(unsigned threads, char* shared, std::size_t shared_bytes)
    : shared_(shared),
      shared_bytes_(shared_bytes),
      unread_(threads, 0),
      unwritten_(threads, 0),
      groups_(threads, 0),
      shown_(threads, NOT_SHOWN) {}

// --- Barriers.

void CopyEngine::init(const void* barrier, unsigned arrivals) {
    if (arrivals == 0) fail("a copy barrier needs an arrival at least");
    barriers_[barrier] = {arrivals, arrivals, 0, 0};
}

CopyEngine::Barrier& CopyEngine::known(const void* barrier) {
    const auto found = barriers_.find(barrier);
    if (found == barriers_.end()) fail("a copy barrier is used before init");
    return found->second;
}

void CopyEngine::settle(Barrier& barrier) {
    if (barrier.missing > 0 || barrier.bytes != 0) return;
    barrier.missing = barrier.arrivals;
    ++barrier.phase;
}

void CopyEngine::arrive(const void* barrier, unsigned bytes) {
    Barrier& at = known(barrier);
    if (at.missing == 0) fail("more arrivals at a copy barrier than init allows");
    --at.missing;
    at.bytes += bytes;
    settle(at);
    note_progress();
}

const unsigned& CopyEngine::phase(const void* barrier) { return known(barrier).phase; }

// --- Copies.

void CopyEngine::check_copy(const char* what, const void* shared, const void* global, unsigned bytes) const {
    const std::string name = what;
    if (!is_aligned(shared)) fail(name + ": shared memory is not at a multiple of 16 bytes");
    if (!is_aligned(global)) fail(name + ": global memory is not at a multiple of 16 bytes");
    if (bytes == 0 || bytes % 16 != 0)
        fail(name + ": " + std::to_string(bytes) + " bytes are no multiple of 16");
    const char* const begin = static_cast<const char*>(shared);
    if (begin < shared_ || begin + bytes > shared_ + shared_bytes_)
        fail(name + ": beyond the block's shared memory");
}

void CopyEngine::check_prefetch(const void* from, unsigned bytes) const {
    if (!is_aligned(from) || bytes == 0 || bytes % 16 != 0)
        fail("bulk prefetch: no multiple of 16 bytes, or not at one");
}

void CopyEngine::load(void* to, const void* from, unsigned bytes, const void* barrier) {
    check_copy("bulk load", to, from, bytes);
    known(barrier);
    std::memset(to, 0xee, bytes);
    jobs_.push_back(
        {Kind::load, 0, static_cast<char*>(to), static_cast<const char*>(from), bytes, barrier, {}, 0});
}

void CopyEngine::show(unsigned thread) { shown_[thread] = Block::current().syncs(thread); }

/// The engine cannot observe plain writes. It assumes that all lanes of the warp wrote, so all must have
/// executed the proxy fence, followed by a warp sync.
void CopyEngine::check_shown(unsigned thread) const {
    const unsigned first = thread / 32 * 32, syncs = Block::current().syncs(thread);
    for (unsigned t = first; t < first + 32; ++t) {
        const std::string other = "bulk store: what thread " + std::to_string(t) + " wrote ";
        if (shown_[t] == NOT_SHOWN) fail(other + "was not shown to bulk copies");
        if (t != thread && shown_[t] == syncs)
            fail(other + "was shown, but the warp has not synchronised since");
    }
}

void CopyEngine::store(unsigned thread, void* to, const void* from, unsigned bytes) {
    check_copy("bulk store", from, to, bytes);
    check_shown(thread);
    const unsigned first = thread / 32 * 32;
    for (unsigned t = first; t < first + 32; ++t) shown_[t] = NOT_SHOWN;  // later writes need a new fence
    ++unread_[thread];
    jobs_.push_back({Kind::store,
                     thread,
                     static_cast<char*>(to),
                     static_cast<const char*>(from),
                     bytes,
                     nullptr,
                     {},
                     groups_[thread]});
}

bool CopyEngine::are_read_but(unsigned groups, unsigned thread) const {
    for (const Job& job : jobs_) {
        const bool waits = job.kind == Kind::store && job.read.empty() && job.thread == thread;
        if (waits && job.group + groups < groups_[thread]) return false;
    }
    return true;
}

void CopyEngine::write_word(unsigned thread, void* to, const void* word, std::size_t bytes) {
    ++unwritten_[thread];
    const char* const from = static_cast<const char*>(word);
    jobs_.push_back(
        {Kind::word, thread, static_cast<char*>(to), nullptr, bytes, nullptr, {from, from + bytes}, 0});
}

// --- Jobs.

void CopyEngine::step(std::size_t index) {
    Job& job = jobs_[index];
    note_progress();
    if (job.kind == Kind::store && job.read.empty()) {
        job.read.assign(job.from, job.from + job.bytes);
        --unread_[job.thread];
        return;
    }
    if (job.kind == Kind::load) {
        std::memcpy(job.to, job.from, job.bytes);
        Barrier& full = barriers_.at(job.barrier);
        full.bytes -= static_cast<long long>(job.bytes);
        settle(full);
    } else {
        std::memcpy(job.to, job.read.data(), job.bytes);
        if (job.kind == Kind::word) --unwritten_[job.thread];
    }
    jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(index));
}

void CopyEngine::work(std::mt19937& random) {
    constexpr unsigned SELDOM = 8, VERY_SELDOM = 50, LONGEST = 400;  // so that lanes run ahead, or far ahead
    if (pause_ > 0) {
        --pause_;
        return;
    }
    if (random() % VERY_SELDOM == 0) pause_ = random() % LONGEST;
    while (!jobs_.empty() && random() % SELDOM == 0) step(random() % jobs_.size());
}

std::string CopyEngine::left_undone() const {
    for (const Job& job : jobs_) {
        if (job.kind == Kind::load) return "it ended before a bulk load has completed";
        if (job.kind == Kind::store && job.read.empty()) return "it ended before a bulk store was read";
    }
    return "";
}

}  // namespace emulation
