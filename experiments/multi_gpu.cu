#include <cstdio>
#include <map>
#include <numeric>
#include <set>
#include <typeindex>

#include "experiments/harness/closed_forms.h"
#include "experiments/harness/device_scans.h"
#include "experiments/harness/input.h"
#include "experiments/harness/own_vectors.h"
#include "experiments/harness/suite.h"
#include "kernels/devices/flag_exchange.cuh"
#ifndef SIMT_MACHINE
#include "experiments/harness/several_gpus.h"
#include "kernels/devices/device_scan.cuh"
#endif
#ifdef HARNESS_NCCL
#include "exchange/nccl.cuh"
#endif

namespace {

const harness::Claim CLAIM = {
    "multi_gpu",
    99,
    "A scan over several GPUs",
    // claim
    "The idea of the block sums repeats one level up: each GPU reduces its part, the totals of the parts are "
    "scanned, and each GPU scans its part from there. One element a GPU crosses the links.",
    // source
    "Beyond the lecture notes: Harris, Sengupta and Owens, GPU Gems 3, chapter 39, for blocks; the bound is ours.",
    // prediction
    "Nobody may write before all to the left have been read, so all GPUs but the last read their part twice: 3n "
    "bytes in place of 2n, at best 2/3 of one GPU's rate each. A part that a GPU's registers hold is read once. "
    "The exchange by flags in peer memory adds less than 8 us to a scan of 2^20 elements a GPU.",
    // method
    "Inclusive sums of floats, as many elements on each GPU, one process for all GPUs of a host. Weak scaling: "
    "2^31, 2^28 and 2^20 floats a GPU. Strong scaling: 2^31 and 2^28 in all. The time is that of the slowest GPU, "
    "all work queued ahead and a common start; where the host takes part, the host's own (clock:host). The totals "
    "travel by flags, by NCCL, or through the host; the reduction reads its part ascending or descending; beside "
    "it one GPU that holds everything, and one that gathers, scans and scatters.",
    // fails_if
    "With 2^31 floats a GPU, less than 0.95 of the bound on all GPUs; or the flags add 8 us or more.",
};

using Op = harness::Counted<Sum<float>>;

#ifndef SIMT_MACHINE
using harness::check;
using harness::SeveralGpus;

constexpr long long MOST = 1LL << 31;  ///< floats of a part
using Scan = FastPartScan<float, Op>;

/// Reads the part from its end to its front, so that the scan finds the front in the cache.
using DescendingScan = FastPartScan<float, Op, Form::inclusive,
                                    WarpSharesReduction<float, Op, WarpSharesPolicy<256, 4, 8192, 5, true>>>;
/// The same shares, from the front to the end.
using AscendingScan = FastPartScan<float, Op, Form::inclusive,
                                   WarpSharesReduction<float, Op, WarpSharesPolicy<256, 4, 8192, 5, false>>>;

/// The longest part that leaves GPU 0 room for everything, twice.
long long longest_part(const harness::Suite& suite) {
    if (suite.quick()) return 1 << 22;
    std::size_t free = 0, total = 0;
    check(cudaSetDevice(0), "no GPU");
    check(cudaMemGetInfo(&free, &total), "memory");
    long long part = MOST;
    while (part * SeveralGpus::count() * 8 > static_cast<long long>(free) * 9 / 10) part /= 2;
    return part;
}

/// What all cases share; made when the first one is prepared.
class Shared {
   public:
    explicit Shared(long long part) : part_(part), gpus_(part * SeveralGpus::count(), part) {}
    SeveralGpus& gpus() { return gpus_; }

    /// Parts of n elements on GPUs 0 .. gpus - 1, each with a scan of its own.
    template <class Scan>
    std::vector<Part<Scan, float>> parts(int gpus, long long n) {
        using Scans = std::vector<std::unique_ptr<Scan>>;
        Scans& scans = *made<Scans>(0, [] { return std::make_shared<Scans>(); });
        std::vector<Part<Scan, float>> parts;
        gpus_.each(gpus, [&](int g) {
            if (g == static_cast<int>(scans.size())) {
                scans.push_back(std::make_unique<Scan>(part_));
                check(scans.back()->status(), "room for a scan");
            }
            parts.push_back({g, gpus_.stream(g), scans[g].get(), gpus_.in(g), gpus_.out(g), n});
        });
        return parts;
    }

    /// An exchange for so many GPUs.
    template <class Exchange>
    std::shared_ptr<Exchange> exchange(int gpus) {
        return made<Exchange>(gpus, [=] {
            if constexpr (std::is_same_v<Exchange, HostExchange>) {
                return std::make_shared<Exchange>();
            } else {
                std::vector<int> devices(gpus);
                std::iota(devices.begin(), devices.end(), 0);
                return std::make_shared<Exchange>(devices);
            }
        });
    }

   private:
    template <class T, class Make>
    std::shared_ptr<T> made(int gpus, Make make) {
        auto& place = made_[{std::type_index(typeid(T)), gpus}];
        if (!place) place = make();
        return std::static_pointer_cast<T>(place);
    }

    long long part_;
    SeveralGpus gpus_;
    std::map<std::pair<std::type_index, int>, std::shared_ptr<void>> made_;
};
std::shared_ptr<Shared> shared(long long part) {
    static std::weak_ptr<Shared> made;
    auto held = made.lock();
    if (!held) made = held = std::make_shared<Shared>(part);
    return held;
}

enum class Clock { gpu, host };
std::string clock_factor(Clock clock) { return clock == Clock::gpu ? "/clock:gpu" : "/clock:host"; }

/// A case whose work(shared) lies on `gpus` GPUs, n elements each.
void add(harness::Suite& suite, const std::string& name, int gpus, long long n, long long most, Clock clock,
         std::function<harness::Work(Shared&)> make, std::function<std::string(Shared&)> find_error) {
    const auto prepare = [=](cudaStream_t) {
        const auto all = shared(most);
        const harness::Work work = make(*all);
        all->gpus().poison(gpus, n);
        const auto sample = [=](bool cold) {
            return clock == Clock::gpu ? all->gpus().ahead(gpus, cold, work)
                                       : all->gpus().live(gpus, cold, work);
        };
        return harness::Trial{work, [=] { return find_error(*all); }, {}, sample};
    };
    const std::string factors = "/gpus:" + std::to_string(gpus) + "/part:" + std::to_string(n);
    suite.own(name + factors + clock_factor(clock), n * gpus, {0, 8 * n * gpus, prepare});
}

void add_scan(harness::Suite& suite, const std::string& name, int gpus, long long n, long long most,
              Clock clock, std::function<harness::Work(Shared&)> make) {
    add(suite, "scan/" + name, gpus, n, most, clock, std::move(make),
        [=](Shared& all) { return all.gpus().find_error(gpus, n); });
}

/// One GPU, which holds everything.
void add_one_gpu(harness::Suite& suite, long long n, long long most, Clock clock = Clock::gpu) {
    add_scan(suite, "one_gpu", 1, n, most, clock, [=](Shared& all) {
        const auto workspace = std::make_shared<ScanWorkspace>(ScanWorkspace::bytes<float>(n));
        check(workspace->status(), "room for a scan");
        return [=, &gpus = all.gpus()] {
            const ScanResult result =
                inclusive_scan(*workspace, gpus.in(0), gpus.out(0), n, Op{}, gpus.stream(0));
            if (result != ScanResult::success) throw std::runtime_error("the scan was refused");
        };
    });
}

template <class Exchange, class Scan = ::Scan>
void add_parts(harness::Suite& suite, const std::string& name, int gpus, long long n, long long most,
               Clock clock = Clock::gpu, const std::string& order = "default") {
    add_scan(suite, "parts/exchange:" + name + "/reduce:" + order, gpus, n, most, clock, [=](Shared& all) {
        const auto exchange = all.exchange<Exchange>(gpus);
        const auto parts = all.parts<Scan>(gpus, n);
        return [=] { check(scan_parts(parts, Op{}, *exchange), "scan of parts"); };
    });
}

/// The exchange alone, of the totals of parts of one element.
template <class Exchange>
void add_exchange(harness::Suite& suite, const std::string& name, int gpus, long long most, Clock clock) {
    const auto make = [=](Shared& all) {
        const auto exchange = all.exchange<Exchange>(gpus);
        const auto parts = all.parts<Scan>(gpus, 1);
        check(reduce_parts(parts, Op{}), "reduction");
        return [=] { check((*exchange)(parts, Op{}), "exchange"); };
    };
    const auto find_error = [=](Shared& all) -> std::string {
        all.gpus().wait(gpus);
        float sum = 0;
        for (const auto& part : all.parts<Scan>(gpus, 1)) {
            Prefix<float> found = {};
            check(cudaMemcpy(&found, part.scan->before(), sizeof(found), cudaMemcpyDefault), "check");
            if (found.exists != (part.device > 0) || (found.exists && found.value != sum))
                return "a wrong prefix on GPU " + std::to_string(part.device);
            sum += harness::sum_at(part.device, 0);
        }
        return "";
    };
    add(suite, "exchange/" + name, gpus, 1, most, clock, make, find_error);
}

/// All parts copied to GPU 0, scanned there, and copied back.
void add_gather(harness::Suite& suite, int gpus, long long n, long long most) {
    add_scan(suite, "gather_scan_scatter", gpus, n, most, Clock::gpu, [=](Shared& all) {
        struct Events {
            std::vector<cudaEvent_t> gathered;
            cudaEvent_t scanned = nullptr;
        };
        const auto events = std::make_shared<Events>();
        events->gathered.resize(gpus);
        all.gpus().each(gpus, [&](int g) {
            check(cudaEventCreateWithFlags(&events->gathered[g], cudaEventDisableTiming), "event");
        });
        check(cudaEventCreateWithFlags(&events->scanned, cudaEventDisableTiming), "event");
        const auto workspace = std::make_shared<ScanWorkspace>(ScanWorkspace::bytes<float>(n * gpus));
        check(workspace->status(), "room for a scan");
        const std::size_t bytes = n * sizeof(float);
        return [=, &several = all.gpus()] {
            float* const whole = several.out(0);
            several.each(gpus, [&](int g) {
                check(cudaMemcpyAsync(whole + g * n, several.in(g), bytes, cudaMemcpyDefault,
                                      several.stream(g)),
                      "gather");
                check(cudaEventRecord(events->gathered[g], several.stream(g)), "event");
            });
            for (int g = 1; g < gpus; ++g)
                check(cudaStreamWaitEvent(several.stream(0), events->gathered[g], 0), "event");
            const ScanResult result =
                inclusive_scan(*workspace, whole, whole, n * gpus, Op{}, several.stream(0));
            if (result != ScanResult::success) throw std::runtime_error("the scan was refused");
            check(cudaEventRecord(events->scanned, several.stream(0)), "event");
            several.each(gpus, [&](int g) {
                if (g == 0) return;
                check(cudaStreamWaitEvent(several.stream(g), events->scanned, 0), "event");
                check(cudaMemcpyAsync(several.out(g), whole + g * n, bytes, cudaMemcpyDefault,
                                      several.stream(g)),
                      "scatter");
            });
        };
    });
}

void add_ways(harness::Suite& suite, int gpus, long long most) {
    const long long few = 1 << 20;
    for (const Clock clock : {Clock::gpu, Clock::host}) {
        add_exchange<FlagExchange<float>>(suite, "flags", gpus, most, clock);
        if (clock == Clock::host) add_parts<FlagExchange<float>>(suite, "flags", gpus, few, most, clock);
#ifdef HARNESS_NCCL
        add_exchange<NcclPartsExchange<float>>(suite, "nccl", gpus, most, clock);
        add_parts<NcclPartsExchange<float>>(suite, "nccl", gpus, few, most, clock);
#endif
    }
    add_exchange<HostExchange>(suite, "host", gpus, most, Clock::host);
    add_parts<HostExchange>(suite, "host", gpus, few, most, Clock::host);
}

void add_orders(harness::Suite& suite, int gpus, long long most) {
    for (long long n = 1 << 23; n <= std::min(most, 1LL << 29); n *= 4) {
        add_parts<FlagExchange<float>, AscendingScan>(suite, "flags", gpus, n, most, Clock::gpu, "ascending");
        add_parts<FlagExchange<float>, DescendingScan>(suite, "flags", gpus, n, most, Clock::gpu,
                                                       "descending");
    }
}

void add_timed_cases(harness::Suite& suite) {
    const long long most = longest_part(suite);
    const int all = SeveralGpus::count();
    if (all < 2) std::fprintf(stderr, "multi_gpu: one GPU here: the cases of several are left out\n");
    std::map<long long, bool> alone;  // lengths that one GPU scans
    const std::set<long long> parts = {most, std::min(most, 1LL << 28), 1LL << 20};
    for (const long long weak : parts) {
        alone[weak] = true;
        for (int gpus = 2; gpus <= all; gpus *= 2) {
            add_parts<FlagExchange<float>>(suite, "flags", gpus, weak, most);
            alone[weak * gpus] = true;
            if (weak == 1LL << 20 || weak / gpus < 1LL << 20) continue;
            add_gather(suite, gpus, weak / gpus, most);  // strong scaling: so much in all
            add_parts<FlagExchange<float>>(suite, "flags", gpus, weak / gpus, most);
        }
    }
    for (const auto& [n, wanted] : alone) add_one_gpu(suite, n, most);
    add_one_gpu(suite, 1 << 20, most, Clock::host);
    for (int gpus = 2; gpus <= all; gpus *= 2) add_ways(suite, gpus, most);
    if (all >= 2) add_orders(suite, all >= 4 ? 4 : 2, most);
}
#endif

// --- What is counted: all parts on one machine, one after another, by kernels that run on either.

using CountedScan = PartScan<float, Op>;

/// A vector in `count` parts of n elements.
struct CountedParts {
    CountedParts(int count, long long n)
        : in(count * n), out(count * n), exchange(std::vector<int>(count, 0)), total(count * n) {
        harness::check(exchange.status(), "room for totals");
        in.fill([](long long i) { return harness::Input<float>::at(1, i); });
        out.poison();
        for (int p = 0; p < count; ++p) {
            scans.push_back(std::make_unique<CountedScan>(n));
            harness::check(scans.back()->status(), "room for a scan");
        }
    }
    std::vector<Part<CountedScan, float>> parts(cudaStream_t stream) {
        std::vector<Part<CountedScan, float>> all;
        const long long n = total / static_cast<long long>(scans.size());
        for (auto& scan : scans) {
            const long long begin = n * static_cast<long long>(all.size());
            all.push_back({0, stream, scan.get(), in.data() + begin, out.data() + begin, n});
        }
        return all;
    }
    std::string find_error() const {
        auto found = out.read(total);
        float sum = 0;
        for (long long i = 0; i < total; ++i) {
            sum += harness::Input<float>::at(1, i);
            if (found[i] != sum) return "element " + std::to_string(i);
        }
        return "";
    }

    harness::OwnVector<float> in, out;
    FlagExchange<float> exchange;
    long long total;
    std::vector<std::unique_ptr<CountedScan>> scans;
};

void add_counted_cases(harness::Suite& suite) {
    const long long n = suite.long_vector() / 4;
    for (int parts = 1; parts <= 5; ++parts) {
        const auto prepare = [=](cudaStream_t stream) {
            const auto held = std::make_shared<CountedParts>(parts, n);
            const auto all = held->parts(stream);
            return harness::Trial{
                [=] { harness::check(scan_parts(all, Op{}, held->exchange), "scan of parts"); },
                [=] { return held->find_error(); }};
        };
        const auto cost = harness::closed_form::scan_in_parts(parts, n, look_back_items<float>());
        const std::string name =
            "scan/parts/exchange:flags/parts:" + std::to_string(parts) + "/part:" + std::to_string(n);
        harness::predict_device_scan(suite.own(name, n * parts, {0, 8 * n * parts, prepare}).in_order(), cost,
                                     cost.ops);
    }
}

void add_cases(harness::Suite& suite) {
#ifndef SIMT_MACHINE
    if (suite.timed()) return add_timed_cases(suite);
#endif
    add_counted_cases(suite);
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
