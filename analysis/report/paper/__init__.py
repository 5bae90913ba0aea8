"""What the paper alone shows: its drawings and its numbers, figures/paper.*."""
