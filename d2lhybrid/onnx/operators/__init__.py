"""Translations of operators, grouped by topic. All files in this folder are imported automatically."""
