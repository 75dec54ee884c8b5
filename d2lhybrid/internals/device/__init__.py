"""Where arrays live: NumPy or CuPy, contexts, several GPUs, and the threads of linear algebra."""
