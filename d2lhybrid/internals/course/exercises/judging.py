"""Functions that checks share: they compare arrays, run graphs, and read tables of choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from d2lhybrid.error import MXNetError
from d2lhybrid.symbol.file import load_json

from ...core.interpret import interpret
from ...support.words import translate
from .results import Wrong, expect
from .subject import Subject, text_of_inputs

__all__ = ["TracedGraph", "check_choices", "compare", "floats", "is_close"]


def floats(rng: numpy.random.Generator, *shape: int, low: float = -2, high: float = 2) -> numpy.ndarray:
    """Return a float32 array of a given shape with random numbers from the uniform distribution between two bounds."""
    return rng.uniform(low, high, shape).astype("float32")


def compare(
    got: Any, expected: numpy.ndarray, what: str, suspects: Sequence[tuple[Any, str]] = (), rtol: float = 1e-3
) -> None:
    """Raise ``Wrong`` if a result differs from the expected array; the message doesn't reveal the expected values.

    Parameters
    ----------
    got : object
        The actual result.
    expected : array
        The expected result.
    what : str
        Description of the result and its input, with which the message begins.
    suspects : sequence of (array, str)
        Results of typical mistakes, and a message for each.
    rtol : float
        Relative tolerance of the elements.
    """
    what = translate(what)
    if not isinstance(got, numpy.ndarray):
        raise Wrong("{what} is {got}, not an array.", what=what, got=_kind(got))
    if is_close(got, expected, rtol):
        return
    for value, sentence in suspects:
        if is_close(got, numpy.asarray(value)):
            raise Wrong("{what} is wrong: {sentence}", what=what, sentence=translate(sentence))
    if got.shape != expected.shape:
        raise Wrong("{what} has the wrong shape: {shape}.", what=what, shape=got.shape)
    if got.dtype.kind in "f" and numpy.isnan(got).any() and not numpy.isnan(expected).any():
        raise Wrong("{what} contains NaN.", what=what)
    close = numpy.isclose(got, expected, rtol=rtol, atol=rtol / 10, equal_nan=True)
    place = tuple(int(i) for i in numpy.argwhere(~close)[0])
    share = translate("{count} of {size} elements", count=int((~close).sum()), size=close.size)
    raise Wrong(
        "{what} has the right shape, but wrong values in {share}, the first at index {place}.",
        what=what,
        share=share,
        place=list(place),
    )


def is_close(got: numpy.ndarray, expected: numpy.ndarray, rtol: float = 1e-3) -> bool:
    """Return whether two arrays are equal up to rounding in float32."""
    return got.shape == expected.shape and numpy.allclose(got, expected, rtol=rtol, atol=rtol / 10, equal_nan=True)


def _kind(value: Any) -> str:
    return translate("a {name}", name=getattr(value, "type_name", type(value).__name__))


class TracedGraph:
    """A graph that an answer created. The checker runs the graph node by node, without compiling it.

    Parameters
    ----------
    symbol : str
        The graph in JSON.
    inputs : sequence of str
        Names of the variables that are data, in order.
    parameters : dict, optional
        Values of the other variables.

    Raises
    ------
    Wrong
        If the JSON does not describe a graph.
    """

    inputs: list[str]
    parameters: dict[str, Any]

    def __init__(self, symbol: Any, inputs: Sequence[str] = (), parameters: dict[str, Any] | None = None) -> None:
        try:
            self.symbol: Any = load_json(symbol)
        except (MXNetError, TypeError, ValueError, RecursionError) as error:
            raise Wrong("The graph cannot be read: {error}", error=error) from None
        self.inputs, self.parameters = list(inputs), dict(parameters or {})

    @property
    def operators(self) -> list[str]:
        """The names of the graph's operators in topological order."""
        return [node.op.name for node in self.symbol._nodes() if node.op is not None]

    @property
    def variables(self) -> list[str]:
        """The names of all variables of the graph."""
        return self.symbol.list_inputs()

    def run(self, *inputs: numpy.ndarray, **more: numpy.ndarray) -> list[numpy.ndarray]:
        """Return the outputs of the graph for positional data and named values of other variables.

        Raises
        ------
        Wrong
            If a variable has no value, or if an operator raises an error.
        """
        values = {**self.parameters, **dict(zip(self.inputs, inputs, strict=False)), **more}
        nodes = [node for node in self.symbol._nodes() if node.op is None]
        missing = [node.name for node in nodes if node.name not in values]
        expect(
            not missing, "The graph has variables that are neither inputs nor parameters: {missing}.", missing=missing
        )
        given = {node: numpy.asarray(values[node.name]) for node in nodes}
        try:
            return [numpy.asarray(v) for v in interpret(self.symbol._entries, given)]
        except Exception as error:
            raise Wrong(
                "The graph cannot be run on {inputs}: {error}", inputs=text_of_inputs(inputs), error=error
            ) from None


def check_choices(subject: Subject, right: dict[str, Any], reasons: dict[str, dict[Any, str]]) -> None:
    """Check a table of choices row by row.

    Parameters
    ----------
    subject : Subject
        The answer, a dictionary.
    right : dict
        The right choice for each row.
    reasons : dict
        For each row, the message for each wrong choice; the key ``...`` covers all other choices.

    Raises
    ------
    Wrong
        If the answer is not a dictionary, or if a choice is missing or wrong. If the check tries all parts, wrong rows
        are recorded instead.
    """
    got = subject.ask("value")
    if not isinstance(got, dict):
        raise Wrong("The answer must be a dictionary, not {got}.", got=_kind(got))
    missing = [line for line in right if got.get(line) is None or got.get(line) is Ellipsis]
    for line in missing:
        with subject.part(line):
            raise Wrong("There is no answer yet for {missing}.", missing=translate(", ").join(missing))
    for line, choice in right.items():
        with subject.part(line):
            given = _as_choice(got.get(line), choice)
            if given != choice:
                about = reasons.get(line, {})
                key = given if isinstance(given, str | int) and given in about else ...
                reason = about.get(key, "this choice is wrong.")
                raise Wrong("{line}: {reason}", line=line, reason=translate(reason))


def _as_choice(given: Any, like: Any) -> Any:
    """Return a student's choice in a normal form that also accepts ``" Symbolic"`` and ``"2"``."""
    if isinstance(given, bool):
        return repr(given)
    if isinstance(given, float) and given.is_integer():
        return int(given)
    if not isinstance(given, str):
        return given
    text = given.strip().strip("`").removesuffix("()")
    if isinstance(like, int):
        return int(text) if text.isdecimal() else text
    if text.lower() == like.lower() or text.rpartition(".")[2] == like:  # also accept a class with its module
        return like
    return text
