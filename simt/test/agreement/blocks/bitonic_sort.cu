// Bitonic sort in shared memory, of words and of pairs of a key and a value.
#include <algorithm>

#include "simt/test/agreement/check.h"

__global__ void sort_words(const unsigned* in, unsigned* out) {
    __shared__ unsigned row[128];
    const int t = threadIdx.x;
    row[t] = in[global_thread()];
    __syncthreads();
    for (int size = 2; size <= 128; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            const int other = t ^ stride;
            if (other > t) {
                const bool ascending = (t & size) == 0;
                if ((row[t] > row[other]) == ascending) {
                    const unsigned kept = row[t];
                    row[t] = row[other];
                    row[other] = kept;
                }
            }
            __syncthreads();
        }
    out[global_thread()] = row[t];
}

__global__ void sort_pairs(const unsigned* in, uint2* out) {
    const int lane = threadIdx.x % 32;
    uint2 mine = make_uint2(in[global_thread()] % 50, lane);
    for (int size = 2; size <= 32; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            const uint2 other =
                make_uint2(__shfl_xor_sync(~0u, mine.x, stride), __shfl_xor_sync(~0u, mine.y, stride));
            const bool lower = (lane & stride) == 0, ascending = (lane & size) == 0;
            const bool less = other.x < mine.x || (other.x == mine.x && other.y < mine.y);
            if (less == (lower == ascending)) mine = other;
        }
    out[global_thread()] = mine;
}

int main() {
    const int n = 256;
    Array<unsigned> in(n, [](int i) { return random_word(i); }), out(n);
    sort_words<<<2, 128>>>(in, out);
    std::vector<unsigned> want(n);
    for (int i = 0; i < n; ++i) want[i] = in[i];
    for (int block = 0; block < 2; ++block) std::sort(&want[block * 128], &want[block * 128] + 128);
    out.expect("words", [&](int i) { return want[i]; });
    Array<uint2> pairs(n);
    sort_pairs<<<2, 128>>>(in, pairs);
    pairs.download();
    for (int warp = 0; warp < n; warp += 32) {
        std::vector<std::pair<unsigned, unsigned>> row;
        for (unsigned l = 0; l < 32; ++l) row.push_back({in[warp + l] % 50, l});
        std::sort(row.begin(), row.end());
        for (int l = 0; l < 32; ++l)
            if (pairs[warp + l].x != row[l].first || pairs[warp + l].y != row[l].second)
                return std::printf("pairs: element %d differs\n", warp + l), 1;
    }
    return verdict();
}
