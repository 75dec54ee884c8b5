"""When the parameters of a function are MXNet's: every call that MXNet takes is taken, and means the same."""

from __future__ import annotations

import inspect
import os
import re
import types
from typing import Any, NamedTuple

__all__ = ["Parameter", "differs", "here", "there"]

_BY_POSITION, _ANY_NUMBER, _BY_NAME, _ANY_NAMES = 1, 2, 3, 4


class Parameter(NamedTuple):
    """A parameter: its name, its kind as Python numbers them, and its default as text, empty if there is none."""

    name: str
    kind: int
    default: str


#: A default of MXNet's -> what stands for it here.
_STANDS_FOR = {
    "<class 'numpy.float32'>": ("'float32'", "None"),
    "<class 'numpy.int32'>": ("'int32'",),
    "<mxnet.initializer.Uniform object>": ("None",),  # which means Uniform()
    "<mxnet.initializer.Constant object>": ("None",),  # PReLU: Constant(0.25), a new one for each layer
    "<class 'mxnet.symbol.symbol.Symbol'>": ("None",),  # Group: the class of the first symbol
    "cpu(0)": ("None",),  # the current device, which is that
    "gpu(0)": ("None",),  # convert_hybrid_block: the device where the parameters are
    "{}": ("None",),  # plot_network
    "[0.44, 0.64, 0.74, 1.0]": ("(0.44, 0.64, 0.74, 1.0)",),
    "_Null": ("None",),
    "'warn'": ("None",),  # lstsq: NumPy's, which has changed its mind
}
_DATA_FOLDERS = re.compile(r"'~/\.mxnet/(datasets|embeddings|models).*'")


def there(recorded: list[list[Any]]) -> list[Parameter]:
    """Return parameters as they were recorded from MXNet."""
    return [Parameter(*one) for one in recorded]


def here(value: Any) -> list[Parameter] | None:
    """Return the parameters of one of our functions, None if Python cannot tell."""
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    return [Parameter(p.name, int(p.kind), "" if p.default is p.empty else _text(p.default)) for p in parameters]


def _text(default: Any) -> str:
    if isinstance(default, types.ModuleType):
        return f"<module {default.__name__}>"
    has_text = type(default).__module__ in ("d2lhybrid.initializer", "d2lhybrid.callback")  # MXNet's objects have none
    text = (object.__repr__(default) if has_text else repr(default)).replace(os.path.expanduser("~"), "~")
    return re.sub(r" at 0x[0-9a-f]+", "", text).replace("d2lhybrid", "mxnet")


def differs(theirs: list[Parameter], ours: list[Parameter], doc: str) -> str:
    """Return in what way our parameters are not MXNet's, empty if every call of MXNet's means the same here.

    Parameters
    ----------
    theirs, ours : list of Parameter
        MXNet's, and ours.
    doc : str
        Our docstring: what we have besides, by name and with a default, is named there.
    """
    positional = [[p for p in side if p.kind <= _BY_POSITION] for side in (theirs, ours)]
    for their, our in zip(*positional, strict=False):
        if their.name != our.name:
            return f"`{our.name}` in the place of `{their.name}`"
        if not _same_default(their.default, our.default):
            return f"`{our.name}` is `{our.default or 'required'}` and not `{their.default or 'required'}`"
    if len(positional[0]) > len(positional[1]):
        return f"no `{positional[0][len(positional[1])].name}` by position"
    if len(positional[1]) > len(positional[0]):
        return f"takes `{positional[1][len(positional[0])].name}` by position, too"
    return _others(theirs, ours, doc)


def _same_default(theirs: str, ours: str) -> bool:
    if theirs == ours or not theirs:  # what MXNet requires may have a default
        return True
    if _DATA_FOLDERS.fullmatch(theirs):
        return ours in ("None", "''") or ours == theirs
    return ours in _STANDS_FOR.get(theirs, ())


def _others(theirs: list[Parameter], ours: list[Parameter], doc: str) -> str:
    """Compare the parameters behind those that are taken by position."""
    named = [{p.name: p for p in side if p.kind == _BY_NAME} for side in (theirs, ours)]
    for kind, stars in ((_ANY_NUMBER, "*"), (_ANY_NAMES, "**")):
        missing = [p.name for p in theirs if p.kind == kind and not any(o.kind == kind for o in ours)]
        if missing:
            return f"no `{stars}{missing[0]}`"
    if any(p.kind == _ANY_NUMBER for p in ours) and not any(p.kind == _ANY_NUMBER for p in theirs):
        return "takes any number of arguments by position"
    for name, their in named[0].items():
        if name not in named[1] or not _same_default(their.default, named[1][name].default):
            return f"`{name}` is missing or has another default"
    for name in named[1].keys() - named[0].keys():
        if not named[1][name].default:
            return f"`{name}` has to be given"
        if not re.search(rf"\b{name}\b", doc):
            return f"`{name}` is not documented"
    return ""
