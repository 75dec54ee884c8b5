"""The public functions and methods for operators in ``nd``, ``sym``, ``np``, and ``npx``."""
