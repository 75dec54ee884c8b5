"""Old programs unchanged: ``import mxnet`` and ``import d2l`` served by this package."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from types import ModuleType
from typing import Any

__all__ = ["as_mxnet"]

_PACKAGE = __name__.rpartition(".")[0]

#: First part of a module's name -> the module of this package that stands for it.
_ROOTS = {"mxnet": _PACKAGE, "d2l": f"{_PACKAGE}.d2l", "d2lzh": f"{_PACKAGE}.d2l"}

#: Modules that MXNet has under further names.
_ALIASES = {
    "nd": "ndarray", "sym": "symbol", "np": "numpy", "npx": "numpy_extension", "init": "initializer",
    "visualization": "viz", "mod": "module", "kv": "kvstore",
}  # fmt: skip


def _target(fullname: str) -> str | None:
    """Return the name of the module that stands for an MXNet module."""
    root, *parts = fullname.split(".")
    if root not in _ROOTS:
        return None
    if root != "mxnet":
        # The book's package has one module: d2l, d2l.mxnet and d2lzh.utils are all the same.
        return _ROOTS[root]
    parts = [_ALIASES.get(part, part) if i == 0 else part for i, part in enumerate(parts)]
    return ".".join([_PACKAGE, *parts])


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds ``mxnet.x`` where ``d2lhybrid.x`` is, as the very same module object."""

    def __init__(self) -> None:
        self._specs: dict[str, Any] = {}

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        name = _target(fullname)
        if name is None:
            return None
        try:
            found = importlib.util.find_spec(name)
        except ModuleNotFoundError:
            found = None
        if found is None:
            error = ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
            error.add_note(f"{_PACKAGE} serves the imports of mxnet here, and has no module {name!r}.")
            raise error
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: Any) -> ModuleType:
        name = _target(spec.name)
        assert name is not None
        module = importlib.import_module(name)
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # The import system has just put the alias's spec on the module: put its own back.
        for alias, spec in list(self._specs.items()):
            if spec is not None and spec.name == module.__name__:
                module.__spec__ = spec
                del self._specs[alias]


_finder = _Finder()


def as_mxnet() -> ModuleType:
    """Serve ``import mxnet``, ``import d2l`` and all their submodules from this package.

    Returns
    -------
    module
        What ``import mxnet`` gives from now on.

    Raises
    ------
    RuntimeError
        If real MXNet has been imported already.

    Examples
    --------
    >>> import d2lhybrid
    >>> mx = d2lhybrid.as_mxnet()
    >>> from mxnet import nd
    >>> from mxnet.gluon import nn
    >>> nd.ones((1, 2))
    <BLANKLINE>
    [[1. 1.]]
    <NDArray 1x2 @cpu(0)>
    """
    loaded = sys.modules.get("mxnet")
    package = sys.modules[_PACKAGE]
    if loaded is not None and loaded is not package:
        raise RuntimeError(
            "mxnet is imported already, and it is not this package: call d2lhybrid.as_mxnet() before `import mxnet`"
        )
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    return importlib.import_module("mxnet")
