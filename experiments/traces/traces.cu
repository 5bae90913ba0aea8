// What every block scan and reduction does in shared memory, step by step, for the page to replay: prints
// results/simt/traces.jsonl, one object a line for one block that scans or reduces one tile.
//
//     case      <operation>/<algorithm>/../index:<map>/bytes:<of an element>/tile:<elements>
//     threads   of the block
//     first     4-byte word at which the tile begins; words are numbered within their shared array
//     counts    what the machine counted of the launch, by its names
//     ops       applications of the operator, by step; a step lies between two block barriers
//     conflicts the bank conflicts that the machine counted, by step
//     lanes     for each step the mask of lanes that apply it, of each warp
//     steps     of tiles up to 64: for each step its requests to shared memory, in the order of the warps:
//               [warp, 0 load or 1 store, mask of lanes, [word of each lane, the lowest first]]
//     values    of these: for each step [word, value, ..] that it left in the tile, lower halves only
//     banks     of larger tiles: for each step [0 or 1, words in each of 32 banks] of the request with the
//               fullest bank, of the loads and of the stores; of 8-byte elements, of its fuller half-warp
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/index_maps.cuh"
#include "kernels/launch.cuh"
#include "kernels/operators.cuh"
#include "kernels/textbook/block/reduce_tree.cuh"
#include "kernels/textbook/block/scan_blelloch.cuh"
#include "kernels/textbook/block/scan_brent_kung.cuh"
#include "kernels/textbook/block/scan_hillis_steele.cuh"
#include "kernels/textbook/block/scan_hillis_steele_two_buffers.cuh"
#include "kernels/textbook/block/scan_kogge_stone.cuh"
#include "kernels/textbook/block/scan_raking.cuh"
#include "kernels/textbook/block/scan_sklansky.cuh"
#include "kernels/textbook/device/reduce_tiles.cuh"
#include "kernels/textbook/device/scan_tiles.cuh"
#include "simt/simt.h"

namespace {

constexpr int MOST_REPLAYED = 64;                        // elements of a tile whose every access is printed
constexpr int DIGITS[] = {3, 1, 7, 0, 4, 1, 6, 3};       // the input, over and over
constexpr int BANKS = 32, LOAD = 0, STORE = 1, OP = -1;  // kinds of requests

/// One warp request to shared memory, or an application of the operator.
struct Request {
    int step, warp, kind;
    std::uint32_t lanes = 0;
    std::vector<int> words = {};  // the first word of each lane, the lowest lane first
};

int kind_of(const simt::Access& access) {
    return access.words == 0 ? OP : access.kind[0] == 's' ? STORE : LOAD;
}

/// The requests of a trace, by step, warp and number.
std::vector<Request> requests_of(const simt::Recording& recording) {
    std::map<std::tuple<int, int, int>, std::map<int, simt::Access>> found;
    for (const simt::Access& a : recording.trace) found[{a.step, a.warp, a.request}].emplace(a.lane, a);
    std::vector<Request> requests;
    for (const auto& [key, lanes] : found) {
        Request request{std::get<0>(key), std::get<1>(key), kind_of(lanes.begin()->second)};
        for (const auto& [lane, access] : lanes) {
            request.lanes |= 1u << lane;
            request.words.push_back(access.word);
        }
        requests.push_back(request);
    }
    return requests;
}

/// Distinct words in each bank that these lanes of a request access.
std::array<int, BANKS> banks_of(const Request& request, int words, std::size_t begin, std::size_t end) {
    std::set<int> distinct;
    for (std::size_t i = begin; i < end; ++i)
        for (int word = 0; word < words; ++word) distinct.insert(request.words[i] + word);
    std::array<int, BANKS> banks = {};
    for (const int word : distinct) ++banks[word % BANKS];
    return banks;
}

int deepest(const std::array<int, BANKS>& banks) { return *std::max_element(banks.begin(), banks.end()); }

/// The banks of a request; of 8-byte elements, of the half-warp with the fuller bank.
std::array<int, BANKS> fullest(const Request& request, int words) {
    const std::size_t all = request.words.size();
    const std::size_t half = words == 1 ? all : __builtin_popcount(request.lanes & 0xffffu);
    const auto low = banks_of(request, words, 0, half), high = banks_of(request, words, half, all);
    return deepest(high) > deepest(low) ? high : low;
}

template <class Values>
std::string list(const Values& values) {
    std::string text;
    for (const auto value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
    return "[" + text + "]";
}

std::string list_of_lists(const std::vector<std::string>& lists) {
    std::string text;
    for (const std::string& each : lists) text += (text.empty() ? "" : ",") + each;
    return "[" + text + "]";
}

/// For each step, the mask of lanes that apply the operator, of each warp.
std::string lanes_of(const std::vector<Request>& requests, int steps, unsigned threads) {
    std::vector<std::vector<std::uint32_t>> found(steps, std::vector<std::uint32_t>((threads + 31) / 32));
    for (const Request& r : requests)
        if (r.kind == OP) found[r.step][r.warp] |= r.lanes;
    std::vector<std::string> lists;
    for (const auto& step : found) lists.push_back(list(step));
    return list_of_lists(lists);
}

std::string steps_of(const std::vector<Request>& requests, int steps) {
    std::vector<std::vector<std::string>> found(steps);
    for (const Request& r : requests) {
        if (r.kind == OP) continue;
        found[r.step].push_back("[" + std::to_string(r.warp) + "," + std::to_string(r.kind) + "," +
                                std::to_string(r.lanes) + "," + list(r.words) + "]");
    }
    std::vector<std::string> lists;
    for (const auto& step : found) lists.push_back(list_of_lists(step));
    return list_of_lists(lists);
}

std::string values_of(const simt::Recording& recording, int steps, int words) {
    std::vector<std::vector<int>> found(steps);
    for (const simt::Word& word : recording.shared) {
        if (std::string(word.array) != "memory" || word.word % words != 0) continue;
        found[word.step].push_back(word.word);
        found[word.step].push_back(word.value);
    }
    std::vector<std::string> lists;
    for (const auto& step : found) lists.push_back(list(step));
    return list_of_lists(lists);
}

std::string banks_by_step(const std::vector<Request>& requests, int steps, int words) {
    std::vector<std::map<int, std::array<int, BANKS>>> found(steps);
    for (const Request& r : requests) {
        if (r.kind == OP) continue;
        const auto banks = fullest(r, words);
        auto [place, is_first] = found[r.step].emplace(r.kind, banks);
        if (!is_first && deepest(banks) > deepest(place->second)) place->second = banks;
    }
    std::vector<std::string> lists;
    for (const auto& step : found) {
        std::vector<std::string> kinds;
        for (const auto& [kind, banks] : step)
            kinds.push_back("[" + std::to_string(kind) + "," + list(banks) + "]");
        lists.push_back(list_of_lists(kinds));
    }
    return list_of_lists(lists);
}

void print(const std::string& name, const simt::Recording& recording, int tile, int bytes) {
    const simt::Launch& launch = recording.launches.at(0);
    const int words = bytes / 4, steps = static_cast<int>(launch.steps.size());
    std::string counts = "{\"bank_conflicts\":" + std::to_string(launch.total.bank_conflicts());
    simt::Counters::for_each(launch.total, [&](const char* quantity, std::int64_t value) {
        if (value != 0) counts += std::string(",\"") + quantity + "\":" + std::to_string(value);
    });
    std::vector<std::int64_t> ops, conflicts;
    for (const simt::Counters& step : launch.steps) {
        ops.push_back(step.ops);
        conflicts.push_back(step.bank_conflicts());
    }

    const std::vector<Request> requests = requests_of(recording);
    const std::string replay = tile <= MOST_REPLAYED ? "\"steps\":" + steps_of(requests, steps) +
                                                           ",\"values\":" + values_of(recording, steps, words)
                                                     : "\"banks\":" + banks_by_step(requests, steps, words);
    std::printf("{\"case\":\"%s\",\"threads\":%u,\"first\":%d,\"counts\":%s},", name.c_str(), launch.threads,
                words, counts.c_str());
    std::printf("\"ops\":%s,\"conflicts\":%s,\"lanes\":%s,%s}\n", list(ops).c_str(), list(conflicts).c_str(),
                lanes_of(requests, steps, launch.threads).c_str(), replay.c_str());
}

/// A vector on the device.
template <class T>
struct Device {
    explicit Device(int n) {
        if (cudaMalloc(&data, n * sizeof(T)) != cudaSuccess) throw std::runtime_error("traces: no memory");
    }
    ~Device() { (void)cudaFree(data); }
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    T* data = nullptr;
};

/// Record run(in, out) on a tile and print it.
template <int TILE, class T, class Run>
void trace(const std::string& name, const char* map, Run run) {
    Device<T> in(TILE), out(TILE);
    std::vector<T> values(TILE);
    for (int i = 0; i < TILE; ++i) values[i] = DIGITS[i % 8];
    (void)cudaMemcpy(in.data, values.data(), TILE * sizeof(T), cudaMemcpyHostToDevice);
    const auto recording = simt::record([&] { run(in.data, out.data); }, true);
    print(name + "/index:" + map + "/bytes:" + std::to_string(sizeof(T)) + "/tile:" + std::to_string(TILE),
          recording, TILE, sizeof(T));
}

template <class Algorithm, int TILE, class T, class Map>
void trace_scan(const std::string& name, const char* map) {
    using Op = simt::Counted<Sum<T>>;
    constexpr int THREADS = Algorithm::threads(TILE);
    trace<TILE, T>("scan/" + name, map, [](T* in, T* out) {
        T* const no_sums = nullptr;
        launch(scan_tiles<Algorithm, TILE, THREADS, Map, T, Op>, 1u, THREADS, nullptr, in, out, no_sums,
               static_cast<long long>(TILE), Op{});
    });
}

template <Threads AT_WORK, int TILE, class T, class Map>
void trace_reduction(const std::string& name, const char* map) {
    using Op = simt::Counted<Sum<T>>;
    constexpr int THREADS = ReduceTree<AT_WORK>::threads(TILE);
    trace<TILE, T>("reduce/tree/threads:" + name, map, [](T* in, T* out) {
        launch(reduce_tiles<ReduceTree<AT_WORK>, TILE, THREADS, Map, T, Op>, 1u, THREADS, nullptr, in, out,
               static_cast<long long>(TILE), Op{});
    });
}

/// The kernels that conflict, in any tile.
template <int TILE, class T, class Map>
void trace_trees(const char* map) {
    trace_scan<Blelloch, TILE, T, Map>("blelloch", map);
    trace_scan<BrentKung<Threads::contiguous>, TILE, T, Map>("brent_kung/threads:contiguous", map);
    trace_reduction<Threads::contiguous, TILE, T, Map>("contiguous", map);
    trace_reduction<Threads::spaced, TILE, T, Map>("spaced", map);
}

template <int TILE, class T, class Map>
void trace_all(const char* map) {
    trace_trees<TILE, T, Map>(map);
    trace_scan<BrentKung<Threads::spaced>, TILE, T, Map>("brent_kung/threads:spaced", map);
    trace_reduction<Threads::halving, TILE, T, Map>("halving", map);
    trace_scan<HillisSteele, TILE, T, Map>("hillis_steele", map);
    trace_scan<HillisSteeleTwoBuffers, TILE, T, Map>("hillis_steele_two_buffers", map);
    trace_scan<Sklansky, TILE, T, Map>("sklansky", map);
    trace_scan<KoggeStone<>, TILE, T, Map>("kogge_stone", map);
    trace_scan<Raking<4>, TILE, T, Map>("raking/items:4", map);
}

template <class T>
void trace_type() {
    trace_all<16, T, Plain>("plain"), trace_all<32, T, Plain>("plain"), trace_all<64, T, Plain>("plain");
    trace_all<16, T, Padded<>>("padded"), trace_all<32, T, Padded<>>("padded");
    trace_all<64, T, Padded<>>("padded");
    trace_all<16, T, Swizzled>("swizzled"), trace_all<32, T, Swizzled>("swizzled");
    trace_all<64, T, Swizzled>("swizzled");
    trace_trees<2048, T, Plain>("plain");
    trace_trees<2048, T, Padded<>>("padded");
    trace_trees<2048, T, Swizzled>("swizzled");
    trace_trees<2048, T, TwoLevel>("two_level");
}

}  // namespace

int main() {
    try {
        trace_type<int>();
        trace_all<1024, int, Plain>("plain");  // many warps
        trace_type<long long>();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "traces: %s\n", error.what());
        return 1;
    }
}
