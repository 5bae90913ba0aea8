// Launches from kernels: a child knows what the thread knew that has launched it; the parent learns nothing
// of the child. Launches of a block to one stream follow one another; a tail launch follows all that its grid
// has launched; the parent's grid is over when all its children are (CUDA C++ Programming Guide, "Dynamic
// Parallelism").
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

constexpr int N = 64;

__global__ void fill(int* out, int value) { out[threadIdx.x] = value; }
__global__ void add_one(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] + 1; }

/// A parent of N threads with two vectors, and what the second one must be.
template <class Kernel>
std::string run(Kernel parent, int blocks = 1, int expected = 42) {
    Device<int> first(zeros(N)), second(zeros(N));
    check(launch(parent, blocks, N, nullptr, first.data(), second.data()));
    check(cudaDeviceSynchronize());
    return expected < 0 ? "" : difference(second.read(), repeated(N, expected));
}

enum class Before { one_thread_writes, barrier, nothing, other_block };

/// What the parent writes, the child reads.
template <Before BEFORE>
__global__ void parent_writes(int* first, int* second) {
    if (BEFORE == Before::one_thread_writes) {
        if (threadIdx.x != 0) return;
        for (int i = 0; i < N; i++) first[i] = 41;
        add_one<<<1, N>>>(first, second);
        return;
    }
    if (BEFORE != Before::other_block || blockIdx.x == 1) first[threadIdx.x] = 41;
    if (BEFORE != Before::nothing) __syncthreads();
    if (threadIdx.x == 0 && blockIdx.x == 0) add_one<<<1, N>>>(first, second);
}

/// And writes again when the child may be at work.
__global__ void parent_writes_later(int* first, int* second) {
    first[threadIdx.x] = 41;
    __syncthreads();
    if (threadIdx.x == 0) add_one<<<1, N>>>(first, second);
    first[threadIdx.x] = 40;
}

/// The parent reads what the child writes; a tail launch does so when it may.
template <bool BY_TAIL>
__global__ void reads_child(int* first, int* second) {
    if (threadIdx.x == 0) fill<<<1, N>>>(first, 41);
    if (BY_TAIL) {
        if (threadIdx.x == 0) add_one<<<1, N, 0, cudaStreamTailLaunch>>>(first, second);
    } else {
        __syncthreads();
        second[threadIdx.x] = first[threadIdx.x] + 1;
    }
}

enum class Siblings {
    one_stream,
    two_streams,
    event,
    event_too_early,
    fire_and_forget,
    threads_of_block,
    blocks
};

/// One child writes what the next one reads.
template <Siblings SIBLINGS>
__global__ void two_children(int* first, int* second) {
    if (SIBLINGS == Siblings::threads_of_block || SIBLINGS == Siblings::blocks) {
        const int turn = SIBLINGS == Siblings::blocks ? blockIdx.x : threadIdx.x / 32;
        if (threadIdx.x % 32 == 0 && turn == 0 && threadIdx.x / 32 == 0) fill<<<1, N>>>(first, 41);
        __syncthreads();
        if (threadIdx.x == 32 && turn == 1) add_one<<<1, N>>>(first, second);
        return;
    }
    if (threadIdx.x != 0) return;
    cudaStream_t one = nullptr, other = nullptr;
    if (SIBLINGS == Siblings::fire_and_forget) one = other = cudaStreamFireAndForget;
    if (SIBLINGS != Siblings::one_stream && SIBLINGS != Siblings::fire_and_forget) {
        cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
        cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    }
    cudaEvent_t event;
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    if (SIBLINGS == Siblings::event_too_early) cudaEventRecord(event, one);
    fill<<<1, N, 0, one>>>(first, 41);
    if (SIBLINGS == Siblings::event) cudaEventRecord(event, one);
    if (SIBLINGS == Siblings::event || SIBLINGS == Siblings::event_too_early)
        cudaStreamWaitEvent(other, event, 0);
    add_one<<<1, N, 0, other>>>(first, second);
}

__global__ void launches_fill(int* first, int value) { fill<<<1, N>>>(first, value); }
/// A grandchild writes what the child's sibling reads.
template <bool IN_STREAM>
__global__ void grandchild(int* first, int* second) {
    if (threadIdx.x != 0) return;
    launches_fill<<<1, 1>>>(first, 41);
    add_one<<<1, N, 0, IN_STREAM ? nullptr : cudaStreamFireAndForget>>>(first, second);
}

/// What a child has written, the next launch of the parent's stream reads; or one in another stream.
template <bool IN_STREAM>
std::string run_after_parent() {
    Device<int> first(zeros(N)), second(zeros(N));
    cudaStream_t other;
    check(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    check(launch(launches_fill, 1, 1, nullptr, first.data(), 41));
    check(launch(add_one, 1, N, IN_STREAM ? nullptr : other, first.data(), second.data()));
    check(cudaDeviceSynchronize());
    check(cudaStreamDestroy(other));
    return IN_STREAM ? difference(second.read(), repeated(N, 42)) : "";
}

const Bench programs(
    "launches from kernels",
    {
        {"child_of_writer", Expected::clean, "the thread that launches the child has written",
         [] { return run(parent_writes<Before::one_thread_writes>); }},
        {"child_after_barrier", Expected::clean, "a barrier, then one thread launches",
         [] { return run(parent_writes<Before::barrier>); }},
        {"child_without_barrier", Expected::race, "no barrier between others' writes and the launch",
         [] { return run(parent_writes<Before::nothing>, 1, -1); }},
        {"child_of_another_block", Expected::race, "another block's writes, which the thread does not know",
         [] { return run(parent_writes<Before::other_block>, 2, -1); }},
        {"parent_writes_later", Expected::race, "the parent writes after the launch what the child reads",
         [] { return run(parent_writes_later, 1, -1); }},
        {"parent_reads_child", Expected::race, "a launch is not waited for by the kernel that makes it",
         [] { return run(reads_child<false>, 1, -1); }},
        {"tail_reads_child", Expected::clean, "a tail launch comes when all children are over",
         [] { return run(reads_child<true>); }},
        {"children_in_one_stream", Expected::clean, "a block's default stream",
         [] { return run(two_children<Siblings::one_stream>); }},
        {"children_of_two_threads", Expected::clean, "the same of another thread of the block",
         [] { return run(two_children<Siblings::threads_of_block>); }},
        {"children_of_two_blocks", Expected::race, "each block has a default stream of its own",
         [] { return run(two_children<Siblings::blocks>, 2, -1); }},
        {"children_in_two_streams", Expected::race, "nothing orders two streams",
         [] { return run(two_children<Siblings::two_streams>, 1, -1); }},
        {"children_with_event", Expected::clean, "an event that the second stream waits for",
         [] { return run(two_children<Siblings::event>); }},
        {"children_with_early_event", Expected::race, "an event recorded before the launch",
         [] { return run(two_children<Siblings::event_too_early>, 1, -1); }},
        {"children_forgotten", Expected::race, "nothing orders launches that are fired and forgotten",
         [] { return run(two_children<Siblings::fire_and_forget>, 1, -1); }},
        {"grandchild_in_stream", Expected::clean, "a launch is over when all that it has launched is",
         [] { return run(grandchild<true>); }},
        {"grandchild_forgotten", Expected::race, "the reader waits for nobody",
         [] { return run(grandchild<false>, 1, -1); }},
        {"launch_after_parent", Expected::clean, "the next launch of the parent's stream",
         run_after_parent<true>},
        {"launch_beside_parent", Expected::race, "a launch in another stream", run_after_parent<false>},
    });

}  // namespace
