// Integer atomics on global memory, contended within warps, between warps and between blocks; with and
// without a result.
#include <algorithm>

#include "simt/test/agreement/check.h"

__global__ void count(const unsigned* in, unsigned* sums) {
    const unsigned x = in[global_thread()];
    atomicAdd(sums + 0, 1u);
    atomicAdd(sums + 1, x);
    atomicMin(sums + 2, x);
    atomicMax(sums + 3, x);
    atomicMax(reinterpret_cast<int*>(sums) + 4, static_cast<int>(x));
    atomicAnd(sums + 5, x | 0xff);
    atomicOr(sums + 6, x & 0xf0f0);
    atomicXor(sums + 7, x);
    if (x & 1) atomicInc(sums + 8, 1000);
    if (x & 2) atomicAdd(sums + 16 + x % 8, x >> 8);
    atomicSub(sums + 32 + threadIdx.x % 16, 3u);
}

__global__ void take_numbers(const unsigned* in, unsigned* counters, unsigned* words, unsigned* taken,
                             unsigned long long* total) {
    const unsigned x = in[global_thread()];
    const int warp = global_thread() / 32;  // each warp counts by itself: the order of warps does not matter
    if (x % 3 != 0) taken[32 * warp + atomicAdd(counters + warp, 1u)] = x;
    atomicAdd(total, static_cast<unsigned long long>(x) << 10);
    if (x % 5 == 0) atomicMax(total + 1, static_cast<unsigned long long>(x) << 20);
    const unsigned old = atomicExch(words + global_thread(), x);
    atomicDec(words + global_thread(), old + 7);
}

int main() {
    const int n = 384;
    Array<unsigned> in(n, [](int i) { return random_word(i); });
    Array<unsigned> sums(48, [](int i) { return i == 2 || i == 5 ? ~0u : 0u; });
    count<<<3, 128>>>(in, sums);
    std::vector<unsigned> want(48);
    want[2] = want[5] = ~0u;
    for (int i = 0; i < n; ++i) {
        const unsigned x = in[i];
        want[0] += 1;
        want[1] += x;
        want[2] = std::min(want[2], x);
        want[3] = std::max(want[3], x);
        want[4] = std::max(int(want[4]), int(x));
        want[5] &= x | 0xff;
        want[6] |= x & 0xf0f0;
        want[7] ^= x;
        want[8] += x & 1;
        if (x & 2) want[16 + x % 8] += x >> 8;
        want[32 + i % 16] -= 3;
    }
    sums.expect("sums", [&](int i) { return want[i]; });

    Array<unsigned> counters(n / 32), words(n), taken(n);
    Array<unsigned long long> total(2);
    take_numbers<<<3, 128>>>(in, counters, words, taken, total);
    unsigned long long sum = 0, most = 0;
    std::vector<unsigned> counted(n / 32), kept(n);
    for (int i = 0; i < n; ++i) {
        sum += static_cast<unsigned long long>(in[i]) << 10;
        if (in[i] % 5 == 0) most = std::max(most, static_cast<unsigned long long>(in[i]) << 20);
        if (in[i] % 3 != 0) kept[i / 32 * 32 + counted[i / 32]++] = in[i];
    }
    total.expect("totals", [&](int i) { return i == 0 ? sum : most; });
    counters.expect("counters", [&](int i) { return counted[i]; });
    words.expect("words", [&](int i) { return in[i] > 7 ? 7 : in[i] - 1; });
    std::vector<unsigned> got = taken.download();
    for (int i = 0; i < n; i += 32) {
        std::sort(&got[i], &got[i] + 32);
        std::sort(&kept[i], &kept[i] + 32);
    }
    if (got != kept) return std::printf("the numbers taken differ\n"), 1;
    return verdict();
}
