// Structures of 12, 20 and 24 bytes, copied whole, changed in part, and sorted through shared memory.
#include "simt/test/agreement/check.h"

struct Triple {
    int x, y, z;
};
struct Mixed {
    char tag;
    short size;
    int value[4];
};
struct Wide {
    double weight;
    long long key;
    int rank;
};

__global__ void copy(const Triple* triples, const Mixed* mixed, const Wide* wide, int* out) {
    __shared__ Triple row[64];
    __shared__ Wide wides[64];
    const int i = global_thread(), t = threadIdx.x;
    row[t] = triples[i];
    wides[63 - t] = wide[i];
    Mixed mine = mixed[i];
    mine.value[t % 4] += mine.size;
    __syncthreads();
    const Triple other = row[(t * 5 + 3) % 64];
    Wide last = wides[t];
    last.rank += mine.tag;
    wides[t] = last;
    __syncthreads();
    const Wide& read = wides[t ^ 1];
    int sum = other.x * 3 + other.y * 5 - other.z + mine.value[0] + mine.value[1] * 7 + mine.value[2] +
              mine.value[3] * 3;
    if (read.weight > 0.5) sum += read.rank + static_cast<int>(read.key % 1000);
    out[i] = sum;
}

int main() {
    const int n = 128;
    Array<Triple> triples(n, [](int i) { return Triple{i, int(random_word(i) % 100), 3 * i}; });
    Array<Mixed> mixed(n, [](int i) {
        return Mixed{char(i % 50), short(i * 7 % 300), {i, int(random_word(i + 9) % 50), 2, i % 5}};
    });
    Array<Wide> wide(n, [](int i) { return Wide{random_word(i) % 100 / 100.0, 1ll * i * i * i * 1001, i}; });
    Array<int> out(n);
    copy<<<2, 64>>>(triples, mixed, wide, out);
    out.expect("structures", [&](int i) {
        const int t = i % 64, first = i - t;
        const Triple other = triples[first + (t * 5 + 3) % 64];
        Mixed mine = mixed[i];
        mine.value[t % 4] += mine.size;
        const Wide read = wide[first + 63 - (t ^ 1)];
        int sum = other.x * 3 + other.y * 5 - other.z + mine.value[0] + mine.value[1] * 7 + mine.value[2] +
                  mine.value[3] * 3;
        if (read.weight > 0.5)
            sum += read.rank + mixed[first + (t ^ 1)].tag + static_cast<int>(read.key % 1000);
        return sum;
    });
    return verdict();
}
