"""Chapter 51, with a folder for each exercise."""
