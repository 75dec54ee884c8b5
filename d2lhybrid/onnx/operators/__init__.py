"""Translations of operators, grouped as in a textbook. Every file in this folder is imported automatically."""
