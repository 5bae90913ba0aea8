// Says: graph.cu:6: the SIMT machine does not run graphs (cudaGraph_t)

__global__ void nothing() {}

int main() {
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
}
