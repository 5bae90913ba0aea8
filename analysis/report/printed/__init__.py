"""Paper and supplement: what they print, as one dictionary, and their typesetting."""
