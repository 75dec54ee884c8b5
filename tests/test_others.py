"""The gallery of small programs in four frameworks: its recording agrees with its programs and with what runs."""

import collections
import gc
import json
import os
import platform
import re
import subprocess
import sys
import types
import weakref
from pathlib import Path

import numpy as np
import pytest

import d2lhybrid as mx
from d2lhybrid.internals.pictures.others import (
    foreign_trace,
    live_runs,
    of_tensorflow,
    of_torch,
    peers,
    questions,
    recording,
    timing,
    watching,
)
from d2lhybrid.internals.pictures.others.side_by_side import CAPTURED, KINDS, STATES, SideBySide, side_by_side
from d2lhybrid.internals.support.words import translate

from .others import __main__ as recorder
from .others.programs import FRAMEWORKS, entries

ENTRIES = {entry.name: entry for entry in entries()}
DATA = recording.read()
PROGRAMS = {one["name"]: one for one in DATA["programs"]}


def _interpreter(framework):
    """Return an interpreter that has a framework: one that is named, that of ``make others``, or None."""
    python = recorder.interpreter_of(framework)
    return python if Path(python).exists() else None


# --- the recording -------------------------------------------------------------------------------------------


def test_it_holds_every_program_of_the_gallery_as_it_is_now():
    assert [*PROGRAMS] == [*ENTRIES]
    for name, entry in ENTRIES.items():
        one = PROGRAMS[name]
        assert {k: one[k] for k in entry.about} == entry.about
        assert {framework: run["code"] for framework, run in one["runs"].items()} == entry.sources


def test_it_says_when_and_with_what_it_was_made():
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", DATA["date"])
    assert [*DATA["versions"]] == [*FRAMEWORKS] and all(re.match(r"\d+\.\d+", v) for v in DATA["versions"].values())


def test_it_is_a_few_hundred_kilobytes():
    assert 50_000 < recording.PATH.stat().st_size < 400_000


@pytest.mark.parametrize("name", ENTRIES)
def test_the_same_calls_are_in_every_framework(name):
    one = PROGRAMS[name]
    marks = {framework: [call["mark"] for call in run["calls"]] for framework, run in one["runs"].items()}
    assert len({*map(tuple, marks.values())}) == 1 and len(marks["python"]) == len(one["calls"]), marks


@pytest.mark.parametrize("name", ENTRIES)
def test_lines_and_graphs_are_those_of_the_program(name):
    for framework, run in PROGRAMS[name]["runs"].items():
        own = watching.Program(run["code"], "program.py").own
        for call in run["calls"]:
            assert {int(line) for line in call["states"]} <= {*own}, framework
            assert {*call["states"].values()} <= {*STATES} and call["kind"] in KINDS
            assert bool(call["error"]) == (call["kind"] == "failed")
            if framework == "python":
                assert {*call["states"].values()} <= {"e", "x"}
        for graph in run["graphs"]:
            assert len(graph["text"]) == len(graph["lines"]) and {*graph["lines"]} - {0} <= {*own}, (framework, graph)


@pytest.mark.parametrize("framework", FRAMEWORKS[1:])
def test_a_compiled_call_runs_lines_that_were_recorded_before(framework):
    for one in PROGRAMS.values():
        recorded = set()
        for call in one["runs"][framework]["calls"]:
            recorded |= {line for line, state in call["states"].items() if state in "tb"}
            assert {line for line, state in call["states"].items() if state == "c"} <= recorded, one["name"]


@pytest.mark.parametrize("framework", ["python", "gluon"])
def test_today_it_gives_the_same(framework):
    answer = recorder.record(framework, sys.executable)
    now = {"programs": [{**one, "runs": {framework: answer["runs"][one["name"]]}} for one in DATA["programs"]]}
    assert not recording.differences(DATA, now)


@pytest.mark.slow
@pytest.mark.parametrize("framework", ["torch", "jax", "tensorflow"])
def test_todays_release_gives_the_same(framework):
    python = _interpreter(framework)
    if python is None:
        pytest.skip(f"{framework} is in no environment of its own here: make others makes it")
    answer = recorder.record(framework, python)
    now = {"programs": [{**one, "runs": {framework: answer["runs"][one["name"]]}} for one in DATA["programs"]]}
    found = recording.differences(DATA, now)
    assert not found, f"recorded with {DATA['versions'][framework]}, here is {answer['version']}: {found}"


def test_what_differs_is_named():
    one = PROGRAMS["print"]
    call = {**one["runs"]["jax"]["calls"][0], "printed": "other\n"}
    changed = {**one["runs"]["jax"], "calls": [call, *one["runs"]["jax"]["calls"][1:]]}
    (found,) = recording.differences(DATA, {"programs": [{**one, "runs": {"jax": changed}}]})
    assert found.startswith("print in jax, call 1: printed was 'x is ") and found.endswith("now it is 'other\\n'")


# --- what it says --------------------------------------------------------------------------------------------


def _prints(framework):
    return [call["printed"].count("\n") for call in PROGRAMS["print"]["runs"][framework]["calls"]]


def test_a_print_has_three_answers():
    assert [_prints(f) for f in FRAMEWORKS] == [[1, 1, 1, 1], [1, 0, 0, 0], [1, 1, 1, 1], [1, 0, 1, 0], [1, 0, 1, 0]]
    assert {call["parts"] for call in PROGRAMS["print"]["runs"]["torch"]["calls"]} == {2}, "the print breaks the graph"


@pytest.mark.parametrize(
    ("name", "framework", "kind", "text"),
    [
        ("print", "torch", "same", "as in Python; 2 traces; 2 graphs in one call"),
        ("print", "jax", "prints", "prints 1 0 1 0; Python prints 1 1 1 1"),
        ("if_value", "jax", "refused", "refuses: TracerBoolConversionError"),
        ("attribute", "tensorflow", "other", "call 2: returns [2. 2.]; Python returns [5. 5.]"),
        ("exception", "gluon", "silent", "call 2: no error; Python raises ValueError"),
        ("export", "jax", "refused", "call 3: ValueError"),
        ("inplace", "tensorflow", "refused", "refuses: TypeError"),
        ("random", "torch", "same", "as in Python"),
        ("loop_python", "torch", "same", "as in Python; nothing is compiled"),
    ],
)
def test_a_cell_of_the_table_says_what_ran(name, framework, kind, text):
    verdict = recording.verdict_of(PROGRAMS[name], framework)
    assert (verdict.kind, verdict.text) == (kind, text)
    assert verdict.surprise == (kind in ("prints", "other", "silent"))


def test_random_numbers_are_compared_by_what_they_can_be():
    """PyTorch 2.14.1 multiplies by something else than the number that Python drew: eager, it doesn't."""
    verdict = recording.verdict_of(PROGRAMS["random_python"], "torch")
    assert verdict.kind == "other" and re.match(
        r"call 1: returns \[\S+e\+\d+\]; Python returns \[0\.\d+\]", verdict.text
    )
    others = [recording.verdict_of(PROGRAMS["random"], framework).kind for framework in FRAMEWORKS[1:]]
    assert others == ["same"] * 4


def test_each_question_has_one_right_answer_that_was_recorded():
    for asked, (name, framework, call, what) in zip(questions.questions(), questions.ASKED, strict=True):
        assert len({*asked["options"]}) == len(asked["options"]) >= 3
        recorded = PROGRAMS[name]["runs"][framework]["calls"][call]
        right = asked["options"][asked["answer"]]
        if what == "prints":
            assert int(right) == recorded["printed"].count("\n")
        elif what == "gives":
            assert right == recorded["value"]
    assert len(questions.ASKED) == 12
    assert {framework for _, framework, _, _ in questions.ASKED} == {"gluon", "torch", "jax", "tensorflow"}


# --- the picture ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", *ENTRIES])
def test_a_picture_is_complete_without_a_script(name):
    picture = side_by_side(name)
    page, text = picture.to_html(), str(picture)
    assert not re.search(r"<(script|style|svg|input)\b", page)
    for title in ("Gluon", "PyTorch", "JAX", "TensorFlow"):
        assert title in page and title in text
    assert DATA["date"] in page and DATA["date"] in text


def test_in_a_notebook_it_stays_below_sixty_kilobytes():
    from d2lhybrid.internals.pictures.html import bytes_in_notebook
    from d2lhybrid.internals.pictures.widgets.page import embedded

    for picture in (*map(side_by_side, ENTRIES), side_by_side(), side_by_side(quiz=True)):
        size = bytes_in_notebook(embedded(picture, key="0" * 32)) + bytes_in_notebook(str(picture))
        assert size < 60_000, (picture.names[0], picture.start, size)


def test_what_was_frozen_stays_beside_its_line_as_long_as_the_graph_runs():
    calls = side_by_side("global").to_dict()["programs"][0]["runs"][3]["calls"]
    assert [call["frozen"] for call in calls] == [
        {"8": ["factor = 2.0"]},
        {"8": ["factor = 2.0"]},
        {"8": ["factor = 5.0"]},
    ]


def test_the_branches_of_a_cond_are_in_the_graph_in_every_framework():
    for framework in FRAMEWORKS[1:]:
        run = PROGRAMS["cond"]["runs"][framework]
        lines = run["code"].splitlines()
        branches = [str(n) for n, line in enumerate(lines, 1) if "lambda" in line or "> 0" in line]
        assert len(branches) == 3
        for call, state in zip(run["calls"], "tc", strict=True):
            assert {call["states"].get(line) for line in branches} == {state}, framework


def test_what_pytorch_marks_as_guarded_is_fixed_in_its_graph():
    """From the second value on, a number of Python is an input of the graph: no constant, and no guard on a value."""
    for name in ("attribute", "global"):
        run = PROGRAMS[name]["runs"]["torch"]
        first, *later = [call["frozen"] for call in run["calls"]]
        assert first and not any(later), name
        one, two = [" ".join(g["text"]) for g in run["graphs"] if g["title"] == "FX graph"][:2]
        assert "* 2.0" in one and "* item" in two
    assert "self.scale == 2.0" in PROGRAMS["attribute"]["runs"]["torch"]["calls"][1]["why"][0]


def test_a_guarded_value_is_kept_if_the_graph_holds_it_or_it_decided_a_branch():
    graph = watching.Graph("FX graph", ["mul = x * 2.0", "add = x + item"], [5, 6])
    seen = {5: ["scale = 2.0"], 6: ["factor = 12.0"], 7: ["strict = False"]}
    assert of_torch._constants(seen, [graph]) == {5: ["scale = 2.0"], 7: ["strict = False"]}


def test_autographs_one_line_of_a_long_statement_is_all_its_lines():
    source = "def f(x):\n    y = g(\n        x,\n        2)\n    return y\n"
    assert of_tensorflow._statements(watching.Program(source, "program.py")) == dict.fromkeys((2, 3, 4), range(2, 5))


def test_its_words_are_there_in_chinese():
    with mx.config(lang="zh"):
        data = side_by_side().to_dict()
        words = [*data["words"].items(), *((w, translate(w)) for _, _, w in [*KINDS.values(), *STATES.values()])]
        words += [(w, translate(w)) for w in CAPTURED.values()]
        english = [text for text, chinese in words if text == chinese and text != "Python"]
        said = [p["title"] + p["asks"] + q["text"] for p in data["programs"] for q in data["questions"]]
    assert not english
    assert all(re.search(r"[\u4e00-\u9fff]", text) for text in said)


def test_a_program_that_is_not_there_is_one_sentence():
    with pytest.raises(
        ValueError, match=r"There is no program 'prints' in the gallery\. The programs are block, print, "
    ):
        side_by_side("prints")
    with pytest.raises(ValueError, match=r"live=True requires the name of a program\. Pass one of block, print"):
        side_by_side(live=True)


def test_the_times_say_when_and_where_they_were_measured():
    picture, data = side_by_side(timing=True), timing.times()
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", data["date"]) and "processors, Python 3." in data["machine"]
    assert data["load"] >= 0 and [*data["nets"]] == ["A", "B"]
    for found in data["nets"].values():
        assert [*found] == ["gluon", "torch", "jax", "tensorflow"]
        assert all(one["first"] > 10 * one["later"] for one in found.values()), "compiling takes longer than running"
    for text in (str(picture), picture.to_html()):
        assert data["date"] in text and data["machine"] in text and "TensorFlow" in text and " µs" in text


# --- live, and absent -----------------------------------------------------------------------------------------


def test_what_is_installed_runs_here(monkeypatch):
    monkeypatch.setattr(live_runs, "installed", lambda: ["python", "gluon"])
    here = Path.cwd()
    picture = side_by_side("print", live=True)
    assert Path.cwd() == here and [*picture.live] == ["python", "gluon"]
    recorded = PROGRAMS["print"]["runs"]["gluon"]["calls"]
    assert [call["kind"] for call in picture.program["runs"]["gluon"]["calls"]] == [call["kind"] for call in recorded]
    assert f"run here: Python {platform.python_version()}, Gluon" in str(picture) and "recorded 20" in str(picture)


@pytest.mark.parametrize("name", ["torch", "jax", "tensorflow"])
def test_a_framework_that_is_absent_is_one_sentence(name, monkeypatch):
    monkeypatch.setattr(peers.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(
        ImportError, match=rf"^{peers.PEERS[name]} is not installed\. Install it with: pip install {name}$"
    ):
        peers.peer_of(name)
    assert peers.installed() == ["python", "gluon"]


def test_nothing_of_it_is_imported_with_the_package():
    code = (
        "import sys, d2lhybrid as mx; mx.side_by_side(); "
        "print(sorted({'torch', 'jax', 'tensorflow'} & {n.partition('.')[0] for n in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_program_is_watched_line_by_line(tmp_path):
    source = "def f(x):\n    y = x + 1\n    print('y is', y)\n    return y\n\nz = f(1)  # call 1\nz  # shows\n"
    seen = watching.run(watching.Peer(), source, tmp_path)
    call, look = seen["calls"]
    assert call["states"] == {"2": "e", "3": "e", "4": "e"} and call["printed"] == "y is 2\n" and call["line"] == 6
    assert (look["kind"], look["value"], look["numbers"]) == ("shows", "2", [2.0])


def test_the_line_that_raises_is_marked(tmp_path):
    seen = watching.run(watching.Peer(), "def f(x):\n    y = x\n    return y / 0\n\nf(1)  # call 1\n", tmp_path)
    (call,) = seen["calls"]
    assert call["kind"] == "failed" and call["failed"] == 3 and call["states"]["3"] == "x"
    assert call["error"] == "ZeroDivisionError: division by zero"


def test_the_gallery_and_its_quiz_are_one_picture():
    picture = side_by_side(quiz=True)
    assert isinstance(picture, SideBySide) and picture.start == "quiz" and picture.to_dict()["questions"]
    assert side_by_side().start == "table"


# --- print_trace of a function of another framework -----------------------------------------------------------


class _Jitted:
    """Something like what jax.jit returns, which compiles nothing."""

    __module__ = "jaxlib.stand_in"

    def __init__(self, function):
        self.__wrapped__, self.lower = function, None

    def __call__(self, *args):
        return self.__wrapped__(*args)

    def clear_cache(self):
        """Forget nothing."""


def _doubled(x):
    y = x * 2
    print("x has", len(x), "rows")
    return y + 1


def test_a_function_is_called_as_python_and_compiled_and_with_a_row_more(monkeypatch):
    monkeypatch.setattr(foreign_trace, "peer_of", lambda name: watching.Peer())
    trace = mx.print_trace(_Jitted(_doubled), np.ones((2, 3)))
    assert isinstance(trace, foreign_trace.ForeignTrace) and trace.framework == "jax"
    assert [call["printed"] for call in trace.calls] == ["x has 2 rows\n"] * 3 + ["x has 3 rows\n"] * 3
    runs = trace.to_dict()["programs"][0]["runs"]
    assert [call["states"] for call in runs[0]["calls"]] == [{"2": "e", "3": "e", "4": "e"}] * 2
    text = str(trace)
    assert (
        text.startswith("PrintTrace _doubled, JAX ") and "inputs with a row more" in text and "▶     y = x * 2" in text
    )
    assert "<script" not in trace.to_html() and "_doubled" in trace.to_html()


def test_a_release_that_cannot_be_watched_is_one_sentence(monkeypatch):
    class TooNew(watching.Peer):
        def version(self):
            return "9.9"

        def begin(self, program):
            raise AttributeError("clear_cache")

    monkeypatch.setattr(foreign_trace, "peer_of", lambda name: TooNew())
    known = DATA["versions"]["jax"]
    with pytest.raises(RuntimeError, match=rf"^print_trace supports JAX {known}, but cannot observe JAX 9\.9$"):
        mx.print_trace(_Jitted(_doubled), np.ones((2, 3)))


def test_an_error_of_the_function_itself_is_part_of_its_trace(monkeypatch):
    def fails(x):
        return x + [0][len(x)]

    monkeypatch.setattr(foreign_trace, "peer_of", lambda name: watching.Peer())
    trace = mx.print_trace(_Jitted(fails), np.ones(2))
    assert isinstance(trace, foreign_trace.ForeignTrace)
    assert {call["error"] for call in trace.calls} == {"IndexError: list index out of range"}
    assert {call["failed"] for call in trace.calls} == {fails.__code__.co_firstlineno + 1}


def test_functions_are_looked_for_among_objects_that_are_gone_or_pretend_to_be_others():
    """A notebook holds objects of all kinds: some raise, or warn, when they are asked for their class."""

    def asked(self):
        raise AssertionError("nobody asks")

    pretends = type("Pretends", (), {"__class__": property(asked)})

    def made(x):
        return x

    generated = collections.namedtuple("Generated", "lineno")(7)
    own = types.SimpleNamespace(loc=types.SimpleNamespace(filename="own.py", lineno=3))
    vars(made)["ag_source_map"] = {generated: own}
    kept = [pretends(), weakref.proxy(gone := type("Gone", (), {})())]
    assert gc.is_tracked(kept[0]) and gc.is_tracked(made)
    del gone
    frame = types.SimpleNamespace(f_code=made.__code__)
    assert of_tensorflow._lines_of(frame, "own.py") == {7: 3}  # type: ignore[arg-type]


def test_what_is_no_function_of_a_framework_is_refused_as_before():
    with pytest.raises(TypeError, match=r"or a function from jax\.jit, torch\.compile, or tf\.function, not function"):
        mx.print_trace(_doubled, np.ones(2))
    with pytest.raises(TypeError, match=r"print_trace needs inputs to call a function of JAX\. Pass them, as in "):
        mx.print_trace(_Jitted(_doubled))


_LIVE = {
    "torch": "import torch\n@torch.compile\ndef f(x):\n    y = torch.sin(x) * scale\n    print('here')\n"
    "    return y + 1\nx = torch.ones(2, 3)\n",
    "jax": "import jax, jax.numpy as jnp\n@jax.jit\ndef f(x):\n    y = jnp.sin(x) * scale\n    print('here')\n"
    "    return y + 1\nx = jnp.ones((2, 3))\n",
    "tensorflow": "import tensorflow as tf\n@tf.function\ndef f(x):\n    y = tf.sin(x) * scale\n    print('here')\n"
    "    return y + 1\nx = tf.ones((2, 3))\n",
}
_TELL = """
import json
from d2lhybrid import print_trace
trace = print_trace(f, x)
print(json.dumps([[c["kind"], c["printed"].count("\\n")] for c in trace.calls]))
print(json.dumps([graph.title for _, graph in trace.graphs]))
print(json.dumps([*trace.calls[1]["frozen"].values()]))
"""
#: Of the three lanes, twice: what kind of call it was, and how many lines it printed.
_SEEN = {
    "torch": [["eager", 1], ["traced", 1], ["compiled", 1], ["eager", 1], ["again", 1], ["compiled", 1]],
    "jax": [["eager", 1], ["traced", 1], ["compiled", 0], ["eager", 1], ["again", 1], ["compiled", 0]],
    "tensorflow": [["eager", 1], ["traced", 1], ["compiled", 0], ["eager", 1], ["again", 1], ["compiled", 0]],
}
_GRAPHS = {
    "torch": {"FX graph", "Inductor's code"}, "jax": {"jaxpr", "HLO, optimised"},
    "tensorflow": {"FuncGraph", "autograph's source"},
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("framework", _LIVE)
def test_a_function_of_the_real_framework_is_watched(framework, tmp_path):
    python = _interpreter(framework)
    if python is None:
        pytest.skip(f"{framework} is in no environment of its own here: make others makes it")
    (tmp_path / "live.py").write_text(f"scale = 2.0\n{_LIVE[framework]}{_TELL}")
    environment = os.environ | {"PYTHONPATH": str(recorder.ROOT), "TF_CPP_MIN_LOG_LEVEL": "3", "JAX_PLATFORMS": "cpu"}
    command = [python, "-W", "ignore", "live.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path, env=environment)
    calls, graphs, frozen = map(json.loads, done.stdout.strip().split("\n")[-3:])
    assert calls == _SEEN[framework]
    assert {*graphs} == _GRAPHS[framework] or {*graphs} == {"FX graph"}  # without a compiler of C++
    assert frozen == [["scale = 2.0"]]
