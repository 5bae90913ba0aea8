// What a GPU's driver provides to the device's runtime, by which kernels launch kernels. The runtime itself
// is machine code that nvcc links to the program (libcudadevrt); it calls these functions, and translates
// their errors to CUDA's. Names, arguments and errors as that code has them, and as an H100 answers.
#include <cstring>

#include "simt/instructions/memory/accesses.h"
#include "simt/instructions/warps/syscalls.h"
#include "simt/order/checker.h"
#include "simt/run/from_kernels.h"

namespace sass {
namespace {

constexpr int ILLEGAL_ADDRESS = 700;

/// Of the driver: the runtime's code makes CUDA's errors of them.
enum DriverError { success = 0, invalid_value = 1, invalid_configuration = 7, unsupported_limit = 13 };

/// Streams that are no handles. Tail launches follow one another, others of their kind nothing.
constexpr U64 PER_BLOCK = 0, LEGACY = 1, PER_THREAD = 2, TAIL_LAUNCH = 3, FIRE_AND_FORGET = 4;
constexpr U64 FIRST_HANDLE = 1 << 12;

unsigned thread_of(const Warp& w, int lane) { return unsigned(w.number * LANES + lane); }

LaunchesOfBlock& launches_of(Warp& w) {
    auto& launches = w.block->launches;
    if (launches == nullptr) {
        launches = std::make_unique<LaunchesOfBlock>();
        launches->streams[PER_BLOCK] = {};
    }
    return *launches;
}

DeviceRuntime& runtime_of(const Warp& w, int lane) {
    if (DeviceRuntime* const runtime = w.block->kernel->launch.runtime) return *runtime;
    throw Fault{715, "a kernel asks for the device's runtime, which is not there", lane};
}

/// Stores a value of 4 or 8 bytes at a generic address, as the lane's own instruction would.
void put(Warp& w, const Instruction& i, int lane, U64 address, U64 value, unsigned bytes) {
    U *const low = w.row(TEMPORARY), *const at = w.row(TEMPORARY + 2);
    low[lane] = U(value), low[LANES + lane] = U(value >> 32);
    at[lane] = U(address), at[LANES + lane] = U(address >> 32);
    Instruction store = i;
    store.a = {TEMPORARY + 2}, store.b = {}, store.c = {TEMPORARY};
    store.is_wide = true, store.offset = 0, store.bytes = std::uint8_t(bytes), store.ordering = {};
    store_generic(w, store, 1u << lane);
}

/// A function (arguments from R4 on) that returns an error of the driver's.
template <int of_lane(Warp&, const Instruction&, int lane)>
void call(Warp& w, const Instruction& i, U lanes) {
    for_lanes(lanes, [&](int l) { w.row(4)[l] = U(of_lane(w, i, l)); });
}
template <int of_lane(Warp&, int lane)>
void call(Warp& w, const Instruction&, U lanes) {
    for_lanes(lanes, [&](int l) { w.row(4)[l] = U(of_lane(w, l)); });
}

// --- Errors

int set_last_error(Warp& w, int l) { return launches_of(w).errors[thread_of(w, l)] = int(w.row(4)[l]); }
int get_last_error(Warp& w, int l) { return launches_of(w).errors[thread_of(w, l)]; }

// --- Launches

/// Of the kernel at an address; launch.kernel is null if there is none.
Launch launch_of(Warp& w, U64 function) {
    Launch launch = w.block->kernel->launch;
    launch.kernel = launch.module->kernel_at(function);
    launch.cluster = {};
    launch.is_cooperative = launch.is_clustered = false;
    launch.parameters.clear();
    if (launch.kernel != nullptr && launch.kernel->cluster[0] != 0) {
        const int* const size = launch.kernel->cluster;
        launch.is_clustered = true;
        launch.cluster = {unsigned(size[0]), unsigned(size[1]), unsigned(size[2])};
    }
    return launch;
}

/// (kernel, grid, block, bytes of shared memory) -> where its parameters go
void get_parameter_buffer(Warp& w, const Instruction&, U lanes) {
    for_lanes(lanes, [&](int l) {
        const auto word = [&](int number) { return w.row(std::uint16_t(number))[l]; };
        Launch launch = launch_of(w, argument(w, 4, l));
        if (launch.kernel == nullptr) throw Fault{ILLEGAL_ADDRESS, "a launch of what is no kernel", l};
        launch.grid = {word(6), word(7), word(8)};
        launch.block = {word(9), word(10), word(11)};
        launch.dynamic_shared_bytes = word(12);
        std::size_t bytes = 16;
        for (const Parameter& each : launch.kernel->parameters)
            bytes = std::max(bytes, std::size_t(each.offset + each.bytes));
        launch.parameters.resize(bytes);
        const auto memory = system_memory(bytes, "the parameters of a launch");
        forget_allocations();
        const auto address = reinterpret_cast<U64>(memory.get());
        launches_of(w).buffers[address] = {launch, memory};
        w.row(4)[l] = U(address), w.row(5)[l] = U(address >> 32);
    });
}

/// What the next launch to the stream follows; null if there is no such stream.
std::vector<U64>* last_of(LaunchesOfBlock& launches, U64 stream, unsigned thread) {
    if (stream == LEGACY) stream = PER_BLOCK;
    if (stream == PER_THREAD) return &launches.streams[FIRST_HANDLE / 2 + thread];
    const auto known = launches.streams.find(stream);
    return known == launches.streams.end() ? nullptr : &known->second;
}

/// (parameters, stream)
int launch_device(Warp& w, int l) {
    LaunchesOfBlock& launches = launches_of(w);
    const auto buffer = launches.buffers.find(argument(w, 4, l));
    if (buffer == launches.buffers.end())
        throw Fault{ILLEGAL_ADDRESS, "a launch with parameters that no buffer was made for", l};
    AskedLaunch asked;
    asked.launch = std::move(buffer->second.launch);
    const std::shared_ptr<void> parameters = std::move(buffer->second.parameters);
    launches.buffers.erase(buffer);
    const U64 stream = argument(w, 6, l);
    std::vector<U64>* const last = stream == TAIL_LAUNCH || stream == FIRE_AND_FORGET
                                       ? nullptr
                                       : last_of(launches, stream, thread_of(w, l));
    if (last == nullptr && stream != TAIL_LAUNCH && stream != FIRE_AND_FORGET) return invalid_value;
    if (runtime_of(w, l).refusal(asked.launch) != 0) return invalid_configuration;
    std::memcpy(asked.launch.parameters.data(), parameters.get(), asked.launch.parameters.size());
    asked.number = w.block->number << 32 | ++launches.made;
    asked.is_tail = stream == TAIL_LAUNCH;
    if (last != nullptr) asked.after = std::exchange(*last, {asked.number});
    if (Checks* const checks = w.block->checks) {
        asked.launch.origin = std::make_shared<Origin>();
        asked.launch.origin->known = checks->knowledge(w, l);
    }
    w.block->observed->asked.push_back({w.block->number, std::move(asked)});
    ++*w.block->progress;
    return success;
}

// --- Streams and events

/// (where the handle goes, flags)
int create_stream(Warp& w, const Instruction& i, int l) {
    LaunchesOfBlock& launches = launches_of(w);
    const U64 handle = FIRST_HANDLE + 16 * ++launches.made, to = argument(w, 4, l);
    launches.streams[handle] = {};
    return put(w, i, l, to, handle, 8), success;
}
int destroy_stream(Warp& w, int l) {
    const U64 stream = argument(w, 4, l);
    return stream >= FIRST_HANDLE && launches_of(w).streams.erase(stream) != 0 ? success : invalid_value;
}
/// (where the handle goes, flags)
int create_event(Warp& w, const Instruction& i, int l) {
    constexpr U DISABLE_TIMING = 2;
    LaunchesOfBlock& launches = launches_of(w);
    if ((w.row(6)[l] & DISABLE_TIMING) == 0) return invalid_value;
    const U64 handle = FIRST_HANDLE + 16 * ++launches.made, to = argument(w, 4, l);
    launches.events[handle] = {};
    return put(w, i, l, to, handle, 8), success;
}
int destroy_event(Warp& w, int l) {
    return launches_of(w).events.erase(argument(w, 4, l)) != 0 ? success : invalid_value;
}
/// (event, stream)
int record_event(Warp& w, int l) {
    LaunchesOfBlock& launches = launches_of(w);
    const auto event = launches.events.find(argument(w, 4, l));
    const std::vector<U64>* const last = last_of(launches, argument(w, 6, l), thread_of(w, l));
    if (event == launches.events.end() || last == nullptr) return invalid_value;
    event->second = *last;
    return success;
}
/// (stream, event)
int wait_for_event(Warp& w, int l) {
    LaunchesOfBlock& launches = launches_of(w);
    const auto event = launches.events.find(argument(w, 6, l));
    std::vector<U64>* const last = last_of(launches, argument(w, 4, l), thread_of(w, l));
    if (event == launches.events.end() || last == nullptr) return invalid_value;
    last->insert(last->end(), event->second.begin(), event->second.end());
    return success;
}

// --- Questions

int get_zero(Warp& w, const Instruction& i, int l) { return put(w, i, l, argument(w, 4, l), 0, 4), success; }
int get_one(Warp& w, const Instruction& i, int l) { return put(w, i, l, argument(w, 4, l), 1, 4), success; }

/// (where it goes, which, device): of any device but the kernel's own an H100 says 0.
int get_device_attribute(Warp& w, const Instruction& i, int l) {
    int value = 0;
    if (!runtime_of(w, l).attribute(int(w.row(6)[l]), value)) return invalid_value;
    return put(w, i, l, argument(w, 4, l), w.row(7)[l] == 0 ? U(value) : 0, 4), success;
}
/// (where it goes, which)
int get_limit(Warp& w, const Instruction& i, int l) {
    U64 value = 0;
    const bool is_known = runtime_of(w, l).limit(int(w.row(6)[l]), value);
    put(w, i, l, argument(w, 4, l), is_known ? value : ~U64(0), 8);
    return is_known ? success : unsupported_limit;
}
/// (where it goes, which, kernel)
int get_function_attribute(Warp& w, const Instruction& i, int l) {
    const Launch launch = launch_of(w, argument(w, 8, l));
    int value = 0;
    if (launch.kernel == nullptr || !runtime_of(w, l).attribute(launch, int(w.row(6)[l]), value))
        return invalid_value;
    return put(w, i, l, argument(w, 4, l), U(value), 4), success;
}
/// (where it goes, kernel, threads of a block, bytes of shared memory)
int get_resident_blocks(Warp& w, const Instruction& i, int l) {
    Launch launch = launch_of(w, argument(w, 6, l));
    if (launch.kernel == nullptr) return invalid_value;
    launch.block = {w.row(8)[l]};
    launch.dynamic_shared_bytes = U(argument(w, 10, l));
    return put(w, i, l, argument(w, 4, l), U(runtime_of(w, l).resident_blocks(launch)), 4), success;
}

/// (handle, value)
void set_conditional(Warp& w, const Instruction&, U lanes) {
    for_lanes(lanes, [&](int l) {
        if (!runtime_of(w, l).set_condition(argument(w, 4, l), w.row(6)[l]))
            throw Fault{ILLEGAL_ADDRESS, "cudaGraphSetConditional with a handle that is none", l};
    });
}

}  // namespace

const std::map<std::string, Handler>& runtime_functions() {
    static const std::map<std::string, Handler> all = {
        {"cnpv2SetLastError", call<set_last_error>},
        {"cnpv2GetLastError", call<get_last_error>},
        {"cnpv2GetParameterBufferV2", get_parameter_buffer},
        {"cnpv2LaunchDeviceV2", call<launch_device>},
        {"cnpv2StreamCreate", call<create_stream>},
        {"cnpv2StreamDestroy", call<destroy_stream>},
        {"cnpv2EventCreate", call<create_event>},
        {"cnpv2EventDestroy", call<destroy_event>},
        {"cnpv2EventRecord", call<record_event>},
        {"cnpv2StreamWaitEvent", call<wait_for_event>},
        {"cnpv2GetDevice", call<get_zero>},
        {"cnpv2GetDeviceCount", call<get_one>},
        {"cnpv2GetCacheConfig", call<get_zero>},
        {"cnpv2GetSharedMemConfig", call<get_one>},
        {"cnpv2DeviceGetAttribute", call<get_device_attribute>},
        {"cnpv2GetLimit", call<get_limit>},
        {"cnpv2FuncGetAttribute", call<get_function_attribute>},
        {"cnpv2MaxActiveBlocksPerMultiprocessor", call<get_resident_blocks>},
        {"cnpv2MaxActiveBlocksPerMultiprocessorWithFlags", call<get_resident_blocks>},
    };
    static const std::map<std::string, Handler> named = [] {
        std::map<std::string, Handler> made = {{"cudaGraphSetConditional", set_conditional}};
        for (const auto& [name, handler] : all) made["__cuda_syscall_" + name] = handler;
        return made;
    }();
    return named;
}

}  // namespace sass
