"""The search for the answer to an exercise in a notebook, and for the cells that the answer needs."""

from __future__ import annotations

import ast
import functools
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from ..exercises import exercises
from ..exercises.exercise import PRELUDE, Exercise
from ..exercises.notebooks import answer_id, check_id
from .cells import Cell
from .given import definitions_in_text, is_given, is_given_definition

__all__ = ["Found", "find"]

#: Names that notebooks have without an import, and that the copy of the package for answers provides.
_OFFERED = {name: f"from d2lhybrid.exercises import {name}" for name in ("ex", "progress", "display", "get_ipython")}
_PRELUDE_NAMES = set(Cell("code", PRELUDE).imports)


class Found:
    """The cells of a notebook that were found for one exercise.

    Attributes
    ----------
    cells : list of (str, bool) or None
        Cells to run, each with a bool, which is True for the answer; None if there is no answer.
    unclear : str
        Reason why a person must decide on the mark if the check doesn't accept the answer; empty if there is no reason.
    guessed : bool
        Whether only the name of the definition connects the answer to the exercise.
    written : bool
        Whether the student has defined the required name.
    """

    cells: list[tuple[str, bool]] | None
    unclear: str
    guessed: bool
    written: bool

    def __init__(
        self, cells: list[tuple[str, bool]] | None, unclear: str = "", guessed: bool = False, written: bool = False
    ) -> None:
        self.cells, self.unclear, self.guessed, self.written = cells, unclear, guessed, written


@functools.cache
def _starter(exercise: Exercise) -> tuple[str, str]:
    """Return a starter as a syntax tree, and as normalized text."""
    return ast.dump(ast.parse(exercise.starter)), _letters(exercise.starter)


def _letters(source: str) -> str:
    """Return a program without comments, spaces, and the ``...`` that an answer replaces."""
    return "".join(re.sub(r"#.*", "", source).replace("...", "").split())


@functools.cache
def _shared_names() -> set[str]:
    return {name for name, count in Counter(e.answer for e in exercises()).items() if count > 1}


def find(cells: Sequence[Cell]) -> dict[str, Found]:
    """Return the cells that were found in a notebook for each exercise, by exercise number.

    Parameters
    ----------
    cells : sequence of Cell
        Cells of the notebook.
    """
    notebook = _Notebook([piece for cell in cells for piece in cell.pieces()])
    found = {e.number: notebook.answer_to(e) for e in exercises()}
    return {number: one for number, one in found.items() if one.cells is not None or one.unclear}


class _Notebook:
    """The assignment of cells to exercises."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.cells = cells
        self.known = {e.number for e in exercises()}
        labels = {answer_id(n): ("answer", n) for n in self.known} | {check_id(n): ("check", n) for n in self.known}
        self.evidence = [self._evidence(cell, labels) for cell in cells]
        self.owners = [self._owner(i) for i in range(len(cells))]

    def _evidence(self, cell: Cell, labels: dict[str, tuple[str, str]]) -> tuple[str, str] | None:
        """Return the type of a cell's evidence, and the exercise that the evidence names, or None without evidence."""
        if headings := [number for number in cell.headings if number in self.known]:
            return "heading", headings[-1]
        if cell.kind == "code" and cell.label in labels:
            return labels[cell.label]
        checked = [number for number, _ in cell.checks if number in self.known]
        return ("check", checked[-1]) if len(set(checked)) == 1 else None

    def _owner(self, place: int) -> str:
        """Return the exercise that a cell belongs to, according to its own code or the cells around it."""
        own = self.evidence[place]
        if own:
            return own[1]
        before = next((e for e in reversed(self.evidence[:place]) if e), None)
        after = next((e for e in self.evidence[place + 1 :] if e), None)
        if (before is None or before[0] == "check") and after is not None and after[0] == "check":
            return after[1]
        return before[1] if before else ""

    def answer_to(self, exercise: Exercise) -> Found:
        """Return the cells found for an exercise."""
        number, name = exercise.number, exercise.answer
        mentioned = self._mentions(number)
        written = [i for i, c in enumerate(self.cells) if name in c.defines and not self._is_starter(c, exercise)]
        if not mentioned:  # a lesson may use the name for another purpose
            written = [i for i in written if not is_given(self.cells[i])]
        if name in _shared_names():
            if written and not mentioned:
                return Found(None, f"`{name}` is defined, but it is unclear for which exercise", guessed=True)
            found = self._one_of_several(exercise, [i for i in written if self.owners[i] == number])
            if mentioned and self._unclear_whose(exercise, written):
                why = f"`{name}` is defined several times, and it is unclear which definition belongs to which exercise"
                found = Found(found.cells, found.unclear or why, written=found.written)
            return found
        return self._one_of_several(exercise, written)

    def _one_of_several(self, exercise: Exercise, written: list[int]) -> Found:
        mentioned = self._mentions(exercise.number)
        if written:
            return Found(self._program(exercise, written[-1]), guessed=not mentioned, written=True)
        return self._without_definition(exercise) if mentioned else Found(None)

    def _mentions(self, number: str) -> bool:
        """Return whether a heading, a label, or a check mentions an exercise."""
        return any(e and e[1] == number for e in self.evidence) or any(
            number in cell.headings or number in dict(cell.checks) for cell in self.cells
        )

    def _unclear_whose(self, exercise: Exercise, written: list[int]) -> bool:
        """Return whether a definition of a name that several exercises require may belong to this exercise.

        This is the case if a cell defines the name twice, or is below the headings of several exercises or of none, and
        if one of these exercises has no other definition.
        """
        number, name = exercise.number, exercise.answer
        loose = dict[int, set[str]]()  # definition -> exercises that it may belong to; empty for all
        for i in written:
            above = next((k for k in range(i, -1, -1) if self.evidence[k]), None)
            headings = set(self.cells[above].headings) if above is not None else set[str]()
            twice = self.cells[i].definitions[name] > 1 and (self.evidence[i] or ("", ""))[0] != "answer"
            if len(headings) > 1 or twice or not self.owners[i]:
                loose[i] = headings if len(headings) > 1 else set()
        open_ = {
            e.number for e in exercises() if e.answer == name and self._mentions(e.number)
            and not any(self.owners[i] == e.number for i in written)
            and not any(self.owners[k] == e.number and self._is_starter(c, e) for k, c in enumerate(self.cells))
        }  # fmt: skip
        mine = [i for i in loose if self.owners[i] == number]
        fits = [i for i, headings in loose.items() if not headings or number in headings]
        return bool(open_) and bool(mine or (number in open_ and fits))

    def _is_starter(self, cell: Cell, exercise: Exercise) -> bool:
        tree, letters = _starter(exercise)
        return (cell.tree is not None and ast.dump(cell.tree) == tree) or _letters(cell.source) == letters

    def _checked(self, number: str) -> str:
        """Return the source of the answer in the last check of an exercise."""
        return next((given for c in reversed(self.cells) for n, given in reversed(c.checks) if n == number), "")

    def _without_definition(self, exercise: Exercise) -> Found:
        """Return the cells for an exercise whose required name only the starter defines."""
        number, name = exercise.number, exercise.answer
        given = self._checked(number)
        if given not in ("", name, "..."):
            last = max(i for i, c in enumerate(self.cells) if any(n == number for n, _ in c.checks))
            if not Cell("code", given).uses or self._defined(Cell("code", given).uses, last):
                return Found([*self._program(exercise, last, also=given), (f"{name} = {given}", True)], written=True)
        labelled = [i for i, e in enumerate(self.evidence) if e == ("answer", number)]
        own = [i for i, owner in enumerate(self.owners) if owner == number and self._may_answer(i)]
        own = [i for i in own if self._is_starter(self.cells[i], exercise) or not is_given(self.cells[i])]
        unclear = ""
        shown = [c for c in self.cells if any(definitions_in_text(c.text, name))]
        if any(c.kind != "code" for c in shown):
            unclear = f"`{name}` is defined in a text cell"
        elif any(c.kind == "code" and not c.source.strip() for c in shown):
            unclear = f"`{name}` is defined in a file that a cell writes"
        elif any(name in c.imports for c in self.cells):
            unclear = f"`{name}` is imported"
        elif any(not self._is_starter(self.cells[i], exercise) and self._has_another(i, exercise) for i in own):
            unclear = f"the cells of the exercise contain other code, but no `{name}`"
        empty = [i for i in own if self._is_starter(self.cells[i], exercise)]
        places = labelled or (empty if not unclear else []) or own
        program = self._program(exercise, places[-1]) if places else []
        if len(program) == 1 and self._is_starter(self.cells[places[-1]], exercise):
            program = [(exercise.starter, True)]  # without its `...`, a starter does not compile
        return Found(program, unclear)

    def _may_answer(self, place: int) -> bool:
        cell, evidence = self.cells[place], self.evidence[place]
        return cell.kind == "code" and bool(cell.source.strip()) and (evidence is None or evidence[0] == "answer")

    def _has_another(self, place: int, exercise: Exercise) -> bool:
        """Return whether a cell defines a function or a class, as the exercise requires, but under another name."""
        body = ast.parse(exercise.starter).body
        wanted = tuple(
            {type(n) for n in body if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name == exercise.answer}
        )
        tree = self.cells[place].tree
        nodes = [node for node in tree.body if isinstance(node, wanted)] if tree is not None else []
        return not all(map(is_given_definition, nodes))

    def _defined(self, names: Iterable[str], last: int) -> bool:
        return any(names & cell.defines for cell in self.cells[: last + 1]) if (names := set(names)) else False

    def _program(self, exercise: Exercise, answer: int, also: str = "") -> list[tuple[str, bool]]:
        """Return the cells to run: the cells of an answer, and the cells that define or import the names they use."""
        number, name = exercise.number, exercise.answer
        checks = [i for i, e in enumerate(self.evidence) if e == ("check", number) and i > answer]
        end = checks[0] if checks else answer + 1
        chosen = {i for i, owner in enumerate(self.owners) if owner == number and self._may_answer(i) and i < end}
        chosen = {i for i in chosen if i == answer or not self._is_starter(self.cells[i], exercise)}
        chosen |= {i for i, c in enumerate(self.cells) if i > answer and self.owners[i] == number and name in c.changes}
        if not also:
            chosen.add(answer)
        # Imports from __future__ apply to all later cells, although no cell reads their names.
        imports: dict[str, None] = {
            text: None for cell in self.cells[: answer + 1] for text in cell.imports.values()
            if text.startswith("from __future__ ")
        }  # fmt: skip
        extra = Cell("code", also)
        while missing := self._missing(chosen, extra, imports):
            chosen |= missing
        return [(text, False) for text in imports] + [
            (self.cells[i].source, i == answer and not also) for i in sorted(chosen)
        ]

    def _missing(self, chosen: set[int], extra: Cell, imports: dict[str, None]) -> set[int]:
        """Return the cells that define names used by the chosen cells, and collect imports."""
        cells = [*(self.cells[i] for i in chosen), extra]
        # Names from imports that were chosen earlier also exist.
        bound = {name for text in imports for name in Cell("code", text).imports}
        bound = bound.union(*(c.defines | c.imports.keys() for c in cells))
        wanted = set[str]().union(*(c.uses for c in cells)) - bound
        found: set[int] = set()
        others = [i for i in range(len(self.cells)) if i not in chosen]
        for name in sorted(wanted):
            for i in reversed(others):
                if name in self.cells[i].imports:
                    imports[self.cells[i].imports[name]] = None
                    break
                if name in self.cells[i].defines and name not in _PRELUDE_NAMES:
                    found.add(i)
                    break
            else:
                if name in _OFFERED:
                    imports[_OFFERED[name]] = None
        stars = {c.imports["*"]: None for c in self.cells if "*" in c.imports} if wanted else {}
        imports.update(stars)
        return found
