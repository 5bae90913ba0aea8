// Cases whose work lies on several GPUs and times itself: named, checked, and sampled. GPU only.
//
//     scan/<algorithm>/gpus:2/part:1048576/clock:gpu       /clock:host
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "experiments/harness/parts_on_gpus.h"
#include "experiments/harness/suite.h"

namespace harness {

/// Whose time it is: that of the slowest GPU, or the host's own. See several_gpus.h.
enum class Clock { gpu, host };

/// How many GPUs, from GPU 0 on, and how many floats on each.
struct OnGpus {
    int gpus;
    long long part;
    Clock clock = Clock::gpu;
};

class CasesOnGpus {
   public:
    /// What to run, once made from the parts that all cases share.
    using Make = std::function<Work(PartsOnGpus&)>;

    /// wanted: floats of the longest part, which is halved until GPU 0 has room for all parts, twice.
    CasesOnGpus(Suite& suite, long long wanted) : suite_(suite), longest_(wanted) {
        std::size_t free = 0, total = 0;
        check(cudaSetDevice(0), "no GPU");
        check(cudaMemGetInfo(&free, &total), "memory");
        while (longest_ * gpus() * 8 > static_cast<long long>(free) * 9 / 10) longest_ /= 2;
    }
    long long longest_part() const { return longest_; }
    static int gpus() { return SeveralGpus::count(); }

    /// A scan of all parts as one vector.
    void add_scan(const std::string& algorithm, OnGpus where, Make make) {
        add("scan/" + algorithm, where, std::move(make),
            [=](PartsOnGpus& all) { return all.gpus().find_error(where.gpus, where.part); });
    }

    /// Anything else. find_error: "", or what is wrong after a run.
    void add(const std::string& name, OnGpus where, Make make,
             std::function<std::string(PartsOnGpus&)> find_error) {
        const auto prepare = [=, longest = longest_, held = held_](cudaStream_t) {
            auto all = held->lock();
            if (!all) *held = all = std::make_shared<PartsOnGpus>(longest);
            const Work work = make(*all);
            all->gpus().poison(where.gpus, where.part);
            const auto sample = [=](bool cold) {
                return where.clock == Clock::gpu ? all->gpus().ahead(where.gpus, cold, work)
                                                 : all->gpus().live(where.gpus, cold, work);
            };
            return Trial{work, [=] { return find_error(*all); }, {}, sample};
        };
        const long long n = where.part * where.gpus;
        suite_.own(name + factors(where), n, {0, 8 * n, prepare}).not_profiled();
    }

   private:
    static std::string factors(OnGpus where) {
        return "/gpus:" + std::to_string(where.gpus) + "/part:" + std::to_string(where.part) +
               (where.clock == Clock::gpu ? "/clock:gpu" : "/clock:host");
    }

    Suite& suite_;
    long long longest_;
    std::shared_ptr<std::weak_ptr<PartsOnGpus>> held_ = std::make_shared<std::weak_ptr<PartsOnGpus>>();
};

}  // namespace harness
