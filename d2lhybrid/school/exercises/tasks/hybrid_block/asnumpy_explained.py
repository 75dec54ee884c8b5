"""03.3: the lesson's second exercise, asnumpy and why it fails."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import check_choices
from ...subject import Subject

_RIGHT = {"imperative": "runs", "hybridized": "fails", "error": "NotImplementedForSymbol", "when": "trace", "why": "b"}
_REASONS = {
    "imperative": {...: "line by line, `x` is an array with numbers in it. Try it."},
    "hybridized": {...: "what is `x` while the block is traced? Try it."},
    "error": {
        "AttributeError": "that is what `x.shape` gives. The method `asnumpy` is there, and says that it cannot.",
        ...: "copy the name of the exception: what stands before the colon in the last line.",
    },
    "when": {
        "hybridize": "`hybridize()` itself runs nothing. Which line is it that raises the exception?",
        ...: "at which call does the method run?",
    },
    "why": {
        "a": "the conversion is as easy as line by line, if there is something to convert.",
        "c": "whether there is a GPU makes no difference.",
        "d": "the exception comes on the first call, when nothing is compiled yet.",
        ...: "one of the four letters.",
    },
}


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    check_choices(subject, _RIGHT, _REASONS)


EXERCISE = Exercise(
    number="03.3",
    title="asnumpy, and why it fails",
    answer="explained",
    constant=True,
    task="""
Write a block with `x.asnumpy()` in the first line of its `hybrid_forward`. Call it line by line; hybridize it; call it
again. Then fill in what you saw.

| | |
|---|---|
| `imperative` | Line by line the call `"runs"` or `"fails"`? |
| `hybridized` | And hybridized? |
| `error` | The name of the exception's class. |
| `when` | Raised by `net.hybridize()`: `"hybridize"`; by the first call after it: `"trace"`; by the second: `"run"`. |
| `why` | The reason, as a letter: |

* `"a"`: NumPy's arrays and ours are stored in different ways, and a compiled program cannot convert them.
* `"b"`: While tracing, `x` stands for a value that is not there yet, so there are no numbers to hand over.
* `"c"`: On a GPU the values would have to be copied.
* `"d"`: The compiler finds the call in the graph, and has no operator for it.
""",
    starter="""
explained = {
    "imperative": ...,
    "hybridized": ...,
    "error": ...,
    "when": ...,
    "why": ...,
}
""",
    solution_code="""
explained = {
    "imperative": "runs",
    "hybridized": "fails",
    "error": "NotImplementedForSymbol",
    "when": "trace",
    "why": "b",
}
""",
    hints=(
        "Do not guess: four lines and you see it.",
        "Print `x` before you call `asnumpy`. What is it in each of the two ways?",
        "A symbol has a name and no numbers.",
    ),
    checker=_check,
    insight="`asnumpy` asks for numbers, and a trace has none: the graph must be known before the first number "
    "arrives.",
    mistakes=(
        Mistake(
            "fails always",
            "explained = {'imperative': 'fails', 'hybridized': 'fails', 'error': 'NotImplementedForSymbol', "
            "'when': 'trace', 'why': 'b'}",
            "an array with numbers in it",
        ),
        Mistake(
            "the wrong exception",
            "explained = {'imperative': 'runs', 'hybridized': 'fails', 'error': 'AttributeError', 'when': 'trace', "
            "'why': 'b'}",
            "what `x.shape` gives",
        ),
        Mistake(
            "too early",
            "explained = {'imperative': 'runs', 'hybridized': 'fails', 'error': 'NotImplementedForSymbol', "
            "'when': 'hybridize', 'why': 'b'}",
            "itself runs nothing",
        ),
        Mistake(
            "blames the storage",
            "explained = {'imperative': 'runs', 'hybridized': 'fails', 'error': 'NotImplementedForSymbol', "
            "'when': 'trace', 'why': 'a'}",
            "if there is something to convert",
        ),
        Mistake(
            "blames the compiler",
            "explained = {'imperative': 'runs', 'hybridized': 'fails', 'error': 'NotImplementedForSymbol', "
            "'when': 'trace', 'why': 'd'}",
            "when nothing is compiled yet",
        ),
    ),
)
