"""ErrorLens, an explanation of a hybridization error: the user's line, the values of F and x, the reason, and a fix."""

from __future__ import annotations

import ast
import linecache
import re
import reprlib
import sys
import types
from typing import Any

import numpy

from ...gluon import Block, HybridBlock, Parameter
from ...ndarray.ndarray import NDArray
from ...symbol.symbol import Symbol
from ...util import is_own_file
from ..support.remedies import place_of
from ..support.words import add_words, clauses, labelled, translate
from .html import details, element, escape, heading, marked, plain, table
from .listing import Line, Listing, tokens_of
from .picture import Picture
from .rewriting import Spot, corrected_line
from .theme import MONOSPACE, tint
from .traps import Trap, trap_of
from .traps.notes import in_words

__all__ = ["PLACE_NOTES", "ErrorLens", "error_lens", "values_at"]

_AROUND = 3
#: The maximum number of characters of a traceback that a notebook stores.
_MAX_TRACEBACK = 12_000
#: The beginnings of notes about a location, which contain no advice.
PLACE_NOTES = ("while tracing", "made by", "in layer", "in operator", "Did you mean", "in ", "compare() was calling")

_OPERATOR = re.compile(r"in (\w+ '[^']*') with inputs (.*)")


class ErrorLens(Picture):
    """An explanation of one hybridization error.

    Parameters
    ----------
    error : BaseException
        The hybridization error.
    trap : Trap
        The trap to which the error belongs.

    Attributes
    ----------
    message : str
        Type and message of the error.
    listing : Listing or None
        The user's line and its neighbors; None if the line is unknown.
    line : int
        Number of the user's line; 0 if unknown.
    span : tuple of int or None
        First column of the expression in the displayed line, and the column after its last column.
    values : list of (str, str)
        Descriptions of F and of the names in the line.
    layer : str
        Name of the layer in which the error occurred; empty if unknown.
    corrected : str
        The user's line after the fix; empty if there is no mechanical fix.
    text : str
        The user's line.
    traceback : str
        Complete traceback, if the lens replaces the traceback; empty if not.
    """

    message: str
    remedies: list[str]
    hint: str
    layer: Any | str
    line: int
    span: tuple[int, int] | None
    corrected: str
    function: str
    text: str
    values: list[tuple[str, str]]
    filename: str

    view_name = "error_lens"

    def __init__(self, error: BaseException, trap: Trap) -> None:
        self.trap = trap
        self.message = f"{type(error).__name__}: {error}".strip().removesuffix(":")
        notes = list(getattr(error, "__notes__", []))
        self.remedies = [in_words(note) for note in notes if not note.startswith(PLACE_NOTES)]
        self.hint = in_words(next((note for note in notes if note.startswith("Did you mean")), ""))
        self.layer = next((n.removeprefix("in layer ") for n in notes if n.startswith("in layer ")), "")
        self.listing: Listing | None = None
        self.line, self.span, self.corrected, self.function = 0, None, "", ""
        self.text = self.traceback = ""
        frame, span = self._find(error)
        self.values = _values_of(error, frame, self.filename, self.line)
        if not self.values and place_of(error) is not None:
            self.values = [("F", labelled("d2lhybrid.symbol", translate("the trace of hybrid_forward had ended")))]
            made = next((_OPERATOR.match(note) for note in notes if _OPERATOR.match(note)), None)
            if made is not None:
                self.values += [(translate("operator"), made[1]), (translate("its inputs"), made[2])]
        if self.line:
            self._read(span, notes)

    def _find(self, error: BaseException) -> tuple[types.FrameType | None, tuple[int, int] | None]:
        """Find the user's line, and return its frame, if the traceback has it, and the columns."""
        self.filename = ""
        remembered = place_of(error)
        found, columns = None, None
        for frame, line, span in _frames(error):
            if remembered in (None, (frame.f_code.co_filename, line)):
                found, columns = frame, span
                self.filename, self.line = frame.f_code.co_filename, line
                self.function = frame.f_code.co_qualname.rpartition("<locals>.")[2]
        if found is None and remembered is not None:
            self.filename, self.line = remembered
        code = _forward_of(error) if self.trap.number == "H37" else None
        if code is not None:  # the signature of hybrid_forward is wrong
            self.filename, self.line, self.function = code.co_filename, code.co_firstlineno, code.co_qualname
            return None, None
        return found, columns

    def _read(self, span: tuple[int, int] | None, notes: list[str]) -> None:
        lines = linecache.getlines(self.filename)
        if self.line > len(lines):
            return
        legacy = not any(translate("Symbol of np") in what for _, what in self.values)
        spot = Spot(lines, self.line, span, legacy, [*notes, self.message])
        self.corrected = corrected_line(self.trap.number, spot) or ""
        self.text = lines[self.line - 1].strip()
        first = max(1, self.line - _AROUND)
        texts = [text.rstrip("\n") for text in lines[first - 1 : self.line + _AROUND]]
        while texts and not texts[-1].strip() and first + len(texts) - 1 > self.line:
            texts.pop()
        indent = min((len(t) - len(t.lstrip()) for t in texts if t.strip()), default=0)
        texts = [t[indent:] for t in texts]
        tokens = tokens_of(texts)
        self.listing = Listing(self.where, self.filename, [
            Line(first + i, t, mark="error" if first + i == self.line else "", tokens=k)
            for i, (t, k) in enumerate(zip(texts, tokens, strict=True))
        ])  # fmt: skip
        if span is not None:
            start, end = (len(lines[self.line - 1].encode()[:column].decode()) - indent for column in span)
            self.span = (start, end) if 0 <= start < end else None

    @property
    def where(self) -> str:
        """The location of the line, in the form of tracebacks."""
        shell = sys.modules.get("IPython")
        running = None if shell is None else shell.get_ipython()
        cell = None if running is None else running.compile.format_code_name(self.filename)
        file = " ".join(cell) if cell else self.filename
        inside = [self.function] if self.function and self.function != "<module>" else []
        return clauses(file, translate("line {n}", n=self.line), *inside)

    @property
    def title(self) -> str:
        """The number and the title of the trap."""
        return f"{self.trap.number} {translate(self.trap.title)}"

    # --- display -----------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as a JSON-compatible dictionary."""
        words = (
            "Values of F and x", "Why", "Instead", "Your line, fixed", "Another program", "falls into the trap",
            "works", "copy", "copied", "The whole page", "The whole traceback",
            "fix the line", "run the cell", "run cell [{n}], then this one", "run cells [{n}] to this one",
            "No cell has this line any more.", "✓ the line in the cell is fixed",
        )  # fmt: skip
        return {
            "number": self.trap.number, "title": self.title, "message": self.message, "layer": self.layer,
            "where": self.where if self.line else "", "line": self.line, "span": self.span,
            "listing": self.listing.to_dict() if self.listing else None, "values": [list(v) for v in self.values],
            "trap": translate(self.trap.trap), "reason": translate(self.trap.reason),
            "remedy": translate(self.trap.remedy),
            "notes": [*self.remedies, *([self.hint] if self.hint else [])], "corrected": self.corrected,
            "text": self.text, "traceback": _shortened(self.traceback),
            "wrong": self.trap.wrong, "right": self.trap.right,
            "page": labelled(translate("The whole page"), self.trap.number),
            "command": f"d2lhybrid explain {self.trap.number}",
            "words": {word: translate(word) for word in words},
        }  # fmt: skip

    def _instead(self) -> list[str]:
        """Return the sentences with advice, starting with the error's own notes."""
        found = [*self.remedies, *([self.hint] if self.hint else [])]
        return found or [plain(translate(self.trap.remedy))]

    def to_text(self) -> str:
        """Return the explanation as text for a terminal."""
        lines = [f"── {self.title} ──", self.message, ""]
        if self.listing is not None:
            lines += [self.where, self.listing.to_text({"error": "→"}), ""]
        lines += [f"{name} = {what}" for name, what in self.values]
        lines += ["", labelled(translate("Why"), plain(translate(self.trap.reason)))]
        lines += [labelled(translate("Instead"), text) for text in self._instead()]
        if self.corrected:
            lines += ["", labelled(translate("Your line, fixed")), f"  - {self.text}", f"  + {self.corrected}"]
        lines += ["", labelled(translate("The whole page"), f"d2lhybrid explain {self.trap.number}")]
        return "\n".join(lines)

    def to_html(self) -> str:
        """Return the explanation as HTML without scripts."""
        parts = [heading(self.title, self.layer), element("p", escape(self.message), style=_CODE)]
        if self.listing is not None:
            parts += [element("p", escape(self.where), style="margin: 6px 0 0; opacity: 0.7")]
            parts.append(self.listing.to_html({"error": "→"}))
        if self.corrected:
            parts += [_paragraph("Your line, fixed", ""), _program(f"− {self.text}", "error")]
            parts.append(_program(f"+ {self.corrected}"))
        parts += [_paragraph("Instead", escape(text)) for text in self._instead()]
        if self.values:
            rows = [[element("b", escape(name)), escape(what)] for name, what in self.values]
            parts.append(table(rows, header=[translate("Values of F and x"), ""], code=True))
        parts.append(_paragraph("Why", marked(translate(self.trap.reason))))
        page = [element("p", marked(translate(text))) for text in (self.trap.trap, self.trap.reason, self.trap.remedy)]
        page += [_paragraph("falls into the trap", ""), _program(self.trap.wrong, "error")]
        page += [_paragraph("works", ""), _program(self.trap.right)]
        parts.append(details(labelled(translate("The whole page"), self.title), "".join(page)))
        if self.traceback:
            text = element("pre", escape(_shortened(self.traceback)), style=f"{_CODE}; background: none")
            parts.append(details(translate("The whole traceback"), text))
        style = f"border-left: 4px solid {tint('error', 0.9)}; padding: 2px 0 2px 14px; margin: 4px 0"
        return element("div", *parts, style=style)


_CODE = f"font-family: {MONOSPACE}; font-size: 12px; margin: 2px 0; white-space: pre-wrap"


def _paragraph(word: str, content: str) -> str:
    return element(
        "p", element("b", escape(labelled(translate(word)))), " ", content, style="margin: 6px 0; max-width: 80ch"
    )


def _program(text: str, colour: str = "compiled") -> str:
    style = f"{_CODE}; background: {tint(colour, 0.14)}; padding: 6px 10px; border-radius: 6px"
    return element("pre", escape(text), style=style)


def _shortened(text: str) -> str:
    """Return a traceback that a notebook can store; a long traceback is truncated in the middle."""
    half = _MAX_TRACEBACK // 2
    return text if len(text) <= _MAX_TRACEBACK else f"{text[:half]}\n…\n{text[-half:]}"


def _frames(error: BaseException) -> list[tuple[types.FrameType, int, tuple[int, int] | None]]:
    """Return the frame, the line, and the columns of each frame of the user's program, outermost first."""
    found = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if is_own_file(code.co_filename):
            line, last, start, end = list(code.co_positions())[trace.tb_lasti // 2]
            one_line = line == last == trace.tb_lineno and start is not None and end is not None
            found.append((trace.tb_frame, trace.tb_lineno, (start, end) if one_line else None))  # type: ignore[misc]
        trace = trace.tb_next
    cause = error.__cause__
    return found + (_frames(cause) if cause is not None and place_of(error) is None and place_of(cause) else [])


def _forward_of(error: BaseException) -> types.CodeType | None:
    """Return the code of the called ``hybrid_forward``, if the error's traceback has a frame of the block."""
    trace, found = error.__traceback__, None
    while trace is not None:
        block = trace.tb_frame.f_locals.get("self")
        if isinstance(block, HybridBlock) and is_own_file(type(block).hybrid_forward.__code__.co_filename):
            found = type(block).hybrid_forward.__code__
        trace = trace.tb_next
    return found


def _values_of(error: BaseException, frame: types.FrameType | None, filename: str, line: int) -> list[tuple[str, str]]:
    """Return descriptions of F, of the inputs of ``hybrid_forward``, and of other names in the line."""
    forward = None
    for candidate, _, _ in _frames(error):
        if candidate.f_code.co_name == "hybrid_forward" or "F" in candidate.f_locals:
            forward = candidate
    found: dict[str, str] = {}
    for source in (forward, frame):
        if source is None:
            continue
        values = source.f_locals
        named = _names_on(filename, line) if source is frame else set()
        arguments = source.f_code.co_varnames[: source.f_code.co_argcount] if source is forward else ()
        for name in dict.fromkeys([*arguments, *sorted(named)]):
            if name in values and name != "self" and not isinstance(values[name], types.FunctionType):
                found[name] = describe(values[name])
    return list(found.items())


def values_at(error: BaseException, filename: str, line: int) -> list[tuple[str, str]]:
    """Return descriptions of F, of the inputs of ``hybrid_forward``, and of the names in a line that failed."""
    here = [frame for frame, number, _ in _frames(error) if (frame.f_code.co_filename, number) == (filename, line)]
    return _values_of(error, here[-1] if here else None, filename, line)


def _names_on(filename: str, line: int) -> set[str]:
    try:
        tree = ast.parse(linecache.getline(filename, line).strip().removesuffix(":").removeprefix("return "))
    except SyntaxError:
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def describe(value: Any) -> str:
    """Return a short description of a value.

    Examples
    --------
    >>> from d2lhybrid import nd, sym
    >>> describe(sym.var("data")), describe(nd.ones((2, 3)))
    ('Symbol data, no values yet', 'NDArray (2, 3) float32')
    >>> describe(sym)
    'd2lhybrid.symbol: the block is being traced'
    """
    if isinstance(value, types.ModuleType):
        what = {"symbol": "the block is being traced", "ndarray": "the block runs eagerly"}
        word = what.get(value.__name__.rpartition(".")[2])
        return labelled(value.__name__, translate(word)) if word else f"module {value.__name__}"
    if isinstance(value, Symbol):
        kind = "Symbol" if value._legacy else translate("Symbol of np")
        return clauses(f"{kind} {value.name or ', '.join(value.list_outputs()[:4])}", translate("no values yet"))
    if isinstance(value, NDArray):
        kind = "NDArray" if value._legacy else "np.ndarray"
        return f"{kind} {value.shape} {numpy.dtype(value.dtype).name}"
    if isinstance(value, Block | Parameter):
        return f"{type(value).__name__} {value.name}"
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return f"{type(value).__module__.split('.')[0]} array {value.shape} {value.dtype}"
    return f"{type(value).__name__} {reprlib.repr(value)}"


def error_lens(error: BaseException | None = None) -> ErrorLens:
    """Return an explanation of a hybridization error.

    A notebook that imports the package shows the explanation automatically, above the traceback. In a terminal, IPython
    shows it after ``%load_ext d2lhybrid``.

    Parameters
    ----------
    error : BaseException, optional
        The error; by default, the last uncaught error.

    Raises
    ------
    ValueError
        If there is no error, or if the error is not a hybridization error.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> net = nn.HybridLambda(lambda F, x: x.T)
    >>> net.hybridize()
    >>> try:
    ...     net(nd.ones((2, 3)))
    ... except AttributeError as error:
    ...     lens = error_lens(error)
    >>> lens.title, lens.corrected
    ('H10 A method or an attribute that only arrays have', 'net = nn.HybridLambda(lambda F, x: F.transpose(x))')
    >>> dict(lens.values)["x"]
    'Symbol data, no values yet'
    """
    if error is None:
        error = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
    if error is None:
        raise ValueError("There is no error to explain. Pass an error: error_lens(error)")
    if not isinstance(error, BaseException):
        raise ValueError(f"error_lens requires an exception, not {type(error).__name__}")
    trap = trap_of(error)
    if trap is None:
        raise ValueError(
            f"No page explains this {type(error).__name__}, because it is not a known hybridization error. To list "
            "all pages, run `d2lhybrid explain`."
        )
    return ErrorLens(error, trap)


add_words({
    "Values of F and x": "F 和 x 当时的值", "Why": "原因", "Instead": "应改为",
    "Your line, fixed": "改正后的这一行", "operator": "算子", "its inputs": "它的输入",
    "the trace of hybrid_forward had ended": "hybrid_forward 的追踪已经结束",
    "Another program": "另一个程序", "The whole traceback": "完整的回溯（traceback）",
    "    … {n} frames inside d2lhybrid are in the explanation above.":
        "    … d2lhybrid 内部的 {n} 帧：见上面的解释。",
    "falls into the trap": "落入陷阱", "works": "可行", "copy": "复制",
    "fix the line": "改正这一行", "run the cell": "运行这个单元格",
    "run cell [{n}], then this one": "先运行单元格 [{n}]，再运行这一个",
    "run cells [{n}] to this one": "从单元格 [{n}] 运行到这一个",
    "No cell has this line any more.": "已经没有单元格包含这一行。",
    "✓ the line in the cell is fixed": "✓ 单元格里的这一行已改正",
    "copied": "已复制",
    "The whole page": "完整页面",
    "the block is being traced": "正在追踪这个块", "the block runs eagerly": "这个块正在逐行运行",
    "no values yet": "还没有数值", "Symbol of np": "np 的 Symbol",
})  # fmt: skip
