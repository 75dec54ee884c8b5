"""Chapter 05: nets as files."""
