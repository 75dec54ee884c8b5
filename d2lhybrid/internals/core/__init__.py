"""The machine: the way of an array from ``net(x)`` to the compiled program."""
