"""Finders that change libraries when a program imports them, and replace removed modules."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from .relied import asked_by_a_library_of_today, note

__all__ = ["Gone", "WhenImported"]


class WhenImported(importlib.abc.MetaPathFinder):
    """A finder that calls a function on a module after its import, or immediately if the module is already imported.

    Parameters
    ----------
    changes : dict
        The function that changes a module, by the module's name.
    """

    def __init__(self, changes: Mapping[str, Callable[[Any], None]]) -> None:
        self.changes = dict(changes)
        self._looking: list[str] = []

    def begin(self) -> None:
        """Change the modules that are already imported, and register the finder for future imports."""
        sys.meta_path.insert(0, self)
        for name in list(self.changes):
            if name in sys.modules:
                self._change(name, sys.modules[name])

    def _change(self, name: str, module: Any) -> None:
        change = self.changes.pop(name, None)
        try:
            if change is not None:
                change(module)
        except Exception as error:  # an unknown later version of the library: the program runs without the old names
            message = "The names that {} had in 2019 could not be restored: {}: {}"
            warnings.warn(message.format(name, type(error).__name__, error), RuntimeWarning, stacklevel=2)

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        """Return the spec from the other finders, with a loader that changes the module after loading it.

        Parameters
        ----------
        fullname : str
            Name of the module.
        path, target
            Arguments of Python's import system.

        Returns
        -------
        ModuleSpec or None
            The spec; None for modules that are missing or not to be changed.
        """
        if fullname not in self.changes or fullname in self._looking:
            return None
        self._looking.append(fullname)
        try:
            spec = importlib.util.find_spec(fullname)
        except (ImportError, ValueError):
            return None
        finally:
            self._looking.remove(fullname)
        if spec is None or spec.loader is None:
            return None
        spec.loader = _Loader(spec.loader, lambda module: self._change(fullname, module))
        return spec


class _Loader(importlib.abc.Loader):
    """A loader that calls a function after its module has run."""

    def __init__(self, loader: Any, afterwards: Callable[[Any], None]) -> None:
        self._loader, self._afterwards = loader, afterwards

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: Any) -> Any:
        return self._loader.create_module(spec)

    def exec_module(self, module: types.ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._afterwards(module)


class Gone(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """A finder that replaces removed modules with modules that forward their names to the present modules.

    Parameters
    ----------
    homes : dict
        By removed module, the present module of its names, or a function that returns a dictionary of the names.
    """

    def __init__(self, homes: Mapping[str, Any]) -> None:
        self.homes: dict[str, Any] = dict(homes)
        self._packages = {name.rpartition(".")[0] for name in self.homes} & set(self.homes)

    def begin(self) -> None:
        """Register the finder after all other finders."""
        sys.meta_path.append(self)

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        """Return a spec for a removed module.

        Parameters
        ----------
        fullname : str
            Name of the module.
        path, target
            Arguments of Python's import system.

        Returns
        -------
        ModuleSpec or None
            The spec; None for other modules.
        """
        if fullname not in self.homes or asked_by_a_library_of_today():
            return None
        home = self.homes[fullname]
        if isinstance(home, str):
            try:  # if the new module is missing, the error must name the old one
                importlib.import_module(home)
            except ImportError:
                return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=fullname in self._packages)

    def create_module(self, spec: Any) -> types.ModuleType:
        """Return an empty module, to which :meth:`exec_module` adds names.

        Parameters
        ----------
        spec : ModuleSpec
            The spec of the removed module, from :meth:`find_spec`.

        Returns
        -------
        module
            The module.
        """
        return types.ModuleType(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """Add names to the replacement of a removed module, and record the import of the removed module.

        Parameters
        ----------
        module : module
            The module.
        """
        name, home = module.__name__, self.homes[module.__name__]
        if isinstance(home, str):
            found = importlib.import_module(home)
            note(f"import {name}", f"import {home}")

            def get(wanted: str) -> Any:
                if wanted == "__path__":
                    raise AttributeError(wanted)
                return getattr(found, wanted)

            module.__getattr__ = get  # type: ignore[method-assign]
            module.__all__ = [n for n in dir(found) if not n.startswith("_")]  # type: ignore[attr-defined]
        else:
            made, instead = home()
            note(f"import {name}", instead)
            vars(module).update(made)
