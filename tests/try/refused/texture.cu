// Says: texture.cu:3: the SIMT machine does not run textures (cudaTextureObject_t)

__global__ void read(cudaTextureObject_t texture, float* out) { *out = tex1D<float>(texture, 0.5f); }

int main() { return 0; }
