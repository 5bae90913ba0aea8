// Ranks: the processes that mpirun starts, and how they fail.
//
// Every wait has a deadline. At the deadline a rank reports the ranks that have not answered, and the whole
// run is aborted. If a rank dies, mpirun terminates the others, and each of them reports that.
#pragma once
#include <mpi.h>

#include <string>
#include <type_traits>
#include <vector>

namespace trial {

class Ranks {
   public:
    /// Starts MPI, once in a process. deadline: seconds to wait for an answer. Aborting takes one second
    /// more, and mpirun one or two: with a deadline of 5 a failing run ends within 10.
    explicit Ranks(double deadline = 5);
    /// Waits for all ranks, so none exits before all have reported their errors.
    ~Ranks();
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }
    bool is_last() const { return rank_ == size_ - 1; }
    /// Number of ranks on this host, and this rank's index among them.
    int size_of_host() const { return size_of_host_; }
    int rank_of_host() const { return rank_of_host_; }

    /// The values of all ranks, in the order of ranks. Called by all ranks with the same type.
    template <class T>
    std::vector<T> gather(const T& mine) const {
        static_assert(std::is_trivially_copyable_v<T>, "values are sent as bytes");
        std::vector<T> all(static_cast<std::size_t>(size_), mine);
        gather_bytes(&mine, all.data(), static_cast<int>(sizeof(T)));
        return all;
    }

    /// Print an error in one line to stderr, prefixed by this rank's number. Called once: afterwards the rank
    /// is silent if mpirun terminates it.
    void say(const std::string& line) const;

    /// Print an error, give the other ranks one second to print theirs, and abort the run with exit status 1.
    [[noreturn]] void fail(const std::string& line) const;

   private:
    void gather_bytes(const void* mine, void* all, int bytes) const;

    double deadline_;
    int rank_ = 0, size_ = 1, rank_of_host_ = 0, size_of_host_ = 1;
};

}  // namespace trial
