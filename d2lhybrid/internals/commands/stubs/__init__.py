"""Type stubs of the modules whose functions are created at run time (``make stubs``).

The functions of ``nd``, ``sym``, ``np``, ``npx``, and their submodules, and most methods of arrays and symbols, come
from the registry, which type checkers do not read. This package writes a ``.pyi`` file next to each such module:
hand-written names are imported from their modules, and every operator gets its signature and its first sentence.

``python -m d2lhybrid.internals.commands.stubs`` writes the files. Every build and every editable install runs this
command (``docs/release/stubs_hook.py``). After a module has changed, ``make`` also runs it. Git ignores the files.
"""

from .modules import main, stub_files, stub_text, stubbed_modules

__all__ = ["main", "stub_files", "stub_text", "stubbed_modules"]
