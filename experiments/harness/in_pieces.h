// The host's cores, for what is done to every element of a long vector.
#pragma once
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace harness {

/// Calls work(i) once for every i from 0 to pieces - 1, on as many threads as there are cores, but on this
/// one alone if there is one piece. Each thread has a `work` of its own, which make() returns: room that
/// pieces need is made once a thread. Throws what any of them throws, once all have ended.
template <class Make>
void in_pieces(long long pieces, Make make) {
    std::atomic<long long> next{0};
    std::exception_ptr failure;
    std::mutex failing;
    const auto run = [&] {
        try {
            auto work = make();
            for (long long i = next++; i < pieces; i = next++) work(i);
        } catch (...) {
            const std::lock_guard<std::mutex> lock(failing);
            failure = std::current_exception();
            next = pieces;
        }
    };
    const long long cores = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::thread> others(std::max(0LL, std::min(cores, pieces) - 1));
    for (std::thread& other : others) other = std::thread(run);
    run();
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace harness
