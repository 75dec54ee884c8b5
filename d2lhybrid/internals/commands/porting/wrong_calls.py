"""Calls with arguments that the called function rejects, if a program's text shows the function and the arguments."""

from __future__ import annotations

import ast
import contextlib
import inspect
import math
from collections.abc import Callable, Iterator
from inspect import Parameter
from typing import Any

from d2lhybrid.error import MXNetError

from ..defined_names import bound_by
from .facts import function_of

__all__ = [
    "Fractions",
    "OwnFunctions",
    "computes_the_device",
    "pads_too_much",
    "refusal",
    "size_to_reshape",
    "too_many_inputs",
]


def refusal(function: Callable[..., Any], call: ast.Call) -> str:
    """Return Python's error message about the arguments of a call, or an empty string if the arguments may be valid.

    Parameters
    ----------
    function : callable
        The function or class.
    call : ast.Call
        The call.

    Returns
    -------
    str
        The message.

    Examples
    --------
    >>> refusal(lambda x, y=1: x, ast.parse("f(1, z=3)", mode="eval").body)
    "got an unexpected keyword argument 'z'"
    >>> refusal(lambda x, y=1: x, ast.parse("f(*xs)", mode="eval").body)
    ''
    """
    if hasattr(function, "__signature__"):  # a signature for display, which the function need not enforce
        return ""
    try:
        signature = inspect.signature(function, follow_wrapped=False)
    except (TypeError, ValueError):
        return ""
    return _unbound(signature, call)


def _unbound(signature: inspect.Signature, call: ast.Call) -> str:
    unknown = any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords)
    try:
        given = {keyword.arg: None for keyword in call.keywords if keyword.arg}
        places = [None for argument in call.args if not isinstance(argument, ast.Starred)]
        (signature.bind_partial if unknown else signature.bind)(*places, **given)
    except TypeError as error:
        return str(error)
    return ""


def pads_too_much(name: str, call: ast.Call) -> bool:
    """Return whether the padding in a call of a pooling layer or operator is not smaller than the window.

    Parameters
    ----------
    name : str
        The name of the layer or the operator.
    call : ast.Call
        The call.

    Returns
    -------
    bool
        Whether the padding is too large.

    Examples
    --------
    >>> pads_too_much("MaxPool2D", ast.parse("MaxPool2D((1, 2), padding=(1, 1))", mode="eval").body)
    True
    >>> pads_too_much("MaxPool2D", ast.parse("MaxPool2D(3, 2, 1)", mode="eval").body)
    False
    """
    values = {keyword.arg: keyword.value for keyword in call.keywords}
    if name in _POOLING_LAYERS:
        places = dict(zip(("pool_size", "strides", "padding"), call.args, strict=False))
        window, padding = (values.get(key, places.get(key)) for key in ("pool_size", "padding"))
        default = 2
    elif name == "Pooling" and "global_pool" not in values:
        window, padding, default = values.get("kernel"), values.get("pad"), None
    else:
        return False
    sizes = default if window is None else _numbers(window)
    pads = None if padding is None else _numbers(padding)
    if sizes is None or pads is None:
        return False
    count = max(len(one) if isinstance(one, tuple) else 1 for one in (sizes, pads))
    pairs = zip(*(one if isinstance(one, tuple) else (one,) * count for one in (sizes, pads)), strict=False)
    return any(pad >= size for size, pad in pairs)


def computes_the_device(function: Callable[..., Any], call: ast.Call) -> bool:
    """Return whether a call passes a number or an arithmetic expression as the device.

    Parameters
    ----------
    function : callable
        The function of MXNet.
    call : ast.Call
        The call.

    Examples
    --------
    >>> def zeros(shape, ctx=None): ...
    >>> computes_the_device(zeros, ast.parse("zeros(n + 1, k + 1)", mode="eval").body)
    True
    >>> computes_the_device(zeros, ast.parse("zeros((n + 1, k + 1), gpu)", mode="eval").body)
    False
    """
    device = next((keyword.value for keyword in call.keywords if keyword.arg == "ctx"), None)
    if device is None and not any(isinstance(argument, ast.Starred) for argument in call.args):
        try:
            places = list(inspect.signature(function).parameters)
        except (TypeError, ValueError):
            return False
        device = dict(zip(places, call.args, strict=False)).get("ctx")
    is_number = isinstance(device, ast.Constant) and isinstance(device.value, (int, float))
    return is_number or isinstance(device, ast.BinOp)


def too_many_inputs(layer: Any, call: ast.Call) -> str:
    """Return an error message if a call passes several inputs to a layer with one input, or an empty string.

    Parameters
    ----------
    layer : type or function or None
        The class of the layer. Other functions and layers with several inputs are ignored.
    call : ast.Call
        The call of the layer.

    Examples
    --------
    >>> from d2lhybrid.gluon import nn
    >>> too_many_inputs(nn.MaxPool2D, ast.parse("pool(x, (2, 2))", mode="eval").body)
    'takes 1 input, but gets 2'
    >>> too_many_inputs(nn.MaxPool2D, ast.parse("pool(x)", mode="eval").body)
    ''
    """
    is_layer = isinstance(layer, type) and layer.__module__.rpartition(".")[0].endswith("gluon.nn")
    takes_one = is_layer and _inputs_of(layer) == ["x"]
    is_clear = not call.keywords and not any(isinstance(argument, ast.Starred) for argument in call.args)
    return f"takes 1 input, but gets {len(call.args)}" if takes_one and is_clear and len(call.args) > 1 else ""


def _inputs_of(layer: type) -> list[str]:
    """Return the inputs of a layer, without its parameters, which ``hybrid_forward`` gets from the layer."""
    function = getattr(layer, "hybrid_forward", None)
    if function is None:
        return []
    names = list(inspect.signature(function).parameters)[2:]
    return [name for name in names if name not in _PARAMETERS]


_PARAMETERS = {"weight", "bias", "gamma", "beta", "running_mean", "running_var", "alpha"}


def size_to_reshape(made: str, making: ast.Call, call: ast.Call) -> int:
    """Return the number of elements of an array if a call can't reshape it; otherwise, return 0.

    Parameters
    ----------
    made : str
        The full name of the function that creates the array.
    making : ast.Call
        The call that creates the array.
    call : ast.Call
        The call of the array's method ``reshape``.

    Returns
    -------
    int
        The number of elements; 0 if the call may be valid.

    Examples
    --------
    >>> call = ast.parse("arange(20).reshape((4, 4))", mode="eval").body
    >>> size_to_reshape("numpy.arange", call.func.value, call)
    20
    >>> call = ast.parse("arange(20).reshape(4, -1)", mode="eval").body
    >>> size_to_reshape("numpy.arange", call.func.value, call)
    0
    """
    source = _shape_of(made.rpartition(".")[2], making)
    if source is None or not call.args or call.keywords:
        return 0
    shape = _numbers(call.args[0] if len(call.args) == 1 else ast.Tuple(elts=call.args, ctx=ast.Load()))
    size = math.prod(source)
    lengths = shape if isinstance(shape, tuple) else (shape,)
    if shape is None or size <= 0:
        return 0
    codes = any(one is not None and (one < -1 or one == 0) for one in lengths)
    if codes:  # MXNet's codes for other dimensions
        if made.startswith("numpy.") or size > _LARGE:
            return 0
        try:
            function_of("nd.zeros")(source).reshape(shape)
        except MXNetError:
            return size
        return 0
    given = math.prod(one for one in lengths if one is not None and one > 0)
    return size if (size % given if -1 in lengths else size != given) else 0


#: The most elements of an array that is created to try MXNet's codes on it.
_LARGE = 1_000_000


def _shape_of(made: str, making: ast.Call) -> tuple[int, ...] | None:
    """Return the shape of the array that a call creates; None if the text doesn't show it."""
    if len(making.args) != 1 or any(keyword.arg not in ("dtype", "ctx") for keyword in making.keywords):
        return None
    if made == "array":
        return _shape_of_numbers(making.args[0])
    source = _numbers(making.args[0]) if made in ("arange", "ones", "zeros") else None
    if source is None or (made == "arange" and isinstance(source, tuple)):
        return None
    return source if isinstance(source, tuple) else (source,)


def _shape_of_numbers(node: ast.expr) -> tuple[int, ...] | None:
    """Return the shape of nested lists of numbers; None for other expressions and for lists of different lengths."""
    if isinstance(node, (ast.List, ast.Tuple)):
        parts = {_shape_of_numbers(part) for part in node.elts}
        below = parts.pop() if len(parts) == 1 else None
        return None if below is None else (len(node.elts), *below)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        node = node.operand
    return () if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) else None


_POOLING_LAYERS = {f"{kind}Pool{dimensions}D" for kind in ("Max", "Avg") for dimensions in (1, 2, 3)}


def _numbers(node: ast.expr) -> int | tuple[int, ...] | None:
    """Return the value of an integer or of a tuple or list of integers; None for other expressions."""
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, (tuple, list)) and value and all(isinstance(one, int) for one in value):
        return tuple(value)
    return None


class Fractions:
    """The expressions of a file that are never integers, because they contain a true division.

    Parameters
    ----------
    tree : ast.Module
        The parsed file.

    Examples
    --------
    >>> fractions = Fractions(ast.parse("half = n / 2; third = n // 3"))
    >>> texts = ("half + 1", "third", "int(half)", "(half, 2)", "[size / 2 for size in sizes]")
    >>> [fractions.has(ast.parse(text, mode="eval").body) for text in texts]
    [True, False, False, True, True]
    """

    def __init__(self, tree: ast.Module) -> None:
        self._set_by_functions = {
            name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names
        }
        #: By use of a name, the names of its function that are fractions.
        self._known: dict[ast.AST, set[str]] = {}
        self._names: set[str] = set()
        self._names = self._enter(tree, set())

    def _enter(self, scope: ast.AST, outer: set[str]) -> set[str]:
        """Find the names that are fractions in a file or a function, and in the functions inside."""
        nodes = list(_inside(scope))
        bound = [name for node in nodes for name in _binds(node)]
        found = outer - set(bound)
        self._known |= {node: found for node in nodes if isinstance(node, ast.Name)}
        values: dict[str, list[ast.expr]] = {}
        for node in nodes:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                values.setdefault(node.targets[0].id, []).append(node.value)
        found |= {
            name for name, given in values.items()
            if name not in self._set_by_functions and len(given) == bound.count(name) and all(map(self.has, given))
        }  # fmt: skip
        for node in nodes:
            if isinstance(node, _FUNCTIONS):
                self._enter(node, found)
        return found

    def has(self, node: ast.expr | None) -> bool:
        """Return whether an expression contains a true division, so that its value or an element is never an integer.

        Parameters
        ----------
        node : ast.expr or None
            The expression.

        Returns
        -------
        bool
            Whether the expression contains a true division.
        """
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, ast.Div) or self.has(node.left) or self.has(node.right)
        if isinstance(node, ast.UnaryOp):
            return self.has(node.operand)
        if isinstance(node, (ast.List, ast.Tuple)):
            return any(map(self.has, node.elts))
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            return self.has(node.elt)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("tuple", "list"):
            return any(map(self.has, node.args))
        return isinstance(node, ast.Name) and node.id in self._known.get(node, self._names)

    def in_a_size(self, function: Callable[..., Any], call: ast.Call) -> ast.expr | None:
        """Return an argument that must consist of integers but contains a true division, or None if there is none.

        Parameters
        ----------
        function : callable
            The function or layer of MXNet.
        call : ast.Call
            The call.

        Examples
        --------
        >>> from d2lhybrid.gluon import nn
        >>> call = ast.parse("Conv2D(channels, 3, padding=(size - 1) / 2)", mode="eval").body
        >>> ast.unparse(Fractions(ast.parse("")).in_a_size(nn.Conv2D, call))
        '(size - 1) / 2'
        """
        given = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
        if not any(isinstance(argument, ast.Starred) for argument in call.args):
            with contextlib.suppress(TypeError, ValueError):
                given |= zip(inspect.signature(function).parameters, call.args, strict=False)
        sizes = _SIZES - {"shape"} if function.__name__ in _KEEPING_SHAPES else _SIZES
        return next((value for name, value in given.items() if name in sizes and self.has(value)), None)


#: Arguments of MXNet's functions and layers that are integers, or lists of integers.
_SIZES = {"kernel", "stride", "pad", "dilate", "num_filter", "num_hidden", "num_group", "channels", "units",
          "kernel_size", "pool_size", "strides", "padding", "in_channels", "in_units", "hidden_size", "num_layers",
          "input_size", "shape"}  # fmt: skip
#: Functions that keep a shape and don't check it.
_KEEPING_SHAPES = {"var", "Variable", "DataDesc"}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def _inside(scope: ast.AST) -> Iterator[ast.AST]:
    """Return the nodes of a file or a function without those of the functions inside."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _FUNCTIONS):
            waiting += ast.iter_child_nodes(node)


class OwnFunctions:
    """The functions and classes of a file that are bound once and have no decorators.

    Parameters
    ----------
    tree : ast.Module
        The parsed file.
    """

    def __init__(self, tree: ast.Module) -> None:
        bound = [name for node in ast.walk(tree) for name in _binds(node)]
        self._signatures: dict[str, inspect.Signature] = {}
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and bound.count(node.name) == 1:
                signature = _signature(node)
                if signature is not None:
                    self._signatures[node.name] = signature

    def refusal(self, call: ast.Call) -> str:
        """Return Python's error message about a call of one of the functions; empty if the call may be valid.

        Parameters
        ----------
        call : ast.Call
            The call.

        Returns
        -------
        str
            The message.
        """
        signature = self._signatures.get(call.func.id) if isinstance(call.func, ast.Name) else None
        return "" if signature is None else _unbound(signature, call)


def _binds(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.arg):
        yield node.arg
    yield from bound_by(node)


def _signature(node: ast.FunctionDef | ast.ClassDef) -> inspect.Signature | None:
    """Return the signature of a function or a class; None if the text does not show the signature."""
    if node.decorator_list:
        return None
    if isinstance(node, ast.FunctionDef):
        return _of_arguments(node.args, 0)
    bases = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
    made = [part for part in node.body if isinstance(part, ast.FunctionDef) and part.name in ("__init__", "__new__")]
    if node.keywords or len(made) != 1 or made[0].name != "__init__" or made[0].decorator_list:
        return None
    if not set(bases) <= _CALLED_BY_INIT:
        return None
    return _of_arguments(made[0].args, 1)


#: Base classes that do not change the signature of a subclass's ``__init__``.
_CALLED_BY_INIT = {"object", "Block", "HybridBlock", "Dataset", "Loss", "DataIter", "EvalMetric"}


def _of_arguments(arguments: ast.arguments, skipped: int) -> inspect.Signature | None:
    places = [*arguments.posonlyargs, *arguments.args]
    if len(places) < skipped:
        return None
    optional = len(places) - len(arguments.defaults)
    parameters = [
        Parameter(
            one.arg,
            Parameter.POSITIONAL_ONLY if i < len(arguments.posonlyargs) else Parameter.POSITIONAL_OR_KEYWORD,
            default=None if i >= optional else Parameter.empty,
        )
        for i, one in enumerate(places)
    ][skipped:]
    if arguments.vararg:
        parameters.append(Parameter(arguments.vararg.arg, Parameter.VAR_POSITIONAL))
    parameters += [
        Parameter(one.arg, Parameter.KEYWORD_ONLY, default=Parameter.empty if default is None else None)
        for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    if arguments.kwarg:
        parameters.append(Parameter(arguments.kwarg.arg, Parameter.VAR_KEYWORD))
    return inspect.Signature(parameters)
