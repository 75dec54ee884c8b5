"""Utilities that don't depend on arrays, such as functions for files, locks, switches, and translations."""
