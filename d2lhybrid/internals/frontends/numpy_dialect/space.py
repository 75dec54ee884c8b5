"""The spaces in which functions of the dialect run, and their conversion to functions of a module."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy

from d2lhybrid.context import current_context

from ...core.operator import Operator, get_operator
from ...support.suggestions import did_you_mean
from ..frontend import NameSpace, define
from .documentation import completed, key_of

__all__ = ["Array", "NumpyNames", "Space", "bind", "hint_of", "numpy_operator_error"]

#: An array or a symbol, depending on the space; the stubs of each dialect have the actual type.
Array: TypeAlias = Any

_PREFIXES = ("_npi_", "_npx__image_", "_npx_", "_np_")


def hint_of(operator_name: str) -> str:
    """Return the Python name of an operator, which is also the prefix of automatic node names.

    Examples
    --------
    >>> hint_of("_npi_true_divide"), hint_of("_np_sum"), hint_of("_npx__image_crop"), hint_of("Cast")
    ('true_divide', 'sum', 'crop', 'Cast')
    """
    for prefix in _PREFIXES:
        if operator_name.startswith(prefix):
            return operator_name[len(prefix) :]
    return operator_name


def numpy_operator_error(name: str) -> TypeError:
    """Return MXNet's error for a legacy array or symbol as an argument of an operator of ``np`` or ``npx``."""
    return TypeError(
        f"Operator `{name}` registered in backend is known as `{hint_of(name)}` in Python. This is a numpy operator "
        "which can only accept MXNet numpy ndarrays, while received a legacy ndarray. Please ensure that you have "
        "activated numpy semantics by calling `npx.set_np()` in your code. If you still see this error with numpy "
        "semantics activated, please call `as_np_ndarray()` upon the legacy ndarray to convert it to an MXNet numpy "
        "ndarray, and then feed the converted array to this operator."
    )


class Space:
    """The interface of ``F``, the first parameter of the functions of ``np``.

    Attributes
    ----------
    array_class : type
        ``np.ndarray`` or ``_Symbol``.
    base_class : type
        ``NDArray`` or ``Symbol``.
    eager : bool
        Whether calls compute values instead of creating nodes.
    argument_text, arguments_text : str
        MXNet's error messages for a single input, and for one of several inputs, whose type is wrong.
    """

    array_class: Any
    base_class: Any
    eager: bool
    argument_text: str
    arguments_text: str

    def run(
        self, op: Operator, name: str, inputs: tuple[Any, ...], attributes: dict[str, Any], out: Any, ctx: Any
    ) -> Any:
        """Return the result of an operator on arrays, or a symbol for a new node."""
        raise NotImplementedError

    def shape_of(self, a: Any) -> tuple[int, ...] | None:
        """Return the shape of an array, or None for a symbol."""
        raise NotImplementedError

    def number(self, value: Any, reflected: bool) -> dict[str, Any]:
        """Return the attributes that pass a number, as the left operand if it is `reflected`, to a binary operator."""
        raise NotImplementedError

    def only_for_arrays(self, what: str) -> None:
        """Raise an error in the space of symbols: a function without an operator can't be part of a graph.

        Raises
        ------
        NotImplementedError
            If this is the space of symbols.
        """
        if not self.eager:
            raise NotImplementedError(f"np.{what} is only available for arrays, not for symbols")

    def skip_name(self, name: str) -> None:
        """Use up an automatic name of a node without creating the node; do nothing in the space of arrays.

        Parameters
        ----------
        name : str
            MXNet's registered name of the operator.
        """

    def is_array(self, value: Any) -> bool:
        """Return whether a value is an ``np`` array or, in the space of symbols, an ``np`` symbol."""
        return isinstance(value, self.array_class)

    def call(self, name: str, *inputs: Any, out: Any = None, **attributes: Any) -> Any:
        """Return the result of an operator on arrays, or a symbol for a new node.

        Parameters
        ----------
        name : str
            MXNet's registered name of the operator, which determines the automatic name of a node.
        *inputs : array
            The inputs in order, with None for a missing input.
        out : array, optional
            The destination of the result.
        **attributes
            The attributes. A ``dtype`` of None is omitted. ``ctx`` is the device of the result of an operator
            without inputs.

        Raises
        ------
        AssertionError, TypeError
            If an input is not an array of the dialect.
        """
        op = get_operator(name)
        array_class = self.array_class
        for position, value in enumerate(inputs):
            if type(value) is not array_class and value is not None:
                self._check(op, name, position, value)
        ctx = None
        if attributes:
            if "dtype" in attributes:
                dtype = attributes.pop("dtype")
                if dtype is not None:
                    attributes["dtype"] = dtype if isinstance(dtype, str) else numpy.dtype(dtype).name
            if "ctx" in attributes:
                ctx = attributes.pop("ctx") or current_context()
        return self.run(op, name, inputs, attributes, out, ctx)

    def _check(self, op: Operator, name: str, position: int, value: Any) -> None:
        if self.is_array(value):
            return
        if isinstance(value, self.base_class):
            raise numpy_operator_error(name)
        if op.variadic is not None:
            raise AssertionError(f"{self.arguments_text}, but got {value}")
        raise AssertionError(f"Argument {op.inputs[position].name} {self.argument_text}, but got {value}")

    def check_named(self, op: Operator, name: str, argument: str, value: Any) -> Any:
        """Check one input, which may be None, of a function from the registry, and return the input.

        Raises
        ------
        AssertionError, TypeError
            If the input is not an array of the dialect.
        """
        if value is None or self.is_array(value):
            return value
        if isinstance(value, self.base_class):
            raise numpy_operator_error(numpy_name(op, name))
        raise AssertionError(f"Argument {argument} {self.argument_text}, but got {value}")

    def check_all(self, op: Operator, name: str, values: tuple[Any, ...]) -> list[Any]:
        """Check the inputs of a variadic function and return them as a list.

        Raises
        ------
        AssertionError, TypeError
            If an input is not an array of the dialect.
        """
        for value in values:
            if isinstance(value, self.base_class) and not self.is_array(value):
                raise numpy_operator_error(numpy_name(op, name))
            if not self.is_array(value):
                raise AssertionError(f"{self.arguments_text}, but got {value}")
        return list(values)

    def refuse(self, name: str, value: Any) -> TypeError:
        """Return the error for an argument that is neither an array nor a number."""
        if isinstance(value, self.base_class) and not self.is_array(value):
            return numpy_operator_error(name)
        return unsupported(value)


def unsupported(value: Any) -> TypeError:
    """Return MXNet's error for an operand of an unsupported type."""
    return TypeError(f"type {type(value)} not supported")


def numpy_name(op: Operator, name: str) -> str:
    """Return the registered name of an operator whose public name is ``name``."""
    for prefix in _PREFIXES:
        if prefix + name in op.names:
            return prefix + name
    return op.name


def bind(function: Callable[..., Any], space: Any, module: str, name: str = "") -> Callable[..., Any]:
    """Return the module's version of a function of the dialect, without the first parameter ``F``.

    The function is generated as source code and compiled, like the functions of operators, so that it has a real
    signature. Its docstring describes every parameter and contains an example if there is one.

    Examples
    --------
    >>> def halves(F, a, axis=0):
    ...     return axis
    >>> bind(halves, None, "mx.np")(3, axis=5)
    5
    >>> inspect.signature(bind(halves, None, "mx.np"))
    <Signature (a, axis=0)>
    """
    name = name or function.__name__
    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())[1:]
    namespace: dict[str, Any] = {"function": function, "F": space}
    arguments = []
    for parameter in parameters:
        if parameter.kind is parameter.VAR_POSITIONAL:
            arguments.append(f"*{parameter.name}")
        elif parameter.kind is parameter.VAR_KEYWORD:
            arguments.append(f"**{parameter.name}")
        elif parameter.kind is parameter.KEYWORD_ONLY:
            arguments.append(f"{parameter.name}={parameter.name}")
        else:
            arguments.append(parameter.name)
    declared = []
    for i, parameter in enumerate(parameters):
        text = str(parameter.replace(annotation=parameter.empty, default=parameter.empty))
        if parameter.default is not parameter.empty:
            namespace[f"default{i}"] = parameter.default
            text += f"=default{i}"
        declared.append(text)
    source = f"def {name}({', '.join(declared)}):\n    return function(F, {', '.join(arguments)})\n"
    bound = define(source, module, name, namespace)
    meanings = vars(sys.modules[function.__module__]).get("MEANINGS", {})
    bound.__doc__ = completed(function.__doc__, parameters, meanings, key_of(function.__module__, name))
    bound.__module__ = module
    return bound


class NumpyNames:
    """The functions of one module of the dialect. A function is generated at its first use.

    Parameters
    ----------
    functions : dict
        The functions of the dialect to bind to the space.
    space : Space
        The space that runs the functions.
    module : str
        The name of the module.
    globals_ : dict
        The module's globals, which cache the functions.
    registered : NameSpace, optional
        The namespace that generates functions for all other names.
    hidden : frozenset of str
        The names of functions that this module doesn't have.
    """

    def __init__(
        self,
        functions: dict[str, Callable[..., Any]],
        space: Space,
        module: str,
        globals_: dict[str, Any],
        registered: NameSpace | None = None,
        hidden: frozenset[str] = frozenset(),
    ) -> None:
        self.functions = {k: v for k, v in functions.items() if k not in hidden}
        self._space, self._module, self._globals = space, module, globals_
        self._registered = registered

    def get(self, name: str) -> Any:
        """Return a function of the module by its name.

        Raises
        ------
        AttributeError
            If no function has the name. If a name is similar, a note suggests it.
        """
        function = self.functions.get(name)
        if function is not None:
            bound = self._globals[name] = bind(function, self._space, self._module, name)
            return bound
        if self._registered is not None and not name.startswith("_"):
            try:
                return self._registered.get(name)
            except AttributeError:
                pass
        error = AttributeError(f"module {self._module!r} has no attribute {name!r}", name=name)
        hint = did_you_mean(name, self.dir())
        if hint and not name.startswith("_"):
            error.add_note(hint.strip())
        raise error

    def dir(self) -> list[str]:
        """Return all names of the module."""
        names = {*self._globals, *self.functions}
        if self._registered is not None:
            names.update(n for n in self._registered.names() if not n.startswith("_"))
        return sorted(names)
