"""Chapter 02: nets of layers, and what hybridize makes of them."""
