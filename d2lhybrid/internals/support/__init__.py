"""Utilities that don't depend on arrays, such as files, locks, switches, and translations."""
