"""d2lhybrid: MXNet's NDArray / Symbol / HybridBlock system on NumPy and CuPy, built to be explored.

``import d2lhybrid as mx`` provides MXNet's names: ``mx.nd``, ``mx.sym``, ``mx.np``, ``mx.npx``, ``mx.autograd``,
``mx.gluon``, and so on. Submodules are imported on first access.
"""

# Import this module first: the current folder may contain a foreign random.py, or even __future__.py.
from .internals.support.search_path import forget_current_folder as _forget_current_folder

_forget_current_folder()

import importlib
import sys
from typing import TYPE_CHECKING, Any

from .context import Context, cpu, cpu_pinned, current_context, gpu
from .error import MXNetError
from .internals.support.absent import no_attribute as _no_attribute
from .internals.support.former_names import serve as _serve_former_names
from .internals.support.telemetry import switch_off as _switch_off
from .util import (
    config,
    is_np_array,
    is_np_shape,
    np_array,
    np_shape,
    set_np_shape,
    use_np,
    use_np_array,
    use_np_shape,
)

_switch_off()
_serve_former_names()
if "IPython" in sys.modules:
    from .internals.pictures.extension import load_in_notebook as _load_in_notebook

    _load_in_notebook()

if TYPE_CHECKING:
    from . import (
        attribute,
        autograd,
        base,
        callback,
        context,
        contrib,
        d2l,
        data,
        engine,
        error,
        executor,
        executor_manager,
        gluon,
        image,
        initializer,
        io,
        kvstore,
        libinfo,
        log,
        lr_scheduler,
        metric,
        model,
        module,
        monitor,
        name,
        ndarray,
        numpy,
        numpy_dispatch_protocol,
        numpy_extension,
        onnx,
        operator,
        optimizer,
        profiler,
        random,
        recordio,
        registry,
        rnn,
        runtime,
        symbol,
        test_utils,
        util,
        viz,
    )
    from . import image as img
    from . import initializer as init
    from . import kvstore as kv
    from . import module as mod
    from . import monitor as mon
    from . import ndarray as nd
    from . import numpy as np
    from . import numpy_extension as npx
    from . import optimizer as opt
    from . import random as rnd
    from . import symbol as sym
    from . import viz as visualization
    from .attribute import AttrScope
    from .internals import compiler
    from .internals.commands import doctor
    from .internals.compatibility import as_mxnet
    from .internals.formats.serialization import limits
    from .internals.pictures import check
    from .internals.pictures.both_ways import BothWays
    from .internals.pictures.check import check_hybridization
    from .internals.pictures.compile_steps import CompileStepper, compile_steps
    from .internals.pictures.error_lens import error_lens
    from .internals.pictures.files_read import FilesRead
    from .internals.pictures.live import live
    from .internals.pictures.net_graph import GraphView
    from .internals.pictures.others.side_by_side import side_by_side
    from .internals.pictures.predicting import predict
    from .internals.pictures.print_trace import print_trace
    from .internals.pictures.text_steps import text_steps
    from .internals.pictures.timing import InFlight, call_times, compare, compare_over

__version__ = "0.1.0"

#: Modules by their full and their short names, which are imported on first access.
_MODULES = {
    name: name
    for name in (
        "attribute", "autograd", "base", "callback", "context", "contrib", "d2l", "data", "engine",
        "error", "executor", "executor_manager", "gluon", "image", "initializer", "io", "kvstore", "libinfo", "log",
        "lr_scheduler", "metric", "model", "module", "monitor", "name", "ndarray", "numpy", "numpy_dispatch_protocol",
        "numpy_extension", "onnx", "operator", "optimizer", "profiler", "random", "recordio", "registry", "rnn",
        "runtime", "symbol", "test_utils", "util", "viz",
    )
} | {
    "check": "internals.pictures.check", "compiler": "internals.compiler", "doctor": "internals.commands.doctor",
    "nd": "ndarray", "sym": "symbol", "np": "numpy", "npx": "numpy_extension", "img": "image", "init": "initializer",
    "kv": "kvstore", "mod": "module", "mon": "monitor", "opt": "optimizer", "rnd": "random", "visualization": "viz",
}  # fmt: skip

#: Functions and classes, and the modules that define them, which are imported on first access.
_FUNCTIONS = {
    "AttrScope": "attribute", "as_mxnet": "internals.compatibility", "limits": "internals.formats.serialization",
} | {
    name: f"internals.pictures.{module}"
    for name, module in (
        ("BothWays", "both_ways"), ("CompileStepper", "compile_steps"), ("FilesRead", "files_read"),
        ("GraphView", "net_graph"), ("InFlight", "timing"), ("check_hybridization", "check"),
        ("call_times", "timing"), ("compare", "timing"), ("compare_over", "timing"), ("compile_steps", "compile_steps"),
        ("error_lens", "error_lens"), ("live", "live"), ("predict", "predicting"), ("print_trace", "print_trace"),
        ("side_by_side", "others.side_by_side"), ("text_steps", "text_steps"),
    )
}  # fmt: skip

# Written out for type checkers.
__all__ = [
    "AttrScope",
    "BothWays",
    "CompileStepper",
    "Context",
    "FilesRead",
    "GraphView",
    "InFlight",
    "MXNetError",
    "as_mxnet",
    "attribute",
    "autograd",
    "base",
    "call_times",
    "callback",
    "check",
    "check_hybridization",
    "compare",
    "compare_over",
    "compile_steps",
    "compiler",
    "config",
    "context",
    "contrib",
    "cpu",
    "cpu_pinned",
    "current_context",
    "d2l",
    "data",
    "doctor",
    "engine",
    "error",
    "error_lens",
    "executor",
    "executor_manager",
    "gluon",
    "gpu",
    "image",
    "img",
    "init",
    "initializer",
    "io",
    "is_np_array",
    "is_np_shape",
    "kv",
    "kvstore",
    "libinfo",
    "limits",
    "live",
    "log",
    "lr_scheduler",
    "metric",
    "mod",
    "model",
    "module",
    "mon",
    "monitor",
    "name",
    "nd",
    "ndarray",
    "np",
    "np_array",
    "np_shape",
    "npx",
    "numpy",
    "numpy_dispatch_protocol",
    "numpy_extension",
    "onnx",
    "operator",
    "opt",
    "optimizer",
    "predict",
    "print_trace",
    "profiler",
    "random",
    "recordio",
    "registry",
    "rnd",
    "rnn",
    "runtime",
    "set_np_shape",
    "side_by_side",
    "sym",
    "symbol",
    "test_utils",
    "text_steps",
    "use_np",
    "use_np_array",
    "use_np_shape",
    "util",
    "visualization",
    "viz",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        module = importlib.import_module(f"{__name__}.{_MODULES[name]}")
        globals()[name] = module
        return module
    if name in _FUNCTIONS:
        return getattr(importlib.import_module(f"{__name__}.{_FUNCTIONS[name]}"), name)
    raise _no_attribute(__name__, name)


def load_ipython_extension(shell: Any) -> None:
    """Load the notebook extension that explains hybridization errors (``%load_ext d2lhybrid``).

    Parameters
    ----------
    shell : InteractiveShell
        The shell of the notebook, which IPython passes.
    """
    from .internals.pictures.extension import load

    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """Unload the notebook extension that explains hybridization errors (``%unload_ext d2lhybrid``).

    Parameters
    ----------
    shell : InteractiveShell
        The shell of the notebook, which IPython passes.
    """
    from .internals.pictures.extension import unload

    unload(shell)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
