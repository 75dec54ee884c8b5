"""Import hooks for unchanged old programs: this package serves ``import mxnet`` and the book's ``import d2l``.

The name ``mxnet`` always refers to this package. The names ``d2l`` and ``d2lzh`` refer to the helpers of the book's
editions, :mod:`d2lhybrid.d2l` and :mod:`d2lhybrid.d2lzh`, unless Python finds the book's own package in the folder of
a chapter or in an installation. ``gluonbook`` is the former name of ``d2lzh``.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from .commands.running.habits import give_back
from .support import package
from .support.absent import reason
from .support.former_names import present_name
from .support.mxnet_compatibility import OldPrograms
from .support.star_imports import complete

__all__ = ["as_mxnet"]

#: The value of ``mxnet.__version__``, which some programs check.
_MXNET_VERSION = "1.9.1"

#: The name of a replaced package -> the module with its names.
_ROOTS = {
    "mxnet": package.NAME, "d2l": f"{package.NAME}.d2l", "d2lzh": f"{package.NAME}.d2lzh",
    "gluonbook": "d2lzh",  # the book's own package, if there is one
}  # fmt: skip

#: A package of the book -> its module, which defines all names.
_MODULES_OF_THE_BOOK = {"d2l": "d2l.mxnet", "d2lzh": "d2lzh.utils", "gluonbook": "gluonbook.utils"}

#: An alternative name of a module of MXNet -> the name of the module.
_ALIASES = {
    "nd": "ndarray", "sym": "symbol", "np": "numpy", "npx": "numpy_extension", "init": "initializer",
    "img": "image", "kv": "kvstore", "mod": "module", "mon": "monitor", "opt": "optimizer", "rnd": "random",
    "th": "torch", "visualization": "viz",
}  # fmt: skip

#: Modules of this package that MXNet doesn't have, and that ``import mxnet.…`` must not find.
_NOT_OF_MXNET = {f"{package.NAME}.{name}" for name in ("internals", "mxnet")}

#: Modules of Python that MXNet imports, so that programs use them without importing them.
_IMPORTED_BY_MXNET = ("multiprocessing.pool", "multiprocessing.queues", "multiprocessing.reduction", "urllib.request")


class _StandIn(ModuleType):
    """A module under a replaced package's name, with the names of a module of this package.

    It is a separate module, so that ``mxnet.__version__`` and ``mxnet.__name__`` can have MXNet's values.
    """

    def __getattr__(self, name: str) -> Any:
        own = self.__name__
        if f"{own}.{name}" == _MODULES_OF_THE_BOOK.get(own):
            return importlib.import_module(f"{own}.{name}")
        try:
            value = getattr(importlib.import_module(_ROOTS[own]), name)
        except AttributeError as error:
            if error.name != name:
                raise
            absent = AttributeError(f"module {own!r} has no attribute {name!r}", name=name, obj=self)
            for note in getattr(error, "__notes__", ()):
                absent.add_note(note)
            raise absent from None
        if own == "mxnet" and isinstance(value, ModuleType):
            complete(value, value.__name__.removeprefix(f"{package.NAME}."))
        return value

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(importlib.import_module(_ROOTS[self.__name__]))})


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """A finder that creates stand-ins for ``mxnet`` and the helpers, and imports ``d2lhybrid.x`` as ``mxnet.x``."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        root = fullname.partition(".")[0]
        if root == package.NAME:  # ``from mxnet.contrib import x`` looks for ``d2lhybrid.contrib.x``
            _refuse_absent(fullname, fullname)
        if root not in _ROOTS:
            return None
        if root != "mxnet":
            if fullname != root:
                return self._in_the_book(fullname)
            theirs = self._of_others(fullname)
            if theirs is not None:
                return theirs
        if fullname == root:
            spec = importlib.machinery.ModuleSpec(fullname, self, is_package=True)
            origin = importlib.util.find_spec(_ROOTS[root])
            assert origin is not None
            spec.origin, spec.has_location = origin.origin, True
            return spec
        return self._in_mxnet(fullname)

    def _of_others(self, fullname: str) -> Any:
        """Return the spec of the book's own package, or None if Python does not find the package."""
        for finder in sys.meta_path:
            find_spec = None if finder is self else getattr(finder, "find_spec", None)
            spec = find_spec and find_spec(fullname, None, None)
            if spec is not None and (spec.loader is not None or _holds_its_module(spec)):
                return spec
        return None

    def _in_the_book(self, fullname: str) -> Any:
        """Return the spec of a helper package's module, or None if the book's own package is loaded."""
        root = fullname.partition(".")[0]
        if not isinstance(sys.modules.get(root), _StandIn):
            return None
        module = _MODULES_OF_THE_BOOK[root]
        if fullname != module:
            helpers = "the helpers from the MXNet edition of Dive into Deep Learning"
            raise _not_found(fullname, f"{package.NAME} contains only {helpers}. Change the import to {module}")
        return importlib.machinery.ModuleSpec(fullname, self)

    def _in_mxnet(self, fullname: str) -> Any:
        name = _target(fullname)
        try:
            found = None if name in _NOT_OF_MXNET or present_name(name) else importlib.util.find_spec(name)
        except ModuleNotFoundError:
            found = None
        if found is None:
            _refuse_absent(fullname, name)
            raise _not_found(fullname, f"{package.NAME} replaces mxnet in this program and has no module {name!r}")
        return importlib.machinery.ModuleSpec(fullname, self)

    def create_module(self, spec: Any) -> ModuleType | None:
        return _StandIn(spec.name) if spec.name in _ROOTS else None

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__
        if name == "mxnet":
            module.__version__ = _MXNET_VERSION  # type: ignore[attr-defined]
        if name in _ROOTS:
            module.__doc__ = importlib.import_module(_ROOTS[name]).__doc__
        else:
            # The import returns the entry of sys.modules.
            found = sys.modules[name] = importlib.import_module(_target(name))
            if name.startswith("mxnet."):
                complete(found, _target(name).removeprefix(f"{package.NAME}."))


def _target(fullname: str) -> str:
    """Return the name of the module to import instead of a module of a replaced package."""
    root, *parts = fullname.split(".")
    if root != "mxnet":
        return _ROOTS[root]
    parts[0] = _ALIASES.get(parts[0], parts[0])
    return ".".join([package.NAME, *parts])


def _holds_its_module(spec: importlib.machinery.ModuleSpec) -> bool:
    """Return whether a folder without ``__init__.py`` is the book's package, not just a folder of that name."""
    name = _MODULES_OF_THE_BOOK[spec.name]
    locations: Sequence[str] = list(spec.submodule_search_locations or ())
    found = importlib.machinery.PathFinder.find_spec(name, locations)
    return found is not None and found.loader is not None


def _refuse_absent(fullname: str, name: str) -> None:
    """Raise an error that names the alternative if MXNet has a module that this package lacks.

    The error is not a ``ModuleNotFoundError``, because ``from mxnet import x`` would suppress its message.
    """
    parent, _, last = name.removeprefix(f"{package.NAME}.").rpartition(".")
    explanation = reason(parent, last)
    if explanation:
        raise ImportError(f"No module named {fullname!r}. {explanation}", name=fullname)


def _not_found(fullname: str, why: str) -> ModuleNotFoundError:
    error = ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
    error.add_note(f"{why}.")
    return error


_finder = _Finder()


def as_mxnet(habits: bool = False) -> ModuleType:
    """Serve ``import mxnet``, ``import d2l``, and all of their submodules from this package.

    If the book's own helpers ``d2l`` or ``d2lzh`` are next to the program or installed, they are imported instead of
    the helpers of this package, and work with this package.

    After the call, two habits of MXNet also apply: an operator without settings ignores an unknown setting with a
    warning, and a block warns about lists of blocks that are not its children.

    Parameters
    ----------
    habits : bool
        Whether to restore names that Python and its libraries have removed since 2019, for the whole process:
        ``numpy.int``, ``collections.Iterable``, ``DataFrame.append``, and several hundred others. ``d2lhybrid run``
        always restores these names.

    Returns
    -------
    module
        The module that ``import mxnet`` returns after the call. Its ``__version__`` is MXNet's. All other names are
        those of this package.

    Raises
    ------
    RuntimeError
        If real MXNet has already been imported.

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
    >>> from d2l import mxnet as d2l
    >>> d2l.try_gpu(1000), mx.__version__
    (cpu(0), '1.9.1')
    """
    loaded = sys.modules.get("mxnet")
    if loaded is None:
        # A failed import of real MXNet leaves modules in sys.modules.
        for name in [name for name in sys.modules if name.startswith("mxnet.")]:
            del sys.modules[name]
    elif not isinstance(loaded, _StandIn):
        raise RuntimeError("another mxnet package is already imported: call d2lhybrid.as_mxnet() before `import mxnet`")
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    OldPrograms.served = True
    if habits:
        give_back()
    served = importlib.import_module("mxnet")
    _make_all()
    for name in _IMPORTED_BY_MXNET:
        with contextlib.suppress(ImportError):  # in a browser, Python has no processes
            importlib.import_module(name)
    return served


def _make_all() -> None:
    """Create all functions of the smaller namespaces, because programs test ``"box_encode" in F.contrib.__dict__``."""
    for face in ("ndarray", "symbol"):
        for part in ("contrib", "image", "linalg"):
            module = importlib.import_module(f"{package.NAME}.{face}.{part}")
            for name in dir(module):
                getattr(module, name)
