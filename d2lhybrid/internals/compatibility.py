"""Old programs unchanged: ``import mxnet`` and the book's ``import d2l`` served by this package.

Four packages stand for others. ``mxnet`` is this package, whatever else is installed. ``d2l`` and ``d2lzh``,
the helpers of the book's editions, are :mod:`d2lhybrid.d2l` and :mod:`d2lhybrid.d2lzh` where Python finds none of
its own: the book's package, in the folder of a chapter or installed, comes first. ``gluonbook`` is the former name of
``d2lzh``.
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

#: The version of MXNet that programs see, which some of them ask for.
_MXNET_VERSION = "1.9.1"

#: Package that is stood for -> the module that has its names.
_ROOTS = {
    "mxnet": package.NAME, "d2l": f"{package.NAME}.d2l", "d2lzh": f"{package.NAME}.d2lzh",
    "gluonbook": "d2lzh",  # the book's own package, if there is one
}  # fmt: skip

#: The modules of the book's packages, each of which has all the names.
_MODULES_OF_THE_BOOK = {"d2l": "d2l.mxnet", "d2lzh": "d2lzh.utils", "gluonbook": "gluonbook.utils"}

#: Modules that MXNet has under further names.
_ALIASES = {
    "nd": "ndarray", "sym": "symbol", "np": "numpy", "npx": "numpy_extension", "init": "initializer",
    "img": "image", "kv": "kvstore", "mod": "module", "mon": "monitor", "opt": "optimizer", "rnd": "random",
    "th": "torch", "visualization": "viz",
}  # fmt: skip

#: Modules of this package that are none of MXNet's, and that an ``import mxnet.…`` must not find.
_NOT_OF_MXNET = {f"{package.NAME}.{name}" for name in ("internals", "mxnet")}

#: Parts of Python's packages that MXNet imports: programs use them after ``import multiprocessing`` alone.
_IMPORTED_BY_MXNET = ("multiprocessing.pool", "multiprocessing.queues", "multiprocessing.reduction", "urllib.request")


class _StandIn(ModuleType):
    """A package of another name: it has the names of a module of ours, and its submodules are found by us.

    It is a module of its own, so that ``mxnet.__version__`` and ``mxnet.__name__`` can be MXNet's.
    """

    def __getattr__(self, name: str) -> Any:
        own = self.__name__
        if f"{own}.{name}" == _MODULES_OF_THE_BOOK.get(own):
            return importlib.import_module(f"{own}.{name}")
        try:
            found = getattr(importlib.import_module(_ROOTS[own]), name)
        except AttributeError as error:
            if error.name != name:
                raise
            absent = AttributeError(f"module {own!r} has no attribute {name!r}", name=name, obj=self)
            for note in getattr(error, "__notes__", ()):
                absent.add_note(note)
            raise absent from None
        if own == "mxnet" and isinstance(found, ModuleType):
            complete(found, found.__name__.removeprefix(f"{package.NAME}."))
        return found

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(importlib.import_module(_ROOTS[self.__name__]))})


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds ``mxnet`` and the helpers as stand-ins, and ``mxnet.x`` as ``d2lhybrid.x``, the very same module."""

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
        """Return the spec of the book's own package, if there is one."""
        for finder in sys.meta_path:
            find_spec = None if finder is self else getattr(finder, "find_spec", None)
            spec = find_spec and find_spec(fullname, None, None)
            if spec is not None and (spec.loader is not None or _holds_its_module(spec)):
                return spec
        return None

    def _in_the_book(self, fullname: str) -> Any:
        """Return the spec of a module of a helper, where the helper is ours."""
        root = fullname.partition(".")[0]
        if not isinstance(sys.modules.get(root), _StandIn):
            return None
        if fullname != _MODULES_OF_THE_BOOK[root]:
            raise _not_found(fullname, f"{package.NAME} has only the helpers of the book's MXNet edition")
        return importlib.machinery.ModuleSpec(fullname, self)

    def _in_mxnet(self, fullname: str) -> Any:
        name = _target(fullname)
        try:
            found = None if name in _NOT_OF_MXNET or present_name(name) else importlib.util.find_spec(name)
        except ModuleNotFoundError:
            found = None
        if found is None:
            _refuse_absent(fullname, name)
            raise _not_found(fullname, f"{package.NAME} replaces mxnet in this program, and has no module {name!r}")
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
    """Return the name of the module that is imported in the place of another one."""
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
    """Raise if a module of MXNet is not in this package, and say what to use instead.

    That is no ``ModuleNotFoundError``, which ``from mxnet import x`` would swallow, and say nothing.
    """
    parent, _, last = name.removeprefix(f"{package.NAME}.").rpartition(".")
    told = reason(parent, last)
    if told:
        raise ImportError(f"No module named {fullname!r}. {told}", name=fullname)


def _not_found(fullname: str, why: str) -> ModuleNotFoundError:
    error = ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
    error.add_note(f"{why}.")
    return error


_finder = _Finder()


def as_mxnet(habits: bool = False) -> ModuleType:
    """Serve ``import mxnet``, ``import d2l`` and all their submodules from this package.

    The book's own helpers ``d2l`` and ``d2lzh``, if they lie beside the program or are installed, are
    imported in the place of ours, and work with this package.

    From now on there are also MXNet's habits: a setting that an operator without settings is given is passed over
    with a warning, and a block warns of lists of blocks that are not its children.

    Parameters
    ----------
    habits : bool
        Whether to give the whole process what Python and its libraries have dropped since 2019, too: ``numpy.int``,
        ``collections.Iterable``, ``DataFrame.append`` and several hundred others. ``d2lhybrid run`` does so.

    Returns
    -------
    module
        What ``import mxnet`` gives from now on. Its ``__version__`` is MXNet's, everything else is
        this package's.

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
    >>> from d2l import mxnet as d2l
    >>> d2l.try_gpu(1000), mx.__version__
    (cpu(0), '1.9.1')
    """
    loaded = sys.modules.get("mxnet")
    if loaded is None:
        # An import of real MXNet that failed leaves those of its modules that did load.
        for name in [name for name in sys.modules if name.startswith("mxnet.")]:
            del sys.modules[name]
    elif not isinstance(loaded, _StandIn):
        raise RuntimeError(
            "mxnet is imported already, and it is not this package: call d2lhybrid.as_mxnet() before `import mxnet`"
        )
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    OldPrograms.served = True
    if habits:
        give_back()
    served = importlib.import_module("mxnet")
    _make_all()
    for name in _IMPORTED_BY_MXNET:
        with contextlib.suppress(ImportError):  # a Python without processes, in a browser
            importlib.import_module(name)
    return served


def _make_all() -> None:
    """Have all functions of the smaller namespaces made: programs ask for ``"box_encode" in F.contrib.__dict__``."""
    for face in ("ndarray", "symbol"):
        for part in ("contrib", "image", "linalg"):
            module = importlib.import_module(f"{package.NAME}.{face}.{part}")
            for name in dir(module):
                getattr(module, name)
