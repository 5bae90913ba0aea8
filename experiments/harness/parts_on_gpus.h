// A vector in parts on several GPUs: what all cases of scans over them share. GPU only.
#pragma once
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

#include "experiments/harness/several_gpus.h"
#include "kernels/devices/host_exchange.cuh"

namespace harness {

/// The vectors of SeveralGpus; and scans and exchanges, each made when it is first asked for.
class PartsOnGpus {
   public:
    /// longest: floats of a part. GPU 0 has room for the parts of all.
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

    /// "", or on which GPU it is wrong what comes before a part of one element.
    template <class Scan>
    std::string find_error_before(int gpus) {
        gpus_.wait(gpus);
        float sum = 0;
        for (const auto& part : parts<Scan>(gpus, 1)) {
            Prefix<float> found = {};
            check(cudaMemcpy(&found, part.scan->before(), sizeof(found), cudaMemcpyDefault), "check");
            if (found.exists != (part.device > 0) || (found.exists && found.value != sum))
                return "a wrong prefix on GPU " + std::to_string(part.device);
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

}  // namespace harness
