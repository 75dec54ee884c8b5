"""One program, judged: run on both sides, compared, and its finding made small."""

from __future__ import annotations

import dataclasses

from .known import known
from .plan import Plan
from .sides import Answer, here, mxnet
from .verdict import difference

__all__ = ["ANYTHING", "LINE_BY_LINE", "WITHOUT_ONEDNN", "Finding", "Judge", "script"]

#: What ``docs/compatibility.md`` says of differences between MXNet and MXNet.
WITHOUT_ONEDNN = "MXNet without oneDNN computes what is computed here"
ANYTHING = "MXNet gives another answer when it is asked again"
LINE_BY_LINE = "MXNet line by line computes what is computed here"

#: Runs with noise before anything is called a finding: a few first, and if it still looks like one, many.
_FEW, _MANY = 3, 16
_ROUNDING, _NOISE = 3.0, 2.0
#: Errors after which a process of MXNet computes nothing any more, whatever it is asked.
_BROKEN = ("could not execute a primitive", "could not create a primitive")


@dataclasses.dataclass(frozen=True)
class Finding:
    """What differs.

    Attributes
    ----------
    plan : Plan
        The program.
    name : str
        What of it differs first.
    text : str
        How.
    known : str
        The documented difference that it is; empty if it is none.
    """

    plan: Plan
    name: str
    text: str
    known: str = ""

    @property
    def kind(self) -> str:
        """What findings of one cause mostly have in common."""
        if self.name == "error":
            return f"error: {self.text[:120]}"
        if self.text.startswith("shape") or " at " not in self.text:
            return self.text
        what = self.name.partition(": ")[2].partition(" ")[0]
        return "parameter" if what.startswith("net_") else what


class Judge:
    """Runs programs on both sides.

    Attributes
    ----------
    ours, theirs, plain : Side
        This package, MXNet, and MXNet without oneDNN.
    """

    def __init__(self) -> None:
        self.ours, self.theirs, self.plain = here(), mxnet(), mxnet(onednn=False)
        self.errors = 0
        self.ended = ""  # the error in which both sides agreed, of the last program

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, *error: object) -> None:
        for side in (self.ours, self.theirs, self.plain):
            side.close()

    def _asked(self, text: str) -> tuple[Answer, Answer]:
        ours, theirs = self.ours.ask(text), self.theirs.ask(text)
        if any(words in theirs.error for words in _BROKEN):
            self.theirs.close()
            theirs = self.theirs.ask(text)
        return ours, theirs

    def judge(self, plan: Plan, most: int = _MANY) -> Finding | None:
        """Return what differs, or None.

        Parameters
        ----------
        plan : Plan
            The program.
        most : int
            How many runs with noise are made before anything is called a finding.
        """
        text = plan.text()
        ours, theirs = self._asked(text)
        self.ended = ours.error if ours.error and ours.kind == theirs.kind else ""
        name, said = difference(ours, theirs)
        if not name:
            return None
        if name == "error":
            if theirs.error and not difference(ours, self.plain.ask(text))[0]:
                return Finding(plan, name, said, WITHOUT_ONEDNN)
        elif name != "order":
            again: list[Answer] = []
            theirs_again: list[Answer] = []
            for count in (_FEW, most):
                for i in range(len(again), count):
                    noisy = plan.text(_NOISE, i + 1)
                    again.append(self.ours.ask(noisy, _ROUNDING, i))
                    theirs_again.append(self.theirs.ask(noisy))
                name, said = difference(ours, theirs, again, theirs_again)
                if not name:
                    return None
            if said_so := self._of_mxnet_itself(plan, ours, theirs, again, theirs_again):
                return Finding(plan, name, said, said_so)
        return Finding(plan, name, said, known(plan, name, said))

    def _of_mxnet_itself(
        self, plan: Plan, ours: Answer, theirs: Answer, again: list[Answer], theirs_again: list[Answer]
    ) -> str:
        """Return in which other way MXNet computes what is computed here; empty if in none."""
        for _ in range(2):
            if not difference(ours, self.plain.ask(plan.text()), again, theirs_again)[0]:
                return WITHOUT_ONEDNN
            self.plain.close()  # what a process has computed before is in its memory
        self.theirs.close()
        if difference(theirs, self.theirs.ask(plan.text()), again, theirs_again)[0]:
            return ANYTHING
        if plan.hybridizes:
            line_by_line = dataclasses.replace(plan, hybridize="", steps=tuple(s.imperative for s in plan.steps))
            if not difference(ours, self.theirs.ask(line_by_line.text()), again, theirs_again)[0]:
                return LINE_BY_LINE
            if not difference(ours, self.plain.ask(line_by_line.text()), again, theirs_again)[0]:
                return LINE_BY_LINE
        return ""

    def shows(self, plan: Plan, finding: Finding) -> bool:
        """Return whether a program shows the same finding."""
        found = self.judge(plan, _FEW)
        return found is not None and found.kind == finding.kind and found.known == finding.known


def script(finding: Finding) -> str:
    """Return a program that shows a finding, complete."""
    return (
        f"# {finding.name}: {finding.text}\n# Here, begin with: import d2lhybrid; d2lhybrid.as_mxnet()\n"
        f"{finding.plan.text()}\nfor name, value in seen:\n    print(name, value)\n"
    )
