"""What is made of all claims together: paper, supplement, page, README, and what they print."""
