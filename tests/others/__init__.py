"""The gallery of small programs under five kinds of Python: written here, recorded by ``python -m tests.others``."""
