"""Further GPUs beside the first: verdicts, the model where it was not chosen, a scan's share of a copy."""
