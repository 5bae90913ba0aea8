// Needs a GPU.
//
// How many exchanges of totals by flags are late, and whether before their kernel begins or after.
//
//     GPU 0    event |  launch  | total sent                    |   event
//     GPU 1    event |  launch  | total sent, totals received   |   event
//
// late_exchanges <GPUs> <exchanges> prints a row for each kind of start: cold, or warm and after so many us
// in which the GPUs spin and nothing crosses the links; and for scans of parts of so many floats, in which
// the exchange is the second of three steps. It takes the time of its slowest GPU. It is late if that is
// 20 us more than the median: at its launch, if so much passes on a GPU outside the exchange's kernel, which
// is not known of scans. Each exchange is checked.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <memory>
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
    unsigned long long begun, received;  ///< ns
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
    const Prefix<float> found = others.exclusive_prefix(Op{});
    const unsigned long long received = now();
    if (threadIdx.x != 0) return;
    prefix->value = found.value;
    prefix->exists = found.exists;
    *stamps = {begun, received};
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
    long long part = 1;  ///< more: scans of parts of so many floats
};
constexpr long long LONGEST = 1 << 23;

/// Microseconds of an exchange, and the most that a GPU spent of them outside its kernel.
struct Times {
    double all, launch;
};

class Exchanges {
   public:
    explicit Exchanges(int gpus)
        : gpus_(gpus),
          all_(LONGEST),
          exchange_(all_.exchange<FlagExchange<float>>(gpus)),
          parts_(all_.parts<Scan>(gpus, 1)) {
        all_.gpus().each(gpus, [&](int) {
            stamps_.emplace_back(1);
            check(stamps_.back().status(), "stamps");
        });
    }

    /// Throws if a prefix is wrong.
    Times time(Start start) {
        if (start.part > 1) return {1e6 * time_scan(start), 0};
        const auto poison = [&] { all_.reduce_again<Scan>(gpus_, Op{}); };
        Times times = {1e6 * all_.gpus().ahead(gpus_, start.cold, [&] { queue(start); }, poison), 0};
        if (const std::string error = all_.find_error_before<Scan>(gpus_); !error.empty())
            throw std::runtime_error(error);
        for (int g = 0; g < gpus_; ++g) {
            Stamps at = {};
            check(cudaMemcpy(&at, stamps_[g].data(), sizeof(at), cudaMemcpyDefault), "stamps");
            times.launch =
                std::max(times.launch, 1e6 * all_.gpus().elapsed(g) - 1e-3 * (at.received - at.begun));
        }
        return times;
    }

   private:
    /// Seconds.
    double time_scan(Start start) {
        const auto parts = all_.parts<Scan>(gpus_, start.part);
        const auto work = [&] { check(scan_parts(parts, Op{}, *exchange_), "scan"); };
        const double seconds =
            all_.gpus().ahead(gpus_, start.cold, work, [&] { all_.gpus().poison(gpus_, start.part); });
        if (const std::string error = all_.gpus().find_error(gpus_, start.part); !error.empty())
            throw std::runtime_error(error);
        return seconds;
    }

    void queue(Start start) {
        std::vector<PartTotals<float>> totals;
        check(exchange_->begin_call(parts_, totals), "exchange");
        all_.gpus().each(gpus_, [&](int g) {
            if (start.idle_us > 0) launch(spin, 1, 1, parts_[g].stream, 1000ull * start.idle_us);
            check(launch(exchange_with_stamps, 1, 32, parts_[g].stream, parts_[g].scan->total(), totals[g],
                         parts_[g].scan->prefix(), stamps_[g].data()),
                  "exchange");
        });
    }

    int gpus_;
    harness::PartsOnGpus all_;
    std::shared_ptr<FlagExchange<float>> exchange_;
    std::vector<Part<Scan, float>> parts_;
    std::deque<DeviceArray<Stamps>> stamps_;  // one on each GPU
};

template <class Of>
double median(const std::vector<Times>& times, Of of) {
    std::vector<double> values;
    for (const Times& time : times) values.push_back(of(time));
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void print_row(int gpus, Start start, const std::vector<Times>& times) {
    constexpr double LATE = 20;  // us
    const double all = median(times, [](const Times& time) { return time.all; });
    const double launch = median(times, [](const Times& time) { return time.launch; });
    int late = 0, at_launch = 0, of_first_ten = 0;
    for (std::size_t k = 0; k < times.size(); ++k) {
        if (times[k].all <= all + LATE) continue;
        ++late;
        at_launch += times[k].launch > launch + LATE;
        of_first_ten += k < 10;
    }
    std::printf("%d,%s,%d,%lld,%zu,%.3f,%d,%d,%d\n", gpus, start.cold ? "cold" : "warm", start.idle_us,
                start.part, times.size(), all, late, at_launch, of_first_ten);
}

void run(int gpus, int count) {
    Exchanges exchanges(gpus);
    std::printf("gpus,cache,idle_us,part,exchanges,median_us,late,late_at_launch,late_of_first_ten\n");
    const Start starts[] = {{false, 0},   {true, 0},           {false, 30},
                            {false, 300}, {false, 0, LONGEST}, {true, 0, LONGEST}};
    for (const Start& start : starts) {
        std::vector<Times> times;
        for (int k = 0; k < count; ++k) times.push_back(exchanges.time(start));
        print_row(gpus, start, times);
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
