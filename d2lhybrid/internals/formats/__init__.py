"""File formats: arrays and parameters, texts of attributes in graph files, images, and IDX files."""
