"""What the gallery of frameworks says is so: its sentences are compared with what the programs did, and with runs."""

from __future__ import annotations

import contextlib
import copy
import io
import math
import re
from types import SimpleNamespace
from typing import Any

import numpy
import pytest
from said import Ledger, plain, texts_in

from d2lhybrid.internals.pictures.others import documented, live_runs, questions, recording, timing
from d2lhybrid.internals.pictures.others.foreign_trace import ForeignTrace
from d2lhybrid.internals.pictures.others.peers import PEERS, peer_of
from d2lhybrid.internals.pictures.others.side_by_side import side_by_side
from d2lhybrid.internals.support.words import listed, translate

DATA = recording.read()
PROGRAMS = {one["name"]: one for one in DATA["programs"]}
#: What a script says of an answer: as in the questions of other pictures, at which tests in tests/browser look.
OF_SCRIPTS = {"Right: {answer}.", "Not {chosen}, but {answer}.", "call {n}"}
LEDGER = Ledger(texts_in("others/*.py") - OF_SCRIPTS)
says, never = LEDGER.says, LEDGER.never


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", LEDGER.scenes)
def test_what_is_said_is_what_ran(name: str, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    LEDGER.play(name, lang, patch=monkeypatch)


def test_every_sentence_is_compared() -> None:
    assert LEDGER.compared == LEDGER.texts


def runs() -> list[tuple[dict[str, Any], str, list[Any], list[Any]]]:
    """Return each program, each framework, and its calls beside those of plain Python."""
    return [
        (one, framework, run["calls"], one["runs"]["python"]["calls"])
        for one in PROGRAMS.values()
        for framework, run in one["runs"].items()
        if framework != "python"
    ]


def changed(name: str, framework: str, call: int, **values: Any) -> dict[str, Any]:
    """Return a program of which one call went otherwise."""
    one = copy.deepcopy(PROGRAMS[name])
    one["runs"][framework]["calls"][call].update(values)
    return one


def error_of(call: dict[str, Any]) -> str:
    """Return the name of the class of an error."""
    found = re.match(r"(?:\w+\.)*(\w+)", call["error"])
    return found[1] if found else ""


# --- compared with plain Python -------------------------------------------------------------------------------------

REFUSES, SILENT = "refuses: {error}", "no error; Python raises {error}"
RETURNS = "returns {value}; Python returns {plain}"
PRINTS, PRINTS_IN_ALL = "prints {n} lines; Python prints {plain}", "prints {n}; Python prints {plain}"
TRACES, GRAPHS = "{n} traces", "{n} graphs in one call"


@LEDGER.scene(REFUSES, SILENT, RETURNS, PRINTS, PRINTS_IN_ALL, TRACES, GRAPHS)
def a_verdict_is_the_difference_from_plain_python() -> None:
    for one, framework, calls, plain_calls in runs():
        if one["random"]:
            continue
        found = []
        told = recording.verdict_of(one, framework).text
        for verdict, call, python in zip(recording.verdicts(one, framework), calls, plain_calls, strict=True):
            text, texts = verdict.text, {SILENT, RETURNS, PRINTS}
            lines = [len(ran["printed"].splitlines()) for ran in (call, python)]
            if call["error"] and not python["error"]:
                found.append(REFUSES)
            elif python["error"] and not call["error"]:
                says(text, SILENT, error=error_of(python))
                found.append(SILENT)
            elif python["numbers"] and not call["error"] and not as_close(call["numbers"], python["numbers"]):
                says(text, RETURNS, value=call["value"] or "?", plain=python["value"])
                found.append(RETURNS)
            elif lines[0] != lines[1]:
                says(text, PRINTS, n=lines[0], plain=lines[1])
                found.append(PRINTS)
            else:
                found.append("")
            for other in texts - {found[-1]}:
                never(text, other)
        if found[0] == REFUSES:
            says(told, REFUSES, error=error_of(calls[0]))
            continue
        never(told, REFUSES)
        if {*found} == {""}:
            never(told, PRINTS_IN_ALL)
            traces = len([call for call in calls if call["kind"] in ("traced", "again")])
            graphs = max(call["parts"] for call in calls)
            for count, text in ((traces, TRACES), (graphs, GRAPHS)):
                if count > 1:
                    says(told, text, n=count)
                else:
                    never(told, text)
        elif {*found} == {"", PRINTS}:
            printed = [" ".join(str(len(c["printed"].splitlines())) for c in ran) for ran in (calls, plain_calls)]
            says(told, PRINTS_IN_ALL, n=printed[0], plain=printed[1])


def as_close(one: list[float], other: list[float]) -> bool:
    return len(one) == len(other) and numpy.allclose(one, other, atol=1e-3)


EACH_PRINTS = "How many lines does call {n} print in {framework}?"
RETURNED, HAPPENS = "What does call {n} return in {framework}?", "What happens in call {n} in {framework}?"
KINDS = {
    "failed": "it fails", "compiled": "the compiled program runs", "traced": "it is traced",
    "again": "it is traced again", "recompiled": "the graph is compiled again", "eager": "Python runs it line by line",
}  # fmt: skip


@LEDGER.scene(EACH_PRINTS, RETURNED, HAPPENS)
def the_answer_to_a_question_is_what_the_call_did() -> None:
    for asked in questions.questions():
        framework = [*PEERS][asked["peer"]]
        call = PROGRAMS[asked["program"]]["runs"][framework]["calls"][asked["call"]]
        before = PROGRAMS[asked["program"]]["runs"][framework]["calls"][: asked["call"] + 1]
        number = sum(c["mark"] != "shows" for c in before)
        right = asked["options"][asked["answer"]]
        answers = {
            EACH_PRINTS: str(len(call["printed"].splitlines())), RETURNED: call["value"],
            HAPPENS: translate(KINDS[call["kind"]]),
        }  # fmt: skip
        (text,) = [text for text, answer in answers.items() if answer == right]
        says(asked["text"], text, n=number, framework=PEERS[framework])
        for other in answers.keys() - {text}:
            never(asked["text"], other)


NO_GRAPH, NOT_RECORDED = "No graph was made.", "No graph was recorded."
PARTS, SCORE = "in {n} parts", "Your score: {n} of {all}"


@LEDGER.scene(NO_GRAPH, NOT_RECORDED, PARTS, SCORE)
def what_a_script_puts_into_its_words_is_what_ran(patch: pytest.MonkeyPatch) -> None:
    """It says one of the first two where a run has no graphs, the third with its number, and counts the answers."""
    for one, framework, calls, _ in runs():
        data = side_by_side(one["name"]).to_dict()
        words = data["words"]
        run = data["programs"][0]["runs"][[*PEERS].index(framework)]
        made = any(call["kind"] in ("traced", "again", "compiled", "recompiled") for call in calls)
        told = "" if run["graphs"] else words[run["without"]]
        for text, is_so in ((NO_GRAPH, not made), (NOT_RECORDED, made and not run["graphs"])):
            (says if is_so else never)(told, text)
        for call in run["calls"]:
            if call["parts"] > 1:
                says(words[PARTS].replace("{n}", str(call["parts"])), PARTS, n=call["parts"])
    with patch.context() as context:  # a traced program whose graph could not be read
        context.setitem(PROGRAMS["export"]["runs"]["jax"], "graphs", [])
        data = side_by_side("export").to_dict()
        says(data["words"][data["programs"][0]["runs"][[*PEERS].index("jax")]["without"]], NOT_RECORDED)
    torch = PROGRAMS["print"]["runs"]["torch"]
    made = [g for g in torch["graphs"] if g["title"] == "FX graph" and g["call"] == 0]
    assert torch["calls"][0]["parts"] == len(made) == 2, "the print is between two graphs"
    quiz = side_by_side(quiz=True).to_dict()
    for right in (0, len(quiz["questions"])):
        told = quiz["words"][SCORE].replace("{n}", str(right)).replace("{all}", str(len(quiz["questions"])))
        says(told, SCORE, n=right, all=len(questions.ASKED))


# --- compared with the documentation --------------------------------------------------------------------------------

BUT = {
    "eager": "But Python ran call {n} line by line.", "traced": "But call {n} was traced.",
    "again": "But call {n} was traced again.", "failed": "But call {n} failed.",
    "compiled": "But call {n} ran a compiled program, without another trace.",
}  # fmt: skip
RAISED, NO_ERROR = "But call {n} raised {error}.", "But call {n} raised no error."
RAN_GRAPHS, PRINTED = "But call {n} ran {seen} graphs.", "But call {n} printed {seen} lines."
RETURNED_IT, RESULT = "But call {n} returned {seen}.", "But the result was {seen}."
AGREES, NO_STATEMENT = "The recording agrees.", "We found no statement on this."
DIFFERS = (*BUT.values(), RAISED, NO_ERROR, RAN_GRAPHS, PRINTED, RETURNED_IT, RESULT)


@LEDGER.scene(*DIFFERS, AGREES, NO_STATEMENT)
def a_statement_is_compared_with_each_call() -> None:
    entries = documented._read()["programs"]
    for name, frameworks in entries.items():
        for framework, entry in frameworks.items():
            told = documented.documented(PROGRAMS[name], framework)
            (says if not entry else never)(told.verdict, NO_STATEMENT)
            (says if told.kind == "agrees" else never)(told.verdict, AGREES)
            calls = PROGRAMS[name]["runs"][framework]["calls"]
            if not entry:
                continue
            for key, text in (("kind", ""), ("prints", PRINTED), ("parts", RAN_GRAPHS), ("error", RAISED)):
                wanted = entry.get(key, [None] * len(calls))
                for at, value in enumerate(wanted):
                    number = calls[at]["mark"].removeprefix("call ")
                    if value is None or number == "shows":
                        continue
                    others = {
                        "kind": [(kind, {"kind": kind}) for kind in BUT if kind != value],
                        "prints": [(n, {"printed": "a\n" * n}) for n in (5, 7)],
                        "parts": [(n, {"parts": n}) for n in (5, 7)],
                        "error": [("Strange", {"error": "package.Strange: no"}), ("", {"error": ""})],
                    }[key]
                    for seen, change in others:
                        if key == "error" and (seen == value or (value == "*" and seen)):
                            continue
                        found = documented.documented(changed(name, framework, at, **change), framework).verdict
                        if key == "kind":
                            says(found, BUT[seen], n=number)
                        elif key == "error":
                            says(found, RAISED if seen else NO_ERROR, n=number, error=seen)
                        else:
                            says(found, text, n=number, seen=seen)
                        never(found, AGREES)
            for at, value in enumerate(entry.get("value", [])):
                if value is not None:
                    for seen in ("[7.]", "[8.]"):
                        found = documented.documented(changed(name, framework, at, value=seen), framework).verdict
                        says(found, RESULT, seen=seen)
            for at, value in enumerate(entry.get("between", [])):
                if value is not None:
                    number = calls[at]["mark"].removeprefix("call ")
                    for seen in (1e9, 2e9):
                        one = changed(name, framework, at, numbers=[seen], value=f"[{seen:g}]")
                        found = documented.documented(one, framework).verdict
                        says(found, RETURNED_IT, n=number, seen=f"[{seen:g}]")


# --- when, and where ------------------------------------------------------------------------------------------------

RECORDED, HERE = "recorded {date} with {versions}", "run here: {versions}"


@LEDGER.scene(RECORDED, HERE)
def what_ran_here_and_what_was_recorded_is_told_apart(patch: pytest.MonkeyPatch) -> None:
    versions = {name: str(version).partition("+")[0] for name, version in DATA["versions"].items()}
    every = listed(f"{title} {versions[name]}" for name, title in PEERS.items())
    says(str(side_by_side("print")), RECORDED, date=DATA["date"], versions=every)
    never(str(side_by_side("print")), HERE)
    patch.setattr(live_runs, "installed", lambda: ["python"])
    picture = side_by_side("print", live=True)
    here = peer_of("python").version()
    says(str(picture), HERE, versions=f"{PEERS['python']} {here}")
    rest = listed(f"{title} {versions[name]}" for name, title in PEERS.items() if name != "python")
    says(str(picture), RECORDED, date=DATA["date"], versions=rest)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(PROGRAMS["print"]["runs"]["python"]["code"], {"__name__": "program"})
    calls = picture.program["runs"]["python"]["calls"]
    assert "".join(call["printed"] for call in calls) == out.getvalue() != ""
    trace = ForeignTrace("jax", "f", "1.2.3", (1, ["def f(x):"]))
    says(trace.to_dict()["about"], HERE, versions=f"{PEERS['jax']} 1.2.3")


MEASURED = "measured {date} on {machine}, with {versions}; load of the machine before: {load}"
LOGARITHMIC = "Bars are logarithmic: the same step to the right is the same factor."


@LEDGER.scene(MEASURED, always=[LOGARITHMIC])
def times_of_frameworks_are_those_that_were_measured(patch: pytest.MonkeyPatch) -> None:
    for load in (None, 0.25):
        data = copy.deepcopy(timing.times())
        data["load"] = data["load"] if load is None else load
        patch.setattr(timing, "times", lambda data=data: data)
        picture = side_by_side(timing=True)
        versions = ", ".join(f"{PEERS[name]} {version}" for name, version in data["versions"].items())
        told = {key: data[key] for key in ("date", "machine", "load")}
        page = picture.to_html()
        for shown in (str(picture), plain(page)):
            says(shown, MEASURED, versions=versions, **told)
        says(plain(page), LOGARITHMIC)
        every = [one for net in data["nets"].values() for one in net.values()]
        seconds = [one[how] for one in every for how in ("first", "later", "eager") if how in one]
        widths = [int(width) for width in re.findall(r"width: (\d+)px; height: 8px", page)]
        assert len(widths) == len(seconds)
        step = SimpleNamespace(low=min(seconds), high=max(seconds))
        a, b = widths[seconds.index(step.low)], widths[seconds.index(step.high)]
        for width, value in zip(widths, seconds, strict=True):
            share = math.log(value / step.low) / math.log(step.high / step.low)
            assert abs(width - (a + share * (b - a))) <= 1.01
