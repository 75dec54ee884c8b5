"""Chapter 01: programs that compute, and programs that describe."""
