"""Chapter 04: what no longer works, and what to write instead."""
