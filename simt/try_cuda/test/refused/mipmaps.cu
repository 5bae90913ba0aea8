// Says: cudaMallocMipmappedArray: the machine has no mipmaps: use cudaMallocArray
// Status: 33

__global__ void nothing() {}

int main() {
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t array;
    nothing<<<1, 1>>>();
    return cudaMallocMipmappedArray(&array, &floats, make_cudaExtent(64, 64, 0), 3);
}
