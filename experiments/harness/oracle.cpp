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

/// Of a piece of the input, as those of a Chunk.
constexpr long long ELEMENTS = Chunk<char>::SIZE;

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

void in_parts(long long count, long long size, const PartWork& work) {
    in_pieces((count + size - 1) / size, [&] {
        return [&](long long part) { work(part, part * size, std::min((part + 1) * size, count)); };
    });
}

void fill_by(WriteInput write, std::size_t bytes_of_element, void* device, long long n, std::uint64_t seed) {
    const std::size_t most = std::size_t(ELEMENTS) * bytes_of_element;
    const auto give_back = [most](void* chunk) { give_back_pinned(chunk, most); };
    in_pieces((n + ELEMENTS - 1) / ELEMENTS, [&] {
        return [&, chunk = std::shared_ptr<void>(take_pinned(most), give_back)](long long piece) {
            const long long begin = piece * ELEMENTS, end = std::min(begin + ELEMENTS, n);
            write(chunk.get(), seed, begin, end);
            check(
                cudaMemcpy(static_cast<std::uint8_t*>(device) + std::size_t(begin) * bytes_of_element,
                           chunk.get(), std::size_t(end - begin) * bytes_of_element, cudaMemcpyHostToDevice),
                "cudaMemcpy");
        };
    });
}

std::string first_of(const std::vector<std::string>& errors) {
    const auto found =
        std::find_if(errors.begin(), errors.end(), [](const auto& each) { return !each.empty(); });
    return found == errors.end() ? "" : *found;
}

std::string first_error(CompareBetween compare, const Case& c, std::uint64_t seed, const void* result,
                        long long count, long long size) {
    std::vector<std::string> errors((count + size - 1) / size);
    in_parts(count, size, [&](long long part, long long begin, long long end) {
        errors[part] = compare(c, seed, result, begin, end);
    });
    return first_of(errors);
}

std::uint32_t digest(WriteInput write, std::size_t bytes_of_element, long long n, std::uint64_t seed) {
    constexpr std::size_t WORD = sizeof(std::uint32_t);
    std::vector<std::uint32_t> found((n + ELEMENTS - 1) / ELEMENTS);
    in_pieces(static_cast<long long>(found.size()), [&] {
        return [&, values = std::vector<std::uint8_t>(std::size_t(ELEMENTS) * bytes_of_element)](
                   long long piece) mutable {
            const long long begin = piece * ELEMENTS, end = std::min(begin + ELEMENTS, n);
            write(values.data(), seed, begin, end);
            const std::size_t size = std::size_t(end - begin) * bytes_of_element;
            std::uint32_t sum = 0;
            for (std::size_t at = 0; at + WORD <= size; at += WORD) {
                std::uint32_t word;
                std::memcpy(&word, &values[at], WORD);
                sum ^= word;
            }
            std::uint32_t rest = 0;
            if (size % WORD != 0) std::memcpy(&rest, &values[size / WORD * WORD], size % WORD);
            found[piece] = sum ^ rest;
        };
    });
    std::uint32_t of_all = 0;
    for (const std::uint32_t each : found) of_all ^= each;
    return of_all;
}

}  // namespace harness
