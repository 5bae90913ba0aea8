// Bulk copies: a row of global memory for all blocks of a cluster, of which each asks for a part; and rows
// from one block's shared memory to the next one's.
#include "simt/test/agreement/check.h"
#include "simt/test/agreement/clusters/cluster.h"

__global__ void __cluster_dims__(4) shared_row(const int* in, int* out) {
    __shared__ alignas(128) int row[4][64], got[64];
    __shared__ alignas(8) unsigned long long full, passed;
    const int t = threadIdx.x;
    const unsigned rank = blockIdx.x % 4, next = (rank + 1) % 4;
    if (t == 0) {
        for (const auto* bar : {&full, &passed})
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address_of(bar, rank)) : "memory");
        asm volatile(
            "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;" ::"r"(address_of(&full, rank)));
        asm volatile(
            "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(address_of(&passed, rank)));
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    meet();
    if (t == 0)
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
            "[%1], 256, [%2], %3;" ::"r"(address_of(row[rank], rank)),
            "l"(in + blockIdx.x * 64), "r"(address_of(&full, rank)), "h"(static_cast<unsigned short>(15))
            : "memory");
    wait_for(&full, 0);
    int sum = 0;
    for (int k = 0; k < 4; ++k) sum += row[k][t];
    if (t == 0)
        asm volatile(
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::
                "r"(address_of(got, next)),
            "r"(address_of(row[rank], rank)), "r"(address_of(&passed, next))
            : "memory");
    wait_for(&passed, 0);
    out[global_thread()] = sum + 3 * got[t];
    meet();
}

int main() {
    const int n = 8 * 64;
    Array<int> in(n, [](int i) { return int(random_word(i) % 1000); }), out(n);
    shared_row<<<8, 64>>>(in, out);
    out.expect("rows", [&](int i) {
        const int block = i / 64, first = block / 4 * 4, t = i % 64;
        int sum = 0;
        for (int k = 0; k < 4; ++k) sum += in[(first + k) * 64 + t];
        return sum + 3 * in[(first + (block + 3) % 4) * 64 + t];
    });
    return verdict();
}
