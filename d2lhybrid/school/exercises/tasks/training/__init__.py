"""Chapter 07: training, and layers that are trained."""
