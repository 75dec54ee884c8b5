"""A live editor of a net, with the effects of each change on the net's calls, graph, and check.

>>> from d2lhybrid import nd
>>> from d2lhybrid.gluon import nn
>>> class Net(nn.HybridBlock):
...     def hybrid_forward(self, F, x):
...         return F.relu(x) * 2
>>> seen = live(Net(), nd.ones((2,)))
>>> [call.printed for call in seen.trace.calls]
['', '', '']
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from typing import Any

from d2lhybrid.gluon import Block, HybridBlock

from ...support.words import sentences, translate
from ..check import check_hybridization
from ..check.findings import Findings
from ..check.inputs import arrays_in, copied
from ..html import bytes_in_notebook
from ..limit import Overtime, time_limit
from ..net_graph import NetGraph
from ..picture import Picture, action
from ..print_trace import PrintTrace, print_trace
from ..problem import Problem, problem_of, when_it_failed
from . import chinese  # noqa: F401  it adds words
from .cells import Follow
from .net import Rebuilt, rebuilt, take_over
from .text import ClassText, NoClass, as_file, class_text, classes_of, forget, text_of
from .unchanged import nothing_else_changed

__all__ = ["Live", "live"]


class Live(Picture):
    """A net, its source, and their pictures; created by :func:`live`.

    Attributes
    ----------
    net : Block
        The user's net, which only :meth:`keep` changes.
    text : str
        The most recent source.
    problem : Problem or None
        Reason why the source does not run; the pictures then show the last source that ran.
    made : Rebuilt or None
        The net in the pictures, which is never the user's net itself; None if no source has run.
    trace : PrintTrace
        Trace of calls of the net.
    graph : NetGraph or None
        Graph of the net; if there is no graph, ``without`` has the reason.
    findings : Findings or None
        Findings of :func:`~d2lhybrid.internals.pictures.check.check_hybridization`, if the net runs.
    edition : int
        Number of changes that came from a cell that ran again, rather than from the editor.
    said : str
        Message about the last action.

    Raises
    ------
    TypeError
        If ``net`` is not a block, or if there is no input.
    """

    net: Any
    inputs: tuple[Any, ...]
    seconds: float
    text: str
    start: str
    trace: PrintTrace
    edition: int

    view_name = "live"

    def __init__(self, net: Any, *inputs: Any, seconds: float = 5.0) -> None:
        if not isinstance(net, Block):
            raise TypeError(f"live needs a Block, not {type(net).__name__}")
        if not arrays_in(inputs):
            raise TypeError("live needs at least one array as an input of the net, as in live(net, x)")
        self.net, self.inputs, self.seconds = net, inputs, seconds
        self.where: ClassText | None = text_of(net)
        self.text = self.start = "" if self.where is None else self.where.text
        self.problem: Problem | None = None
        self.made: Rebuilt | None = None
        self.trace = PrintTrace(net)
        self.graph: NetGraph | None = None
        self.findings: Findings | None = None
        self.without: dict[str, str] = {}
        self.edition, self.said = 0, ""
        self._classes: dict[str, type] = {}
        self._newest = {} if self.where is None else dict(self.where.classes)
        self._file = self._good = ""
        self._look()
        self._follow = Follow(self)

    @property
    def old(self) -> bool:
        """Whether the pictures show an earlier source, because the current source does not run."""
        return self.problem is not None and self.made is not None

    @property
    def title(self) -> str:
        """The class name of the net."""
        return type(self.net).__name__

    @property
    def trace_file(self) -> str:
        """The virtual file name of the source in the pictures."""
        return self._good or self._file

    @action
    def rewrite(self, text: str) -> None:
        """Apply a new source to the net; store an error of the source in :attr:`problem`.

        Raises
        ------
        ValueError
            If the source of the net can't be edited.
        """
        if self.where is None:
            raise ValueError(self._no_text())
        self.text, self.said = text, ""
        self._look()

    @action
    def reset(self) -> None:
        """Restore the original source of the net."""
        self.edition += 1
        self.rewrite(self.start)

    @action
    def keep(self) -> None:
        """Apply the current source to the user's net.

        The net remains the same object, with new classes. Parameters with matching shapes keep their values.

        Raises
        ------
        ValueError
            If the source does not run, or if the source of the net is unknown.
        """
        if self.where is None:
            raise ValueError(self._no_text())
        if self.problem is not None or self.made is None:
            raise ValueError(translate("This code does not run, so it cannot be applied."))
        take_over(self.net, self.made, self.where, self._classes)
        classes = {name: self._classes.get(name, cls) for name, cls in self.where.classes.items()}
        self.where = dataclasses.replace(self.where, text=self.text, classes=classes)
        self.start, self._newest = self.text, dict(classes)
        trainer = translate("Create a new Trainer.") if self.made.anew else ""
        text = translate("This is your net now. Copy the code into its cell, which still has the old code.")
        self.said = sentences(text, trainer)

    def changed_outside(self, newer: dict[str, type], net: Any) -> None:
        """Apply the definitions of a cell that ran again.

        Parameters
        ----------
        newer : dict of str to type
            Changed classes by name.
        net : Block or None
            The new object with the name of the displayed net, if the object has changed.
        """
        assert self.where is not None
        if net is not None:
            self.net, self.where = net, text_of(net) or self.where
            self._newest = dict(self.where.classes)
        self._newest |= newer
        text = "\n\n".join(map(class_text, self._newest.values()))
        if text != self.start:  # keep the edited source unless the cell has changed
            self.start = self.text = text
            self.edition += 1
            self.said: str = translate("The cell ran again: this is its code.")
        self._look()
        if self._view is not None:
            self._view.refresh()

    # --- computing the pictures ----------------------------------------------------------------------

    @contextlib.contextmanager
    def running(self, net: Any = None) -> Iterator[None]:
        """Return a scope that sends the net's output only to the trace, and undoes the net's side effects.

        Raises
        ------
        TimeoutError
            If the calls exceed the time limit.
        """
        try:
            with nothing_else_changed(self.net if net is None else net), time_limit(self.seconds):
                yield
        except Overtime as error:
            raise TimeoutError(str(error)) from None

    def _look(self) -> None:
        """Recompute all pictures from the source, or the explanation of an error."""
        made, trace, self.problem = None, None, None
        if self._file != self._good:
            forget(self._file)
        self._file = as_file(self.text, type(self.net).__name__)
        try:
            with nothing_else_changed(self.net), time_limit(self.seconds):
                made = self._rebuilt()
                trace = print_trace(made.net, *copied(self.inputs))
        except (Exception, Overtime, SystemExit) as error:
            self.problem = Problem(0, str(error)) if isinstance(error, NoClass) else problem_of(error, self._file)
            if isinstance(error, Overtime):
                self.problem.instead.append(translate("To change the limit, call live(net, x, seconds=...)."))
        if trace is not None and trace.error is not None:
            self.problem = problem_of(trace.error, self._file, when_it_failed([call.lane for call in trace.calls]))
        if trace is not None and self.made is None:
            self.trace = trace  # a failing net has no other pictures
        if self.problem is None and made is not None and trace is not None:
            self.made, self.trace, self.without = made, trace, {}
            forget(self._good)
            self._good = self._file
            self._draw(made.net)

    def _rebuilt(self) -> Rebuilt:
        if self.where is None:
            return rebuilt(self.net, ClassText("", "", {}, {}), "", {})
        classes = classes_of(self.text, self.where, self._file)
        made = rebuilt(self.net, self.where, self.text, classes)
        self._classes = classes
        return made

    def _draw(self, net: Any) -> None:
        """Compute the graph and the findings; if this fails, store the reason."""
        before, self.graph, self.findings = self.graph, None, None
        with nothing_else_changed(net):
            try:
                with time_limit(self.seconds):
                    if not isinstance(net, HybridBlock):
                        text = "Only HybridBlocks have graphs, and this net is a plain Block."
                        raise TypeError(translate(text))
                    self.graph = NetGraph.of(net, *copied(self.inputs))
                    if before is not None:
                        self.graph.look_like(before)
            except (Exception, Overtime) as error:
                self.without["graph"] = str(error)
            try:
                with time_limit(self.seconds):
                    self.findings = check_hybridization(net, *copied(self.inputs))
            except (Exception, Overtime) as error:
                self.without["findings"] = str(error)

    def _no_text(self) -> str:
        text = "There is no code to edit: {name} consists of layers, or its source is unknown."
        return translate(text, name=type(self.net).__name__)

    # --- output --------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return the displayed data as dictionaries, lists, strings, and numbers."""
        from .data import data_of

        return data_of(self)

    def to_text(self) -> str:
        """Return the picture as plain text."""
        from .data import text_form

        return text_form(self)

    def to_html(self) -> str:
        """Return the picture as HTML without scripts."""
        from .data import html_form

        return html_form(self)

    def to_html_within(self, room: int) -> str:
        """Return the page, with notes in place of the parts that don't fit."""
        from .data import html_form

        return html_form(self, room - bytes_in_notebook(self.to_text()))


def live(net: Any, *inputs: Any, seconds: float = 5.0) -> Live:
    """Show a net with an editor for its source; each change updates the calls, graph, program, and findings.

    In a notebook, the source of the net's class is above the three lanes of :func:`~d2lhybrid.print_trace`.
    Changes apply to a copy of the net, which takes over parameters and running statistics whose names and shapes
    match. If the cell that defines the class runs again, the editor shows the new source.

    Parameters
    ----------
    net : Block
        The net, which does not change until you press *apply to my net*.
    *inputs : NDArray or nested list of NDArray
        Arguments of the net.
    seconds : float
        Total time limit of the calls in seconds, which also stops infinite loops.

    Returns
    -------
    Live
        The editor, interactive in a notebook, and text in a terminal.

    Raises
    ------
    TypeError
        If ``net`` is not a block, or if there is no input.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> class Twice(nn.HybridBlock):
    ...     def hybrid_forward(self, F, x):
    ...         return x * 2
    >>> seen = live(Twice(), nd.ones((2,)))
    >>> seen.rewrite(seen.text.replace("x * 2", "x.asnumpy()"))  # doctest: +SKIP
    >>> seen.problem.line  # doctest: +SKIP
    3
    """
    return Live(net, *inputs, seconds=seconds)
