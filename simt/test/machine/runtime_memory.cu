// Copies and memory: what every call of the runtime returns.
#include "simt/test/machine/runtime.h"

__device__ int big[100];
__managed__ int managed = 5;

__global__ void touch_managed() { managed++; }

namespace {

int host_words[64];

void copies() {
    SAY(cudaMemcpy(data, host_words, 256, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(data, host_words, 256, cudaMemcpyDeviceToHost));
    LAST();
    SAY(cudaMemcpy(host_words, data, 256, cudaMemcpyHostToDevice));
    LAST();
    SAY(cudaMemcpy(data, host_words, 5000, cudaMemcpyHostToDevice));
    LAST();
    SAY(cudaMemcpy(nullptr, host_words, 4, cudaMemcpyHostToDevice));
    LAST();
    SAY(cudaMemcpy(nullptr, host_words, 0, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(data, host_words, 4, (cudaMemcpyKind)9));
    LAST();
    SAY(cudaMemcpy(data, more, 256, cudaMemcpyDefault));
    show("data from more", data, 4);
    SAY(cudaMemcpy(host_words, host_words + 32, 16, cudaMemcpyHostToHost));
    SAY(cudaMemcpy(host_words, host_words + 32, 16, cudaMemcpyDefault));
    SAY(cudaMemcpy(host_words, data, 16, cudaMemcpyDefault));
    SAY(cudaMemcpy(host_words, host_words + 8, 16, cudaMemcpyDeviceToDevice));
    LAST();

    SAY(cudaMemset(data, 1, 5000));
    LAST();
    SAY(cudaMemset(host_words, 1, 16));
    LAST();
    SAY(cudaMemset(nullptr, 1, 0));
    SAY(cudaMemset(nullptr, 1, 4));
    LAST();
}

void copies_of_rows() {
    size_t pitch;
    int* rows;
    SAY(cudaMallocPitch(&rows, &pitch, 100, 5));
    std::printf("   pitch %zu\n", pitch);
    SAY(cudaMemcpy2D(rows, pitch, host_words, 40, 40, 5, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy2D(rows, 20, host_words, 40, 40, 5, cudaMemcpyHostToDevice));
    LAST();
    SAY(cudaMemcpy2D(host_words, 40, rows, pitch, 40, 5, cudaMemcpyDeviceToHost));
    SAY(cudaMemset2D(rows, pitch, 3, 40, 5));
    SAY(cudaMemset2D(rows, pitch, 3, 40, 50));
    LAST();
    SAY(cudaMemcpy2D(rows, pitch, host_words, 40, 0, 5, cudaMemcpyHostToDevice));
}

void symbols() {
    int v = 9, w = 0;
    SAY(cudaMemcpyToSymbol(counter, &v, 4));
    SAY(cudaMemcpyFromSymbol(&w, counter, 4));
    std::printf("   %d\n", w);
    SAY(cudaMemcpyToSymbol(factor, &v, 4, 8));
    SAY(cudaMemcpyFromSymbol(&w, factor, 4, 8));
    std::printf("   %d\n", w);
    SAY(cudaMemcpyToSymbol(factor, &v, 4, 16));
    LAST();
    SAY(cudaMemcpyToSymbol(big, host_words, 256, 0, cudaMemcpyHostToDevice));
    SAY(cudaMemcpyToSymbol(big, data, 256, 0, cudaMemcpyDeviceToDevice));
    SAY(cudaMemcpyToSymbol(big, host_words, 256, 300));
    LAST();
    void* address;
    size_t bytes;
    SAY(cudaGetSymbolAddress(&address, big));
    SAY(cudaGetSymbolSize(&bytes, big));
    std::printf("   %zu\n", bytes);
    SAY(cudaGetSymbolSize(&bytes, factor));
    std::printf("   %zu\n", bytes);
    SAY(cudaGetSymbolAddress(&address, host_words));
    LAST();
    SAY(cudaMemcpyToSymbol(counter, &v, 4, 0, cudaMemcpyDeviceToHost));
    LAST();
    SAY(cudaGetSymbolAddress(&address, factor));
    SAY(cudaMemcpy(&w, static_cast<int*>(address) + 1, 4, cudaMemcpyDeviceToHost));
    std::printf("   %d\n", w);
}

void allocations() {
    SAY(cudaFree(nullptr));
    SAY(cudaFree(host_words));
    LAST();
    SAY(cudaFree(data + 1));
    LAST();
    int* pinned;
    void* a;
    SAY(cudaMallocHost(&pinned, 100));
    SAY(cudaFree(pinned));
    LAST();
    SAY(cudaFreeHost(pinned));
    SAY(cudaFreeHost(pinned));
    LAST();
    SAY(cudaFreeHost(data));
    LAST();
    SAY(cudaFreeHost(nullptr));
    SAY(cudaMalloc(&a, 0));
    std::printf("   null %d\n", a == nullptr);
    SAY(cudaMalloc(&a, (size_t)1 << 45));
    LAST();
    SAY(cudaMalloc(nullptr, 4));
    LAST();
    SAY(cudaMallocHost((void**)&pinned, 0));
    SAY(cudaMallocManaged(&pinned, 100));
    SAY(cudaFree(pinned));
    SAY(cudaMallocManaged(&pinned, 0));
    LAST();
}

void pointers() {
    cudaPointerAttributes attributes;
    int* pinned;
    cudaMallocHost(&pinned, 100);
    int* managed_words;
    cudaMallocManaged(&managed_words, 100);
    void* ps[] = {data, data + 5, pinned, pinned + 3, managed_words, host_words, nullptr, nullptr};
    cudaGetSymbolAddress(&ps[7], big);
    for (void* p : ps) {
        SAY(cudaPointerGetAttributes(&attributes, p));
        std::printf("   type %d device %d dev %d host %d\n", attributes.type, attributes.device,
                    attributes.devicePointer == p, attributes.hostPointer == p);
        LAST();
    }
}

void registered_memory() {
    int* pinned;
    cudaMallocHost(&pinned, 100);
    cudaPointerAttributes attributes;
    void* device_pointer;
    SAY(cudaHostGetDevicePointer(&device_pointer, pinned, 0));
    std::printf("   same %d\n", device_pointer == pinned);
    SAY(cudaHostGetDevicePointer(&device_pointer, host_words, 0));
    LAST();
    SAY(cudaHostRegister(host_words, 256, 0));
    SAY(cudaHostRegister(host_words, 256, 0));
    LAST();
    SAY(cudaHostGetDevicePointer(&device_pointer, host_words, 0));
    SAY(cudaPointerGetAttributes(&attributes, host_words));
    std::printf("   type %d\n", attributes.type);
    twice<<<1, 64>>>(host_words, 64);
    SAY(cudaDeviceSynchronize());
    std::printf("   h[5] %d\n", host_words[5]);
    SAY(cudaHostUnregister(host_words));
    SAY(cudaHostUnregister(host_words));
    LAST();
    unsigned flags;
    SAY(cudaHostGetFlags(&flags, pinned));
    SAY(cudaHostGetFlags(&flags, host_words));
    LAST();
}

void memory_of_both() {
    int* pinned;
    cudaMallocHost(&pinned, 100);
    int* managed_words;
    cudaMallocManaged(&managed_words, 100);
    *managed_words = 4;
    twice<<<1, 1>>>(managed_words, 1);
    SAY(cudaDeviceSynchronize());
    std::printf("   managed %d\n", *managed_words);
    pinned[0] = 21;
    twice<<<1, 1>>>(pinned, 1);
    SAY(cudaDeviceSynchronize());
    std::printf("   pinned %d\n", pinned[0]);
    touch_managed<<<1, 1>>>();
    SAY(cudaDeviceSynchronize());
    std::printf("   __managed__ %d\n", managed);
    managed = 40;
    touch_managed<<<1, 1>>>();
    SAY(cudaDeviceSynchronize());
    std::printf("   __managed__ %d\n", managed);
}

void asynchronous_allocations() {
    int* words;
    SAY(cudaMallocAsync(&words, 256, 0));
    SAY(cudaMemsetAsync(words, 0, 256, 0));
    SAY(cudaFreeAsync(words, 0));
    SAY(cudaDeviceSynchronize());
    SAY(cudaFreeAsync(nullptr, 0));
    LAST();
}

}  // namespace

int main() {
    begin();
    for (int i = 0; i < 64; ++i) host_words[i] = i;
    copies();
    copies_of_rows();
    symbols();
    allocations();
    pointers();
    registered_memory();
    memory_of_both();
    asynchronous_allocations();
}
