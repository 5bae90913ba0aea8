// The copy engine of a block, with its barriers and the rules that its users must keep to.
//
//     load      the target is spoilt at once; the source is read, and all bytes land, at any later time
//     store     the source is read at any later time, and the target written at any time after that
//     word      of global memory, written at any later time
//
// Of several pieces of work at hand, any one is next. Rules: addresses and sizes of bulk copies are multiples
// of 16; shared memory is the block's own; what lanes wrote was shown to the engine before it is stored; when
// a block ends, all loads have full and all stores were read. Source: NVIDIA, PTX ISA, "cp.async.bulk",
// "mbarrier" and "Async proxy".
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
    /// bytes: that loads will bring.
    void arrive(const void* barrier, unsigned bytes);
    /// Phases of the barrier that are over.
    const unsigned& phase(const void* barrier);

    void load(void* to, const void* from, unsigned bytes, const void* barrier);
    void store(unsigned thread, void* to, const void* from, unsigned bytes);
    /// The thread's stores since the last group, if any, are the next group.
    void end_group(unsigned thread) { ++groups_[thread]; }
    /// Whether all groups of the thread but the last `groups` have been read.
    bool are_read_but(unsigned groups, unsigned thread) const;
    void check_prefetch(const void* from, unsigned bytes) const;
    /// The thread lets the engine see what it wrote to shared memory.
    void show(unsigned thread);
    void write_word(unsigned thread, void* to, const void* word, std::size_t bytes);

    /// Stores of the thread whose source is not read yet, and words that are not written yet.
    const unsigned& unread(unsigned thread) const { return unread_[thread]; }
    const unsigned& unwritten(unsigned thread) const { return unwritten_[thread]; }

    /// Take some pieces of work, or none, a step further.
    void work(std::mt19937& random);
    bool is_idle() const { return jobs_.empty(); }
    /// What must not be left to do when the block's lanes have ended, or "".
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
        std::vector<char> read;  ///< of a store that was read, or of a word
        unsigned group;          ///< of a store
    };
    struct Barrier {
        unsigned arrivals, missing;
        long long bytes;  ///< announced and not full; below 0 if they full before they were announced
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
    unsigned pause_ = 0;  ///< calls of work() that will do nothing
    std::vector<unsigned> unread_, unwritten_;
    std::vector<unsigned> groups_;  ///< by thread: that have ended
    std::vector<unsigned> shown_;   ///< by thread: syncs of its warp that were over, or NOT_SHOWN
};

}  // namespace emulation
