"""Chapter 51: an exercise a folder."""
