"""Calls of real MXNet 1.9.1, with what came out, compared with this package."""
