// Fault: trap
// At: grid_sync.cu:6
// Block: \d+
#include <cooperative_groups.h>

__global__ void faulty() { cooperative_groups::this_grid().sync(); }

int main() { faulty<<<2, 32>>>(); }
