// Votes, ballots and matches among all lanes and among some, and which lanes are active after a branch.
#include "simt/test/agreement/check.h"

__global__ void vote(const int* in, unsigned* out) {
    const int x = in[global_thread()];
    unsigned* mine = out + global_thread() * 8;
    mine[0] = __ballot_sync(~0u, x % 3 == 0);
    mine[1] = __any_sync(~0u, x == 77) * 2 + __all_sync(~0u, x < 95);
    mine[2] = __match_any_sync(~0u, x % 5);
    int same;
    mine[3] = __match_all_sync(~0u, x / 100, &same) + same;
    const unsigned even = __ballot_sync(~0u, x % 2 == 0);
    if (x % 2 == 0) {
        mine[4] = __activemask();
        mine[5] = __ballot_sync(even, x % 4 == 0);
        mine[6] = __match_any_sync(even, static_cast<unsigned long long>(x % 4) << 33);
    } else {
        mine[4] = __popc(__activemask());
        mine[5] = __any_sync(~even, x > 90);
        mine[6] = __all_sync(~even, x > 3);
    }
    mine[7] = __uni_sync(~0u, x > 50);
}

int main() {
    const int n = 64;
    Array<int> in(n, [](int i) { return int(random_word(i) % 100); });
    Array<unsigned> out(n * 8);
    vote<<<1, n>>>(in, out);
    out.expect("votes", [&](int at) {
        const int i = at / 8, first = i / 32 * 32;
        unsigned thirds = 0, fives = 0, even = 0, fours = 0, alike = 0, above = 0;
        bool any = false, all = true, odd_any = false, odd_all = true;
        for (int l = 0; l < 32; ++l) {
            const int x = in[first + l];
            const unsigned bit = 1u << l;
            thirds |= x % 3 == 0 ? bit : 0;
            fives |= x % 5 == in[i] % 5 ? bit : 0;
            even |= x % 2 == 0 ? bit : 0;
            fours |= x % 4 == 0 ? bit : 0;
            alike |= x % 2 == 0 && x % 4 == in[i] % 4 ? bit : 0;
            above += x > 50;
            any |= x == 77;
            all &= x < 95;
            if (x % 2 != 0) odd_any |= x > 90, odd_all &= x > 3;
        }
        const bool is_even = in[i] % 2 == 0;
        const unsigned want[8] = {thirds,
                                  any * 2u + all,
                                  fives,
                                  ~0u + 1,
                                  is_even ? even : unsigned(__builtin_popcount(~even)),
                                  is_even ? fours : odd_any,
                                  is_even ? alike : odd_all,
                                  above == 0 || above == 32};
        return want[at % 8];
    });
    return verdict();
}
