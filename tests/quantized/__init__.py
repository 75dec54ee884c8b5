"""Int8 arithmetic beside real MXNet's: numbers that ``record.py`` has written down with MXNet 1.9.1."""
