// A pipeline between two blocks: the first stores into the second's shared memory, asynchronously, and the
// second gives each row back by an arrival at the first one's mbarrier.
#include "simt/test/agreement/check.h"
#include "simt/test/agreement/clusters/cluster.h"

__global__ void __cluster_dims__(2) pipeline(const int* in, int* out, int rows) {
    __shared__ int row[2][64];
    __shared__ alignas(8) unsigned long long full[2], empty[2];
    const int t = threadIdx.x;
    if (t < 2) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address_of(full + t, blockIdx.x))
                     : "memory");
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(address_of(empty + t, blockIdx.x))
                     : "memory");
        if (blockIdx.x == 1)
            asm volatile(
                "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(address_of(full + t, 1))
                : "memory");
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    meet();
    for (int k = 0; k < rows; ++k) {
        const int slot = k % 2, round = k / 2;
        if (blockIdx.x == 0) {
            if (round > 0) wait_for(empty + slot, (round - 1) % 2);
            asm volatile(
                "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
                    address_of(row[slot] + t, 1)),
                "r"(in[k * 64 + t]), "r"(address_of(full + slot, 1))
                : "memory");
        } else {
            wait_for(full + slot, round % 2);
            out[k * 64 + t] = row[slot][63 - t];
            __syncthreads();
            if (t == 0 && k + 2 < rows)
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(
                                 address_of(full + slot, 1))
                             : "memory");
            asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(
                             address_of(empty + slot, 0))
                         : "memory");
        }
    }
    meet();
}

int main() {
    const int rows = 7;
    Array<int> in(rows * 64, [](int i) { return int(random_word(i)); }), out(rows * 64);
    pipeline<<<2, 64>>>(in, out, rows);
    out.expect("rows", [&](int i) { return in[i / 64 * 64 + 63 - i % 64]; });
    return verdict();
}
