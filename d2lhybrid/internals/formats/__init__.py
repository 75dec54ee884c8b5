"""File formats: parameters, attribute texts, and images."""
