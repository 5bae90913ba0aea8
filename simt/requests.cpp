#include "simt/requests.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "simt/lanes.h"
#include "simt/watchdog.h"

namespace simt {

namespace {

/// The distinct 4-byte words that some lanes access, by bank.
class Banks {
   public:
    void add(std::uintptr_t word) {
        const unsigned bank = word % 32;
        std::uintptr_t* const words = words_[bank];
        int& depth = depth_[bank];
        for (int i = 0; i < depth; ++i)
            if (words[i] == word) return;
        words[depth++] = word;
        ++distinct_;
        deepest_ = std::max(deepest_, depth);
    }
    /// The largest number of words in one bank: the passes that they take.
    int deepest() const { return deepest_; }
    /// The passes if the words were distributed evenly over the banks.
    int ideal() const { return (distinct_ + 31) / 32; }

   private:
    int depth_[32] = {};
    std::uintptr_t words_[32][32];
    int deepest_ = 0;
    int distinct_ = 0;
};

Banks banks_of(const Request& request, std::uint32_t lanes) {
    Banks banks;
    for_each_lane(lanes, [&](unsigned lane) {
        const std::uintptr_t first = request.address[lane] / 4;
        const std::uintptr_t last = (request.address[lane] + request.size - 1) / 4;
        for (std::uintptr_t word = first; word <= last; ++word) banks.add(word);
    });
    return banks;
}

/// Do the lanes access words that follow one another, as most requests do?
bool is_one_row(const Request& request) {
    const std::uintptr_t first = request.address[0];
    std::uintptr_t other = first % 4;
    for (unsigned lane = 0; lane < 32; ++lane) other |= request.address[lane] - first - 4 * lane;
    return request.lanes == ~0u && other == 0;
}

std::uint32_t lane_range(unsigned begin, unsigned count) {
    return std::uint32_t(((std::uint64_t(1) << count) - 1) << begin);
}

/// True if every two active lanes whose numbers differ only in the bit `distance` access the same address.
bool pairs_share_addresses(const Request& request, std::uint32_t lanes, unsigned distance) {
    bool all = true;
    for_each_lane(lanes, [&](unsigned lane) {
        const unsigned other = lane ^ distance;
        if (lanes >> other & 1 && request.address[lane] != request.address[other]) all = false;
    });
    return all;
}

/// Of a bulk copy, `address` holds each lane's bytes or sectors.
std::int64_t total(const Request& copy) {
    std::int64_t sum = 0;
    for_each_lane(copy.lanes, [&](unsigned lane) { sum += std::int64_t(copy.address[lane]); });
    return sum;
}

/// Logs that have held more than this are rare: their memory is counted, and given back after the step.
constexpr std::size_t USUAL_REQUESTS = 1 << 14;
std::atomic<std::size_t> bytes_held{0};

}  // namespace

Wavefronts wavefronts(const Request& request) {
    if (request.size <= 4) {
        if (is_one_row(request)) return {1, 1};
        const Banks all = banks_of(request, request.lanes);
        return {all.deepest(), all.ideal()};
    }

    // 8-byte requests are served by half-warps, 16-byte requests by quarter-warps. Two neighbouring parts are
    // served together if that takes one pass and the active lanes of each pair at distance 1, or of each pair
    // at distance 2, access the same address.
    const unsigned part = request.size == 8 ? 16 : 8;
    Wavefronts sum = {0, 0};
    for (unsigned begin = 0; begin < 32; begin += 2 * part) {
        const std::uint32_t lanes = request.lanes & lane_range(begin, 2 * part);
        const Banks both = banks_of(request, lanes);
        if (both.deepest() <= 1 &&
            (pairs_share_addresses(request, lanes, 1) || pairs_share_addresses(request, lanes, 2))) {
            sum += {both.deepest(), both.ideal()};
        } else {
            const Banks first = banks_of(request, lanes & lane_range(begin, part));
            const Banks second = banks_of(request, lanes & lane_range(begin + part, part));
            sum += {first.deepest() + second.deepest(), first.ideal() + second.ideal()};
        }
    }
    return sum;
}

int sectors(const Request& request) {
    std::uintptr_t seen[32 * 2];
    int count = 0;
    for_each_lane(request.lanes, [&](unsigned lane) {
        const std::uintptr_t first = request.address[lane] / 32;
        const std::uintptr_t last = (request.address[lane] + request.size - 1) / 32;
        for (std::uintptr_t sector = first; sector <= last; ++sector) {
            // Neighbouring lanes mostly share a sector: search from the newest.
            int i = count - 1;
            while (i >= 0 && seen[i] != sector) --i;
            if (i < 0) seen[count++] = sector;
        }
    });
    return count;
}

int bulk_sectors(std::uintptr_t to, std::uintptr_t from, unsigned bytes) {
    int count = 0;
    while (bytes > 0) {
        const unsigned packet = std::min<std::uintptr_t>(bytes, 128 - from % 128);
        count += int((to + packet - 1) / 32 - to / 32) + 1;
        to += packet, from += packet, bytes -= packet;
    }
    return count;
}

Cost cost_of(const Request& request) {
    switch (request.kind) {
        case Kind::shared_load:
        case Kind::shared_store:
        case Kind::shared_atomic: return {wavefronts(request), 0};
        case Kind::global_load:
        case Kind::global_store:
        case Kind::volatile_load: return {{0, 0}, sectors(request)};
        default: return {};
    }
}

void add(Counters& counters, const Request& request, const Cost& cost) {
    const int lanes = __builtin_popcount(request.lanes);
    if (request.kind < Kind::op && request.kind != Kind::volatile_load) counters.request_lanes += lanes;
    counters.ideal_wavefronts += cost.passes.ideal;
    switch (request.kind) {
        case Kind::op:
            counters.ops += lanes;
            ++counters.warp_ops;
            break;
        case Kind::volatile_load:
            ++counters.volatile_load_requests;
            counters.volatile_load_sectors += cost.sectors;
            break;
        case Kind::shared_load:
            ++counters.shared_load_requests;
            counters.shared_loads_of_8_bytes += request.size == 8;
            counters.shared_loads_of_16_bytes += request.size == 16;
            counters.shared_load_wavefronts += cost.passes.taken;
            break;
        case Kind::shared_store:
            ++counters.shared_store_requests;
            counters.shared_store_wavefronts += cost.passes.taken;
            break;
        case Kind::global_load:
            ++counters.global_load_requests;
            counters.global_load_sectors += cost.sectors;
            break;
        case Kind::global_store:
            ++counters.global_store_requests;
            counters.global_store_sectors += cost.sectors;
            break;
        case Kind::shared_atomic:
            ++counters.atomic_requests;
            counters.shared_atomic_wavefronts += cost.passes.taken;
            break;
        case Kind::global_atomic: ++counters.atomic_requests; break;
        case Kind::shuffle: ++counters.shuffles; break;
        case Kind::vote: ++counters.votes; break;
        case Kind::reduction: ++counters.warp_reductions; break;
        case Kind::bulk_load: counters.bulk_bytes_loaded += total(request); break;
        case Kind::bulk_store: counters.bulk_bytes_stored += total(request); break;
        case Kind::bulk_sectors: counters.bulk_sectors_stored += total(request); break;
        case Kind::mbarrier_arrival: counters.mbarrier_arrivals += lanes; break;
        case Kind::sync: break;
    }
}

std::uint32_t WarpLog::site_of(const void* site, Kind kind) {
    for (std::size_t i = 0; i < sites_used_; ++i)
        if (sites_[i].address == site && sites_[i].kind == kind) return std::uint32_t(i);
    if (sites_used_ == sites_.size()) sites_.emplace_back();
    Site& fresh = sites_[sites_used_];
    fresh.address = site;
    fresh.kind = kind;
    std::memset(fresh.visits, 0, sizeof(fresh.visits));
    fresh.requests.clear();
    return std::uint32_t(sites_used_++);
}

/// The index of the request that the lane's next visit of the site joins. It is opened if there is none.
std::uint32_t WarpLog::request_of(unsigned lane, const void* site, Kind kind, unsigned size) {
    const std::uint32_t site_index = site_of(site, kind);
    Site& visited = sites_[site_index];
    const std::uint32_t visit = visited.visits[lane]++;
    if (visit == visited.requests.size()) {
        visited.requests.push_back(std::uint32_t(requests_.size()));
        if (requests_.size() == requests_.capacity()) make_room();
        Request& opened = requests_.emplace_back();
        opened.site = site;
        opened.visit = visit;
        opened.site_index = site_index;
        opened.kind = kind;
        opened.size = std::uint8_t(size);
    }
    return visited.requests[visit];
}

/// Doubles the capacity.
void WarpLog::make_room() {
    const std::size_t before = requests_.capacity(), after = std::max<std::size_t>(64, 2 * before);
    if (after > USUAL_REQUESTS) {
        const std::size_t held = bytes_held.fetch_add(after * sizeof(Request));
        if (held + after * sizeof(Request) > memory_limit()) {
            bytes_held -= after * sizeof(Request);
            exceed_memory_limit(requests_.size());
        }
    }
    requests_.reserve(after);
    if (before > USUAL_REQUESTS) bytes_held -= before * sizeof(Request);
}

void WarpLog::sync(std::uint32_t lanes) {
    bool converged = lanes == synced_lanes_;  // since the last warp sync
    for (; synced_requests_ < requests_.size(); ++synced_requests_)
        converged &= (requests_[synced_requests_].lanes & lanes) == lanes;
    synced_lanes_ = lanes;
    if (converged) return;
    for (std::size_t i = 0; i < sites_used_; ++i) {
        std::uint32_t most = 0;
        for_each_lane(lanes, [&](unsigned lane) { most = std::max(most, sites_[i].visits[lane]); });
        for_each_lane(lanes, [&](unsigned lane) { sites_[i].visits[lane] = most; });
    }
    for_each_lane(lanes, [&](unsigned lane) { next_[lane] = std::uint32_t(requests_.size()); });
}

void WarpLog::clear() {
    if (requests_.capacity() > USUAL_REQUESTS) {
        bytes_held -= requests_.capacity() * sizeof(Request);
        requests_ = {};
    }
    requests_.clear();
    sites_used_ = 0;
    std::memset(next_, 0, sizeof(next_));
    synced_requests_ = 0;
    synced_lanes_ = 0;
}

Counters& Counters::operator+=(const Counters& other) {
    std::int64_t terms[32];
    int count = 0, i = 0;
    for_each(other, [&](const char*, const std::int64_t& value) { terms[count++] = value; });
    for_each(*this, [&](const char*, std::int64_t& value) { value += terms[i++]; });
    return *this;
}

}  // namespace simt
