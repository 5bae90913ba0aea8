// Device lambdas and functors as arguments of a template kernel, and a class with device members.
// Prints: 10 21 32
// Counts: launches 3, requests 3
#include <cstdio>

template <class Function>
__global__ void apply(int* out, Function function) {
    *out = function(threadIdx.x);
}

struct Adder {
    int addend;
    __host__ __device__ int operator()(int x) const { return x + addend; }
};

class Runner {
   public:
    explicit Runner(int* out) : out_(out) {}
    void run(int base) {
        apply<<<1, 1>>>(out_, [=] __device__(int i) { return i + base; });
        apply<<<1, 1>>>(out_ + 1, Adder{base + 11});
        apply<<<1, 1>>>(out_ + 2, [base] __host__ __device__(int i) { return i + base + 22; });
    }

   private:
    int* out_;
};

int main() {
    int *out, host[3];
    cudaMalloc(&out, sizeof(host));
    Runner(out).run(10);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    std::printf("%d %d %d\n", host[0], host[1], host[2]);
}
