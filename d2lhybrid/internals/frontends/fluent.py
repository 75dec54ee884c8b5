"""Fluent methods: ``x.relu().sum(axis=1)`` instead of ``F.sum(F.relu(x), axis=1)``.

Both NDArray and Symbol use the table of methods in this module.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

__all__ = ["FLUENT_METHODS", "attach_fluent_methods"]

FLUENT_METHODS = (
    "abs", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "argmax", "argmax_channel", "argmin",
    "argsort", "broadcast_axes", "broadcast_like", "broadcast_to", "cbrt", "ceil", "clip", "cos", "cosh",
    "degrees", "depth_to_space", "diag", "exp", "expand_dims", "expm1", "fix", "flatten", "flip", "floor", "log",
    "log10", "log1p", "log2", "log_softmax", "max", "mean", "min", "nanprod", "nansum", "norm", "one_hot",
    "ones_like", "pad", "pick", "prod", "radians", "rcbrt", "reciprocal", "relu", "repeat", "reshape_like", "rint",
    "round", "rsqrt", "shape_array", "sigmoid", "sign", "sin", "sinh", "size_array", "slice", "slice_axis",
    "slice_like", "softmax", "softmin", "sort", "space_to_depth", "split", "split_v2", "sqrt", "square", "squeeze",
    "sum", "swapaxes", "take", "tan", "tanh", "tile", "topk", "transpose", "trunc", "zeros_like",
)  # fmt: skip


def _method(module: str, name: str) -> Callable[..., Any]:
    functions: list[Any] = []

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not functions:
            functions.append(getattr(importlib.import_module(module), name))
        return functions[0](self, *args, **kwargs)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"Call ``{module.rpartition('.')[2]}.{name}`` with this object as its first argument."
    return method


def attach_fluent_methods(cls: type, module: str, further: tuple[str, ...] = ()) -> None:
    """Attach a method to a class for each name in ``FLUENT_METHODS`` that the class doesn't define.

    Parameters
    ----------
    cls : type
        NDArray or Symbol.
    module : str
        The module that contains the functions. A function is looked up when its method is first called.
    further : tuple of str
        The names of additional fluent methods that only this class has.
    """
    for name in (*FLUENT_METHODS, *further):
        if name not in cls.__dict__:  # a method that the class defines takes precedence
            setattr(cls, name, _method(module, name))
