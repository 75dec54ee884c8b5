"""The limits of hybridization: the same errors as MXNet's, with the remedy and the user's own line."""

import json
import re
import warnings
from pathlib import Path

import limit_snippets
import pytest
from limit_snippets import MODES, array, make

import d2lhybrid as mx
from d2lhybrid.error import MXNetError, ShapeError

GOLDEN = json.loads((Path(__file__).parent / "golden_data/limits/limits.json").read_text(encoding="utf-8"))

CASES = [(mode, body) for mode, bodies in MODES.items() for body in bodies]
FAILING = [(mode, body) for mode, body in CASES if "raises" in GOLDEN[mode][body]["hybridized"]]


@pytest.fixture(autouse=True)
def semantics(request):
    if "mode" in request.fixturenames and request.getfixturevalue("mode") == "np":
        mx.util.set_np()
    yield
    mx.util.reset_np()


def each(cases):
    return pytest.mark.parametrize(("mode", "body"), cases, ids=[f"{m}: {b}" for m, b in cases])


def as_in_mxnet(seen):
    """Return what an attempt gave with this package's names as MXNet's."""
    seen = json.loads(json.dumps(seen).replace("d2lhybrid.", "mxnet."))
    if seen.get("raises") == "ShapeError":
        seen["raises"] = "MXNetError"  # a subclass of it, and the only one that MXNet has not
    return seen


@each(CASES)
def test_imperative(mode, body):
    seen = limit_snippets.attempt(make(mx, body), array(mx, mode))
    assert as_in_mxnet(seen) == GOLDEN[mode][body]["imperative"]


@each(CASES)
def test_hybridized(mode, body):
    net = make(mx, body)
    net.hybridize()
    seen = limit_snippets.attempt(net, array(mx, mode))
    assert as_in_mxnet(seen) == GOLDEN[mode][body]["hybridized"]


def error_of(mode, body):
    net = make(mx, body)
    net.hybridize()
    with pytest.raises(Exception) as caught:
        net(array(mx, mode))
    return caught.value


@each(FAILING)
def test_a_note_names_the_remedy(mode, body):
    remedy = MODES[mode][body]
    assert remedy is not None, "an error without a remedy in limit_snippets.py"
    notes = error_of(mode, body).__notes__
    mine = [note for note in notes if not note.startswith(("while tracing", "made by"))]
    assert any(re.search(remedy, note) for note in mine), notes


@each(FAILING)
def test_a_note_shows_the_users_line(mode, body):
    (note,) = [n for n in error_of(mode, body).__notes__ if n.startswith(("while tracing", "made by"))]
    shown = re.search(r'File "<snippet \d+>", line (\d+): (.*)', note)
    assert shown, note
    assert body.split("\n")[int(shown.group(1)) - 3].strip() == shown.group(2)  # after class and def
    assert "Snippet.hybrid_forward" in note or note.startswith("made by")


def test_in_a_child_the_note_names_the_child_and_its_line():
    """The path of layers comes first, as a note of its own; the remedy is there all the same."""
    outer, inner = mx.gluon.nn.HybridSequential(prefix="outer_"), make(mx, "return x // 2", prefix="inner_")
    outer.add(inner)
    outer.hybridize()
    with pytest.raises(TypeError) as caught:
        outer(array(mx, "legacy"))
    notes = caught.value.__notes__
    assert "Write F.floor(x / y)." in notes
    assert "in layer HybridSequential 'outer' > Snippet 'inner'" in notes
    assert any("Snippet.hybrid_forward" in note and note.endswith("return x // 2") for note in notes)


def test_the_error_that_is_not_a_not_implemented_error():
    """One lesson says NotImplementedError; MXNet 1.9.1 raises another one."""
    error = error_of("legacy", "x += 1\nreturn x")
    assert [c.__name__ for c in type(error).__mro__[:3]] == [
        "NotImplementedForSymbol",
        "MXNetError",
        "RuntimeError",
    ]
    assert not isinstance(error, NotImplementedError)
    assert issubclass(ShapeError, MXNetError)


# Differences without an error -----------------------------------------------------------------------

SILENT = {
    "return x[0]": (r"x\[0\]", "F.slice_axis"),
    "return x[0:1]": (r"x\[0:1\]", "F.slice_axis"),
    "y = 0\nfor v in x:\n    y = y + v\nreturn y": ("for v in x", "F.split"),
    "z = len(x)\nreturn x * z": ("len", "constructor"),
}


@pytest.mark.parametrize("body", SILENT)
def test_silent_differences_are_silent_by_default(body):
    net = make(mx, body)
    net.hybridize()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        net(array(mx, "legacy"))


@pytest.mark.parametrize("body", SILENT)
def test_silent_differences_are_explained_on_request(body):
    net = make(mx, body)
    net.hybridize()
    with mx.config(warn_silent_differences=True), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        net(array(mx, "legacy"))
        (warning,) = caught
        what, remedy = SILENT[body]
        assert re.search(what, str(warning.message)) and re.search(remedy, str(warning.message))
        assert warning.filename.startswith("<snippet"), "the warning points to the user's line"
        assert warning.lineno >= 3
        net(array(mx, "legacy"))
        assert len(caught) == 1, "only while tracing"
    net.hybridize()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        net(array(mx, "legacy"))


def test_outputs_of_an_operator_may_be_counted_and_indexed_without_a_warning():
    """A symbol of several outputs is made to be indexed, and so it is done in imperative programs."""
    net = make(mx, "a = F.split(x, num_outputs=3, axis=1)\ns = a[0]\nfor v in a:\n    s = s + v\nreturn s * len(a)")
    x = array(mx, "legacy")
    expected = net(x).asnumpy()
    net.hybridize()
    with mx.config(warn_silent_differences=True), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (net(x).asnumpy() == expected).all()
