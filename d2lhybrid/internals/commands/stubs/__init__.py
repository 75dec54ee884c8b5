"""Type stubs of the modules whose functions are made at run time (``make stubs``).

The functions of ``nd``, ``sym``, ``np``, ``npx`` and their submodules, and most methods of arrays and symbols, come
from the registry, where a type checker does not look. This package writes a ``.pyi`` file beside each such module:
what was written by hand is imported from its module, and every operator gets its signature and its first sentence.

``python -m d2lhybrid.internals.commands.stubs`` writes the files. Every build and editable install runs it
(``docs/release/stubs_hook.py``), and so does ``make`` after a module has changed; git ignores the files.
"""

from .modules import main, stub_files, stub_text, stubbed_modules

__all__ = ["main", "stub_files", "stub_text", "stubbed_modules"]
