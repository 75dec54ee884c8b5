"""The core: the path of an array from ``net(x)`` to the compiled program."""
