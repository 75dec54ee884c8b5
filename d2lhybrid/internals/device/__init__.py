"""The devices of arrays: NumPy and CuPy, contexts, several GPUs, and memory."""
