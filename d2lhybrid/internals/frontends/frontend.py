"""Public functions that are generated from the registry of operators.

For each operator, this module generates the source code of a short Python function and compiles it. The function has a
real signature, which ``?`` and Shift-Tab show. The function checks its arrays, parses its attributes, and calls
:func:`~d2lhybrid.internals.core.invoke.invoke` or creates a graph node. Functions are generated at their first use, so
that importing the package takes little time.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterable
from typing import Any

from ...error import MXNetError
from ...util import warn_user
from ..core.operator import REQUIRED, Attribute, Operator, get_operator, is_registered, registered_names
from ..core.ranges import FLOAT_MIN
from ..support.absent import no_attribute
from ..support.mxnet_compatibility import OldPrograms
from ..support.suggestions import did_you_mean
from .documentation import function_docstring

__all__ = ["NameSpace", "Null", "define", "make_function", "namespace_of", "passed_over"]


class _NullType:
    """The class of the default value ``_Null``, which marks an attribute that the caller didn't pass."""

    def __repr__(self) -> str:
        return "_Null"

    def __bool__(self) -> bool:
        return False


Null: Any = _NullType()

#: Prefix of a registered name -> namespace of its function, longest prefixes first.
_PREFIXES = {
    "_contrib_": "contrib",
    "_linalg_": "linalg",
    "_random_": "random",
    "_sample_": "random",
    "_image_": "image",
    "_sparse_": "sparse",
    "_npx__image_": "npx_image",
    "_npx_": "npx",
    "_npi_": "npi",
    "_np_": "np",
    "_backward_": "backward",
    "_": "_internal",
}


def namespace_of(registered: str) -> tuple[str, str]:
    """Return the namespace and the public name of a registered operator.

    Operators that draw random numbers are also in ``_internal``, under their full names.

    Examples
    --------
    >>> namespace_of("_linalg_gemm2")
    ('linalg', 'gemm2')
    >>> namespace_of("relu")
    ('', 'relu')
    """
    for prefix, place in _PREFIXES.items():
        if registered.startswith(prefix):
            if place == "_internal":
                return place, registered
            return place, registered[len(prefix) :]
    return "", registered


def _is_internal(registered: str) -> bool:
    """Return whether an operator is in ``_internal``."""
    place, _ = namespace_of(registered)
    return place == "_internal" or (place == "random" and not registered.endswith("_like"))


_TEMPLATE = """\
def {name}({signature}):
    {arrays}
    params = {{}}
    {attributes}
    {missing}
    if kwargs:
        arrays, params = extra(op, {name!r}, arrays, params, kwargs)
    {settle}
    return call(op, {name!r}, arrays, params, {tail})
"""


def make_function(
    op: Operator,
    name: str,
    *,
    call: Callable[..., Any],
    check: Callable[..., Any],
    check_all: Callable[..., Any],
    extra: Callable[..., Any],
    array_class: Any,
    tail: tuple[str, ...],
    module: str,
    parse: bool,
    settle: Callable[..., Any] | None = None,
    none_is_double: bool = False,
) -> Callable[..., Any]:
    """Write, compile, and return the public function of an operator.

    Parameters
    ----------
    op : Operator
        The operator that the function calls.
    name : str
        The public name of the function.
    call : callable
        The function ``call(op, name, arrays, params, *tail)``, which runs the operator or creates a node.
    check, check_all : callable
        The functions that check an argument whose class isn't exactly `array_class`, or all arguments of a variadic
        operator. They return the checked arguments or raise an error.
    extra : callable
        The function that assigns keyword arguments outside of the signature to inputs and attributes.
    array_class : type
        The class whose instances need no check.
    tail : tuple of str
        The parameters after the attributes (``out``, ``name``, ``attr``).
    module : str
        The ``__module__`` of the function.
    parse : bool
        Whether the function parses the attributes, as for eager calls. If False, as for graph nodes, the function
        passes the attributes on unchanged, because files contain the text of the caller's values.
    settle : callable, optional
        The function ``settle(op, arrays, params)``, which is called if an input is None. It removes missing optional
        inputs and raises an error about missing required inputs.
    none_is_double : bool
        Whether an element type of None means ``float64``, as in NumPy, instead of the default; True for ``nd`` and
        ``sym``.

    Returns
    -------
    callable
        The compiled function, with a real signature.
    """
    namespace: dict[str, Any] = {
        "op": op, "call": call, "check": check, "check_all": check_all, "extra": extra,
        "Class": array_class, "class_of": type, "_Null": Null, "settle": settle, "refuse": _refuse_no_inputs,
    }  # fmt: skip
    rest = [f"{t}=None" for t in tail]
    if op.variadic is not None:
        signature = f"*{op.variadic}, " + ", ".join([*(f"{a}=_Null" for a in op.attributes), *rest, "**kwargs"])
        arrays = f"arrays = check_all(op, {name!r}, {op.variadic})"
    else:
        defaults = {i.name: f"{i.name}=None" for i in op.inputs} | {a: f"{a}=_Null" for a in op.attributes}
        last = [defaults.pop(shown) for shown in op.by_name]
        signature = ", ".join([*defaults.values(), *rest, *(["*", *last] if last else []), "**kwargs"])
        lines = [
            f"if class_of({i.name}) is not Class: {i.name} = check(op, {name!r}, {i.name!r}, {i.name})"
            for i in op.inputs
        ]
        arrays = "\n    ".join([*lines, f"arrays = [{', '.join(i.name for i in op.inputs)}]"])
    absent = " or ".join(f"{i.name} is None" for i in op.inputs)
    settling = f"if {absent}: arrays = settle(op, arrays, params)" if settle is not None and absent else "pass"
    if op.variadic is not None:
        settling = "if not arrays: refuse(op)"
    lines = []
    for attribute in op.attributes.values():
        value = attribute.name
        given = f"'float64' if {value} is None else {value}" if none_is_double and _is_type(attribute) else value
        if parse:
            namespace[f"parse_{attribute.name}"] = _make_parser(op, attribute)
            exact = attribute.kind if attribute.kind in ("int", "bool", "float") else None
            value = f"parse_{attribute.name}({given})"
            if attribute.values:
                namespace[f"values_of_{attribute.name}"] = attribute.values
                value = (
                    f"{attribute.name} if class_of({attribute.name}) is str and {attribute.name} in "
                    f"values_of_{attribute.name} else {value}"
                )
            if exact:
                value = f"{attribute.name} if {_is_plain(attribute)} else {value}"
        else:
            value = given
        lines.append(f"if {attribute.name} is not _Null: params[{attribute.name!r}] = {value}")
    required = " or ".join(f"{a.name} is _Null" for a in op.attributes.values() if parse and a.default is REQUIRED)
    missing = f"if {required}: op.parse(dict(params, **kwargs))  # raises the error" if required else "pass"
    source = _TEMPLATE.format(
        name=name, signature=signature, arrays=arrays, attributes="\n    ".join(lines) or "pass",
        tail=", ".join(tail), settle=settling, missing=missing,
    )  # fmt: skip
    function = define(source, module, name, namespace)
    function.__doc__ = function_docstring(op, array_class.__name__, tail)
    function.__module__ = module
    function.operator = op  # the function's operator, for inspection
    return function


def _is_type(attribute: Attribute) -> bool:
    return attribute.name == "dtype" and attribute.kind.startswith(("DType", "Literal"))


def _is_plain(attribute: Attribute) -> str:
    """Return a Python expression that is true only for values that need no parsing."""
    name, kind = attribute.name, attribute.kind
    plain = f"class_of({name}) is {kind}"
    if attribute.numbers is None:
        return plain
    least, most = attribute.numbers.least, attribute.numbers.most
    if kind == "float" and attribute.numbers.type == "float":  # too small numbers need the check of the parser
        return f"{plain} and ({max(least, FLOAT_MIN)!r} <= {name} <= {most!r} or {name} == 0.0)"
    return f"{plain} and {least!r} <= {name} <= {most!r}"


def define(source: str, module: str, name: str, namespace: dict[str, Any]) -> Any:
    """Compile the source code of a function and return the function. Tracebacks show the lines of the source code."""
    filename = f"<{module}.{name}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    exec(compile(source, filename, "exec"), namespace)
    return namespace[name]


def _make_parser(op: Operator, attribute: Attribute) -> Callable[[Any], Any]:
    read = attribute.parse

    def parse(value: Any) -> Any:
        try:
            return read(value)
        except (ValueError, TypeError, KeyError, SyntaxError) as error:
            if isinstance(error, TypeError) and attribute.kind.startswith("DType"):
                raise  # NumPy's error: no element type has this name
            op.parse({attribute.name: value})  # raises, with MXNet's message
            raise

    return parse


def _refuse_no_inputs(op: Operator) -> None:
    """Raise the error for a variadic operator that is called without arrays."""
    raise MXNetError(
        f'value 0 for Parameter num_args should be greater equal to 1, in operator {op.name}(name="", num_args="0")'
    )


def passed_over(op: Operator, unknown: Iterable[str]) -> bool:
    """Return whether unknown attributes of an operator are ignored; if they are, show a warning.

    If an operator has no attributes (``zeros_like``), MXNet silently ignores all attributes that a caller passes, and
    some programs for MXNet pass such attributes. After :func:`~d2lhybrid.as_mxnet`, an unknown attribute causes a
    warning; otherwise, it is an error.

    Parameters
    ----------
    op : Operator
        The operator that the caller called.
    unknown : iterable of str
        The unknown attributes.
    """
    if not OldPrograms.served or not op.takes_anything:
        return False
    names = list(unknown)
    problem = f"attribute {names[0]}, which is" if len(names) == 1 else f"attributes {', '.join(names)}, which are"
    warn_user(f"Operator {op.name} has no {problem} ignored, as in MXNet.")
    return True


class NameSpace:
    """The functions of a public module of operators. ``__getattr__`` generates each function at its first use."""

    place: str
    module: str

    def __init__(self, place: str, module: str, make: Callable[[Operator, str], Any], globals_: dict[str, Any]):
        self.place, self.module, self._make, self._globals = place, module, make, globals_

    def names(self) -> dict[str, str]:
        """Return the mapping from public names to registered names in this namespace."""
        if self.place == "_internal":
            return {registered: registered for registered in registered_names() if _is_internal(registered)}
        found = {}
        for registered in registered_names():
            place, name = namespace_of(registered)
            if place == self.place:
                found[name] = registered
        return found

    def _find(self, name: str) -> str | None:
        if self.place == "_internal":
            return name if is_registered(name) and _is_internal(name) else None
        prefixes = [""] if self.place == "" else [p for p, o in _PREFIXES.items() if o == self.place]
        for prefix in prefixes:
            if is_registered(prefix + name) and namespace_of(prefix + name) == (self.place, name):
                return prefix + name
        return None

    def get(self, name: str) -> Any:
        """Return the function with a name.

        Raises
        ------
        AttributeError or ImportError
            If there is no such function. A note or the message suggests an alternative or a similar name, if any.
        """
        registered = self._find(name)
        if registered is None:
            error = no_attribute(self.module, name)
            hint = did_you_mean(name, [*self.names(), *self._globals])
            if hint and not name.startswith("_") and not hasattr(error, "__notes__"):
                error.add_note(hint.strip())
            raise error
        function = self._make(get_operator(registered), name)
        self._globals[name] = function
        return function

    def dir(self) -> list[str]:
        """Return all names of the public module."""
        return sorted({*self._globals, *self.names()})
