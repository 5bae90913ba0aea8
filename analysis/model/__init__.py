"""What decides the time of a kernel: its counts, at prices that were measured on their own."""
