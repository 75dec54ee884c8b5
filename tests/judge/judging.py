"""One program, judged: run on both sides, compared, and its finding made small."""

from __future__ import annotations

import dataclasses

from .known import known, line_by_line, repairs, without_onednn
from .plan import Plan, prelude
from .sides import Answer, Side, here, mxnet
from .verdict import difference

__all__ = ["ANYTHING", "LINE_BY_LINE", "SINGLE", "WITHOUT_ONEDNN", "Finding", "Judge", "script"]

#: What ``docs/compatibility.md`` says of differences between MXNet and MXNet.
WITHOUT_ONEDNN = "MXNet without oneDNN agrees with this package"
ANYTHING = "the result of MXNet differs between two runs of the same program"
LINE_BY_LINE = "Eager MXNet agrees with this package"
#: What it says of settings in programs of float64.
SINGLE = "also uses double precision for settings of operators"

#: Runs with noise before anything is called a finding: a few first, and if it still looks like one, many.
_FEW, _MANY = 3, 16
_ROUNDING, _NOISE = 3.0, 2.0
#: So little noise that it moves no number.
_NOTHING = 1e-12
#: How often MXNet is asked for an error again, each time in a new process.
_AGAIN = 4


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
            mine, _, theirs = self.text.partition(" here, ")
            return f"error: {mine[:80]} here, {theirs[:80]}"
        if self.text.startswith("shape") or " at " not in self.text:
            return self.text
        what = self.name.partition(": ")[2].partition(" ")[0]
        return "parameter" if what.startswith("net_") else what


class Judge:
    """Runs programs on both sides.

    Attributes
    ----------
    ours, theirs, plain, serial, repaired : Side
        This package, MXNet, MXNet without oneDNN, MXNet that runs one operator after the other, and MXNet without the
        differences that can be taken out of it.
    """

    def __init__(self) -> None:
        self.ours, self.theirs, self.repaired = here(), mxnet(), mxnet()
        self.plain, self.serial = mxnet(onednn=False), mxnet(threaded=False)
        self.errors = 0
        self.ended = ""  # the error in which both sides agreed, of the last program

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, *error: object) -> None:
        for side in (self.ours, self.theirs, self.plain, self.serial, self.repaired):
            side.close()

    def judge(self, plan: Plan, most: int = _MANY) -> Finding | None:
        """Return what differs, or None.

        Parameters
        ----------
        plan : Plan
            The program.
        most : int
            How many runs with noise are made before anything is called a finding.
        """
        found = self._judge(plan, self.theirs, "", most)
        if found is None or found.known:
            return found
        single = plan.dtype == "float64"
        if single:
            left = self._judge(plan, self.theirs, "", most, single)
            if left is None or left.known:
                return left or dataclasses.replace(found, known=SINGLE)
            found = left
        if fitting := repairs(plan):
            left = self._judge(plan, self.repaired, "".join(one.lines for one in fitting), most, single)
            self.repaired.anew()  # the next program may need others
            return left or dataclasses.replace(found, known=", or ".join(one.words for one in fitting))
        return found

    def _asked(self, text: str, side: Side, repair: str, single: bool) -> tuple[Answer, Answer]:
        ours, theirs = self.ours.ask(text, single=single), side.ask(repair + text)
        if theirs.error and ours.kind != theirs.kind:  # it may be left over from the program before, or last for good
            side.anew()
            theirs = side.ask(repair + text)
        return ours, theirs

    def _of_kernels(self, plan: Plan, ours: Answer, single: bool) -> Answer:
        """Return what runs with noise would see without it.

        Noise is in kernels, and a compiled program has lines in the place of some; with noise it calls kernels. That
        both see the same is not taken for granted: runs with noise are compared with one of kernels without.
        """
        return self.ours.ask(plan.text(), _NOTHING, 0, single) if plan.hybridizes or plan.module else ours

    def _judge(self, plan: Plan, side: Side, repair: str, most: int, single: bool = False) -> Finding | None:
        text = plan.text()
        if repair:
            repair = f"{prelude()}\n{repair}\n"
        ours, theirs = self._asked(text, side, repair, single)
        self.ended = ours.error if ours.error and ours.kind == theirs.kind else ""
        name, said = difference(ours, theirs)
        if not name:
            return None
        again: list[Answer] = []
        plain = dataclasses.replace(plan, promoted=False)
        base = self._of_kernels(plain, ours, single)
        theirs_again: list[Answer] = []
        exact: Answer | None = None
        if name != "order":
            for count in (_FEW, most):
                for i in range(len(again), count):
                    noisy = plain.text(_NOISE, i + 1)
                    again.append(self.ours.ask(noisy, _ROUNDING, i, single))
                    theirs_again.append(side.ask(repair + noisy))
                if exact is None and plan.dtype == "float32":
                    exact = self.ours.ask(dataclasses.replace(plain, dtype="float64").text())
                name, said = difference(ours, theirs, again, theirs_again, exact, base)
                if not name:
                    return None
                if name == "error":
                    break
            if words := known(plan, name, said, ours, theirs):
                return Finding(plan, name, said, words)
            words, documented = self._of_mxnet_itself(
                plan, side, repair, (ours, theirs), (again, theirs_again, exact, base), name
            )
            if words:
                return Finding(plan, name, said if documented else f"{said}; {words}", words if documented else "")
        return Finding(plan, name, said)

    def _of_mxnet_itself(
        self, plan: Plan, side: Side, repair: str, answers: tuple[Answer, Answer],
        noisy: tuple[list[Answer], list[Answer], Answer | None, Answer], name: str,
    ) -> tuple[str, bool]:  # fmt: skip
        """Return in which other way MXNet computes what is computed here, and whether that is documented."""
        ours, theirs = answers

        def agrees(with_what: Side, text: str) -> bool:
            return not difference(ours, with_what.ask(repair + text), *noisy)[0]

        try:
            for _ in range(2):
                if agrees(self.plain, plan.text()):
                    return WITHOUT_ONEDNN, without_onednn(plan, name, theirs, ours)
                if name == "error" and (words := self._without_what_onednn_refuses(plan, repair, ours, theirs)):
                    return words, True
                self.plain.anew()  # what a process has computed before is in its memory
            for _ in range(_AGAIN if name == "error" else 1):  # an error of unwritten memory comes now and then
                side.close()  # and what lies where in memory is another with a process that is no child of the same one
                if difference(theirs, side.ask(repair + plan.text()), *noisy)[0]:
                    return ANYTHING, True
            if name != "error" and agrees(self.serial, plan.text()):  # its threads race
                return ANYTHING, True
            if name == "error":
                return "", False
            if plan.hybridizes:
                plain_text = plan.imperative.text()
                if agrees(side, plain_text) or agrees(self.plain, plain_text):
                    return LINE_BY_LINE, line_by_line(name)
        finally:
            if repair:
                self.plain.anew()
                self.serial.anew()
        return "", False

    def _without_what_onednn_refuses(self, plan: Plan, repair: str, ours: Answer, theirs: Answer) -> str:
        """Return the documented difference that MXNet without oneDNN has in a program that oneDNN refuses."""
        if not without_onednn(plan, "error", theirs):
            return ""
        plain = self.plain.ask(repair + plan.text())
        words = known(plan, *difference(ours, plain), ours, plain)
        return f"{WITHOUT_ONEDNN}, or {words}" if words else ""

    def shows(self, plan: Plan, finding: Finding) -> bool:
        """Return whether a program shows the same finding."""
        found = self.judge(plan, _FEW)
        return found is not None and found.kind == finding.kind and found.known == finding.known


def script(finding: Finding) -> str:
    """Return a program that shows a finding, complete."""
    begin = "import d2lhybrid; d2lhybrid.as_mxnet()"
    if finding.plan.promoted:  # small programs, too
        begin += "; from d2lhybrid.internals.compiler import tiers; tiers.LEAST_WORK = 0"
    return (
        f"# {finding.name}: {finding.text}\n# Here, begin with: {begin}\n"
        f"{finding.plan.text()}\nfor name, value in seen:\n    print(name, value)\n"
    )
