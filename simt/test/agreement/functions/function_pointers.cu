// Functions called through a table of pointers, and virtual functions: lanes of a warp call different ones.
#include "simt/test/agreement/check.h"

__host__ __device__ int half(int x) { return x / 2; }
__host__ __device__ int triple(int x) { return 3 * x + 1; }
__host__ __device__ int square(int x) { return x * x % 1009; }
__host__ __device__ int digits(int x) {
    int sum = 0;
    for (; x > 0; x /= 10) sum += x % 10;
    return sum;
}

struct Shape {
    __device__ virtual int area() const = 0;
};
struct Square : Shape {
    int side;
    __device__ explicit Square(int s) : side(s) {}
    __device__ int area() const override { return side * side; }
};
struct Staircase : Shape {
    int steps;
    __device__ explicit Staircase(int s) : steps(s) {}
    __device__ int area() const override {
        int sum = 0;
        for (int k = 1; k <= steps; ++k) sum += k;
        return sum;
    }
};

using Function = int (*)(int);
__device__ Function functions[] = {half, triple, square, digits};

__global__ void by_pointer(const int* in, int* out) {
    int value = in[global_thread()];
    for (int k = 0; k < 4; ++k) value = functions[(value + k) % 4](value);
    out[global_thread()] = value;
}

__global__ void by_table(const int* in, int* out) {
    const int value = in[global_thread()] % 20;
    Square square(value);
    Staircase staircase(value);
    const Shape* shape = value % 3 == 0 ? static_cast<Shape*>(&square) : &staircase;
    out[global_thread()] = shape->area();
}

int main() {
    Array<int> in(128, [](int i) { return int(random_word(i) % 10000); }), out(128);
    by_pointer<<<2, 64>>>(in, out);
    const Function on_host[] = {half, triple, square, digits};
    out.expect("pointer", [&](int i) {
        int value = in[i];
        for (int k = 0; k < 4; ++k) value = on_host[(value + k) % 4](value);
        return value;
    });
    by_table<<<2, 64>>>(in, out);
    out.expect("virtual", [&](int i) {
        const int value = in[i] % 20;
        return value % 3 == 0 ? value * value : value * (value + 1) / 2;
    });
    return verdict();
}
