"""Functions that switch NumPy semantics on or off, and change settings of this package."""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import sys
import types
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from .internals.support.absent import refusing
from .internals.support.places import is_own_file, is_user_file
from .internals.support.scopes import Scope, Switches
from .internals.support.settings import settings

__all__ = [
    "config",
    "get_gpu_count",
    "get_gpu_memory",
    "getenv",
    "is_np_array",
    "is_np_shape",
    "is_own_file",
    "is_user_file",
    "names_of_the_package",
    "np_array",
    "np_shape",
    "reset_np",
    "set_module",
    "set_np",
    "set_np_shape",
    "setenv",
    "settings",
    "unknown_size",
    "use_np",
    "use_np_array",
    "use_np_shape",
    "warn_user",
]

#: The results of :func:`is_np_array` and :func:`is_np_shape`, for fast access.
np_arrays: Switches = Switches(np=False)
np_shapes: Switches = Switches(np=False)


def is_np_array() -> bool:
    """Return whether layers create and accept ``mx.np`` arrays."""
    return np_arrays.np


def is_np_shape() -> bool:
    """Return whether the shape ``()`` and arrays without elements are allowed everywhere."""
    return np_shapes.np


def set_np(shape: bool = True, array: bool = True, *, dtype: bool = False) -> None:
    """Switch to NumPy semantics, in which layers create and accept ``mx.np`` arrays.

    Parameters
    ----------
    shape, array : bool
        Whether to use NumPy's shapes, and whether to use ``np`` arrays, for which NumPy's shapes are required.
    dtype : bool
        Ignored; accepted because MXNet 2 has this parameter. The default element type is always float32.

    Raises
    ------
    ValueError
        If ``array`` is True and ``shape`` is False.
    """
    if array and not shape:
        raise ValueError("NumPy Shape semantics is required in using NumPy array semantics.")
    np_shapes.np, np_arrays.np = bool(shape), bool(array)


def reset_np() -> None:
    """Switch back to the legacy semantics."""
    set_np(shape=False, array=False)


def set_np_shape(active: bool) -> bool:
    """Switch NumPy's shapes on or off, and return the previous state.

    Parameters
    ----------
    active : bool
        Whether to switch to NumPy's shapes.

    Returns
    -------
    bool
        Whether NumPy's shapes were on.
    """
    previous, np_shapes.np = np_shapes.np, bool(active)
    return previous


class _Flavour(Scope, contextlib.ContextDecorator):
    """A scope that can also decorate a function."""


def np_shape(active: bool = True) -> _Flavour:
    """Return a scope in which NumPy's shapes are on or off.

    Parameters
    ----------
    active : bool
        Whether the scope has NumPy's shapes.

    Returns
    -------
    context manager
        The scope.
    """
    return _Flavour(np_shapes, np=active)


class _WithCurrent(type):
    """A metaclass that gives a class the thread-local attribute ``_current``."""

    @property
    def _current(cls) -> _NumpyArrayScope:
        return _NumpyArrayScope(np_arrays.np)

    @_current.setter
    def _current(cls, scope: _NumpyArrayScope) -> None:
        np_arrays.np = scope._is_np_array


class _NumpyArrayScope(_Flavour, metaclass=_WithCurrent):
    """The scope of :func:`np_array` under MXNet's name. The class attribute ``_current`` is this thread's scope."""

    def __init__(self, is_np_array: bool) -> None:
        super().__init__(np_arrays, np=bool(is_np_array))
        self._is_np_array = bool(is_np_array)


def np_array(active: bool = True) -> _Flavour:
    """Return a scope in which ``np`` arrays are on or off.

    Parameters
    ----------
    active : bool
        Whether the scope has ``np`` arrays.

    Returns
    -------
    context manager
        The scope.
    """
    return _Flavour(np_arrays, np=active)


#: Methods that run in a decorated class's scopes even if a base class in this package defines them.
_ENTRANCES = ("__init__", "forward", "hybrid_forward", "__call__", "initialize", "infer_shape", "load_parameters")

#: Methods that Python calls implicitly and often, or before an object exists.
_LEFT_ALONE = {"__new__", "__init_subclass__", "__class_getitem__", "__getattribute__"}


def _use_in_class(scopes: tuple[Callable[[], Any], ...], target: type) -> None:
    """Make the methods and properties of a class, and of its user-defined base classes, run in scopes."""
    members: dict[str, Any] = {}
    for owner in reversed(target.__mro__[:-1]):
        ours = owner.__module__.partition(".")[0] == __name__.partition(".")[0]
        members |= {name: value for name, value in vars(owner).items() if name in _ENTRANCES or not ours}
    for name, value in members.items():
        if name in _LEFT_ALONE:
            continue
        if isinstance(value, types.FunctionType):
            setattr(target, name, _use(scopes, value))
        elif isinstance(value, staticmethod | classmethod):
            setattr(target, name, type(value)(_use(scopes, value.__func__)))
        elif isinstance(value, property):
            accessors = (value.fget, value.fset, value.fdel)
            setattr(target, name, property(*(f and _use(scopes, f) for f in accessors), doc=value.__doc__))


def _use(scopes: tuple[Callable[[], Any], ...], target: Any) -> Any:
    if isinstance(target, type):
        _use_in_class(scopes, target)
        return target

    @functools.wraps(target)
    def run(*args: Any, **kwargs: Any) -> Any:
        with contextlib.ExitStack() as stack:
            for scope in scopes:
                stack.enter_context(scope())
            return target(*args, **kwargs)

    return run


def use_np_shape(func: Any) -> Any:
    """Decorate a function or class to run with NumPy's shapes.

    Parameters
    ----------
    func : callable or type
        The function or class.

    Returns
    -------
    callable or type
        The decorated function or class.
    """
    return _use((np_shape,), func)


def use_np_array(func: Any) -> Any:
    """Decorate a function or class to run with ``np`` arrays.

    Parameters
    ----------
    func : callable or type
        The function or class.

    Returns
    -------
    callable or type
        The decorated function or class.
    """
    return _use((np_array,), func)


def use_np(func: Any) -> Any:
    """Decorate a function or class to run with NumPy semantics.

    Parameters
    ----------
    func : callable or type
        The function or class.

    Returns
    -------
    callable or type
        The decorated function or class.
    """
    return _use((np_shape, np_array), func)


_LANGUAGES = ("en", "zh")


class _Restore(contextlib.AbstractContextManager[None]):
    """A context manager that restores settings at its end. As the last expression of a cell, it displays nothing."""

    def __init__(self, previous: dict[str, Any]) -> None:
        self._previous = previous

    def __exit__(self, *exception: object) -> None:
        for name, value in self._previous.items():
            setattr(settings, name, value)

    def __repr__(self) -> str:
        return f"<settings: {', '.join(f'{name}={getattr(settings, name)!r}' for name in self._previous)}>"

    def _ipython_display_(self) -> None:
        pass


def config(**options: Any) -> contextlib.AbstractContextManager[None]:
    """Change settings permanently or, in a ``with`` statement, temporarily.

    Parameters
    ----------
    warn_silent_differences : bool
        Whether to warn if a hybridized block will silently behave differently from the same block in eager mode.
        (For example, ``x[0]`` of a Symbol is its first output, not its first row.)
    lang : str
        The language of pictures, widgets, and exercises: ``"en"`` or ``"zh"``.
    ask : bool
        Whether pictures ask the reader to predict a result before showing the result. Presenters may want to disable
        this setting.
    explain : bool
        Whether a notebook shows an explanation above the traceback of a hybridization error. A notebook that imports
        the package does; IPython in a terminal does after ``%load_ext d2lhybrid``.
    tiers : bool or "first"
        Whether to recompile a frequently called hybridized net with C, oneDNN, or ONNX Runtime, if one of these is
        installed. With ``"first"``, the first call already compiles the net with this backend. The environment
        variable ``D2LHYBRID_TIERS`` (``0`` or ``first``) sets the value for a process.
        ``net.hybridize(backend="numpy")`` disables recompilation for a net.

    Returns
    -------
    context manager
        The scope.

    Raises
    ------
    TypeError
        If a setting is unknown.
    ValueError
        If the language is unknown, or if ``tiers`` has another value.

    Examples
    --------
    >>> with config(warn_silent_differences=True):
    ...     settings.warn_silent_differences
    True
    """
    previous = {}
    if options.get("tiers", True) not in (True, False, "first"):
        raise ValueError(f"the setting tiers must be True, False, or 'first', not {options['tiers']!r}")
    if options.get("lang", "en") not in _LANGUAGES:
        raise ValueError(f"the setting lang must be {' or '.join(map(repr, _LANGUAGES))}, not {options['lang']!r}")
    for name, value in options.items():
        if not hasattr(settings, name):
            error = TypeError(f"config() got an unknown setting {name!r}")
            error.add_note(f"The settings are {', '.join(type(settings).__annotations__)}.")
            raise error
        previous[name] = getattr(settings, name)
        setattr(settings, name, value)
    return _Restore(previous)


def getenv(name: str) -> str | None:
    """Return an environment variable, or None if the variable is not set.

    Parameters
    ----------
    name : str
        Name of the variable.

    Returns
    -------
    str or None
        The value.
    """
    return os.environ.get(name)


def setenv(name: str, value: str | None) -> None:
    """Set an environment variable, or remove the variable if the value is None.

    Parameters
    ----------
    name : str
        Name of the variable.
    value : str or None
        The new value. None removes the variable.
    """
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


def get_gpu_count() -> int:
    """Return the number of GPUs."""
    from .internals.device import array_modules

    return array_modules.num_gpus()


def get_gpu_memory(gpu_dev_id: int) -> tuple[int, int]:
    """Return the free and the total memory of a GPU, in bytes.

    Parameters
    ----------
    gpu_dev_id : int
        Index of the GPU.

    Returns
    -------
    (int, int)
        The free memory and the total memory, in bytes.
    """
    from .context import gpu_memory_info

    return gpu_memory_info(gpu_dev_id)


def set_module(module: str | None) -> Callable[[Any], Any]:
    """Return a decorator that sets the ``__module__`` of a function or class.

    Parameters
    ----------
    module : str
        Name of the module.

    Returns
    -------
    callable
        The decorator.
    """

    def decorator(target: Any) -> Any:
        if module is not None:
            target.__module__ = module
        return target

    return decorator


def unknown_size() -> int:
    """Return the placeholder for an unknown size in a shape: 0 in legacy mode, -1 with NumPy shapes."""
    return -1 if is_np_shape() else 0


def warn_user(message: str) -> None:
    """Issue a warning for the innermost line of user code that is running.

    Parameters
    ----------
    message : str
        Text of the warning.
    """
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and not is_user_file(frame.f_code.co_filename):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, stacklevel=level)


def names_of_the_package(module: str, private: Mapping[str, str] | None = None) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a module of MXNet whose names are spread over several modules in this package.

    Names that the module lacks are looked up in the module's package. For example, ``mxnet.gluon.block.HybridBlock``
    exists although ``HybridBlock`` has its own module in this package.

    Parameters
    ----------
    module : str
        The ``__name__`` of the module.
    private : dict, optional
        Private names that programs import from the module, each with the module that defines it.

    Examples
    --------
    >>> from d2lhybrid.gluon import HybridBlock, block
    >>> block.HybridBlock is HybridBlock
    True
    """

    def find(name: str) -> Any:
        package = sys.modules[module.rpartition(".")[0]]
        if private and name in private:
            return getattr(importlib.import_module(f"{package.__name__}.{private[name]}"), name)
        if name.startswith("_") or not hasattr(package, name):
            raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)
        return getattr(package, name)

    return find


globals()["__getattr__"] = refusing(__name__)
