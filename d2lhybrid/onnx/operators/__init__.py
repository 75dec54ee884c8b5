"""Translations of operators, grouped as a textbook would; every file here is found and read."""
