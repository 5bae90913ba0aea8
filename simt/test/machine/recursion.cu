// Where the lanes of a warp meet again after calls by pointer, of functions that save a barrier register, as
// a GPU has it: see instructions/warps/convergence.cpp. After some recursive calls they do not, though the
// code that the compiler made for the shuffle behind takes them for together.
//
// Prints for each of 400 drawn launches who was together behind the call, and behind the shuffle.
#include <cstdio>
#include <string>

constexpr int LANES = 32;
enum Place { BEHIND_CALL, BEHIND_SHUFFLE, INSIDE, PLACES };
struct Visit {
    unsigned together, clock;
};
__device__ Visit visits[PLACES][LANES];
__device__ __forceinline__ void visit(Place place) {
    visits[place][threadIdx.x] = {__activemask(), unsigned(clock())};
}

__device__ __noinline__ int quotient(int a, int b) { return b ? a / b : -1; }
__device__ __noinline__ int product(int a, int b) { return a * b + 7; }

// Functions that use a barrier register once, twice, nested in another one, by all lanes alike, or not at
// all.
__device__ __noinline__ int once(int v, int s, int) {
    visit(INSIDE);
    int r = v;
    if ((v ^ s) & 1) r = quotient(r, s + 3);
    return r ^ v;
}
__device__ __noinline__ int twice(int v, int s, int) {
    visit(INSIDE);
    int r = v;
    if ((v ^ s) & 1) r = quotient(r, s + 3);
    r ^= 5;
    if ((v ^ s) & 2) r += product(r, s);
    return r ^ v;
}
__device__ __noinline__ int nested(int v, int s, int) {
    visit(INSIDE);
    int r = v;
    if ((v ^ s) & 4) {
        r = quotient(r, s + 3);
        if ((v ^ s) & 1) r += product(r, v);
        r ^= 3;
    }
    return r ^ v;
}
__device__ __noinline__ int alike(int v, int s, int) {
    visit(INSIDE);
    int r = v;
    if (s & 1) r = quotient(r, s + 3);
    return r ^ v;
}
__device__ __noinline__ int none(int v, int s, int) {
    visit(INSIDE);
    return quotient(v, s + 9) ^ v;
}
__device__ __noinline__ int leaf(int v, int s, int) {
    visit(INSIDE);
    return v * s;
}
/// The lanes part at each depth.
__device__ __noinline__ int recursive(int v, int s, int depth) {
    visit(INSIDE);
    int r = 3;
    if (depth > 0 && ((v >> depth) & 1)) r = recursive(v, s, depth - 1) + quotient(v, s);
    return r ^ v;
}
using Function = int (*)(int, int, int);
constexpr int FUNCTIONS = 7;
__device__ Function const functions[FUNCTIONS] = {twice, once, alike, none, nested, recursive, leaf};

__global__ void call(int s, const int* which, int* out) {
    const int lane = threadIdx.x;
    int v = __shfl_xor_sync(~0u, lane * 5 + s, 3);
    v = functions[which[lane]](v, s, 3);
    visit(BEHIND_CALL);
    out[lane] = __shfl_xor_sync(~0u, v, s & 31);
    visit(BEHIND_SHUFFLE);
}

/// The groups of lanes, in the order of their first lanes.
std::string groups(const Visit* of_lanes) {
    std::string text;
    unsigned seen = 0;
    for (int lane = 0; lane < LANES; ++lane) {
        if (seen >> lane & 1) continue;
        char group[16];
        std::snprintf(group, sizeof group, " %08x", of_lanes[lane].together);
        text += group;
        seen |= of_lanes[lane].together | 1u << lane;
    }
    return text;
}

int main() {
    unsigned long long state = 12345;
    const auto draw = [&](int below) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;  // xorshift64
        return int((state >> 20) % unsigned(below));
    };
    int *which, *out;
    cudaMalloc(&which, LANES * sizeof(int));
    cudaMalloc(&out, LANES * sizeof(int));
    for (int k = 0; k < 400; ++k) {
        const int drawn[3] = {draw(FUNCTIONS), draw(FUNCTIONS), draw(FUNCTIONS)}, kinds = 2 + draw(2);
        int of_lane[LANES];
        for (int& each : of_lane) each = drawn[draw(kinds)];
        cudaMemcpy(which, of_lane, sizeof of_lane, cudaMemcpyHostToDevice);
        call<<<1, LANES>>>(draw(64), which, out);
        Visit found[PLACES][LANES];
        if (cudaMemcpyFromSymbol(found, visits, sizeof found) != cudaSuccess) return 1;
        std::printf("%d:%s,%s\n", k, groups(found[BEHIND_CALL]).c_str(),
                    groups(found[BEHIND_SHUFFLE]).c_str());
    }
    return 0;
}
