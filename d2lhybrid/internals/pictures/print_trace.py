"""PrintTrace, which shows which lines ran in each call of a net and why, with their output and values.

>>> from d2lhybrid import nd, print_trace
>>> from d2lhybrid.gluon import nn
>>> net = nn.HybridLambda(lambda F, x: F.relu(x) * 2)
>>> trace = print_trace(net, nd.ones((2, 3)))
>>> [call.kind for call in trace.calls]
['eager', 'traced', 'compiled']
"""

from __future__ import annotations

import ast
import contextlib
import io
from collections.abc import Callable, Iterator
from typing import Any, Self, overload

from ...gluon import Block, HybridBlock
from ..support.places import Place
from ..support.words import add_words, listed, translate
from .check.findings import Finding
from .check.freezing import frozen_in
from .check.inputs import arrays_in
from .check.observing import Run
from .check.source_reading import Function, all_blocks, is_plain
from .html import bytes_in_notebook
from .line_watcher import Seen, Visit, Watcher
from .listing import listing_of
from .net_inspection import Closer, looked_up
from .picture import Picture, action
from .print_trace_model import Call, Source, lines_of
from .reasons import Frozen, frozen_words, reason_of
from .traps.notes import in_words
from .trial_inputs import reshaped
from .values import describe

__all__ = ["Call", "PrintTrace", "Source", "print_trace"]

#: The maximum number of calls in a trace; the oldest are removed first.
MAX_CALLS = 40
#: The number of eager runs that are compared with a trace to find frozen values.
_MAX_COMPARED = 4
_OLD = "Not now: {what}. Traced again, as after net.hybridize(): {answer}"


class PrintTrace(Picture):
    """The trace of calls of a net, as returned by :func:`print_trace`.

    As a context manager, the object observes every call of the net in the current thread. Outside the context, the net
    runs at full speed.

    Attributes
    ----------
    net : Block
        The net.
    calls : list of Call
        Calls, the oldest first.
    pending : list of str
        Changes to the net since the last call.
    sources : list of Source
        The user's functions.
    panel : Closer or None
        Current inspection (the memory plan, the times, or the check), or None.
    times : dict of int to float
        The time of each program line in microseconds, after an inspection of times.
    error : BaseException or None
        Error of the last call.

    Raises
    ------
    TypeError
        If ``net`` is not a block.
    """

    view_name = "print_trace"

    def __init__(self, net: Any) -> None:
        if not isinstance(net, Block):
            raise TypeError(f"print_trace needs a Block, not {type(net).__name__}")
        self.net = net
        self.calls: list[Call] = []
        self.pending: list[str] = []
        self.sources: list[Source] = []
        self.panel: Closer | None = None
        self.times: dict[int, float] = {}
        self.error: BaseException | None = None
        self._count = 0
        self._inputs: tuple[Any, ...] = ()
        self._eager: list[tuple[str, Run]] = []
        self._traced: Run | None = None
        self._frozen: list[Finding] = []
        self._watchers: list[Watcher] = []
        self._mark: str | None = None

    def __enter__(self) -> Self:
        self._watchers.append(Watcher(self.net, self._note_call, self.pending.append))
        self._watchers[-1].__enter__()
        return self

    def __exit__(self, *exception: Any) -> None:
        self._watchers.pop().__exit__(*exception)

    # --- experiments -------------------------------------------------------------------------------

    @action
    def again(self) -> None:
        """Call the net again with the inputs of the last call. An error of the net becomes part of the trace.

        Raises
        ------
        ValueError
            If the net has not been called yet.
        """
        if not self._inputs:
            raise ValueError("The net has not been called yet. Call the net before you call again()")
        self._call(*self._inputs)

    @action
    def new_shape(self, shape: str | tuple[int, ...] | None = None) -> None:
        """Call the net with inputs of another shape, by default with one more row.

        If the net rejects the shape, :meth:`again` continues to use the previous inputs.

        Parameters
        ----------
        shape : tuple of int or str, optional
            Shape of the first input, possibly as text, such as ``"(4, 3)"``.

        Raises
        ------
        ValueError
            If the net has not been called yet.
        """
        before = self._inputs
        if not before:
            raise ValueError("The net has not been called yet. Call the net before you call new_shape()")
        self._call(*reshaped(before, shape))
        if self.calls[-1].kind == "failed":
            self._inputs = before

    @action
    def hybridize(self, active: bool = True) -> None:
        """Call ``net.hybridize(active)``. The next call shows the effect."""
        with self:
            self.net.hybridize(active)

    @action
    def set_attribute(self, path: str, value: Any) -> None:
        """Set an attribute of the net, such as ``"self.scale"``.

        Parameters
        ----------
        path : str
            Path of the attribute, one of :meth:`attributes`.
        value : object
            New value, or its source code.

        Raises
        ------
        ValueError
            If ``path`` is not one of :meth:`attributes`.
        """
        if path not in self.attributes():
            raise ValueError(
                f"set_attribute cannot set {path}. Attributes that it can set: {', '.join(self.attributes()) or 'none'}"
            )
        if isinstance(value, str):
            with contextlib.suppress(ValueError, SyntaxError):  # all other texts are strings
                value = ast.literal_eval(value.strip())
        owner, _, name = path.rpartition(".")
        block = dict(all_blocks(self.net))[owner]
        with self:
            setattr(block, name, value)

    def attributes(self) -> dict[str, Any]:
        """Return the plain attributes of the user's blocks: numbers, strings, and containers of such values."""
        internal = vars(HybridBlock(prefix="internal_"))
        found = {}
        for path, block in all_blocks(self.net):
            if not type(block).__module__.startswith("d2lhybrid."):
                for name, value in vars(block).items():
                    if name not in internal and not name.startswith("_") and is_plain(value):
                        found[f"{path}.{name}"] = value
        return found

    @action
    def look(self, what: str) -> None:
        """Inspect the net's program, and store the result in ``panel``.

        Parameters
        ----------
        what : str
            ``"memory"``, ``"times"``, or ``"check"``. An empty string clears ``panel``.
        """
        self.panel = looked_up(self.net, self._inputs, what) if what else None
        old = [one.text for one in self.calls[-1].frozen if one.stale] if self.calls else []
        if self.panel is not None and what == "check" and old:  # the check traces anew: the net's program is older
            self.panel.about = translate(_OLD, what=listed(old), answer=self.panel.about)
        self.times = self.times if self.panel is None else self.panel.times or self.times

    def _call(self, *args: Any) -> None:
        count = self._count
        try:
            with self:
                self.net(*args)
        except Exception:
            if self._count == count:  # the call was not observed, so the error is not the net's
                raise

    # --- observations ------------------------------------------------------------------------------

    def _note_call(self, seen: Seen) -> None:
        self._count += 1
        self.error = seen.error
        kind, text = reason_of(self.net, seen)
        self._note_sources(seen)
        if kind != "compiled":
            self.times = {}  # the times belong to another program
        if any(visit.symbolic for visit in seen.visits) and seen.active:
            self._traced = seen.run
            findings = [*frozen_in(seen.functions, seen.run, self._eager), *seen.counters]
            for finding in findings:
                if finding.kind in ("random", "time"):
                    finding.value = self._constant_at(finding.line, seen.visits)
            self._frozen = findings
        elif kind == "eager":
            self._eager = [*self._eager, (translate("call {n}", n=self._count), seen.run)][-_MAX_COMPARED:]
        error = ""
        if seen.error is not None:
            notes = map(in_words, getattr(seen.error, "__notes__", []))
            error = "\n".join([f"{type(seen.error).__name__}: {seen.error}", *notes])
        call = Call(
            self._count, kind, text, list(self.pending), ", ".join(v.text for v in seen.inputs),
            "" if seen.output is None else seen.output.text, error, seen.printed, seen.visits, active=seen.active,
            order=seen.order, failed_at=seen.failed_at,
        )  # fmt: skip
        call.same = None if None in (seen.mark, self._mark) else seen.mark == self._mark
        self._mark = seen.mark or self._mark
        # A run with symbols that only infers shapes leaves no graph that a later call uses.
        call.recorded = self._recorded(kind != "eager" and any(v.symbolic for v in seen.visits))
        if seen.active and kind != "failed":
            call.frozen = self._frozen_now(seen.functions)
        self.pending.clear()
        self._inputs = seen.args
        self.calls = [*self.calls, call][-MAX_CALLS:]

    def _recorded(self, traced: bool) -> dict[Place, list[str]]:
        """Return the operators of each line of user code in the current graphs."""
        found: dict[Place, list[str]] = {}
        for _, block in all_blocks(self.net):
            graph = getattr(block, "_cached_graph", None) if traced or getattr(block, "_active", False) else None
            for node in graph[1]._nodes() if graph else ():
                if node.op is not None and node.source:
                    found.setdefault(node.source, []).append(node.op.name)
        return found

    def _constant_at(self, line: int, visits: list[Visit]) -> str:
        """Return the value that Python computed in a line during the trace."""
        found = [v for visit in visits if visit.symbolic for v in visit.values.get(line, {}).values()]
        plain = [v[0].text for v in found if v[0].kind == "python"]
        nodes = [
            n for _, b in all_blocks(self.net) if getattr(b, "_cached_graph", None) for n in b._cached_graph[1]._nodes()
        ]
        scalars = [
            f"{n.params['scalar']:.6g}" for n in nodes if n.source and n.source.line == line and "scalar" in n.params
        ]
        return ", ".join(plain or scalars)

    def _frozen_now(self, functions: list[Function]) -> list[Frozen]:
        """Return the values that the last trace froze, with the present values of attributes."""
        if self._traced is None:
            return []
        now = {
            (f.filename, f.line, f.name): f.value
            for f in frozen_in(functions, self._traced, self._eager)
            if f.kind == "attribute"
        }
        # A branch on an attribute has its line and its name, but not its value.
        of = [now.get((f.filename, f.line, f.name), "") if f.kind == "attribute" else "" for f in self._frozen]
        words = [frozen_words(f, value) for f, value in zip(self._frozen, of, strict=True)]
        return sorted(words, key=lambda one: (one.filename, one.line))

    def _note_sources(self, seen: Seen) -> None:
        known = {source.code for source in self.sources}
        visited = {visit.code for visit in seen.visits}
        functions = {f.function.__code__: f for f in seen.functions}
        main = [c for c, f in functions.items() if f.function.__name__ in ("hybrid_forward", "forward", "<lambda>")]
        for code in dict.fromkeys([*main, *(visit.code for visit in seen.visits)]):
            if code not in known and (code in visited or code in main):
                lines = lines_of(code, functions.get(code))
                self.sources.append(Source(code, listing_of(code), lines))

    # --- output --------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return the displayed data as dictionaries, lists, strings, and numbers."""
        from .print_trace_data import data_of

        return data_of(self)

    def to_text(self) -> str:
        """Return the trace as plain text."""
        from .print_trace_forms import text_of

        return text_of(self)

    def to_html(self) -> str:
        """Return the trace as HTML without scripts."""
        from .print_trace_forms import html_of

        return html_of(self)

    def to_html_within(self, room: int) -> str:
        """Return the trace as HTML, with notes in place of the calls' lines that don't fit."""
        from .print_trace_forms import html_of

        return html_of(self, room - bytes_in_notebook(self.to_text()))


@overload
def print_trace(net: Block, *inputs: Any, calls: int = 3) -> PrintTrace: ...


@overload
def print_trace(net: Callable[..., Any], *inputs: Any, calls: int = 3) -> Picture: ...


def print_trace(net: Any, *inputs: Any, calls: int = 3) -> Picture:
    r"""Call a net before and after ``hybridize()``, and show which lines ran and why, and the printed text.

    With inputs, the net is called ``calls`` times: once in eager mode, then hybridized. These are real calls,
    after which the net remains hybridized. Text that the calls print appears only in the trace. If a call
    fails, the trace includes the error, and the earlier hybridization is restored. Without inputs, the function
    returns a context manager that observes calls of the net.

    Parameters
    ----------
    net : Block
        The net, or a function from ``jax.jit``, ``torch.compile``, or ``tf.function``, or a module of PyTorch or
        TensorFlow.
    *inputs : NDArray or nested list of NDArray
        Arguments of the net; for a net of another framework, arrays of that framework.
    calls : int
        Number of calls.

    Returns
    -------
    PrintTrace or ForeignTrace
        The trace, interactive in a notebook, and text in a terminal.

    Raises
    ------
    TypeError
        If ``net`` is none of these objects, or if the inputs contain no array.
    ValueError
        If ``calls`` is less than 1, or if the source of a function of another framework is unknown.
    RuntimeError
        If the release of another framework is too old or too new to observe.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> class Twice(nn.HybridBlock):
    ...     def hybrid_forward(self, F, x):
    ...         print("x is", type(x).__name__)
    ...         return x * 2
    >>> net = Twice()
    >>> with print_trace(net) as trace:
    ...     y = net(nd.ones((2,)))
    ...     net.hybridize()
    ...     y = net(nd.ones((2,)))
    ...     y = net(nd.ones((2,)))
    x is NDArray
    x is Symbol
    >>> [(call.kind, call.printed) for call in trace.calls]
    [('eager', 'x is NDArray\n'), ('traced', 'x is Symbol\n'), ('compiled', '')]
    """
    if not isinstance(net, Block):
        from .others.foreign_trace import foreign_trace, framework_of

        if framework_of(net):
            return foreign_trace(net, inputs)
        raise TypeError(
            "print_trace needs a Block, a module of PyTorch or TensorFlow, or a function from jax.jit, torch.compile, "
            f"or tf.function, not {type(net).__name__}"
        )
    trace = PrintTrace(net)
    if not inputs:
        return trace
    if arrays_in(inputs) == []:
        raise TypeError(f"print_trace needs arrays as inputs, not {describe(inputs[0]).text}")
    if calls < 1:
        raise ValueError(f"calls must be at least 1, not {calls}")
    # The picture shows the net's output below its call; output above the picture would reveal the answer.
    with contextlib.redirect_stdout(io.StringIO()), _hybridized_as_before_if_it_fails(trace):
        for number in range(calls):
            if number == 0 and getattr(net, "_active", False):
                trace.hybridize(False)
            elif number == 1:
                trace.hybridize()
            trace._call(*inputs)
            if trace.calls[-1].kind == "failed":
                break
    return trace


@contextlib.contextmanager
def _hybridized_as_before_if_it_fails(trace: PrintTrace) -> Iterator[None]:
    blocks = [block for _, block in all_blocks(trace.net) if isinstance(block, HybridBlock)]
    before = [(block, block._active, block._flags) for block in blocks]
    yield
    if trace.calls and trace.calls[-1].kind == "failed":
        for block, block._active, block._flags in before:
            block._drop_graph("hybridize() was called")


add_words({_OLD: "现在不是这样：{what}。如果重新追踪（例如在 net.hybridize() 之后）：{answer}"})
