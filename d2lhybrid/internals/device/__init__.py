"""Devices of arrays: NumPy or CuPy, contexts, several GPUs, and memory."""
