// What a program reads and prints that runs once for every schedule.
#pragma once
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <thread>

/// What the program reads, for every schedule the same. A file is read again from where it was. Of anything
/// else the first schedule gets what comes, and the others what had come by its end.
class Input {
   public:
    Input();
    ~Input() { end(); }
    /// The next schedule is to read the same.
    void again();

   private:
    void end();
    void pump(int to);
    off_t begin_;
    int source_ = -1, kept_ = -1;
    std::atomic<bool> is_over_{false};
    std::thread pump_;
};

/// Of the schedules but the first: does one of them print other words?
class Printed {
   public:
    using Lines = std::map<std::string, std::string>;  ///< by their text without numbers

    Printed();
    ~Printed();
    int to() const { return ends_[1]; }
    /// Reads what is written to `to` until end().
    void begin();
    void end();
    /// Says so once, if it is other than with the first of the seeds.
    void compare(std::uint64_t seed);

   private:
    void read_on();
    int ends_[2] = {-1, -1};
    std::string text_;
    std::atomic<bool> is_over_{false};
    std::thread reader_;
    Lines known_;
    std::uint64_t of_ = 0;
    bool is_known_ = false, is_told_ = false;
};
