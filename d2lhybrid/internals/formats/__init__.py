"""File formats: parameters, attribute texts, images."""
