// What every block scan and reduction does in shared memory, step by step, for the page to replay: prints
// what results/simt/page.traces.jsonl.gz holds, one object a line for one block that scans or reduces a tile.
//
//     factors   of the case: operation, algorithm, .., index, bytes (of an element), tile (elements)
//     threads   of the block
//     first     4-byte word at which the tile begins; words are numbered within the block's shared memory
//     counts    what the machine counted of the launch, by its names; operations are those of a twin whose
//               operator leaves marks
//     ops       applications of the operator, by step; a step lies between two block barriers
//     conflicts the bank conflicts that the machine counted, by step
//     lanes     for each step the mask of lanes that apply it, of each warp
//     steps     of tiles up to 64: for each step its requests to shared memory, in the order of the warps:
//               [warp, 0 load or 1 store, mask of lanes, [first word of each lane, the lowest first]], and
//               the words of a lane's access, if not those of an element: nvcc merges neighbouring loads
//     values    of these: for each step [word, value, ..] that it left in the tile, lower halves only
//     fullest   of larger tiles: of each step the load and the store with the fullest bank, as in steps
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "experiments/harness/factors.h"
#include "experiments/support/marked.h"
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
#include "simt/runtime/observe.h"

using namespace trial;

namespace {

constexpr int MOST_REPLAYED = 64;                        // elements of a tile whose every access is printed
constexpr int DIGITS[] = {3, 1, 7, 0, 4, 1, 6, 3};       // the input, over and over
constexpr int BANKS = 32, LOAD = 0, STORE = 1, OP = -1;  // kinds of requests

using sass::Access;
using sass::Counts;
using simt_runtime::LaunchRecord;

/// One warp request to shared memory, or an application of the operator.
struct Request {
    int step, warp, kind, width;  // width: words that each lane accesses
    std::uint32_t lanes = 0;
    std::vector<int> words = {};  // the first word of each lane, the lowest lane first
};

int kind_of(const Access& access) { return access.words == 0 ? OP : access.kind[0] == 's' ? STORE : LOAD; }

/// The requests of a trace, by step, warp and number.
std::vector<Request> requests_of(const LaunchRecord& launch) {
    std::map<std::tuple<int, int, int>, std::map<int, Access>> found;
    for (const Access& a : launch.trace) found[{a.step, a.warp, a.request}].emplace(a.lane, a);
    std::vector<Request> requests;
    for (const auto& [key, lanes] : found) {
        Request request{std::get<0>(key), std::get<1>(key), kind_of(lanes.begin()->second),
                        lanes.begin()->second.words};
        for (const auto& [lane, access] : lanes) {
            request.lanes |= 1u << lane;
            request.words.push_back(access.word);
        }
        requests.push_back(request);
    }
    return requests;
}

/// Distinct words in each bank that a part of the warp accesses: 32 / width lanes from begin on.
std::array<int, BANKS> banks_of(const Request& request, int begin) {
    std::set<int> distinct;
    std::size_t place = 0;
    for (int lane = 0; lane < 32; ++lane) {
        if (!(request.lanes >> lane & 1)) continue;
        const int first = request.words[place++];
        if (lane < begin || lane >= begin + 32 / request.width) continue;
        for (int word = first; word < first + request.width; ++word) distinct.insert(word);
    }
    std::array<int, BANKS> banks = {};
    for (const int word : distinct) ++banks[word % BANKS];
    return banks;
}

/// Words in the fullest bank, of the part of the warp with it.
int deepest(const Request& request) {
    int most = 0;
    for (int begin = 0; begin < 32; begin += 32 / request.width) {
        const auto banks = banks_of(request, begin);
        most = std::max(most, *std::max_element(banks.begin(), banks.end()));
    }
    return most;
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

std::string json_of(const Request& r, int words) {
    return "[" + std::to_string(r.warp) + "," + std::to_string(r.kind) + "," + std::to_string(r.lanes) + "," +
           list(r.words) + (r.width == words ? "]" : "," + std::to_string(r.width) + "]");
}

std::string steps_of(const std::vector<Request>& requests, int steps, int words) {
    std::vector<std::vector<std::string>> found(steps);
    for (const Request& r : requests)
        if (r.kind != OP) found[r.step].push_back(json_of(r, words));
    std::vector<std::string> lists;
    for (const auto& step : found) lists.push_back(list_of_lists(step));
    return list_of_lists(lists);
}

std::string values_of(const LaunchRecord& launch, int steps, int words) {
    std::vector<std::vector<int>> found(steps);
    for (const sass::Word& word : launch.contents) {
        if (word.word % words != 0) continue;
        found[word.step].push_back(word.word);
        found[word.step].push_back(word.value);
    }
    std::vector<std::string> lists;
    for (const auto& step : found) lists.push_back(list(step));
    return list_of_lists(lists);
}

/// Of each step the load and the store with the fullest bank.
std::vector<Request> fullest_of(const std::vector<Request>& requests) {
    std::map<std::pair<int, int>, Request> fullest;  // by step and kind
    for (const Request& r : requests) {
        if (r.kind == OP) continue;
        auto [at, is_first] = fullest.emplace(std::pair{r.step, r.kind}, r);
        if (!is_first && deepest(r) > deepest(at->second)) at->second = r;
    }
    std::vector<Request> found;
    for (const auto& [key, request] : fullest) found.push_back(request);
    return found;
}

/// The word at which the tile begins: the lowest that the first step writes.
int first_of(const std::vector<Request>& requests) {
    int first = requests.front().words.front();
    for (const Request& r : requests)
        if (r.step == 0 && r.kind == STORE)
            first = std::min(first, *std::min_element(r.words.begin(), r.words.end()));
    return first;
}

/// A launch and its twin with marks, which alone shows operations.
void print(const harness::Factors& factors, const LaunchRecord& launch, const LaunchRecord& marked, int tile,
           int bytes) {
    const int words = bytes / 4, steps = static_cast<int>(launch.steps.size());
    if (marked.steps.size() != launch.steps.size())
        throw std::runtime_error(factors.name() + ": the twin has other steps");
    Counts total = launch.total;
    total.ops = marked.total.ops, total.warp_ops = marked.total.warp_ops;
    total.active_warps = marked.total.active_warps;
    std::string counts = "{\"bank_conflicts\":" + std::to_string(total.bank_conflicts());
    Counts::for_each(total, [&](const char* quantity, std::int64_t value) {
        if (value != 0) counts += std::string(",\"") + quantity + "\":" + std::to_string(value);
    });
    std::vector<std::int64_t> ops, conflicts;
    for (const Counts& step : marked.steps) ops.push_back(step.ops);
    for (const Counts& step : launch.steps) conflicts.push_back(step.bank_conflicts());

    const std::vector<Request> requests = requests_of(launch);
    const std::string replay = tile <= MOST_REPLAYED
                                   ? "\"steps\":" + steps_of(requests, steps, words) +
                                         ",\"values\":" + values_of(launch, steps, words)
                                   : "\"fullest\":" + steps_of(fullest_of(requests), steps, words);
    std::printf("{\"factors\":%s,\"threads\":%u,\"first\":%d,\"counts\":%s},", factors.json().c_str(),
                launch.threads, first_of(requests), counts.c_str());
    std::printf("\"ops\":%s,\"conflicts\":%s,\"lanes\":%s,%s}\n", list(ops).c_str(), list(conflicts).c_str(),
                lanes_of(requests_of(marked), steps, launch.threads).c_str(), replay.c_str());
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

/// The one launch of run.
template <class Run>
LaunchRecord launch_of(Run run) {
    sass::Options options;
    options.cores = 1;
    options.steps = options.trace = options.contents = true;
    options.operators = "Sum:";
    simt_runtime::observer()->begin(options);
    run();
    return simt_runtime::observer()->end().launches.at(0);
}

/// Record run(in, out, operator) on a tile and print it.
template <int TILE, class T, class Run>
void trace(const harness::Factors& factors, const char* map, Run run) {
    Device<T> in(TILE), out(TILE);
    std::vector<T> values(TILE);
    for (int i = 0; i < TILE; ++i) values[i] = DIGITS[i % 8];
    (void)cudaMemcpy(in.data, values.data(), TILE * sizeof(T), cudaMemcpyHostToDevice);
    print(factors.with({{"index", map}, {"bytes", sizeof(T)}, {"tile", TILE}}),
          launch_of([&] { run(in.data, out.data, Sum<T>{}); }),
          launch_of([&] { run(in.data, out.data, harness::Marked<Sum<T>>{}); }), TILE, sizeof(T));
}

template <class Algorithm, int TILE, class T, class Map>
void trace_scan(const harness::Factors& scan, const char* map) {
    constexpr int THREADS = Algorithm::threads(TILE);
    trace<TILE, T>(scan, map, [](T* in, T* out, auto op) {
        T* const no_sums = nullptr;
        launch(scan_tiles<Algorithm, TILE, THREADS, Map, T, decltype(op)>, 1u, THREADS, nullptr, in, out,
               no_sums, static_cast<long long>(TILE), op);
    });
}

template <Threads AT_WORK, int TILE, class T, class Map>
void trace_reduction(const char* threads, const char* map) {
    constexpr int THREADS = ReduceTree<AT_WORK>::threads(TILE);
    trace<TILE, T>({"reduce", "tree", {{"threads", threads}}}, map, [](T* in, T* out, auto op) {
        launch(reduce_tiles<ReduceTree<AT_WORK>, TILE, THREADS, Map, T, decltype(op)>, 1u, THREADS, nullptr,
               in, out, static_cast<long long>(TILE), op);
    });
}

harness::Factors brent_kung_by(const char* threads) { return {"scan", "brent_kung", {{"threads", threads}}}; }

/// The kernels that conflict, in any tile.
template <int TILE, class T, class Map>
void trace_trees(const char* map) {
    trace_scan<Blelloch, TILE, T, Map>({"scan", "blelloch"}, map);
    trace_scan<BrentKung<Threads::contiguous>, TILE, T, Map>(brent_kung_by("contiguous"), map);
    trace_reduction<Threads::contiguous, TILE, T, Map>("contiguous", map);
    trace_reduction<Threads::spaced, TILE, T, Map>("spaced", map);
}

template <int TILE, class T, class Map>
void trace_all(const char* map) {
    trace_trees<TILE, T, Map>(map);
    trace_scan<BrentKung<Threads::spaced>, TILE, T, Map>(brent_kung_by("spaced"), map);
    trace_reduction<Threads::halving, TILE, T, Map>("halving", map);
    trace_scan<HillisSteele, TILE, T, Map>({"scan", "hillis_steele"}, map);
    trace_scan<HillisSteeleTwoBuffers, TILE, T, Map>({"scan", "hillis_steele_two_buffers"}, map);
    trace_scan<Sklansky, TILE, T, Map>({"scan", "sklansky"}, map);
    trace_scan<KoggeStone<>, TILE, T, Map>({"scan", "kogge_stone"}, map);
    trace_scan<Raking<4>, TILE, T, Map>({"scan", "raking", {{"items", 4}}}, map);
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
    if (simt_runtime::observer() == nullptr) {
        std::fprintf(stderr, "traces: a GPU does not tell its accesses; run build/simt-run PROGRAM\n");
        return 1;
    }
    try {
        trace_type<int>();
        trace_all<1024, int, Plain>("plain");  // many warps
        trace_type<long long>();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "traces: %s\n", error.what());
        return 1;
    }
}
