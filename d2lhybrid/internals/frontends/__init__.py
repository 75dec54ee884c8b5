"""How operators look to those who call them: the functions and methods of ``nd``, ``sym``, ``np`` and ``npx``."""
