#include "simt/run/grid.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iterator>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "simt/clock/launch.h"
#include "simt/count/counting.h"
#include "simt/instructions/memory/copies.h"
#include "simt/loader/names.h"
#include "simt/order/checker.h"
#include "simt/run/cluster.h"
#include "simt/run/memory.h"

namespace sass {
namespace {

constexpr int TOO_LARGE = 720;

constexpr std::uint64_t TOGETHER = 8;  // blocks that take turns, with a seed
constexpr int TURNS = 4;               // of each, before another launch has its own
std::atomic<bool> launches_take_turns{false};

unsigned environment(const char* name, unsigned otherwise) {
    const char* const text = std::getenv(name);
    return text == nullptr || *text == 0 ? otherwise : unsigned(std::strtoul(text, nullptr, 10));
}

std::string name_of(const Function& kernel) { return without_parameters(demangled(kernel.name)); }

/// Decoded kernels are kept: most are launched many times.
std::shared_ptr<const Code> code_of(Module& module, const Function& kernel, const std::string& operators) {
    static std::mutex mutex;
    static std::map<std::pair<const Function*, std::string>, std::shared_ptr<const Code>> decoded;
    const std::lock_guard lock(mutex);
    auto& code = decoded[{&kernel, operators}];
    if (!code) code = decode(module, kernel, operators);
    return code;
}

}  // namespace

std::shared_ptr<void> system_memory(std::size_t bytes, const char* what) {
    return {Memory::of_device().allocate(bytes, true, what), [](void* at) {
                GlobalOrder::get().forget(at);
                Memory::of_device().free(at);
            }};
}

Options& Options::current() {
    static Options options = [] {
        Options made;
        made.cores = int(environment("SIMT_CORES", 0));
        made.seed = environment("SIMT_SEED", 0);
        made.is_late = made.seed % 2 == 1;
        made.reach = made.seed / 2 % 2 == 1 ? 64 : 8;
        made.checks = environment("SIMT_COUNTS_ONLY", 0) == 0;
        made.volatile_is_weak = environment("SIMT_VOLATILE_IS_WEAK", 0) != 0;
        made.is_strict = environment("SIMT_STRICT", 0) != 0;
        if (const char* const list = std::getenv("SIMT_OPERATORS")) made.operators = list;
        if (const char* const prices = std::getenv("SIMT_CLOCK")) made.clock = prices;
        if (const char* const place = std::getenv("SIMT_CLOCK_AT_ONCE")) made.at_once = place;
        return made;
    }();
    return options;
}

/// One core's part of the launch.
struct Worker {
    std::deque<std::unique_ptr<Block>> resident;
    std::vector<std::unique_ptr<Block>> spare, ended;  ///< ended: and others of their cluster have not
    Observation observed;
    std::uint64_t blocks_ended = 0;
    alignas(64) std::uint64_t progress = 0;
};

struct Grid::Impl {
    Kernel kernel;
    std::unique_ptr<Checks> checks;
    std::unique_ptr<clock::Launch> clock;
    std::vector<std::unique_ptr<Worker>> workers;
    std::atomic<std::uint64_t> next{0};
    std::atomic<int> idle{0};
    std::atomic<bool> failed{false};
    std::mutex mutex;
    Failure failure;
    std::uint64_t blocks = 0, clusters = 0, limit = 0;
    Observation all;
    Counts total;
    std::vector<Counts> steps;
    std::uint64_t summed_at = ~0ull;  // progress when the sums below were made

    std::uint64_t shuffled(std::uint64_t number) const;
    void prepare();
    void work(Worker& me);
    bool take(Worker& me);
    std::unique_ptr<Block> begin(Worker& me, std::uint64_t number);
    void begin_cluster(Worker& me, std::uint64_t number);
    void end(Worker& me, std::unique_ptr<Block> block);
    void run_clocked(Worker& me);
    Failure failure_at(const Block& block, const Warp* warp, const Fault& fault) const;
    void fail(const Block& block, const Warp* warp, const Fault& fault);
    std::uint64_t progress() const {
        std::uint64_t sum = next;
        for (const auto& worker : workers) sum += __atomic_load_n(&worker->progress, __ATOMIC_RELAXED);
        return sum;
    }
    void sum();
};

void Grid::Impl::prepare() {
    Launch& launch = kernel.launch;
    kernel.code = code_of(*launch.module, *launch.kernel, kernel.options.operators);
    if (kernel.code->has_groups) {
        kernel.first_shared_byte = 0;
        kernel.groups_begin = system_shared_bytes() > 0 ? 0 : (kernel.shared_bytes + 15) / 16 * 16;
        kernel.groups_end = kernel.groups_begin + unsigned(architecture().reserved_shared);
    }
    // A function that calls others has frames that the compiler may not know.
    bool calls = false;
    for (const Instruction& i : kernel.code->list) calls |= i.line->opcode.rfind("CALL", 0) == 0;
    kernel.local_bytes =
        (unsigned(launch.kernel->local_bytes) + (calls ? launch.stack_bytes : 0) + 15) / 16 * 16;
    if (launch.is_cooperative) {
        kernel.workspace = system_memory(64, "the grid's barrier");
        std::memset(kernel.workspace.get(), 0, 64);
    }
    if (kernel.code->has_parameter_addresses && !launch.parameters.empty()) {
        kernel.parameters = system_memory(launch.parameters.size(), "the parameters");
        std::memcpy(kernel.parameters.get(), launch.parameters.data(), launch.parameters.size());
    }
    kernel.bank0 = bank0_of(kernel);
    kernel.rows = rows_of(kernel);
    if (kernel.options.counts) kernel.footprint = std::make_unique<Footprint>();
    if (!kernel.options.clock.empty() && architecture().number != 90)
        throw std::runtime_error("the clock has prices of GPUs of sm_90 alone, not of sm_" +
                                 std::to_string(architecture().number));
    blocks = launch.grid.count();
    clusters = blocks / launch.cluster.count();
    const std::uint64_t resident =
        std::uint64_t(architecture().multiprocessors) * blocks_per_multiprocessor(kernel);
    limit = launch.is_cooperative ? blocks : resident;
    if (launch.is_cooperative && blocks > resident)
        throw Fault{TOO_LARGE, "a cooperative launch of " + std::to_string(blocks) +
                                   " blocks, which cannot all be resident"};
    if (kernel.options.checks || kernel.code->asks_runtime) kernel.options.cores = 1;
    const unsigned cores = kernel.options.cores > 0 ? unsigned(kernel.options.cores)
                                                    : std::max(1u, std::thread::hardware_concurrency());
    const std::uint64_t worthwhile = std::max<std::uint64_t>(1, blocks * launch.block.count() / 2048);
    const std::uint64_t count = std::min<std::uint64_t>({cores, clusters, worthwhile});
    for (std::uint64_t k = 0; k < count; ++k) {
        workers.push_back(std::make_unique<Worker>());
        workers.back()->observed.kernel = &kernel;
    }
}

/// Another order of the clusters, among those that follow one another; of the last ones, in smaller groups.
std::uint64_t Grid::Impl::shuffled(std::uint64_t number) const {
    std::uint64_t reach = kernel.options.reach;
    while (number / reach * reach + reach > clusters) reach /= 2;
    const std::uint64_t first = number / reach * reach,
                        seed = kernel.options.seed * 0x9e3779b97f4a7c15ull + first;
    const std::uint64_t odd = seed >> 20 | 1, shift = seed >> 40;  // i -> odd i + shift is a permutation
    return first + (odd * (number - first) + shift) % reach;
}

/// Makes the blocks of the next cluster resident; false if there is none, or no room.
bool Grid::Impl::take(Worker& me) {
    const std::size_t size = std::size_t(kernel.launch.cluster.count()), most = limit / size;
    const std::size_t held = (me.resident.size() + size - 1) / size;
    if (held != 0 && held >= (most + workers.size() - 1) / workers.size()) return false;
    std::uint64_t number = next.fetch_add(1);
    while (clock && number < clusters && clock->has_begun(number)) number = next.fetch_add(1);
    if (number >= clusters) {
        next = clusters;
        return false;
    }
    if (kernel.options.seed != 0 && !clock) number = shuffled(number);
    begin_cluster(me, number);
    return true;
}

void Grid::Impl::begin_cluster(Worker& me, std::uint64_t number) {
    const unsigned size = unsigned(kernel.launch.cluster.count());
    if (size == 1) return me.resident.push_back(begin(me, number));
    const auto cluster = std::make_shared<Cluster>();
    cluster->running = size;
    for (unsigned rank = 0; rank < size; ++rank) {
        me.resident.push_back(begin(me, block_number(kernel.launch, number, rank)));
        Block& block = *me.resident.back();
        block.cluster = cluster;
        block.window = rank << RANK_SHIFT;
        cluster->blocks.push_back(&block);
    }
    if (checks) checks->begin_cluster(*cluster);
}

/// Its shared memory stays for as long as its cluster runs.
void Grid::Impl::end(Worker& me, std::unique_ptr<Block> block) {
    block->has_ended = true;
    ++me.blocks_ended;
    Cluster& cluster = *block->cluster;
    if (checks && cluster.blocks.size() > 1) checks->end_of_block(*block);
    me.ended.push_back(std::move(block));
    if (--cluster.running != 0) return;
    const auto is_other = [&](const auto& each) { return each->cluster.get() != &cluster; };
    const auto first = std::stable_partition(me.ended.begin(), me.ended.end(), is_other);
    std::move(first, me.ended.end(), std::back_inserter(me.spare));
    me.ended.erase(first, me.ended.end());
}

std::unique_ptr<Block> Grid::Impl::begin(Worker& me, std::uint64_t number) {
    std::unique_ptr<Block> block;
    if (me.spare.empty())
        block = std::make_unique<Block>();
    else
        block = std::move(me.spare.back()), me.spare.pop_back();
    block->checks = checks.get();
    block->start(kernel, number, me.observed, me.progress, kernel.options.seed);
    return block;
}

/// The blocks that are clocked, before the others. One that waits in vain goes on as they do.
void Grid::Impl::run_clocked(Worker& me) {
    clock = std::make_unique<clock::Launch>(kernel, clock::Prices::read(kernel.options.clock));
    const auto begun = [&](std::uint64_t number) {
        begin_cluster(me, number);
        std::vector<std::unique_ptr<Block>> blocks;
        std::move(me.resident.begin(), me.resident.end(), std::back_inserter(blocks));
        me.resident.clear();
        return blocks;
    };
    const auto ended = [&](std::unique_ptr<Block> block) {
        (void)block->copies->catch_up();
        end(me, std::move(block));
    };
    forget_allocations();
    try {
        clock->run({begun, ended, [&] { return me.progress; }});
    } catch (const Fault& fault) {
        fail(*clock->at_work()->block, clock->at_work(), fault);
    }
    for (auto& block : clock->left_over()) me.resident.push_back(std::move(block));
}

/// "kernel: file:line: what, block (x, y, z), thread (x, y, z)". A fault of no lane is shown for the
/// first that is at work.
Failure Grid::Impl::failure_at(const Block& block, const Warp* warp, const Fault& fault) const {
    const Launch& launch = kernel.launch;
    Failure shown{fault.error, "", name_of(*launch.kernel), "", 0, fault.cure};
    shown.line = shown.kernel + ": ";
    const int lane = fault.lane >= 0                        ? fault.lane
                     : warp == nullptr || warp->active == 0 ? 0
                                                            : __builtin_ctz(warp->active);
    if (warp != nullptr) {
        const int place = kernel.code->list[warp->site(lane)].line->place;
        if (const Place* const at = place_of_user(launch.module->places(), place)) {
            shown.file = at->file;
            shown.source_line = at->line;
            shown.line += at->file.substr(at->file.rfind('/') + 1) + ":" + std::to_string(at->line) + ": ";
        }
    }
    shown.line += fault.what + ", " + block_text(std::uint32_t(block.number), launch.grid);
    if (warp != nullptr)
        shown.line += ", " + thread_text(unsigned(warp->number * LANES + lane), launch.block);
    return shown;
}

void Grid::Impl::fail(const Block& block, const Warp* warp, const Fault& fault) {
    const std::lock_guard lock(mutex);
    if (failed.exchange(true)) return;
    failure = failure_at(block, warp, fault);
}

void Grid::Impl::work(Worker& me) {
    forget_allocations();
    bool counted_idle = false;
    std::uint64_t seen = 0;
    int quiet = 0;
    const auto set_idle = [&](bool now) {
        if (now != counted_idle) idle += now ? 1 : -1;
        counted_idle = now;
    };
    for (int turns = 0; !failed && !(launches_take_turns && turns == TURNS); ++turns) {
        // With a seed several blocks take turns; otherwise one runs to its end, or until it waits for others.
        bool fresh = take(me);
        while (kernel.options.seed != 0 && me.resident.size() < TOGETHER && take(me)) fresh = true;
        if (me.resident.empty()) break;
        bool moved = fresh;
        for (std::size_t k = 0; k < me.resident.size() && !failed;) {
            Block& block = *me.resident[k];
            const std::uint64_t before = me.progress;
            Block::State state = Block::State::waiting;
            const Warp* at = nullptr;
            try {
                state = block.run(at, kernel.options.seed != 0);
            } catch (const Fault& fault) {
                fail(block, at, fault);
                break;
            }
            moved |= me.progress != before || state != Block::State::waiting;
            if (state == Block::State::done) {
                std::unique_ptr<Block> ended = std::move(me.resident[k]);
                me.resident.erase(me.resident.begin() + std::ptrdiff_t(k));
                end(me, std::move(ended));
            } else {
                ++k;
            }
        }
        if (moved) {
            set_idle(false);
            quiet = 0;
            continue;
        }
        // Nobody here can go on. If nobody anywhere does, for a while, the launch waits for others.
        set_idle(true);
        const std::uint64_t now = progress();
        quiet = now == seen && idle == int(workers.size()) ? quiet + 1 : 0;
        seen = now;
        if (quiet > 20) break;
        if (workers.size() > 1) std::this_thread::yield();
    }
    set_idle(true);
}

Grid::Grid(const Launch& launch, const Options& options) : impl_(std::make_unique<Impl>()) {
    Impl& impl = *impl_;
    impl.kernel.launch = launch;
    impl.kernel.options = options;
    impl.kernel.shared_bytes =
        system_shared_bytes() + unsigned(launch.kernel->shared_bytes) + launch.dynamic_shared_bytes;
    impl.all.kernel = &impl.kernel;
    int error = 0;
    std::string why = refusal_of(impl.kernel, error);
    try {
        if (error == 0) impl.prepare();
    } catch (const Fault& fault) {
        error = fault.error;
        why = fault.what;
    } catch (const std::exception& fault) {
        error = 98;  // invalid device function
        why = fault.what();
    }
    if (error != 0) {
        impl.failed = true;
        const std::string kernel = name_of(*launch.kernel);
        impl.failure = {error, kernel + ": " + why, kernel, "", 0};
    }
}

Grid::~Grid() = default;

Grid::State Grid::run() {
    Impl& impl = *impl_;
    if (impl.failed) return State::done;
    if (impl.kernel.options.checks && impl.checks == nullptr)
        impl.checks = std::make_unique<Checks>(impl.kernel);
    if (!impl.kernel.options.clock.empty() && impl.clock == nullptr) impl.run_clocked(*impl.workers[0]);
    impl.idle = 0;
    std::vector<std::thread> others;
    for (std::size_t k = 1; k < impl.workers.size(); ++k)
        others.emplace_back([&impl, k] { impl.work(*impl.workers[k]); });
    impl.work(*impl.workers[0]);
    for (std::thread& other : others) other.join();
    if (impl.failed) return State::done;
    for (const auto& worker : impl.workers)
        if (!worker->resident.empty()) return State::waiting;
    return impl.next >= impl.clusters ? State::done : State::waiting;
}

void Grid::take_turns(bool now) { launches_take_turns = now; }
void Grid::interrupt(const char* why) { interrupted = why; }

void Grid::Impl::sum() {
    const std::uint64_t now = progress();
    if (summed_at == now) return;
    summed_at = now;
    all = {};
    all.kernel = &kernel;
    total = {};
    steps.clear();
    for (const auto& worker : workers) add_observation(all, worker->observed);
    for (const auto& step : all.steps) steps.push_back(counts_of(kernel, *step));
    for (const Counts& step : steps) total += step;
    if (!kernel.options.steps) steps.clear();
}

std::uint64_t Grid::progress() const { return impl_->progress(); }
std::uint64_t Grid::blocks_ended() const {
    std::uint64_t sum = 0;
    for (const auto& worker : impl_->workers) sum += worker->blocks_ended;
    return sum;
}
bool Grid::shows_operators() const { return !impl_->kernel.code || impl_->kernel.code->shows_operators; }
const Failure& Grid::failure() const { return impl_->failure; }
std::vector<Finding> Grid::findings() const {
    return impl_->checks == nullptr ? std::vector<Finding>() : impl_->checks->findings();
}
const Launch& Grid::launch() const { return impl_->kernel.launch; }
const Counts& Grid::total() const { return impl_->sum(), impl_->total; }
const std::vector<Counts>& Grid::steps() const { return impl_->sum(), impl_->steps; }
std::int64_t Grid::sectors_read() const {
    return impl_->kernel.footprint ? impl_->kernel.footprint->sectors(Footprint::read) : 0;
}
std::int64_t Grid::sectors_written() const {
    return impl_->kernel.footprint ? impl_->kernel.footprint->sectors(Footprint::written) : 0;
}
const clock::Timing* Grid::timing() const { return impl_->clock ? &impl_->clock->timing() : nullptr; }
std::vector<InstructionStalls> Grid::stalls() const {
    std::vector<InstructionStalls> all;
    const Code& code = *impl_->kernel.code;
    for (std::uint32_t n = 0; n < code.list.size(); ++n) {
        const clock::Stalls& stalls = timing()->stalls[n];
        const Line& line = *code.list[n].line;
        if (stalls.sum() != 0)
            all.push_back({n, code.address(n), line.text(), line.place, clock::Control(line.upper), stalls});
    }
    return all;
}
const std::vector<Access>& Grid::trace() const { return impl_->sum(), impl_->all.trace; }
const std::vector<Word>& Grid::contents() const { return impl_->sum(), impl_->all.contents; }
std::string Grid::printed() const {
    std::vector<Observation::Printed> all;
    for (const auto& worker : impl_->workers)
        all.insert(all.end(), worker->observed.printed.begin(), worker->observed.printed.end());
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.block < b.block; });
    std::string text;
    for (const auto& each : all) text += each.text;
    return text;
}
std::vector<AskedLaunch> Grid::take_asked() {
    std::vector<Observation::Asked> all;
    for (const auto& worker : impl_->workers)
        for (auto& each : std::exchange(worker->observed.asked, {})) all.push_back(std::move(each));
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.block < b.block; });
    std::vector<AskedLaunch> asked;
    for (auto& each : all) asked.push_back(std::move(each.launch));
    return asked;
}
Blocks Grid::blocks() const { return impl_->checks ? impl_->checks->blocks() : Blocks{0, 0}; }
std::vector<InstructionCounts> Grid::by_instruction() const {
    impl_->sum();
    return instruction_counts(impl_->kernel, impl_->all);
}

Failure Grid::deadlock() const {
    const std::string what = "deadlock: no resident block can make progress; the first one waits here",
                      apart = "divergent warp: lanes wait here for others of their warp that do not come";
    for (const auto& worker : impl_->workers)  // the likelier cause
        for (const auto& block : worker->resident)
            for (const auto& warp : block->warps)
                for (const Group& group : warp->groups)
                    if (group.state == Group::at_warp_sync && warp->only_waits()) {
                        warp->active = group.lanes;
                        warp->pc = group.pc - 1;
                        return impl_->failure_at(*block, warp.get(), {TIMEOUT, apart});
                    }
    for (const auto& worker : impl_->workers) {
        for (const auto& block : worker->resident) {
            Warp* first = nullptr;  // rather one that goes in a circle than one at a barrier
            for (const auto& warp : block->warps)
                if (!warp->done() && (first == nullptr || (first->only_waits() && !warp->only_waits())))
                    first = warp.get();
            if (first == nullptr) continue;
            if (!first->running && !first->groups.empty()) {
                const Group& group = first->groups.front();
                first->active = group.lanes;
                first->pc = group.state == Group::ready ? group.pc : group.pc - 1;
            }
            return impl_->failure_at(*block, first, {TIMEOUT, what});
        }
    }
    const std::string kernel = name_of(*launch().kernel);
    return {TIMEOUT, kernel + ": deadlock", kernel, "", 0};
}

}  // namespace sass
