"""Indices and regions at the edge of what they name: real MXNet 1.9.1 and this package, one table."""
