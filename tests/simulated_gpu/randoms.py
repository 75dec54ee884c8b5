"""``cupy.random``: generators with CuPy's few distributions. The numbers are NumPy's, not those of a GPU."""

from __future__ import annotations

import types
from typing import Any

import numpy

from . import launching
from .arrays import ndarray
from .cupy_api import API, checked_arguments
from .launching import host, launch, write
from .machine import machine


class BitGenerator:
    """A stream of random bits, kept on the device that was current."""

    def __init__(self, seed: Any = None) -> None:
        if isinstance(seed, ndarray | numpy.ndarray):
            raise TypeError(f"Unsupported type {type(seed)}")
        self._number = machine().current
        self._generator = numpy.random.Generator(numpy.random.PCG64(seed))


class XORWOW(BitGenerator):
    """CuPy's default generator."""


class MRG32k3a(BitGenerator):
    """Another generator."""


class Philox4x3210(BitGenerator):
    """A generator that counts."""


_FLOATS = ("float32", "float64")


class Generator:
    """Draws from distributions; the result is always an array of the device."""

    def __init__(self, bit_generator: BitGenerator) -> None:
        self.bit_generator = bit_generator

    def _draw(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        checked_arguments("cupy.random.Generator", name, (self, *args), kwargs)
        if self.bit_generator._number != machine().current:
            raise ValueError(
                f"The device where the generator resides ({self.bit_generator._number}) is different from the"
                f" current device ({machine().current})."
            )
        if name == "integers" and any(isinstance(v, ndarray) for v in [*args, *kwargs.values()]):
            raise TypeError("Simulated GPU: integers() draws between numbers, not between arrays")
        kwargs = dict(kwargs)
        out = kwargs.pop("out", None)
        kwargs.pop("method", None)
        dtype = self._dtype(name, kwargs)
        hosts = [host(a) for a in args]
        options = {k: host(v) for k, v in kwargs.items()}
        function = getattr(self.bit_generator._generator, name)
        seed = self.bit_generator._generator

        def run() -> Any:
            result = numpy.asarray(function(*hosts, **options))
            return result if dtype is None else result.astype(dtype)

        assert seed is not None
        if out is None:
            return launch(run)
        launching.check_device(out)
        if not out.flags.c_contiguous:
            raise ValueError("Supplied output array is not contiguous, writable or aligned.")
        wanted = numpy.dtype(options.get("dtype", float) if dtype is None else dtype)
        if out.dtype != wanted:
            raise TypeError(f"Supplied output array has the wrong type. Expected {wanted}, got {out.dtype}")
        if options.get("size") is None and not args:
            options["size"] = out.shape
        write(out._view, run)
        return out

    def _dtype(self, name: str, kwargs: dict[str, Any]) -> Any:
        """Return the dtype to cast to, for distributions that NumPy draws in one dtype only."""
        if name == "integers":
            return None
        if "dtype" in kwargs and name in ("random", "standard_normal", "standard_exponential", "standard_gamma"):
            if numpy.dtype(kwargs["dtype"]).name not in _FLOATS:
                raise TypeError(f"Unsupported dtype {numpy.dtype(kwargs['dtype'])} for {name}")
            return None
        return kwargs.pop("dtype", None)


def _distribution(name: str) -> Any:
    def draw(self: Generator, *args: Any, **kwargs: Any) -> Any:
        return self._draw(name, args, kwargs)

    draw.__name__ = name
    return draw


for _name, _entry in API["classes"]["cupy.random.Generator"].items():
    if not _name.startswith("_"):
        setattr(Generator, _name, _distribution(_name))


def default_rng(seed: Any = None) -> Generator:
    if isinstance(seed, Generator):
        return seed
    return Generator(seed if isinstance(seed, BitGenerator) else XORWOW(seed))


# --- the legacy functions, which draw with cuRAND -------------------------------------------------

_legacy: dict[int, Any] = {}


def seed(seed: Any = None) -> None:
    _legacy[machine().current] = numpy.random.RandomState(seed)


def _legacy_function(name: str) -> Any:
    def draw(*args: Any, **kwargs: Any) -> Any:
        checked_arguments("cupy.random", name, args, kwargs)
        machine().refuse_library("cuRAND")
        state = _legacy.setdefault(machine().current, numpy.random.RandomState())
        dtype = kwargs.pop("dtype", None)
        hosts = [host(a) for a in args]
        function = getattr(state, name)
        return launch(lambda: numpy.asarray(function(*hosts, **kwargs)).astype(dtype or float, copy=False))

    return draw


def random_module() -> types.ModuleType:
    """Return what stands for ``cupy.random``."""
    module = types.ModuleType("cupy.random")
    for name in (
        "rand",
        "randn",
        "random",
        "random_sample",
        "normal",
        "uniform",
        "standard_normal",
        "gamma",
        "poisson",
    ):
        setattr(module, name, _legacy_function(name))
    written = {f.__name__: f for f in (BitGenerator, XORWOW, MRG32k3a, Philox4x3210, Generator, default_rng, seed)}
    for name, value in written.items():
        assert name in API["modules"]["cupy.random"], name
        setattr(module, name, value)
    return module
