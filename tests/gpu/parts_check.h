// Checks a scan over parts on several GPUs. On GPU 0, it compares every element with
// textbook/device/scan_look_back of the whole vector, and checks the memory around the result.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "kernels/multi_gpu/device_scan.cuh"
#include "kernels/multi_gpu/flag_exchange.cuh"
#include "kernels/multi_gpu/host_exchange.cuh"
#include "tests/gpu/scan_check.h"
#include "tests/parts.h"

inline int device_count() {
    int count = 0;
    EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
    return count;
}

/// Scans a part with the ring, whatever its length.
template <class T, class Op, Form FORM>
class RingScan {
   public:
    explicit RingScan(long long capacity) : workspace_(scan_bytes<T>(capacity)) {}
    cudaError_t status() const { return workspace_.status(); }
    CallResult operator()(const T* in, T* out, long long n, const Prefix<T>* seed, Op op,
                          cudaStream_t stream) {
        const ScanProblem<T> problem = {in, out, n, {{}, false}, seed};
        return scan_detail::ring<RingPolicy<T>, FORM>(workspace_, problem, op, stream);
    }
    bool fits_one_wave(long long) const { return false; }
    template <class Totals>
    cudaError_t scan_one_wave(const T*, T*, long long, Op, cudaStream_t, const Totals&) {
        return cudaErrorInvalidValue;
    }

   private:
    Workspace workspace_;
};

/// Parts scanned by the ring, and reduced in descending order in many short chunks.
template <class T>
using DescendingChunks = WarpChunksPolicy<256, DefaultWarpChunks<T>::ROWS, 8192, 2, true>;
template <class T, class Op, Form FORM>
using RingPartScan =
    PartScan<T, Op, FORM, WarpChunksReduction<T, Op, DescendingChunks<T>>, RingScan<T, Op, FORM>>;

template <class T, class Op>
class PartsCheck {
   public:
    static constexpr int AROUND = 256;  ///< elements on either side of a part's result
    static constexpr int MOST_PARTS = 5;

    /// Vectors of up to `most` elements, which repeat after a million. Part p is on GPU p modulo the number
    /// of GPUs.
    explicit PartsCheck(long long most)
        : most_(most), in_(most), sums_(most), staged_(most + 2 * AROUND), first_(1) {
        std::mt19937 random(7);
        std::vector<T> values(std::min<long long>(most, 1'000'003));
        for (T& value : values) value = Maker<T>::make(random);
        for (long long begin = 0; begin < most; begin += values.size())
            EXPECT_EQ(cudaMemcpy(in_.data() + begin, values.data(),
                                 std::min<long long>(values.size(), most - begin) * sizeof(T),
                                 cudaMemcpyHostToDevice),
                      cudaSuccess);
        LookBackScan<T, Op> look_back(most);
        look_back(in_.data(), sums_.data(), most, Op{}, nullptr);
        for (int p = 0; p < MOST_PARTS; ++p) {
            EXPECT_EQ(cudaSetDevice(p % device_count()), cudaSuccess);
            ins_.push_back(std::make_unique<DeviceVector<T>>(most + AROUND));
            outs_.push_back(std::make_unique<DeviceVector<T>>(most + 2 * AROUND));
        }
        EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }

    /// Scans of MOST_PARTS parts, each on its GPU.
    template <class Scan>
    std::vector<std::unique_ptr<Scan>> scans() const {
        std::vector<std::unique_ptr<Scan>> all;
        for (int p = 0; p < MOST_PARTS; ++p) {
            EXPECT_EQ(cudaSetDevice(p % device_count()), cudaSuccess);
            all.push_back(std::make_unique<Scan>(most_));
            EXPECT_EQ(all.back()->status(), cudaSuccess);
        }
        return all;
    }

    /// run(parts) -> "" or a problem. offset: of inputs and results from an aligned address, in elements.
    template <class Scan, class Run>
    void expect(const std::vector<std::unique_ptr<Scan>>& scans, const std::vector<long long>& cuts,
                Form form, bool in_place, int offset, Run run) {
        std::vector<Part<Scan, T>> parts;
        for (std::size_t p = 0; p + 1 < cuts.size(); ++p) {
            const long long n = cuts[p + 1] - cuts[p];
            T* const out = outs_[p]->data() + AROUND + offset;
            T* const in = in_place ? out : ins_[p]->data() + offset;
            const int device = static_cast<int>(p) % device_count();
            ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
            (void)cudaMemset(outs_[p]->data(), POISON, (n + 2 * AROUND) * sizeof(T));
            ASSERT_EQ(cudaMemcpy(in, in_.data() + cuts[p], n * sizeof(T), cudaMemcpyDefault), cudaSuccess);
            ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
            parts.push_back({device, nullptr, scans[p].get(), in, out, n});
        }
        ASSERT_EQ(run(parts), "");
        for (std::size_t p = 0; p < parts.size(); ++p) {
            ASSERT_EQ(cudaSetDevice(parts[p].device), cudaSuccess);
            ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "part " << p;
        }
        ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
        for (std::size_t p = 0; p < parts.size(); ++p)
            ASSERT_EQ(first_difference(p, cuts[p], parts[p].n, form, offset), NOWHERE)
                << "part " << p << " of " << parts.size() << ", elements " << cuts[p] << " to "
                << cuts[p + 1];
    }

   private:
    unsigned long long first_difference(std::size_t part, long long begin, long long n, Form form,
                                        int offset) {
        (void)cudaMemset(first_.data(), 0xff, sizeof(unsigned long long));
        (void)cudaMemcpy(staged_.data(), outs_[part]->data(), (n + 2 * AROUND) * sizeof(T),
                         cudaMemcpyDefault);
        const bool inclusive = form == Form::inclusive, follows = !inclusive && begin > 0;
        find_difference<Op><<<512, 256>>>(staged_.data() + AROUND + offset,
                                          sums_.data() + begin - (follows ? 1 : 0), n, inclusive, follows,
                                          first_.data());
        const int before = (AROUND + offset) * sizeof(T), behind = 2 * AROUND * sizeof(T) - before;
        const auto* const bytes = reinterpret_cast<const unsigned char*>(staged_.data());
        find_written<<<1, 256>>>(bytes, before, first_.data());
        find_written<<<1, 256>>>(bytes + before + n * sizeof(T), behind, first_.data());
        unsigned long long first = 0;
        EXPECT_EQ(cudaMemcpy(&first, first_.data(), sizeof(first), cudaMemcpyDeviceToHost), cudaSuccess);
        return first;
    }

    long long most_;
    DeviceVector<T> in_, sums_, staged_;
    std::vector<std::unique_ptr<DeviceVector<T>>> ins_, outs_;
    DeviceVector<unsigned long long> first_;
};

/// A vector's cuts: 1 to `most_parts` parts. Lengths are spread over orders of magnitude; about every fifth
/// vector has fewer elements than parts.
inline std::vector<long long> drawn_cuts(long long most, int most_parts, std::mt19937& random) {
    const int parts = 1 + static_cast<int>(random() % static_cast<unsigned>(most_parts));
    const double exponent = std::uniform_real_distribution<>(0, std::log(double(most)))(random);
    const long long n = random() % 5 == 0 ? random() % static_cast<unsigned>(parts)
                                          : static_cast<long long>(std::exp(exponent));
    return random_cuts(n, parts, random);
}
