// Says: read: texture.cu:4: the machine has no textures
// Status: 3

__global__ void read(cudaTextureObject_t texture, float* out) { *out = tex1D<float>(texture, 0.5f); }

int main() {
    float* out;
    cudaMalloc(&out, sizeof(float));
    read<<<1, 1>>>(0, out);
    return cudaDeviceSynchronize();
}
