"""Inert replacements of Matplotlib, IPython, and similar packages, which accept any call.

Answers run without a display, and only with NumPy and this package, but lines that draw must not fail.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
import types
from typing import Any

__all__ = ["Inert", "install"]

#: Packages that are replaced, with all of their modules.
ROOTS = ("IPython", "ipywidgets", "matplotlib", "mpl_toolkits", "plotly", "pylab", "seaborn", "tqdm")


class Inert:
    """An object that accepts every operation and returns itself.

    Examples
    --------
    >>> plt = Inert()
    >>> with plt.style.context("dark"):
    ...     plt.plot([1, 2])[0].set(color="red")
    Inert()
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return the object itself."""
        return self

    def __getitem__(self, key: Any) -> Any:
        return self

    def __setitem__(self, key: Any, value: Any) -> None:
        pass

    def __iter__(self) -> Any:
        return iter(())

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __repr__(self) -> str:
        return "Inert()"


def subplots(rows: int = 1, columns: int = 1, **options: Any) -> Any:
    """Return an inert figure, and as many inert axes as Matplotlib would return, so that code can unpack the axes."""
    rows, columns = int(options.get("nrows", rows)), int(options.get("ncols", columns))
    if rows == columns == 1:
        return Inert(), Inert()
    if rows == 1 or columns == 1:
        return Inert(), [Inert() for _ in range(rows * columns)]
    return Inert(), [[Inert() for _ in range(columns)] for _ in range(rows)]


def first(*args: Any, **kwargs: Any) -> Any:
    """Return the first argument, so that a loop with a progress bar works, or an inert object if there is none."""
    return args[0] if args else Inert()


_MEANT = {"subplots": subplots, "tqdm": first, "trange": range, "tqdm_notebook": first}


class _Module(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return []
        if name.startswith("__"):
            raise AttributeError(name)
        return _MEANT.get(name, Inert())


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        if fullname.partition(".")[0] in ROOTS:
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        return None

    def create_module(self, spec: Any) -> Any:
        module = _Module(spec.name)
        module.__path__ = []
        return module

    def exec_module(self, module: Any) -> None:
        pass


def install() -> None:
    """Make imports in this process find the inert replacements."""
    sys.meta_path.insert(0, _Finder())
