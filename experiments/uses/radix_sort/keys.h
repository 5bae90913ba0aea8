// The vectors of a sort, and the check of its result.
#pragma once
#include <cstring>
#include <string>

#include "experiments/harness/own_vectors.h"

namespace harness {

/// Pseudo-random keys, each occurring four times, far apart. A key's payload is its index, so that it shows
/// whether equal keys kept their order.
template <class Key>
struct Keys {
    explicit Keys(long long count) : n(count), in(n), out(n), places_in(n), places_out(n) {
        in.fill([this](long long i) { return key(i % (n / 4)); });
        places_in.fill([](long long i) { return static_cast<int>(i); });
    }
    long long n;
    OwnVector<Key> in, out;
    OwnVector<int> places_in, places_out;

    void poison() {
        out.poison();
        places_out.poison();
    }
    /// Every key must occur four times, in ascending order; with_places: each with its payload, equal keys in
    /// input order.
    std::string find_error(bool with_places) const {
        auto keys = out.read(n);
        auto places = places_out.read(with_places ? n : 0);
        Key last{};
        for (long long i = 0; i < n; ++i) {
            const Key found = keys[i];
            const std::uint64_t number = where(found);
            const bool right = i % 4 == 0 ? i == 0 || last < found : last == found;
            if (!right || number >= static_cast<std::uint64_t>(n / 4))
                return "index " + std::to_string(i) + ": unexpected key";
            if (with_places && places[i] != static_cast<long long>(number) + i % 4 * (n / 4))
                return "index " + std::to_string(i) + ": unexpected payload";
            last = found;
        }
        return "";
    }

   private:
    static constexpr int BITS = 8 * sizeof(Key);

    Key key(std::uint64_t number) const {
        const std::uint64_t bits = shuffled_.at(number);
        Key found;
        std::memcpy(&found, &bits, sizeof(Key));  // the lowest bytes
        return found;
    }
    std::uint64_t where(Key found) const {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &found, sizeof(Key));
        return shuffled_.where(bits);
    }

    Permutation shuffled_{BITS};
};

}  // namespace harness
