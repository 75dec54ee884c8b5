"""Every code block of the lessons, run unchanged and in order: what a user sees is what MXNet shows.

``differences.py`` lists what may differ. The lessons' texts are not part of this repository: where
they are not at hand, only the tests of the tools themselves run.
"""

from __future__ import annotations

import os
import re

import pytest

from .differences import ALLOWED, leave_out
from .extract import BODY, CELL, SHOWN, extract, restore_indentation
from .lessons import CORRECTED, LESSONS, NAMES, SAME_CODE, blocks_of, key_of, read, recorded, run, run_here

needs_lessons = pytest.mark.skipif(
    not LESSONS.is_dir(),
    reason="the lessons are five articles on hybridize by other authors, whose text this repository cannot copy; "
    f"{LESSONS} does not have them (what real MXNet prints for their code is in tests/golden_data/lessons)",
)
each_lesson = pytest.mark.parametrize("name", NAMES)
each_record = pytest.mark.parametrize(
    ("name", "expected"),
    [pytest.param(name, r, id=f"{name} {key_of(r)}") for name in NAMES for r in recorded(name)],
)
each_failing_snippet = pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param(name, r, id=f"{name} {key_of(r)}")
        for name in NAMES
        for r in recorded(name)
        if "mode" in r and "raises" in r
    ],
)


def seen_here(name, expected):
    return next(r for r in run_here(name) if key_of(r) == key_of(expected))


# What a user sees ---------------------------------------------------------------------------------


@needs_lessons
@each_record
def test_block_shows_what_mxnet_shows(name, expected):
    seen = seen_here(name, expected)
    random = expected.get("random", False)
    for part in ("raises", "printed", "result"):
        assert leave_out(seen.get(part, ""), random) == leave_out(expected.get(part, ""), random), part
    warned, expected_warnings = ("\n".join(record.get("warnings", [])) for record in (seen, expected))
    assert leave_out(warned, random) == leave_out(expected_warnings, random)


@needs_lessons
@each_lesson
def test_every_block_was_run(name):
    assert [key_of(r) for r in run_here(name)] == [key_of(r) for r in recorded(name)]


@needs_lessons
@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("003", "004")])
def test_numbers_that_agree_in_mxnet_agree_here(name):
    """Hybridizing changes no result: texts that are equal in the record are equal in our run."""
    together: dict[str, set[str]] = {}
    for expected in recorded(name):
        for part in ("printed", "result"):
            if part in expected:
                together.setdefault(expected[part], set()).add(seen_here(name, expected).get(part, ""))
    assert all(len(texts) == 1 for texts in together.values())
    assert len(together) < sum(len({"printed", "result"} & set(r)) for r in recorded(name)), "nothing to compare"


@needs_lessons
@pytest.mark.parametrize("name", ["000", "001", "003"])
def test_errors_that_the_lesson_quotes_are_raised(name):
    text = read(name)
    assert text is not None
    quoted = re.findall(r"((?:Type|Attribute)Error: .+?)`?[.]?$", text, re.MULTILINE)
    raised = [r["raises"].removeprefix("builtins.") for r in run_here(name) if "raises" in r]
    if name == "003":  # it says so of x.shape without a snippet: the other lesson has one
        raised = [r["raises"].removeprefix("builtins.") for r in run_here("000") if "'shape'" in r.get("raises", "")]
    assert quoted == raised


@needs_lessons
@each_failing_snippet
def test_errors_of_hybrid_forward_name_the_remedy_and_the_line(name, expected):
    remedy, line, *_ = seen_here(name, expected)["notes"]
    assert "F." in remedy or "constructor" in remedy
    source = next(b.source for b in blocks_of(name) or [] if b.number == expected["block"])
    number, code = re.fullmatch(r"while tracing .*, line (\d+): (.+)", line).groups()  # type: ignore[union-attr]
    assert source.splitlines()[int(number) - 2].strip() == code  # one line more: the class


@pytest.mark.interop
@needs_lessons
@pytest.mark.skipif(not os.environ.get("D2LHYBRID_MXNET_PYTHON"), reason="`make interop` installs MXNet and names it")
@pytest.mark.parametrize("name", [name for name in NAMES if name not in SAME_CODE])
def test_the_record_is_what_mxnet_shows(name):
    seen = run(name, os.environ["D2LHYBRID_MXNET_PYTHON"])
    for record, expected in zip(seen, recorded(name), strict=True):
        for part in ("raises", "printed", "result"):
            got, want = (leave_out(r.get(part, ""), False) for r in (record, expected))
            assert words(got) == words(want)
            # The last digits depend on the processor for which MXNet's products choose their order.
            assert numbers(got) == pytest.approx(numbers(want), rel=1e-4, abs=1e-7)
        assert len(record.get("warnings", [])) == len(expected.get("warnings", []))


NUMBER = re.compile(r"-?\b\d+(?:\.\d*)?(?:e[-+]\d+)?")


def words(text):
    """Return a text without its numbers and its spaces."""
    return NUMBER.sub("", text).split()


def numbers(text):
    """Return the numbers in a text."""
    return [float(number) for number in NUMBER.findall(text)]


# The tools ----------------------------------------------------------------------------------------


@needs_lessons
def test_two_lessons_are_one():
    for name, other in SAME_CODE.items():
        assert blocks_of(name) == blocks_of(other)


@needs_lessons
def test_corrections_correct_one_line():
    for name, (other, *_) in CORRECTED.items():
        pairs = zip(blocks_of(name) or [], blocks_of(other) or [], strict=True)
        assert sum(a.source != b.source for a, b in pairs) == 1


def test_few_differences_and_each_with_a_reason():
    assert len(ALLOWED) < 6
    assert all(d.why.endswith(".") for d in ALLOWED)


@pytest.mark.parametrize(
    ("text", "random", "expected"),
    [
        ("[[ 1.5 -2.e-01]\n [0. 10.]] 3", True, "[[# #] [# #]] 3"),
        ("array([[0.1, -2.]])", True, "array([[#, #]])"),
        ("[[1. ... 2.]\n ...\n [3. ... 4.]]", True, "[[# ... #] ... [# ... #]]"),
        ("[[1. 2.]]", False, "[[1. 2.]]"),
        ("x: 0.1234 sec", False, "x: #.#### sec"),
        ("x: 0.12 sec", False, "x: 0.12 sec"),
        ("-rw-r--r-- 1 me us 643K Nov 20 23:13 a.params\n", False, "643K a.params\n"),
        ("F: <module 'd2lhybrid.ndarray' from '/x/y.py'>", False, "F: <module 'mxnet.ndarray' from '...'>"),
    ],
)
def test_what_may_differ(text, random, expected):
    assert leave_out(text, random) == expected


def test_blocks_between_fences():
    text = "a\n```python\nx = 1\n```\nand\n```\n1\n```\n```{.python .input  n=2}\nx + 1\n!ls\n```\n"
    found = [(b.number, b.kind, b.source) for b in extract(text)]
    assert found == [(1, CELL, "x = 1"), (0, SHOWN, "1"), (2, CELL, "x + 1\n!ls")]


def test_blocks_of_a_notebook_saved_as_text():
    text = """Title

[ ]:
x = '''

not the end
'''

def f():
    return x

Some prose comes here.

def hybrid_forward(self, F, x):
    return x[0]

And ends.
"""
    first, second = extract(text)
    assert first.kind == CELL and first.source.startswith("x = '''") and first.source.endswith("return x")
    assert (second.number, second.kind) == (2, BODY) and second.source.endswith("return x[0]")


def test_lost_indentation_is_restored():
    lost = """import a
class Net(B):
def __init__(self):
with self.name_scope():
# a comment:
self.x = 1
def f(self):
return 2
def g():
return 3
"""
    # What follows a method at the margin stays in the class: the lessons have no such code.
    assert restore_indentation(lost).splitlines() == [
        "import a",
        "class Net(B):",
        "    def __init__(self):",
        "        with self.name_scope():",
        "            # a comment:",
        "            self.x = 1",
        "    def f(self):",
        "        return 2",
        "    def g():",
        "        return 3",
    ]
    whole = "def f():\n    return 1\nf()"
    assert restore_indentation(whole) == whole
