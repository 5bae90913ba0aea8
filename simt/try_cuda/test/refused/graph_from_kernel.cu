// Says: parent: graph_from_kernel.cu:5: the driver's cudaGraphLaunch is not there
// Options: -rdc=true
// Status: 3

__global__ void parent(cudaGraphExec_t graph) { cudaGraphLaunch(graph, cudaStreamGraphFireAndForget); }

int main() {
    parent<<<1, 1>>>(nullptr);
    return cudaDeviceSynchronize() == cudaSuccess;
}
