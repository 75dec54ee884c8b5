"""A picture of a compilation, step by step: the input, the output, and the effect of each stage.

The net is called once and observed: the trace of ``hybrid_forward``, inference, every pass, the memory
plan, the generated program, and its run. ``steps/`` has a module for each of these stages.
"""

from __future__ import annotations

from typing import Any

from ..support.words import translate
from .picture import Picture, action
from .steps import chinese  # noqa: F401  it adds words
from .steps.failure import failure_chapter
from .steps.inference import inference_chapter, unfinished_inference
from .steps.model import Buffer, Chapter, ProgramText, Step
from .steps.passes import pass_chapters
from .steps.program import ProgramChapters
from .steps.recorded_call import Call, watch_call
from .steps.registry import Registry
from .steps.sending import sent
from .steps.static import as_html, as_text
from .steps.trace import trace_chapter

__all__ = ["CompileStepper", "StepData", "compile_steps"]


class StepData(Picture):
    """Chapters of steps, with the objects that the steps highlight.

    Attributes
    ----------
    title : str
        Description of the compiled net.
    chapters : list of Chapter
        The steps, in order.
    nodes, sources, drawings : list
        Objects that steps refer to by index; see ``steps/model.py``.
    programs : dict of str to ProgramText
        Generated functions; the keys are their names.
    buffers : dict of str to list of Buffer
        Buffers of each function.
    begins_with : str
        Kind of the chapter in which the view begins; empty for the first chapter. After a failed call, the view begins
        in the chapter that explains the error.
    """

    view_name = "compile_stepper"

    begins_with: str = ""

    def __init__(self, title: str) -> None:
        self.title = title
        self.chapters: list[Chapter] = []
        self.nodes: list[Any] = []
        self.sources: list[Any] = []
        self.drawings: list[Any] = []
        self.programs: dict[str, ProgramText] = {}
        self.buffers: dict[str, list[Buffer]] = {}
        self.notes: list[str] = []
        self.moves: dict[tuple[int, int], dict[int, int]] = {}

    @property
    def steps(self) -> list[Step]:
        """All steps, in order."""
        return [step for chapter in self.chapters for step in chapter.steps]

    def chapter(self, kind: str, half: str = "") -> Chapter:
        """Return the first chapter of a kind.

        Parameters
        ----------
        kind : str
            Kind of the chapter.
        half : str
            ``"forward"`` or ``"backward"``; by default, either.

        Returns
        -------
        Chapter
            The first chapter that matches.

        Raises
        ------
        KeyError
            If there is no such chapter.
        """
        for chapter in self.chapters:
            if chapter.kind == kind and chapter.half == (half or chapter.half):
                return chapter
        of = f" with half={half!r}" if half else ""
        kinds = ", ".join(dict.fromkeys(c.kind for c in self.chapters if c.half == (half or c.half)))
        raise KeyError(f"There is no chapter {kind!r}{of}. The chapters{of} are: {kinds or 'none'}")

    @property
    def first_chapter(self) -> Chapter:
        """The chapter in which the view begins."""
        last = self.chapters[-1]
        if last.kind == "failed":
            return last
        return self.chapter(self.begins_with) if self.begins_with else self.chapters[0]

    def to_text(self) -> str:
        """Return all steps as text, chapter by chapter."""
        return as_text(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        data, metadata = super()._repr_mimebundle_(include, exclude)
        if "text/plain" in data:  # the HTML already contains all sentences
            names = ", ".join(chapter.title for chapter in self.chapters)
            data["text/plain"] = translate("{title}: {count} steps ({names})", title=self.title,
                                           count=len(self.steps), names=names)  # fmt: skip
        return data, metadata

    def to_html(self) -> str:
        """Return the chapters as collapsible sections with pictures."""
        return as_html(self)

    def to_html_within(self, room: int) -> str:
        """Return the HTML, with fewer sentences and pictures if the complete HTML would be too large."""
        return as_html(self, room)


class CompileStepper(StepData):
    """The steps of one compilation of a net; see :func:`compile_steps`.

    Attributes
    ----------
    net : HybridBlock
        The compiled net.
    record : bool
        Whether the net was compiled with gradients.
    call : Call
        Observations of the call.
    error : Exception or None
        Error that the net raised, or None. The last chapter explains an error; the other chapters show the preceding
        steps.

    Raises
    ------
    TypeError
        If the net is not a HybridBlock, or if there is no input.
    ValueError
        If there is no chapter of the kind ``start``.
    """

    net: Any
    inputs: tuple[Any, ...]
    measure: bool
    record: bool
    programs: dict[str, ProgramText]
    buffers: dict[str, list[Buffer]]
    chapters: list[Chapter]
    nodes: list[Any]
    sources: list[Any]
    drawings: list[Any]
    moves: dict[tuple[int, int], dict[int, int]]

    def __init__(self, net: Any, *inputs: Any, record: bool = False, measure: bool = True, start: str = "") -> None:
        super().__init__(translate("Compiling {net}", net=type(net).__name__))
        self.net, self.inputs, self.measure = net, inputs, measure
        self.record = record
        self._compile()
        self.begins_with = start
        if start and start not in {chapter.kind for chapter in self.chapters}:
            kinds = ", ".join(dict.fromkeys(repr(chapter.kind) for chapter in self.chapters))
            raise ValueError(f"start must be one of {kinds}, not {start!r}")

    def to_dict(self) -> dict[str, Any]:
        """Return the widget's data; for a very large net, a part of the data and a note."""
        return sent(self)

    def _compile(self) -> None:
        self.call: Call = watch_call(self.net, self.inputs, self.record, self.measure)
        program, registry = self.call.program, Registry(self.call)
        self.error = self.call.error
        self.programs, self.buffers = {}, {}
        chapters = [trace_chapter(registry)]
        if self.call.stages:
            chapters += [inference_chapter(registry), *pass_chapters(registry)]
        elif self.call.symbol is not None:
            chapters.append(unfinished_inference(registry))
        for half in () if program is None else ("forward",) if program.backward is None else ("forward", "backward"):
            made = ProgramChapters(registry, half)
            self.programs[half], self.buffers[half] = made.text, made.buffers
            chapters += made.chapters()
        self.chapters = [chapter for chapter in chapters if chapter.steps]
        if self.error is not None:
            last = [step.drawing for step in self.steps if step.drawing >= 0]
            self.chapters.append(failure_chapter(registry, last[-1] if last else -1))
        self.nodes, self.sources, self.drawings = registry.nodes, registry.sources, registry.drawings
        self.moves = registry.moves

    @action
    def set_record(self, record: bool) -> None:
        """Compile the net again, with or without gradients.

        Parameters
        ----------
        record : bool
            Whether to compile gradients.
        """
        if record != self.record:
            self.record = record
            self._compile()


def compile_steps(
    net: Any, *inputs: Any, record: bool = False, measure: bool = True, start: str = ""
) -> CompileStepper:
    """Compile a net, and return all steps of the compilation.

    The net is called once. Afterwards, its parameters, its hybridization, and the random generators are
    restored. If the call fails, the last chapter explains the error.

    Parameters
    ----------
    net : HybridBlock
        The net to compile.
    *inputs : NDArray
        Arguments of the call.
    record : bool
        Whether to compile for training, with a backward function, which also runs.
    measure : bool
        Whether to run the program several times to measure its lines.
    start : str
        Kind of the chapter in which the view begins, such as ``"memory"``; by default, the first chapter.

    Returns
    -------
    CompileStepper
        The steps, displayed in a notebook.

    Raises
    ------
    TypeError
        If the net is not a HybridBlock, or if there is no input.
    ValueError
        If there is no chapter of kind ``start``.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> net = nn.HybridLambda(lambda F, x: F.relu(x * 1))
    >>> steps = compile_steps(net, nd.array([-1, 2]))
    >>> [chapter.title for chapter in steps.chapters if chapter.kind != "unchanged"]
    ['Trace', 'Infer', 'simplify', 'Memory', 'Code', 'Run']
    >>> steps.chapter("pass").steps[0].text
    '...(_mul_scalar) is removed: data is used in its place.'
    >>> steps.chapter("run").steps[-1].run.results[0].first
    (0.0, 2.0)
    """
    return CompileStepper(net, *inputs, record=record, measure=measure, start=start)
