// Left to make test-rest: it takes long to compile for what it adds to other tests.
//
// Scans of one vector over ranks, one GPU each, see kernels/multi_gpu/README.md; optionally, one rank fails
// in the middle of them. The SIMT machine runs it by MPI; NCCL needs a GPU for each rank.
// nccl_scans <floats a rank> <scans> <nccl | mpi> [<killed | hangs> <rank>]
//
// The first rank prints exchange,ranks,part,scans,median_us,least_us,most_us in one line: the host's time of
// a scan in the slowest rank, from a common start until its results are there. Three more go before, untimed.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "experiments/support/several_gpus.h"
#include "kernels/device_array.cuh"
#include "kernels/multi_gpu/device_scan.cuh"
#include "kernels/multi_gpu/mpi_exchange.h"
#include "kernels/multi_gpu/nccl_exchange.cuh"
#include "kernels/operators.cuh"

using namespace trial;

namespace {

struct Settings {
    long long part;
    int scans;
    std::string exchange, fault;  ///< fault: of this rank, or ""
};

/// The time of each scan in microseconds. scan() queues one; wait() returns once it is done.
template <class Scan, class Wait>
std::vector<double> time_scans(const Ranks& ranks, const Settings& settings, Scan scan, Wait wait) {
    std::vector<double> times;
    for (int k = -3; k < settings.scans; ++k) {
        (void)ranks.gather(k);
        if (k == settings.scans / 2 && settings.fault == "killed") raise(SIGKILL);
        while (k == settings.scans / 2 && settings.fault == "hangs") pause();
        const auto begin = std::chrono::steady_clock::now();
        scan();
        wait();
        const std::chrono::duration<double, std::micro> mine = std::chrono::steady_clock::now() - begin;
        const auto all = ranks.gather(mine.count());
        if (k >= 0) times.push_back(*std::max_element(all.begin(), all.end()));
    }
    return times;
}

int run(const Ranks& ranks, const Settings& settings) {
    using Op = Sum<float>;
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess) devices = 0;
    std::string problem = device_problem(ranks.size_of_host(), devices);
    if (problem.empty() && cudaSetDevice(ranks.rank_of_host()) != cudaSuccess) problem = "no device";
    const long long n = settings.part, begin = ranks.rank() * n;
    const DeviceArray<float> in(n), out(n);
    const DeviceArray<unsigned long long> wrong(1);
    FastPartScan<float, Op> part_scan(n);
    for (const cudaError_t status : {in.status(), out.status(), wrong.status(), part_scan.status()})
        if (status != cudaSuccess && problem.empty()) problem = cudaGetErrorString(status);
    const std::string reason = disagreement(
        ranks, terms_of<float, Op>(Form::inclusive, ranks.size(), begin, n, n * ranks.size(), problem));
    if (!reason.empty()) {
        ranks.say(reason);
        return 1;
    }
    const auto check = [&](cudaError_t status) {
        if (status != cudaSuccess) ranks.fail(cudaGetErrorString(status));
    };
    harness::fill_differences<<<1024, 256>>>(in.data(), n, ranks.rank());
    check(cudaMemset(out.data(), 0xff, n * sizeof(float)));  // NaN
    check(cudaDeviceSynchronize());

    std::vector<double> times;
    if (settings.exchange == "nccl") {
        const auto id = ranks.gather(ranks.rank() == 0 ? NcclGroup::new_id() : ncclUniqueId{})[0];
        NcclGroup group(id, ranks.rank(), ranks.size());
        NcclExchange<float> exchange(group);
        check(exchange.status());
        times = time_scans(
            ranks, settings, [&] { check(part_scan(in.data(), out.data(), n, Op{}, exchange, nullptr)); },
            [&] { group.wait(nullptr); });
    } else {
        MpiExchange exchange(ranks);
        times = time_scans(
            ranks, settings, [&] { check(part_scan(in.data(), out.data(), n, Op{}, exchange, nullptr)); },
            [&] { check(cudaDeviceSynchronize()); });
    }

    unsigned long long found = 0;
    check(cudaMemset(wrong.data(), 0, sizeof(found)));
    float before = 0;
    for (int r = 0; r < ranks.rank(); ++r) before += harness::sum_at(r, n - 1);
    harness::count_wrong_sums<<<1024, 256>>>(out.data(), n, ranks.rank(), before, wrong.data());
    check(cudaMemcpy(&found, wrong.data(), sizeof(found), cudaMemcpyDefault));
    for (const auto all : ranks.gather(found))
        if (all > 0) ranks.fail("wrong elements");
    if (ranks.rank() > 0) return 0;
    std::sort(times.begin(), times.end());
    std::printf("%s,%d,%lld,%d,%.1f,%.1f,%.1f\n", settings.exchange.c_str(), ranks.size(), n, settings.scans,
                times[times.size() / 2], times.front(), times.back());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string way = argc > 3 ? argv[3] : "", fault = argc > 4 ? argv[4] : "";
    const long long part = argc > 3 ? std::atoll(argv[1]) : 0;
    const int scans = argc > 3 ? std::atoi(argv[2]) : 0;
    if ((argc != 4 && argc != 6) || part < 1 || scans < 1 || (way != "nccl" && way != "mpi") ||
        (argc == 6 && fault != "killed" && fault != "hangs")) {
        std::fprintf(stderr, "nccl_scans <floats a rank> <scans> <nccl | mpi> [<killed | hangs> <rank>]\n");
        return 2;
    }
    const Ranks ranks;
    try {
        return run(ranks, {part, scans, way, argc == 6 && std::atoi(argv[5]) == ranks.rank() ? fault : ""});
    } catch (const std::exception& error) {
        ranks.fail(error.what());
    }
}
