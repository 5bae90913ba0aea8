// Ranks: the processes that mpirun starts, and how they fail.
//
// No rank waits for ever. Whoever waits longer than the deadline names the ranks that have not answered; then
// the whole run is ended. If a rank dies, mpirun ends the others, and each of them says so.
#pragma once
#include <mpi.h>

#include <string>
#include <type_traits>
#include <vector>

class Ranks {
   public:
    /// Starts MPI, once in a process. deadline: seconds to wait for an answer. Until all are ended it takes a
    /// second more, and mpirun one or two: with 5 the whole stays within 10.
    explicit Ranks(double deadline = 5);
    /// Waits for all ranks, so none leaves before all have said what they have to say.
    ~Ranks();
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }
    bool is_last() const { return rank_ == size_ - 1; }
    /// Ranks on this host, and which of them this is.
    int size_of_host() const { return size_of_host_; }
    int rank_of_host() const { return rank_of_host_; }

    /// What every rank gives, in the order of ranks. Called by all, with one type.
    template <class T>
    std::vector<T> gather(const T& mine) const {
        static_assert(std::is_trivially_copyable_v<T>, "a value travels as its bytes");
        std::vector<T> all(static_cast<std::size_t>(size_), mine);
        gather_bytes(&mine, all.data(), static_cast<int>(sizeof(T)));
        return all;
    }

    /// What has gone wrong, in one line to stderr with this rank's number in front. Said once: from then on
    /// the rank is silent if mpirun ends it.
    void say(const std::string& line) const;

    /// Say it, leave the others a second to say theirs, and end the whole run with exit status 1.
    [[noreturn]] void fail(const std::string& line) const;

   private:
    void gather_bytes(const void* mine, void* all, int bytes) const;

    double deadline_;
    int rank_ = 0, size_ = 1, rank_of_host_ = 0, size_of_host_ = 1;
};
