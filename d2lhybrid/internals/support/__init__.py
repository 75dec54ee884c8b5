"""Small tools that know nothing of arrays: files, locks, switches, words."""
