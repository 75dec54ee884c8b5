"""The user-facing functions and methods of operators in ``nd``, ``sym``, ``np``, and ``npx``."""
