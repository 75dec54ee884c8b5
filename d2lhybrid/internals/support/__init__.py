"""Utilities that don't depend on arrays: files, locks, switches, words."""
