"""What ``d2lhybrid port`` says of programs, and what becomes of them under ``d2lhybrid run``: ``make port-table``."""
