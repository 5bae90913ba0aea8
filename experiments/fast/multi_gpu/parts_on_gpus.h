// A vector in parts on several GPUs: what all cases that scan it share. GPU only.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

#include "experiments/harness/suite.h"
#include "experiments/support/several_gpus.h"
#include "kernels/multi_gpu/host_exchange.cuh"

namespace harness {

/// The vectors of SeveralGpus, and scans and exchanges, each created at its first use.
class PartsOnGpus {
   public:
    /// longest: floats of the longest part. GPU 0 has room for the parts of all GPUs.
    explicit PartsOnGpus(long long longest)
        : longest_(longest), gpus_(longest * SeveralGpus::count(), longest) {}
    SeveralGpus& gpus() { return gpus_; }

    /// Parts of n elements on GPUs 0 .. gpus - 1, each with a scan of its own.
    template <class Scan>
    std::vector<Part<Scan, float>> parts(int gpus, long long n) {
        using Scans = std::vector<std::unique_ptr<Scan>>;
        Scans& scans = *made<Scans>(0, [] { return std::make_shared<Scans>(); });
        std::vector<Part<Scan, float>> parts;
        gpus_.each(gpus, [&](int g) {
            if (g == static_cast<int>(scans.size())) {
                scans.push_back(std::make_unique<Scan>(longest_));
                check(scans.back()->status(), "room for a scan");
            }
            parts.push_back({g, gpus_.stream(g), scans[g].get(), gpus_.in(g), gpus_.out(g), n});
        });
        return parts;
    }

    /// An exchange between `gpus` GPUs.
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

    /// Reduce the parts of one element anew, as other cases use their scans too, and overwrite the prefixes.
    template <class Scan, class Op>
    void reduce_again(int gpus, Op op) {
        const auto parts = this->parts<Scan>(gpus, 1);
        check(reduce_parts(parts, op), "reduction");
        gpus_.wait(gpus);
        gpus_.each(gpus, [&](int g) {
            check(cudaMemset(parts[g].scan->prefix(), POISON, sizeof(Prefix<float>)), "cudaMemset");
            check(cudaDeviceSynchronize(), "poison");
        });
    }

    /// "", or the GPU on which the prefix before a part of one element is wrong.
    template <class Scan>
    std::string find_error_before(int gpus) {
        gpus_.wait(gpus);
        float sum = 0;
        for (const auto& part : parts<Scan>(gpus, 1)) {
            Prefix<float> found = {};
            check(cudaMemcpy(&found, part.scan->prefix(), sizeof(found), cudaMemcpyDefault), "check");
            if (found.exists != (part.device > 0) || (found.exists && found.value != sum))
                return "wrong prefix on GPU " + std::to_string(part.device);
            sum += sum_at(part.device, 0);
        }
        return "";
    }

   private:
    template <class T, class Make>
    std::shared_ptr<T> made(int gpus, Make make) {
        auto& place = made_[{std::type_index(typeid(T)), gpus}];
        if (!place) place = make();
        return std::static_pointer_cast<T>(place);
    }

    long long longest_;
    SeveralGpus gpus_;
    std::map<std::pair<std::type_index, int>, std::shared_ptr<void>> made_;
};

// Cases on several GPUs, whose work times itself: their names, checks and samples. GPU only.
//
//     scan/<algorithm>/gpus:2/part:1048576/clock:gpu       /clock:host

/// Which clock measures the time: that of the slowest GPU, or the host's. See several_gpus.h.
enum class Clock { gpu, host };

/// How many GPUs, from GPU 0 on, and how many floats on each.
struct OnGpus {
    int gpus;
    long long part;
    Clock clock = Clock::gpu;
};

class CasesOnGpus {
   public:
    /// Makes the work from the parts that all cases share.
    using Make = std::function<Work(PartsOnGpus&)>;

    /// longest: floats of the longest part, which is halved until GPU 0 has room for all parts, twice.
    CasesOnGpus(Suite& suite, long long longest) : suite_(suite), longest_(longest) {
        std::size_t free = 0, total = 0;
        check(cudaSetDevice(0), "no GPU");
        check(cudaMemGetInfo(&free, &total), "memory");
        while (longest_ * gpus() * 8 > static_cast<long long>(free) * 9 / 10) longest_ /= 2;
    }
    long long longest_part() const { return longest_; }
    static int gpus() { return SeveralGpus::count(); }

    /// A scan of all parts as one vector.
    void add_scan(const std::string& algorithm, const Levels& levels, OnGpus where, Make make) {
        add(
            {"scan", algorithm, levels}, where, std::move(make),
            [=](PartsOnGpus& all) { all.gpus().poison(where.gpus, where.part); },
            [=](PartsOnGpus& all) { return all.gpus().find_error(where.gpus, where.part); });
    }

    /// Any other work. poison: before a run that is checked. find_error: "", or what is wrong after it.
    void add(const Factors& work_done, OnGpus where, Make make, std::function<void(PartsOnGpus&)> poison,
             std::function<std::string(PartsOnGpus&)> find_error) {
        const auto prepare = [=, longest = longest_, held = held_](cudaStream_t) {
            auto all = held->lock();
            if (!all) *held = all = std::make_shared<PartsOnGpus>(longest);
            const Work work = make(*all);
            const auto sample = [=](bool cold, const std::function<void()>& again) {
                return where.clock == Clock::gpu ? all->gpus().ahead(where.gpus, cold, work, again)
                                                 : all->gpus().live(where.gpus, cold, work, again);
            };
            return Trial{work, [=] { poison(*all); }, [=] { return find_error(*all); }, {}, sample};
        };
        const long long n = where.part * where.gpus;
        suite_.own(work_done.with(levels_of(where)), n, {0, 8 * n, prepare}).without_profiling();
    }

   private:
    static Levels levels_of(OnGpus where) {
        const char* const clock = where.clock == Clock::gpu ? "gpu" : "host";
        return {{"gpus", where.gpus}, {"part", where.part}, {"clock", clock}};
    }

    Suite& suite_;
    long long longest_;
    std::shared_ptr<std::weak_ptr<PartsOnGpus>> held_ = std::make_shared<std::weak_ptr<PartsOnGpus>>();
};

}  // namespace harness
