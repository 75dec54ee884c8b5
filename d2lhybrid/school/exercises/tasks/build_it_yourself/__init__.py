"""Chapter 10: a small compiler, piece by piece."""
