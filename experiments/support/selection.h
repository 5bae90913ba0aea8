// The vectors of a compaction of numbers of any type, as long as memory allows, and the check of its result:
// the elements below a limit, in order.
#pragma once
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "experiments/harness/own_vectors.h"
#include "kernels/fast/select.cuh"
#include "kernels/predicates.cuh"

namespace harness {

template <class T>
struct Selection {
    /// Element i of the vector is at(i). Several threads call at() concurrently.
    using At = std::function<T(long long)>;

    /// Of `count` elements those below `limit` are selected.
    Selection(long long count, T limit, At element)
        : n(count), at(std::move(element)), keep{limit}, in(n), out(n), selected(1) {
        in.fill(at);
    }
    long long n;
    At at;
    Below<T> keep;
    OwnVector<T> in, out;
    OwnVector<long long> selected;

    long long room() const { return in.bytes() + out.bytes() + selected.bytes(); }
    void poison() {
        out.poison();
        selected.poison();
    }

    /// Every selected element must be in its place, and nothing may be written after the last.
    std::string find_error() const {
        const auto places = places_of_pieces();
        const long long total = places.back(), found = selected.read_first();
        if (found != total)
            return "selected " + std::to_string(found) + ", expected " + std::to_string(total);
        std::vector<std::string> errors(pieces());
        in_pieces(pieces(), [&] {
            return [&](long long piece) {
                const long long begin = piece * PIECE<T>, end = std::min(begin + PIECE<T>, n);
                long long place = places[piece];
                auto results = out.read(total, place);
                std::string& error = errors[piece];
                for (long long i = begin; i < end && error.empty(); ++i) {
                    const T value = at(i);
                    if (!keep(value)) continue;
                    error = difference(place, value, results[place]);
                    ++place;
                }
            };
        });
        const std::string error = first_of(errors);
        if (!error.empty() || total == n) return error;
        T poison;
        std::memset(&poison, POISON, sizeof(poison));
        return same_value(out.read(total + 1, total)[total], poison) ? "" : "written after the last element";
    }

   private:
    long long pieces() const { return (n + PIECE<T> - 1) / PIECE<T>; }

    /// Where in the output the selected elements of each piece of the input begin, and where the last ones
    /// end.
    std::vector<long long> places_of_pieces() const {
        std::vector<long long> places(pieces() + 1);
        in_pieces(pieces(), [&] {
            return [&](long long piece) {
                const long long begin = piece * PIECE<T>, end = std::min(begin + PIECE<T>, n);
                long long count = 0;
                for (long long i = begin; i < end; ++i) count += keep(at(i)) ? 1 : 0;
                places[piece + 1] = count;
            };
        });
        std::partial_sum(places.begin(), places.end(), places.begin());
        return places;
    }
};

/// 2^bits different numbers, shuffled, of which the lower half is selected. Created at the first call.
template <class T>
std::function<std::shared_ptr<Selection<T>>()> half_of_shuffled(int bits) {
    return made_once<Selection<T>>([bits] {
        const auto at = [numbers = Permutation(bits)](long long i) { return static_cast<T>(numbers.at(i)); };
        return std::make_shared<Selection<T>>(1LL << bits, T{1} << (bits - 1), at);
    });
}

}  // namespace harness
