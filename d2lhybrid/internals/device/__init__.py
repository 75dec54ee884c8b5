"""The devices of arrays: the array modules (NumPy and CuPy) of contexts, several GPUs, and memory."""
