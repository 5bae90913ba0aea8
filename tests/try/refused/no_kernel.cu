// Says: no_kernel.cu: no kernel: there is no __global__ function in it

int main() { return 0; }
