"""Former names of modules, which older pickles, courses, and programs still use.

For example, ``d2lhybrid.core.pipeline`` is the former name of ``d2lhybrid.internals.core.pipeline``. An import of a
former name returns the same module object, so that no module is loaded twice.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from types import ModuleType

from .package import NAME

__all__ = ["present_name", "serve"]

_MOVED = {
    "check": "internals.pictures.check", "compatibility": "internals.compatibility", "compiler": "internals.compiler",
    "core": "internals.core", "device": "internals.device", "errors": "error", "faces": "internals.frontends",
    "formats": "internals.formats", "gluon.data.parcels": "gluon.data.messages",
    "gluon.data.turns": "gluon.data.concurrency_limit", "ops": "internals.ops", "reports": "internals.reports",
    "running": "internals.commands.running", "school": "internals.course", "seeing": "internals.pictures",
    "support": "internals.support", "tools": "internals.commands",
}  # fmt: skip


def present_name(name: str) -> str | None:
    """Return the present name of a module, or None if the name isn't a former name.

    Examples
    --------
    >>> present_name("d2lhybrid.core.pipeline")
    'd2lhybrid.internals.core.pipeline'
    >>> present_name("d2lhybrid.gluon.nn")
    """
    parts = name.split(".")
    if parts[0] == NAME:
        for length in range(len(parts), 1, -1):
            moved = _MOVED.get(".".join(parts[1:length]))
            if moved is not None:
                return ".".join([NAME, moved, *parts[length:]])
    return None


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        present = present_name(fullname)
        if present is None or importlib.util.find_spec(present) is None:
            return None
        return importlib.machinery.ModuleSpec(fullname, _Loader(present))


class _Loader(importlib.abc.Loader):
    def __init__(self, present: str) -> None:
        self._present = present

    def exec_module(self, module: ModuleType) -> None:
        # Python then uses the module that is registered under the former name.
        sys.modules[module.__name__] = importlib.import_module(self._present)


def serve() -> None:
    """Make former names importable from now on."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        # This finder precedes Python's, which would load the file again under the former name.
        sys.meta_path.insert(0, _Finder())
