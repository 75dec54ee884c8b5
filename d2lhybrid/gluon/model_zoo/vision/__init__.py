"""Well-known networks for images."""
