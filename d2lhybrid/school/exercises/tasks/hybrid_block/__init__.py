"""Chapter 03: blocks of your own, and when their code runs."""
