"""A comparison of one function in eager and hybridized mode, with the results or the line of the error."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy

from ...gluon.nn import HybridLambda
from ..support.words import add_words, translate
from .error_lens import ErrorLens, error_lens
from .html import element, escape
from .listing import listing_of
from .picture import Picture
from .theme import MONOSPACE, PALETTE, tint

__all__ = ["BothWays"]

_WAYS = {"line by line": "eager", "hybridized": "compiled"}


class BothWays(Picture):
    """The results of a function in eager and in hybridized mode; in a notebook, two cards below the function.

    Parameters
    ----------
    hybrid_forward : callable
        A ``hybrid_forward`` without ``self``.
    *inputs : NDArray
        Arguments of the function, which receives copies.

    Attributes
    ----------
    results : list of (str, object)
        Each mode, with the result or the exception that the function raised.
    lens : ErrorLens or None
        The explanation of the last error that has a page, or None if there is no such error.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> BothWays(lambda F, x: x[0], nd.array([[1, 2], [3, 4]]))
    line by line  [1. 2.]
    hybridized    [[1. 2.] [3. 4.]]
    Not the same!
    """

    results: list[tuple[str, Any]]
    lens: ErrorLens | None

    def __init__(self, hybrid_forward: Any, *inputs: Any) -> None:
        self.listing = listing_of(hybrid_forward.__code__)
        self.results, self.lens = [], None
        for way in _WAYS:
            net = HybridLambda(hybrid_forward)
            net.hybridize(way == "hybridized")
            try:
                result = net(*[array.copy() for array in inputs])
                is_numpy = isinstance(result, numpy.ndarray | numpy.generic)  # as of a NumPy function, in eager mode
                self.results.append((way, result if is_numpy else result.asnumpy()))
            except Exception as error:
                self.results.append((way, error))
                with contextlib.suppress(ValueError):  # the error has no page
                    self.lens = error_lens(error)

    @property
    def verdict(self) -> str:
        """A sentence that compares the two results, or says that the hybridized call fails."""
        (_, a), (_, b) = self.results
        if isinstance(b, Exception):
            return translate("The hybridized call fails.") if self._at is not None else translate("It fails.")
        same = not isinstance(a, Exception) and a.shape == b.shape and bool((a == b).all())
        return translate("The same in both ways.") if same else translate("Not the same!")

    @property
    def _at(self) -> Any:
        """The line that raised the error, if it is in the function."""
        data = None if self.lens is None else self.lens.to_dict()
        return None if data is None or not data["line"] else self.listing.line(data["line"])

    def to_dict(self) -> dict[str, Any]:
        """Return the results of both modes, and the comparison, as text."""
        return {"results": [[translate(way), _written(value)] for way, value in self.results], "verdict": self.verdict}

    def to_text(self) -> str:
        """Return a line for each mode, and the verdict."""
        width = max(len(translate(way)) for way in _WAYS) + 2
        rows = [f"{translate(way):<{width}}{' '.join(_written(value).split())}" for way, value in self.results]
        return "\n".join([*rows, self.verdict])

    def to_html(self) -> str:
        """Return the function with a failing line highlighted, the two results side by side, and the verdict."""
        at = self._at
        code = f"font: 12.5px/1.6 {MONOSPACE}; white-space: pre-wrap; margin: 0; padding: 0 8px"
        lines = "".join(
            element("div", escape(f"{'→' if line is at else ' '} {line.text}"),
                    style=f"background: {tint('error')}" if line is at else "")
            for line in self.listing.lines
        )  # fmt: skip
        cards = "".join(_card(way, value) for way, value in self.results)
        return "".join([
            element("div", lines, style=f"{code}; padding: 4px 8px"),
            element("div", cards, style="display: flex; flex-wrap: wrap; gap: 10px; margin: 6px 0"),
            element("p", escape(self.verdict), style="margin: 4px 8px; font-weight: 600"),
        ])  # fmt: skip


def _written(value: Any) -> str:
    if isinstance(value, Exception):
        return f"{type(value).__name__}: {value}"
    return str(value)


def _card(way: str, value: Any) -> str:
    colour = "error" if isinstance(value, Exception) else _WAYS[way]
    style = (
        f"flex: 1 1 240px; min-width: 0; border-left: 4px solid {PALETTE[colour][0]}; background: {tint(colour, 0.12)};"
        " padding: 6px 12px; box-sizing: border-box"
    )
    text = f"font: 12.5px/1.6 {MONOSPACE}; white-space: pre-wrap; overflow-wrap: anywhere; margin: 4px 0 0"
    return element("div", element("b", escape(translate(way))), element("div", escape(_written(value)), style=text),
                   style=style)  # fmt: skip


add_words({
    "line by line": "逐行运行",
    "The same in both ways.": "两种方式结果相同。",
    "Not the same!": "结果不同！",
    "It fails.": "出错。",
    "The hybridized call fails.": "hybridize 之后，调用出错。",
})  # fmt: skip
