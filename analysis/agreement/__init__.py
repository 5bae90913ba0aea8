"""Whether the GPU's own counters say what was predicted and counted: cell by cell, with proven causes."""
