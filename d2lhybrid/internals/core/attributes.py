"""The attributes and inputs of an operator: their declaration, and their parsing from Python or from a file.

The annotations of a kernel declare its attributes (``int``, ``Shape``, ``Literal["max", "avg"]``, ``float | None``).
The annotation of an attribute determines how its value from a caller or a file is parsed. Error messages use MXNet's
words. A graph holds only the inputs that are present, whereas a kernel takes all inputs, with None for each missing
input.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy

from ...error import MXNetError
from ..formats.literals import TooLarge, read_bool, read_float, read_int, read_tuple
from ..support.dtypes import CODES, as_dtype
from ..support.suggestions import did_you_mean
from .ranges import FLOAT_MIN, NONE_OF_SHAPES, NumberRange, number_range, refusal_of_shape

__all__ = [
    "COUNTS",
    "NUMBER_OF_ARGUMENTS",
    "REQUIRED",
    "Array",
    "Attribute",
    "DType",
    "Floats",
    "Generator",
    "Input",
    "Inputs",
    "Pairs",
    "Shape",
    "Training",
    "make_attribute",
    "read_attributes",
    "shorten",
]


class _Required:
    """The default of a required attribute."""

    def __repr__(self) -> str:
        return "REQUIRED"


REQUIRED: Any = _Required()

# Markers for annotations (the type checker sees ``Any``: kernels run on NumPy and CuPy arrays).
Array = Any
Training = bool
Generator = Any
Shape = tuple[Any, ...]  # tuple of int; in a slice, None is an open bound
Floats = tuple[float, ...]
DType = Any
Pairs = Any  # pairs of int, one pair, or one int


class Attribute(NamedTuple):
    """One attribute of an operator, with the function that parses its value from Python or from a file.

    `values` holds the valid strings of an attribute with a fixed set of choices. `numbers` is the valid range of a
    numeric attribute.
    """

    name: str
    kind: str
    default: Any
    parse: Callable[[Any], Any]
    values: frozenset[str] = frozenset()
    numbers: NumberRange | None = None

    @property
    def what(self) -> str:
        """The type that the attribute expects, in MXNet's words."""
        kind, _, rest = self.kind.partition(" | ")
        if kind.startswith("Literal") or kind == "DType":
            return "int"
        words = {"bool": "boolean", "Shape": "Shape" if rest else "Shape(tuple)", "Floats": "tuple of <float>",
                 "str": "string", "Pairs": "tuple of <Shape(tuple)>"}  # fmt: skip
        number = kind if self.numbers is None else self.numbers.type
        return words.get(kind, number) + (" or None" if rest else "")

    @property
    def choices(self) -> str:
        """The valid values as text; empty unless the attribute has a fixed set of choices."""
        kind = self.kind.partition(" | ")[0]
        return f"{{{kind[8:-1]}}}".replace('"', "'") if kind.startswith("Literal[") else ""

    def format(self, value: Any) -> str:
        """Return the text of a value in a graph file: an element type's name, or Python's ``str`` of another value.

        Parameters
        ----------
        value : object
            The value that the caller passed.

        Returns
        -------
        str
            The text.
        """
        if self.kind.startswith("DType") and value is not None and not isinstance(value, str):
            return numpy.dtype(value).name
        text = str(value)
        return str(_without_numpy(value)) if "np." in text else text


def _without_numpy(value: Any) -> Any:
    """Return a value in which Python numbers replace NumPy scalars, whose repr is ``np.int64(3)``."""
    if isinstance(value, tuple | list):
        return type(value)(map(_without_numpy, value))
    return value.item() if isinstance(value, numpy.generic) else value


class _Refused(ValueError):
    """The error for a number that is invalid for an attribute, with MXNet's message."""


def _parse_int(value: Any) -> int:
    if isinstance(value, str):
        return read_int(value)
    if isinstance(value, bool | numpy.bool_):
        raise ValueError(f"{value} is a boolean, not an integer")
    return operator.index(value)  # MXNet doesn't accept 2.0 as an integer, either


def _parse_float(value: Any) -> float:
    if isinstance(value, str):
        return read_float(value)
    if isinstance(value, bool | numpy.bool_):
        raise ValueError(f"{value} is a boolean, not a number")
    return float(value)


def _int_parser(name: str, numbers: NumberRange) -> Callable[[Any], int]:
    least, most = numbers.held

    def parse(value: Any) -> int:
        number = _parse_int(value)
        if not least <= number <= most:
            raise ValueError(f"{number} does not fit into the type {numbers.type}")
        if refusal := numbers.refusal(name, number):
            raise _Refused(f"{refusal}\n")
        return number

    return parse


def _float_parser(name: str, numbers: NumberRange, optional: bool) -> Callable[[Any], float]:
    single, most = numbers.type == "float", numbers.held[1]

    def parse(value: Any) -> float:
        try:
            number = _parse_float(value)
        except (TooLarge, OverflowError):
            number, out = math.inf, True
        else:
            size = abs(number)
            out = single and (most < size < math.inf or (0 < size < FLOAT_MIN and not optional))
        if out and not optional:
            raise _Refused(f"Out of range value for {name}, value='{shorten(value)}'")
        if out:
            raise ValueError(f"{number} does not fit into the type {numbers.type}")
        if refusal := numbers.refusal(name, number):
            raise _Refused(f"{refusal}\n")
        return number

    return parse


def _parse_bool(value: Any) -> bool:
    if isinstance(value, str):
        return read_bool(value)
    if isinstance(value, float | numpy.floating) or value not in (0, 1):
        raise ValueError(f"a boolean must be True, False, 1, or 0, not {shorten(value)}")
    return bool(value)


def _parse_shape(value: Any) -> tuple[int | None, ...]:
    if type(value) is tuple:
        for size in value:
            if type(size) is not int:
                break
        else:
            return value  # by far the most common case
    if isinstance(value, str):
        value = read_tuple(value)
    if isinstance(value, int | numpy.integer | numpy.bool_):
        return (_parse_int(value),)
    return tuple(None if v is None else _parse_int(v) for v in value)


def _shape_parser(name: str, owner: str) -> Callable[[Any], tuple[int | None, ...]]:
    if not refusal_of_shape(owner, name, (0,)):
        return _parse_shape

    def parse(value: Any) -> tuple[int | None, ...]:
        shape = _parse_shape(value)
        if refusal := refusal_of_shape(owner, name, shape):
            raise _Refused(refusal)
        return shape

    return parse


def _or_none(parse: Callable[[Any], Any], absent: Any) -> Callable[[Any], Any]:
    def parse_or_none(value: Any) -> Any:
        return absent if value is None or (isinstance(value, str) and value == "None") else parse(value)

    return parse_or_none


def _parse_floats(value: Any) -> tuple[float, ...]:
    if isinstance(value, str):
        value = read_tuple(value)
    numbers = (float(value),) if isinstance(value, int | float) else tuple(float(v) for v in value)
    if not all(map(math.isfinite, numbers)):
        raise ValueError(f"the tuple {shorten(value)} must not contain NaN or infinity")
    return numbers


def _parse_dtype(value: Any) -> numpy.dtype:
    if isinstance(value, str) and len(value) > 32:
        raise ValueError(f"the name of an element type must have at most 32 characters, not {len(value)}")
    return as_dtype(value)


def _parse_any(value: Any) -> Any:
    if isinstance(value, str):
        raise ValueError(f"the attribute cannot be the string {shorten(value)!r}")
    return value


_PARSERS: dict[str, Callable[[Any], Any]] = {
    "bool": _parse_bool,
    "str": str,
    "Shape": _parse_shape,
    "Floats": _parse_floats,
    "DType": _parse_dtype,
    "Pairs": lambda value: read_tuple(value) if isinstance(value, str) else value,
    "Any": _parse_any,
}


def make_attribute(name: str, annotation: str, default: Any, owner: str = "") -> Attribute:
    """Return the attribute that a parameter of a kernel declares by its annotation.

    Parameters
    ----------
    name, annotation : str
        The parameter's name and annotation.
    default : object
        The parameter's default value.
    owner : str
        The operator's name, with which :mod:`~d2lhybrid.internals.core.ranges` looks up the valid values.

    Returns
    -------
    Attribute
        The attribute.
    """
    kind, _, rest = annotation.partition(" | ")
    optional = rest == "None"
    values: frozenset[str] = frozenset()
    numbers = number_range(owner, name, kind) if kind in ("int", "float") else None
    if kind.startswith("Literal["):
        choices = eval(kind, {"Literal": Literal}).__args__  # text from our source code, never from a file

        def parse_choice(value: Any) -> Any:
            if str(value) not in map(str, choices):
                valid = ", ".join(["None"] * optional + [repr(c) for c in sorted(choices, key=str)])
                raise ValueError(f"Invalid Input: '{shorten(value)}', valid values are: {{{valid}}}")
            return value

        base, values = parse_choice, frozenset(c for c in choices if isinstance(c, str))
    elif numbers is not None:
        base = _int_parser(name, numbers) if kind == "int" else _float_parser(name, numbers, optional)
    elif kind == "Shape" and owner:
        base = _shape_parser(name, owner)
        if not optional and (owner, name) in NONE_OF_SHAPES:
            base = _or_none(base, NONE_OF_SHAPES[owner, name])
    else:
        base = _PARSERS[kind]
    if not optional:
        return Attribute(name, annotation, default, base, values, numbers)
    return Attribute(
        name,
        annotation,
        default,
        _or_none(base, None),
        values,
        numbers,
    )


def shorten(value: Any) -> str:
    """Return the text of a value for an error message, truncated because a value from a file may be megabytes long.

    Parameters
    ----------
    value : object
        The value.

    Returns
    -------
    str
        The text.
    """
    text = str(value)
    return text if len(text) <= 1000 else f"{text[:1000]}... ({len(text)} characters)"


#: The attributes that hold the number of inputs for some variadic operators, in place of ``num_args``.
COUNTS = frozenset({"num_arrays", "num_outputs", "num_tensors", "num_weights"})
#: The attribute that stores the number of inputs of a variadic operator in a file.
NUMBER_OF_ARGUMENTS = make_attribute("num_args", "int", REQUIRED)


def read_attributes(
    attributes: Mapping[str, Attribute], counted: Attribute | None, given: Mapping[str, Any], owner: str, name: str
) -> dict[str, Any]:
    """Parse the attributes of a call from Python values or from the strings of a file.

    Parameters
    ----------
    attributes : mapping of str to Attribute
        The operator's attributes.
    counted : Attribute or None
        The attribute that holds the number of inputs of a variadic operator; None for other operators. A call may also
        set this attribute.
    given : mapping of str to object
        The values to parse, by attribute name.
    owner, name : str
        The names of the operator and of the node, for error messages.

    Returns
    -------
    dict of str to object
        The parsed values by attribute name, without defaults.

    Raises
    ------
    MXNetError
        If an attribute is unknown, if a value cannot be parsed, or if a required attribute is missing.

    Examples
    --------
    >>> read_attributes({"axis": make_attribute("axis", "int", 0)}, None, {"axis": "1"}, "operator softmax", "")
    {'axis': 1}
    """
    params: dict[str, Any] = {}
    for key, value in given.items():
        attribute = attributes.get(key)
        if attribute is None:
            if counted is None or key != counted.name:
                raise _unknown(key, attributes, _call(owner, name, given))
            attribute = counted
        try:
            params[key] = attribute.parse(value)
        except (ValueError, TypeError, KeyError, SyntaxError, OverflowError) as error:
            raise MXNetError(f"{_reason(attribute, value, error)}, in {_call(owner, name, given)}") from None
    for attribute in attributes.values():
        if attribute.default is REQUIRED and attribute.name not in params:
            raise MXNetError(
                f"Required parameter {attribute.name} of {attribute.what} is not presented, "
                f"in {_call(owner, name, given)}"
            )
    return params


def _reason(attribute: Attribute, value: Any, error: Exception) -> str:
    if isinstance(error, _Refused):
        return str(error)
    if attribute.kind.startswith("Literal"):
        return str(error)
    if attribute.kind.startswith("DType"):
        valid = ", ".join(sorted(repr(dtype.name) for dtype in CODES))
        return f"Invalid Input: '{shorten(value)}', valid values are: {{{valid}}}"
    return f"Invalid Parameter format for {attribute.name} expect {attribute.what} but value='{shorten(value)}'"


def _unknown(key: str, attributes: Mapping[str, Attribute], call: str) -> MXNetError:
    lines = [f"Cannot find argument '{shorten(key)}', Possible Arguments:", "----------------"]
    for attribute in attributes.values():
        default = "required" if attribute.default is REQUIRED else f"optional, default={attribute.default}"
        lines.append(f"{attribute.name} : {attribute.choices or attribute.what}, {default}")
    error = MXNetError("\n".join([*lines, f", in {call}"]))
    if hint := did_you_mean(key, attributes).strip():
        error.add_note(hint)
    return error


def _call(owner: str, name: str, given: Mapping[str, Any]) -> str:
    call = "".join(f', {shorten(n)}="{shorten(v)}"' for n, v in itertools.islice(given.items(), 40))
    return f'{owner}(name="{shorten(name)}"{call})'


class Input(NamedTuple):
    """The declaration of one array input of an operator."""

    name: str
    optional: bool


class Inputs:
    """The names of an operator's inputs and outputs, and the order in which its kernel takes a node's inputs."""

    inputs: tuple[Input, ...]
    variadic: str | None
    attributes: dict[str, Attribute]
    complete: Callable[[dict[str, Any]], dict[str, Any]]
    num_visible_outputs: Callable[[dict[str, Any], int], int]

    _input_names: Callable[..., Sequence[str]] | None = None
    _output_names: Callable[..., Sequence[str]] | None = None

    def input_names(self, rule: Callable[..., Sequence[str]]) -> Callable[..., Sequence[str]]:
        """Attach a rule that returns the names of a call's inputs, given its attributes.

        Parameters
        ----------
        rule : callable
            The rule: ``rule(**attributes)`` returns the names.

        Returns
        -------
        callable
            The rule.
        """
        self._input_names = rule
        return rule

    def output_names(self, rule: Callable[..., Sequence[str]]) -> Callable[..., Sequence[str]]:
        """Attach a rule that returns the names of the visible outputs.

        The default is ``output`` for one output, and ``output0``, ``output1``, and so on for several outputs.

        Parameters
        ----------
        rule : callable
            The rule: ``rule(**attributes)`` returns the names.

        Returns
        -------
        callable
            The rule.
        """
        self._output_names = rule
        return rule

    def list_inputs(self, params: dict[str, Any]) -> list[str]:
        """Return the names of the inputs that a call with these attributes takes.

        For a variadic operator without a rule, the names are ``arg0``, ``arg1``, and so on. The attribute ``num_args``
        is the number of names.

        Parameters
        ----------
        params : dict
            Attributes of the call.

        Returns
        -------
        list of str
            The names.
        """
        if self._input_names is not None:
            return list(self._input_names(**self.complete(params)))
        if self.variadic is not None:
            return [f"arg{i}" for i in range(int(params.get("num_args", 0)))]
        return [i.name for i in self.inputs if not i.optional]

    def needed_inputs(self, params: dict[str, Any]) -> list[str]:
        """Return the names of the inputs that every call with these attributes has.

        For a variadic operator, the names are those that its rule returns for ``num_args=0``. The list is empty if the
        operator has no rule, or if one of the attributes in :data:`COUNTS` holds the number of inputs.

        Parameters
        ----------
        params : dict
            Attributes of the call.

        Returns
        -------
        list of str
            The names.
        """
        if self.variadic is None:
            return self.list_inputs(params)
        if self._input_names is None or not COUNTS.isdisjoint(self.attributes):
            return []
        return self.list_inputs({**params, "num_args": 0})

    def slots(self, params: dict[str, Any], count: int) -> list[int] | None:
        """Return, for each of a node's inputs, the index of its parameter in the kernel.

        A graph holds only the inputs that are present, and an optional parameter in the middle may be missing.
        Return None if the inputs fill the parameters from the left.

        Parameters
        ----------
        params : dict
            Attributes of the call.
        count : int
            Number of inputs of the node.

        Returns
        -------
        list of int, or None
            The indices.
        """
        if self._input_names is None or self.variadic is not None or count == len(self.inputs):
            return None
        declared = [i.name for i in self.inputs]
        names = self.list_inputs(params)
        if len(names) != count or names == declared[:count]:
            return None
        return [declared.index(n) for n in names]

    def arrange(self, params: dict[str, Any], values: Sequence[Any]) -> list[Any]:
        """Return a node's inputs in the kernel's order, with None for a missing optional input.

        Parameters
        ----------
        params : dict
            Attributes of the call.
        values : sequence
            The node's inputs.

        Returns
        -------
        list
            The inputs of the kernel.
        """
        slots = self.slots(params, len(values))
        if slots is None:
            return list(values)
        arranged: list[Any] = [None] * (max(slots) + 1)
        for slot, value in zip(slots, values, strict=True):
            arranged[slot] = value
        return arranged

    def pick(self, params: dict[str, Any], arranged: Sequence[Any], count: int) -> list[Any]:
        """Return a node's inputs, given the inputs of the kernel. This method is the inverse of :meth:`arrange`.

        Parameters
        ----------
        params : dict
            Attributes of the call.
        arranged : sequence
            The inputs of the kernel.
        count : int
            Number of inputs of the node.

        Returns
        -------
        list
            The node's inputs.
        """
        slots = self.slots(params, count)
        return list(arranged)[:count] if slots is None else [arranged[i] for i in slots]

    def list_outputs(self, params: dict[str, Any], num_inputs: int = 0) -> list[str]:
        """Return the suffixes of the visible outputs' names.

        Parameters
        ----------
        params : dict
            Attributes of the call.
        num_inputs : int
            Number of inputs of the node.

        Returns
        -------
        list of str
            The suffixes.
        """
        if self._output_names is not None:
            return list(self._output_names(**self.complete(params)))
        count = self.num_visible_outputs(params, num_inputs)
        return ["output"] if count == 1 else [f"output{i}" for i in range(count)]
