"""Compare the GPU's hardware counters with predictions and counts, cell by cell, with proven causes."""
