// Where late exchanges of totals by flags lose their time: one line per exchange and GPU.
//
//     GPU 0    event, start of the kernel, total sent,                   event
//     GPU 1    event, start of the kernel, total sent, totals received,  event
//
// late_exchanges <GPUs> <exchanges> prints cache,idle_us,exchange,gpu,elapsed_ns,begun_ns,sent_ns,received_ns:
// from event to event by the GPU's events, the others by its global timer. idle_us: the GPUs spin so long
// between the common start and the exchange, while nothing crosses the links. Each exchange is checked.
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <stdexcept>
#include <vector>

#include "experiments/fast/multi_gpu/parts_on_gpus.h"
#include "kernels/device_array.cuh"
#include "kernels/multi_gpu/device_scan.cuh"
#include "kernels/multi_gpu/flag_exchange.cuh"
#include "kernels/operators.cuh"

using namespace trial;

namespace {

using Op = Sum<float>;
using Scan = FastPartScan<float, Op>;
using harness::check;

struct Stamps {
    unsigned long long begun, sent, received;  ///< ns
};

__device__ unsigned long long now() {
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
    return ns;
}

/// As exchange_totals, with the times at which a GPU comes to each step. Grid: one warp.
__global__ void exchange_with_stamps(const float* total, PartTotals<float> others, Prefix<float>* prefix,
                                     Stamps* stamps) {
    const unsigned long long begun = now();
    if (others.place + 1 < others.places) others.publish(*total);
    const unsigned long long sent = now();
    const Prefix<float> found = others.exclusive_prefix(Op{});
    const unsigned long long received = now();
    if (threadIdx.x != 0) return;
    prefix->value = found.value;
    prefix->exists = found.exists;
    *stamps = {begun, sent, received};
}

/// Grid: one thread.
__global__ void spin(unsigned long long ns) {
    const unsigned long long begun = now();
    while (now() - begun < ns) {
    }
}

/// What goes before an exchange.
struct Start {
    bool cold;
    int idle_us;
};

void run(int gpus, int exchanges) {
    harness::PartsOnGpus all(1 << 20);
    const auto exchange = all.exchange<FlagExchange<float>>(gpus);
    const auto parts = all.parts<Scan>(gpus, 1);
    std::deque<DeviceArray<Stamps>> stamps;  // one on each GPU
    all.gpus().each(gpus, [&](int) {
        stamps.emplace_back(1);
        check(stamps.back().status(), "stamps");
    });
    std::printf("cache,idle_us,exchange,gpu,elapsed_ns,begun_ns,sent_ns,received_ns\n");
    for (const auto& [cold, idle_us] : {Start{false, 0}, {true, 0}, {false, 30}, {false, 300}}) {
        const auto work = [&, idle_us = idle_us] {
            std::vector<PartTotals<float>> totals;
            check(exchange->begin_call(parts, totals), "exchange");
            all.gpus().each(gpus, [&](int g) {
                if (idle_us > 0) launch(spin, 1, 1, parts[g].stream, 1000ull * idle_us);
                check(launch(exchange_with_stamps, 1, 32, parts[g].stream, parts[g].scan->total(), totals[g],
                             parts[g].scan->prefix(), stamps[g].data()),
                      "exchange");
            });
        };
        for (int k = 0; k < exchanges; ++k) {
            (void)all.gpus().ahead(gpus, cold, work, [&] { all.reduce_again<Scan>(gpus, Op{}); });
            if (const std::string error = all.find_error_before<Scan>(gpus); !error.empty())
                throw std::runtime_error(error);
            for (int g = 0; g < gpus; ++g) {
                Stamps at = {};
                check(cudaMemcpy(&at, stamps[g].data(), sizeof(at), cudaMemcpyDefault), "stamps");
                std::printf("%s,%d,%d,%d,%.0f,%llu,%llu,%llu\n", cold ? "cold" : "warm", idle_us, k, g,
                            all.gpus().elapsed(g) * 1e9, at.begun, at.sent, at.received);
            }
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int gpus = argc == 3 ? std::atoi(argv[1]) : 0, exchanges = argc == 3 ? std::atoi(argv[2]) : 0;
    if (gpus < 2 || exchanges < 1) {
        std::fprintf(stderr, "late_exchanges <GPUs, 2 or more> <exchanges>\n");
        return 2;
    }
    try {
        if (harness::SeveralGpus::count() < gpus) throw std::runtime_error("there are not so many GPUs here");
        run(gpus, exchanges);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "late_exchanges: %s\n", error.what());
        return 1;
    }
}
