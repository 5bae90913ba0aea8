// Thrust: a vector of the device, a transformation, a reduction, a sort.
// Prints: 999000 998 0
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <cstdio>

struct Twice {
    __device__ int operator()(int x) const { return 2 * x; }
};

int main() {
    thrust::device_vector<int> values(1000);
    thrust::sequence(values.begin(), values.end());
    thrust::transform(values.begin(), values.end(), values.begin(), Twice());
    const int sum = thrust::reduce(values.begin(), values.end());
    thrust::sort(values.begin(), values.begin() + 500, thrust::greater<int>());
    std::printf("%d %d %d\n", sum, int(values[0]), int(values[499]));
}
