"""The names that ``from mxnet.ndarray import *`` imports, including names that the module itself imports.

Most modules of MXNet have no ``__all__``, so a star imports all names that they define or import. Programs rely on
imported names, too. For example, some iterators begin with ``from mxnet.image import *`` and use ``np``, ``os``, and
``random``.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

__all__ = ["complete"]

_PACKAGE = __name__.partition(".")[0]

_IMAGE = "Number is_np_array json logging nd np numeric_types os random sys warnings cv2"

#: Module of MXNet -> the additional names that a star imports, because the module imports them.
_COME_ALONG = {
    "attribute": "string_types warnings",
    "autograd": "NDArray Symbol array string_types traceback",
    "callback": "logging math save_checkpoint time",
    "context": "warnings",
    "contrib.io": "DataDesc DataIter nd",
    "contrib.text.embedding": "is_np_array logging nd os warnings",
    "executor": "NDArray copy logging np",
    "executor_manager": "DataDesc cpu logging nd np",
    "gluon.block": "HybridBlock SymbolBlock",
    "gluon.data.vision.transforms": "Block HybridBlock HybridSequential Sequential is_np_array np numeric_types random",
    "gluon.nn.basic_layers": "BatchNorm BatchNormReLU GroupNorm InstanceNorm LayerNorm",
    "gluon.nn.conv_layers": (
        "AvgPool1D AvgPool2D AvgPool3D GlobalAvgPool1D GlobalAvgPool2D GlobalAvgPool3D GlobalMaxPool1D GlobalMaxPool2D "
        "GlobalMaxPool3D MaxPool1D MaxPool2D MaxPool3D"
    ),
    "gluon.parameter": "Constant ParameterDict",
    "gluon.rnn.rnn_cell": (
        "BidirectionalCell DropoutCell HybridSequentialRNNCell ModifierCell ResidualCell SequentialRNNCell ZoneoutCell"
    ),
    "image": _IMAGE,
    "image.detection": _IMAGE,
    "image.image": f"{_IMAGE} io recordio",
    "initializer": "NDArray is_np_array json logging mx_random ndarray np re sqrt string_types warnings",
    "io.io": "CSRNDArray NDArray OrderedDict array logging namedtuple np sys threading",
    "io.utils": "CSRNDArray NDArray OrderedDict array np",
    "log": "logging warnings",
    "lr_scheduler": "cos logging",
    "metric": "OrderedDict math ndarray np numeric_types numpy string_types",
    "misc": "logging math",
    "model": "Context DataDesc Uniform cpu io kvs logging metric mx_real_t namedtuple nd np opt os sym time warnings",
    "module.base_module": (
        "BatchEndParam DataBatch DataDesc DataIter Uniform cpu logging metric ndarray np time warnings"
    ),
    "module.bucketing_module": "BaseModule Module Uniform ctx logging nd np sym warnings",
    "module.executor_group": "DataDesc OrderedDict ctx logging nd",
    "module.module": "BaseModule DataDesc InitDesc Uniform ctx logging nd opt warnings",
    "module.python_module": "BaseModule Uniform logging nd",
    "module.sequential_module": "BaseModule Uniform copy logging",
    "monitor": "NDArray logging ndarray re",
    "operator": "NDArray Lock array context is_np_array symbol traceback warnings",
    "recordio": "namedtuple np numbers struct cv2",
    "rnn": (
        "DataBatch DataDesc DataIter bisect functools init ndarray np numeric_types random string_types symbol warnings"
    ),
    "rnn.io": "DataBatch DataDesc DataIter bisect ndarray np random",
    "rnn.rnn": "BaseRNNCell warnings",
    "rnn.rnn_cell": "functools init ndarray numeric_types string_types symbol warnings",
    "test_utils": (
        "Context Features OrderedDict Symbol array bz2 contextmanager current_context errno getenv gzip json logging "
        "mx np npt numbers os platform requests rnd setenv ss struct sys time traceback use_np zipfile"
    ),
    "util": "functools",
    "visualization": "Symbol copy json re warnings",
    "viz": "Symbol copy json re warnings",
}

#: Name -> its origin, unless the origin is a standard module of the same name. Origins in this package begin with a
#: dot.
_HOMES = {
    "BaseModule": ".module.BaseModule", "BaseRNNCell": ".rnn.BaseRNNCell", "BatchEndParam": ".model.BatchEndParam",
    "Block": ".gluon.Block", "CSRNDArray": ".ndarray.sparse.CSRNDArray", "Context": ".context.Context",
    "DataBatch": ".io.DataBatch", "DataDesc": ".io.DataDesc", "DataIter": ".io.DataIter",
    "Features": ".runtime.Features", "HybridBlock": ".gluon.HybridBlock",
    "HybridSequential": ".gluon.nn.HybridSequential", "InitDesc": ".initializer.InitDesc", "Lock": "threading.Lock",
    "Module": ".module.Module", "NDArray": ".ndarray.NDArray", "Number": "numbers.Number",
    "OrderedDict": "collections.OrderedDict", "Sequential": ".gluon.nn.Sequential", "Symbol": ".symbol.Symbol",
    "Uniform": ".initializer.Uniform", "array": ".ndarray.array", "context": ".context",
    "contextmanager": "contextlib.contextmanager", "cos": "math.cos", "cpu": ".context.cpu", "ctx": ".context",
    "current_context": ".context.current_context", "getenv": ".util.getenv", "init": ".initializer", "io": ".io",
    "is_np_array": ".util.is_np_array", "kvs": ".kvstore", "metric": ".metric", "mx": "",
    "mx_real_t": ".base.mx_real_t", "namedtuple": "collections.namedtuple", "nd": ".ndarray", "ndarray": ".ndarray",
    "np": "numpy", "npt": "numpy.testing", "numeric_types": ".base.numeric_types", "opt": ".optimizer",
    "recordio": ".recordio", "rnd": "numpy.random",
    "save_checkpoint": ".model.save_checkpoint", "setenv": ".util.setenv", "sqrt": "math.sqrt", "ss": "scipy.stats",
    "string_types": ".base.string_types", "sym": ".symbol", "symbol": ".symbol", "use_np": ".util.use_np",
}  # fmt: skip

#: The modules from which a star imports no name in MXNet.
_NOTHING = {"numpy", "numpy_extension"}

#: The modules to which the names have been added.
_completed: set[ModuleType] = set()

#: The optional packages of MXNet, which a star import alone doesn't load.
_IF_LOADED = {"cv2", "requests", "ss"}


def complete(module: ModuleType, name: str) -> None:
    """Add names to a module of this package and to its ``__all__``, so that a star imports the same names as in MXNet.

    Parameters
    ----------
    module : module
        A module of this package.
    name : str
        The name of MXNet's module, without ``mxnet.``.
    """
    if module in _completed:
        return
    _completed.add(module)
    along = []
    for given in _COME_ALONG.get(name, "").split():
        if given in _IF_LOADED and _HOMES.get(given, given) not in sys.modules:
            continue
        own = "random" if given == "mx_random" else given  # separate from Python's random
        if not hasattr(module, own):
            setattr(module, own, _find(".random" if given == "mx_random" else _HOMES.get(given, given)))
        along.append(own)
    given = () if name in _NOTHING else {*getattr(module, "__all__", ()), *_operators(module), *along}
    module.__all__ = sorted(given)  # type: ignore[attr-defined]


def _operators(module: ModuleType) -> list[str]:
    """Return the public names of a module whose functions are created on demand."""
    found = vars(module)
    if "__dir__" not in found or "__getattr__" not in found:
        return []
    # Functions that have been created are names of the module already.
    return [
        name
        for name in dir(module)
        if not name.startswith("_") and (name not in found or getattr(found[name], "__module__", "") == module.__name__)
    ]


def _find(path: str) -> Any:
    if path.startswith(".") or not path:
        path = _PACKAGE + path
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError:
        home, _, last = path.rpartition(".")
        return getattr(importlib.import_module(home), last)
