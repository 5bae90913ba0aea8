// Copies to the host of what nothing has written, and of what has holes that are meant. `unwritten <name>`
// runs one.
#include <string>
#include <vector>

constexpr int N = 1000, BLOCK = 256;

struct Padded {
    int number;
    double value;
    char letter;
};

__global__ void fill(int* out, int n) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) out[i] = i;
}

__global__ void fill_members(Padded* out, int n) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) out[i].number = i, out[i].value = i, out[i].letter = 'a';
}

/// Is never freed: the program ends after one.
void* device(std::size_t bytes) {
    void* data;
    cudaMalloc(&data, bytes);
    return data;
}
int* numbers() { return static_cast<int*>(device(N * sizeof(int))); }

void copy(const int* out) {
    int host[N];
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);  // too_few_blocks last_element through
}

void run_filled(int blocks, int n) {
    int* const out = numbers();
    fill<<<blocks, BLOCK>>>(out, n);
    copy(out);
}

void through() {  // what is not written comes along
    int *const out = numbers(), *const other = numbers();
    fill<<<N / BLOCK, BLOCK>>>(out, N);
    cudaMemcpy(other, out, N * sizeof(int), cudaMemcpyDeviceToDevice);
    copy(other);
}

void in_a_stream() {
    int *const out = numbers(), *host;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocHost(&host, N * sizeof(int));
    fill<<<N / BLOCK, BLOCK, 0, stream>>>(out, N);
    cudaMemcpyAsync(host, out, N * sizeof(int), cudaMemcpyDeviceToHost, stream);  // in_a_stream
    cudaStreamSynchronize(stream);
}

void rows() {  // of 100 bytes, two of which are not copied
    auto* const out = static_cast<char*>(device(32 * 100));
    char host[32 * 98];
    for (int row = 0; row < 31; ++row) cudaMemset(out + row * 100, 0, 98);
    cudaMemcpy2D(host, 98, out, 100, 98, 32, cudaMemcpyDeviceToHost);  // rows
}

void managed() {
    int* out;
    cudaMallocManaged(&out, N * sizeof(int));  // managed
    fill<<<N / BLOCK, BLOCK>>>(out, N);
    cudaDeviceSynchronize();
    cudaFree(out);
}

void padding() {
    auto* const out = static_cast<Padded*>(device(N * sizeof(Padded)));
    std::vector<Padded> host(N);
    fill_members<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(out, N);
    cudaMemcpy(host.data(), out, N * sizeof(Padded), cudaMemcpyDeviceToHost);
    cudaMemcpy(host.data(), out + 3, sizeof(Padded), cudaMemcpyDeviceToHost);
}

void managed_padding() {
    Padded* out;
    cudaMallocManaged(&out, N * sizeof(Padded));
    fill_members<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(out, N);
    cudaDeviceSynchronize();
    cudaFree(out);
}

void part() {
    int* const out = numbers();
    int host[BLOCK];
    fill<<<1, BLOCK>>>(out, N);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
}

int main(int, char** arguments) {
    const std::string name = arguments[1];
    if (name == "too_few_blocks") run_filled(N / BLOCK, N);
    if (name == "last_element") run_filled((N + BLOCK - 1) / BLOCK, N - 1);
    if (name == "whole") run_filled((N + BLOCK - 1) / BLOCK, N);
    if (name == "through") through();
    if (name == "in_a_stream") in_a_stream();
    if (name == "rows") rows();
    if (name == "managed") managed();
    if (name == "padding") padding();
    if (name == "managed_padding") managed_padding();
    if (name == "part") part();
    return cudaDeviceSynchronize();
}
