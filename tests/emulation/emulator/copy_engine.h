// The copy engine of a block, its mbarriers, and the rules for using them.
//
//     load      overwrites the target with garbage at once; reads the source and writes the target later
//     store     reads the source any time later, writes the target any time after that
//     word      writes global memory any time later
//
// Pending jobs execute in any order. Rules: addresses and sizes of bulk copies are multiples of 16; shared
// memory is the block's own; a proxy fence separates lanes' writes from a bulk store of them; when a block
// ends, its loads have completed and the sources of its stores have been read. Source: NVIDIA, PTX ISA,
// "cp.async.bulk", "mbarrier" and "Async proxy".
#pragma once
#include <cstddef>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace emulation {

class CopyEngine {
   public:
    /// shared: the block's dynamic shared memory.
    CopyEngine(unsigned threads, char* shared, std::size_t shared_bytes);

    void init(const void* barrier, unsigned arrivals);
    /// bytes: the transaction count to expect, as of mbarrier.arrive.expect_tx.
    void arrive(const void* barrier, unsigned bytes);
    /// Number of completed phases of the barrier.
    const unsigned& phase(const void* barrier);

    void load(void* to, const void* from, unsigned bytes, const void* barrier);
    void store(unsigned thread, void* to, const void* from, unsigned bytes);
    /// Commit the thread's stores since the last group as the next group.
    void end_group(unsigned thread) { ++groups_[thread]; }
    /// Whether the sources of all but the thread's latest `groups` groups have been read.
    bool are_read_but(unsigned groups, unsigned thread) const;
    void check_prefetch(const void* from, unsigned bytes) const;
    /// Proxy fence: make the thread's writes to shared memory visible to the engine.
    void show(unsigned thread);
    void write_word(unsigned thread, void* to, const void* word, std::size_t bytes);

    /// Numbers of the thread's stores whose source is unread, and of its words that are unwritten.
    const unsigned& unread(unsigned thread) const { return unread_[thread]; }
    const unsigned& unwritten(unsigned thread) const { return unwritten_[thread]; }

    /// Advance some of the jobs, or none, by one step.
    void work(std::mt19937& random);
    bool is_idle() const { return jobs_.empty(); }
    /// A job that had to complete before the block's lanes ended, or "".
    std::string left_undone() const;

   private:
    enum class Kind { load, store, word };
    struct Job {
        Kind kind;
        unsigned thread;
        char* to;
        const char* from;
        std::size_t bytes;
        const void* barrier;     ///< of a load
        std::vector<char> read;  ///< bytes read by a store, or those of a word
        unsigned group;          ///< of a store
    };
    struct Barrier {
        unsigned arrivals, missing;
        long long bytes;  ///< expected minus arrived; negative if bytes arrive before arrive_expect_tx
        unsigned phase;
    };
    static constexpr unsigned NOT_SHOWN = ~0u;

    Barrier& known(const void* barrier);
    static void settle(Barrier& barrier);
    void check_copy(const char* what, const void* shared, const void* global, unsigned bytes) const;
    void check_shown(unsigned thread) const;
    void step(std::size_t job);

    char* shared_;
    std::size_t shared_bytes_;
    std::unordered_map<const void*, Barrier> barriers_;
    std::vector<Job> jobs_;
    unsigned pause_ = 0;  ///< upcoming calls of work() that do nothing
    std::vector<unsigned> unread_, unwritten_;
    std::vector<unsigned> groups_;  ///< by thread: committed groups
    std::vector<unsigned> shown_;   ///< by thread: its warp's sync count at its last fence, or NOT_SHOWN
};

}  // namespace emulation
