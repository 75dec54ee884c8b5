"""The functions and classes of the package ``d2l`` from *Dive into Deep Learning*.

The package contains timers (``Timer``, ``benchmark``), devices (``try_gpu``), accuracy, plots, local data sets, and the
models and training loops that chapters reuse. Timers, accuracy, and plots accept legacy arrays (``nd``) and ``np``
arrays. All other functions accept ``np`` arrays only. The first plot imports Matplotlib, and the first use of a name
imports the name's module.

Examples
--------
>>> from d2lhybrid import d2l
>>> with d2l.benchmark("Doing nothing: %.1f sec"):
...     pass
Doing nothing: 0.0 sec
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .arrays import *  # noqa: F403
    from .datasets import *  # noqa: F403
    from .devices import *  # noqa: F403
    from .experiments import *  # noqa: F403
    from .models import *  # noqa: F403
    from .plotting import *  # noqa: F403
    from .scoring import *  # noqa: F403
    from .text import *  # noqa: F403
    from .timing import *  # noqa: F403
    from .training import *  # noqa: F403

__all__ = [
    "DATA_HUB",
    "DATA_URL",
    "SGD",
    "Accumulator",
    "Animator",
    "Benchmark",
    "Classifier",
    "DataModule",
    "FashionMNIST",
    "HyperParameters",
    "LeNet",
    "LinearRegression",
    "LinearRegressionScratch",
    "Module",
    "ProgressBoard",
    "Residual",
    "SoftmaxRegression",
    "SyntheticRegressionData",
    "Timer",
    "Trainer",
    "Vocab",
    "abs",
    "accuracy",
    "add_to_class",
    "annotate",
    "arange",
    "argmax",
    "astype",
    "batch_matmul",
    "benchmark",
    "check_len",
    "check_shape",
    "concat",
    "corr2d",
    "cos",
    "cosh",
    "count_corpus",
    "cpu",
    "download",
    "download_extract",
    "evaluate_accuracy",
    "evaluate_accuracy_gpu",
    "evaluate_accuracy_gpus",
    "evaluate_loss",
    "exp",
    "expand_dims",
    "extract",
    "eye",
    "float32",
    "get_data_ch11",
    "get_dataloader_workers",
    "get_fashion_mnist_labels",
    "gpu",
    "grad_clipping",
    "int32",
    "int64",
    "linreg",
    "linspace",
    "load_array",
    "load_data_fashion_mnist",
    "log",
    "matmul",
    "meshgrid",
    "normal",
    "num_gpus",
    "numpy",
    "ones",
    "ones_like",
    "plot",
    "rand",
    "randn",
    "reduce_mean",
    "reduce_sum",
    "repeat",
    "reshape",
    "resnet18",
    "set_axes",
    "set_figsize",
    "sgd",
    "show_heatmaps",
    "show_images",
    "show_trace_2d",
    "sigmoid",
    "sin",
    "sinh",
    "size",
    "split_batch",
    "squared_loss",
    "stack",
    "swapaxes",
    "synthetic_data",
    "tanh",
    "tensor",
    "to",
    "tokenize",
    "train_2d",
    "train_batch_ch13",
    "train_ch6",
    "train_ch11",
    "train_ch13",
    "train_concise_ch11",
    "transpose",
    "truncate_pad",
    "try_all_gpus",
    "try_gpu",
    "use_svg_display",
    "zeros",
    "zeros_like",
]  # fmt: skip

#: The names that each module of this package defines.
_FILES = {
    "arrays": (
        "abs arange argmax astype batch_matmul concat cos cosh exp expand_dims eye float32 int32 int64 "
        "linspace log matmul meshgrid normal numpy ones ones_like rand randn reduce_mean reduce_sum repeat "
        "reshape sigmoid sin sinh size stack swapaxes tanh tensor to transpose zeros zeros_like"
    ),
    "datasets": (
        "DATA_HUB DATA_URL FashionMNIST SyntheticRegressionData download download_extract extract "
        "get_dataloader_workers get_fashion_mnist_labels load_array load_data_fashion_mnist synthetic_data"
    ),
    "devices": "cpu gpu num_gpus try_all_gpus try_gpu",
    "experiments": "Classifier DataModule HyperParameters Module ProgressBoard Trainer add_to_class",
    "models": "LeNet LinearRegression LinearRegressionScratch Residual SoftmaxRegression corr2d linreg resnet18",
    "plotting": "Animator annotate plot set_axes set_figsize show_heatmaps show_images show_trace_2d use_svg_display",
    "scoring": "Accumulator accuracy evaluate_accuracy evaluate_accuracy_gpu evaluate_accuracy_gpus evaluate_loss",
    "text": "Vocab check_len check_shape count_corpus tokenize truncate_pad",
    "timing": "Benchmark Timer benchmark",
    "training": (
        "SGD get_data_ch11 grad_clipping sgd split_batch squared_loss train_2d train_batch_ch13 train_ch6 "
        "train_ch11 train_ch13 train_concise_ch11"
    ),
}  # fmt: skip

_FILE_OF = {name: file for file, names in _FILES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name in _FILE_OF:
        value = getattr(importlib.import_module(f"{__name__}.{_FILE_OF[name]}"), name)
    elif name == "plt":
        from .plotting import pyplot

        value = pyplot()
    elif name == "nn_Module":
        from ..gluon import Block

        value = Block
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
