"""The reference: what the registry of operators and the docstrings say, as pages."""
