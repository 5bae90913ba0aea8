#define ORACLE_INSTANCE template
#include "experiments/harness/oracle.h"

#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "experiments/harness/operands.h"

namespace harness {
namespace {

/// Pinned memory that is in no use, by size.
struct Pool {
    std::mutex mutex;
    std::multimap<std::size_t, void*> free;
};

Pool& pool() {
    static Pool pool;
    return pool;
}

}  // namespace

void* take_pinned(std::size_t bytes) {
    const std::lock_guard<std::mutex> lock(pool().mutex);
    void* data = nullptr;
    if (const auto found = pool().free.find(bytes); found != pool().free.end()) {
        data = found->second;
        pool().free.erase(found);
    } else {
        check(cudaMallocHost(&data, bytes), "cudaMallocHost");
    }
    return data;
}

void give_back_pinned(void* data, std::size_t bytes) {
    const std::lock_guard<std::mutex> lock(pool().mutex);
    pool().free.emplace(bytes, data);
}

void in_pieces(long long pieces, const std::function<PieceWork()>& make) {
    std::atomic<long long> next{0};
    std::exception_ptr failure;
    std::mutex failing;
    const auto run = [&] {
        try {
            const PieceWork work = make();
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

std::string first_of(const std::vector<std::string>& errors) {
    const auto found =
        std::find_if(errors.begin(), errors.end(), [](const auto& each) { return !each.empty(); });
    return found == errors.end() ? "" : *found;
}

}  // namespace harness
