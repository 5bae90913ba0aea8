"""multi_gpu: the idea of the block sums repeats across GPUs."""
