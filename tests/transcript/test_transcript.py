"""About a thousand probes of the public interface: what a user sees is what MXNet 1.9.1 shows.

``comparison.py`` lists what may differ everywhere, ``differences.py`` every probe that differs on
purpose, with its reason.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from .comparison import RULES, agrees, blur, common, leave_out
from .differences import DIFFERENCES
from .sessions import NAMES, recorded, run, run_here


def _events(cell: dict) -> list[Any]:
    """Return what is to be seen of a cell, each with what it is called in a report."""
    events = [("printed", e) if isinstance(e, str) else (f">>> {e[0]}", e[1]) for e in cell.get("seen", [])]
    events += [(part, cell[part]) for part in ("result", "raises") if part in cell]
    return events + [("warning", w) for w in cell.get("warnings", [])]


def _expected_here(session: str, what: str, text: str) -> str | None:
    """Return what is expected here where MXNet shows a text; None if it does not matter."""
    for difference in DIFFERENCES:
        if difference.session != session:
            continue
        if difference.what == what:
            return difference.here
        if not difference.what.startswith((">>> ", "cell: ")):
            text = text.replace(difference.what, difference.here or "")
    return text


def _cell_here(session: str, title: str) -> str | None:
    """Return all that is to be seen of a cell here, if the whole cell differs."""
    found = [d for d in DIFFERENCES if (d.session, d.what) == (session, f"cell: {title}")]
    return None if not found else (found[0].here or "").replace("\\\n", "").strip()


CELLS = [
    pytest.param(name, i, id=f"{name} {i} {cell['title']}") for name in NAMES for i, cell in enumerate(recorded(name))
]


@pytest.mark.parametrize(("session", "number"), CELLS)
def test_a_cell_shows_what_mxnet_shows(session, number):
    cell = recorded(session)[number]
    expected, seen = _events(cell), _events(run_here(session)[number])
    whole = _cell_here(session, cell["title"])
    if whole is not None:
        shown = [leave_out(text) if what == "printed" else f"{what}  -> {leave_out(text)}" for what, text in seen]
        assert "\n".join(shown).strip() == whole
        return
    expected = [(what, _expected_here(session, what, leave_out(text))) for what, text in expected]
    expected = [(what, text) for what, text in expected if what != "warning" or text]
    wrong = []
    for (what, text), (ours, here) in zip(expected, seen, strict=False):
        here = leave_out(here)
        if what != ours or not (text is None or agrees(here, text)):
            wrong.append(f"{what}\n  expected {text!r}\n  here     {here!r}" + (f" ({ours})" if what != ours else ""))
    wrong += [f"not here: {what} {text!r}" for what, text in expected[len(seen) :]]
    wrong += [f"only here: {what} {text!r}" for what, text in seen[len(expected) :]]
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda d: f"{d.session} {d.what[:60]}")
def test_a_difference_is_one(difference):
    """What stands in the table differs from MXNet, and each entry has a reason."""
    cells = recorded(difference.session)
    events = [e for cell in cells for e in _events(cell)]
    if difference.what.startswith(">>> "):
        texts = [leave_out(text) for what, text in events if what == difference.what]
        assert texts
        assert difference.here is None or not any(agrees(difference.here, text) for text in texts)
    elif difference.what.startswith("cell: "):
        assert difference.what.removeprefix("cell: ") in [cell["title"] for cell in cells]
    else:
        assert any(difference.what in leave_out(text) for _, text in events)
        assert difference.what != difference.here
    assert difference.why.endswith(".")


@pytest.mark.parametrize("session", NAMES)
def test_every_cell_was_run(session):
    assert len(run_here(session)) == len(recorded(session))


@pytest.mark.interop
@pytest.mark.skipif(not os.environ.get("D2LHYBRID_MXNET_PYTHON"), reason="`make interop` installs MXNet and names it")
@pytest.mark.parametrize("session", NAMES)
def test_the_record_is_what_mxnet_shows(session):
    for cell, seen in zip(recorded(session), run(session, os.environ["D2LHYBRID_MXNET_PYTHON"]), strict=True):
        for (what, text), (other, here) in zip(_events(cell), _events(seen), strict=True):
            assert what == other
            if what in READS_UNDEFINED_MEMORY:
                continue
            assert agrees(leave_out(here), leave_out(text)), what


#: MXNet does not check the size here and shows whatever lies behind the array: another thing every time.
READS_UNDEFINED_MEMORY = {">>> nd.reshape(nd.ones((2,3)), (4,4))"}

# The tools ----------------------------------------------------------------------------------------


def test_every_rule_has_a_reason():
    assert all(rule.why.endswith(".") for rule in RULES)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            'MXNetError: Traceback (most recent call last):\n  File "../src/a.h", line 7\nMXNetError: Check',
            "MXNetError: Check",
        ),
        ("MXNetError: MXNetError: Error in x: [23:13:49] ../src/a/../b.h:134: Check", "MXNetError: Error in x: Check"),
        ("d2lhybrid.error.ShapeError: no", "mxnet.MXNetError: no"),
        ("d2lhybrid.error.MismatchError: no", "builtins.AssertionError: no"),
        ("<mxnet.initializer.Xavier object at 0x7fd75fcba390>", "<mxnet.Xavier object>"),
        ("OrderedDict([('a', Dense(4 -> 3)), ('b', [(1, 2)])])", "OrderedDict({'a': Dense(4 -> 3), 'b': [(1, 2)]})"),
        ("OrderedDict({'a': Dense(4 -> 3), 'b': [(1, 2)]})", "OrderedDict({'a': Dense(4 -> 3), 'b': [(1, 2)]})"),
        ("OrderedDict([('a', 1)]) OrderedDict([('b', 2)])", "OrderedDict({'a': 1}) OrderedDict({'b': 2})"),
        ("module 'd2lhybrid.ndarray' has no attribute 'foo'", "module 'mxnet.ndarray' has no attribute 'foo'"),
    ],
)
def test_what_is_left_out(text, left):
    assert leave_out(text) == left


def test_random_numbers_are_blurred_line_by_line():
    assert common("a [1. 2.]\nb [1.5 -2e-3]", "a [1. 2.]\nb [7. 8.]") == "a [1. 2.]\nb [# #]"
    assert common("[[1. 2.\n  0.]]\n<2>", "[[1. 3.\n  0.]]\n<2>") == "[[# # #]]\n<2>"
    assert common("std 0.5 max 1", "std 0.6 max 2") == "std # max #"
    assert blur(blur("[[1. 2.]\n [3. 4.]]")) == blur("[[1. 2.]\n [3. 4.]]") == "[[# #] [# #]]"
    assert agrees("[3. 4.]\nb", "[# #]\nb")
    assert not agrees("[3. 4. 5.]\nb", "[# #]\nb")
    assert not agrees("[3. 4.]\nc", "[# #]\nb")
