"""What the claims' analyses share."""
