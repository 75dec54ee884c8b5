"""The pages of docs/errors: in step with the table, and every program on them does what the page says."""

import linecache
import re
import warnings
from pathlib import Path

import pytest

import d2lhybrid as mx
from d2lhybrid import nd
from d2lhybrid.internals.commands.cli import main
from d2lhybrid.internals.pictures import traps
from d2lhybrid.internals.pictures.traps import TRAPS, pages
from d2lhybrid.internals.support import remedies

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "errors"
ALL = pytest.mark.parametrize("trap", TRAPS.values(), ids=TRAPS)


@pytest.fixture(autouse=True)
def somewhere(tmp_path, monkeypatch):
    """Some programs write files, and some switch to NumPy semantics."""
    monkeypatch.chdir(tmp_path)
    yield
    mx.util.reset_np()


def run(program, name):
    """Run a program of a page, as text that has lines; return its names."""
    linecache.cache[name] = (len(program), None, program.splitlines(keepends=True), name)
    names = {}
    exec(compile(program, name, "exec"), names)
    return names


def programs_of(page):
    return re.findall(r"^```python\n(.*?)^```", page, flags=re.DOTALL | re.MULTILINE)


def without_numbers(message):
    """Return a message with blocks counted from 0: how many there were before is of no interest."""
    return re.sub(r"(?<=[a-z])\d+(?=_)", "0", message)


def inputs_of(names):
    """Return what the program called its net on."""
    net, x = names["net"], names["x"]
    code = getattr(type(net).hybrid_forward, "__code__", None)
    wanted = code.co_varnames[3 : code.co_argcount] if code is not None and "Net" in names else ()
    parameters = net._reg_params
    return [x, *[_second(name, names, x) for name in wanted if name not in parameters]]


def _second(name, names, x):
    if name == "y":
        return names.get("y", x).as_in_context(x.context)
    return names.get(name, nd.array([3]))


# --- in step ---


def test_the_pages_are_what_the_table_says():
    found = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    wanted = {trap.file_name: pages.page_text(trap) for trap in TRAPS.values()} | {"README.md": pages.index_text()}
    assert found.keys() == wanted.keys(), "run `make pages`"
    assert found == wanted, "run `make pages`"


def test_every_folder_is_a_trap():
    folders = {path.name for path in (Path(traps.__file__).parent / "numbered").iterdir()}
    assert folders == {f"{trap.number}-{trap.name}" for trap in TRAPS.values()}
    for trap in TRAPS.values():
        there = {path.name for path in trap.folder.iterdir()} - {"__pycache__"}
        assert there == {"trap.toml", "wrong.py", "right.py"}, trap.number


def test_numbers_tell_errors_from_silent_traps():
    assert list(TRAPS) == sorted(TRAPS)
    for trap in TRAPS.values():
        assert trap.silent == (int(trap.number[1:]) > 50), trap.number


def test_every_remedy_is_on_exactly_one_page():
    rows = [row for trap in TRAPS.values() for row in trap.rows]
    assert len(rows) == len(set(rows))
    written_for = {"input", "broadcasting", "only of arrays"}  # these have their words elsewhere
    assert set(rows) - written_for == {*remedies.REMEDIES, *remedies.IN_PLACE}


def test_every_kind_of_finding_is_on_at_most_one_page():
    kinds = [kind for trap in TRAPS.values() for kind in trap.kinds]
    assert len(kinds) == len(set(kinds))


# --- the programs ---


@ALL
def test_the_wrong_program_falls_into_the_trap(trap):
    program = programs_of((FOLDER / trap.file_name).read_text(encoding="utf-8"))[0]
    if trap.silent:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            names = run(program, f"<{trap.number} wrong>")
        inputs = inputs_of(names) if trap.number != "H53" else [names["x"]]
        found = mx.check_hybridization(names["net"], *inputs)
        assert any(f.page == trap.number for f in found), str(found)
        return
    with pytest.raises(Exception) as caught:
        run(program, f"<{trap.number} wrong>")
    seen = f"{type(caught.value).__name__}: {caught.value}"
    assert without_numbers(seen).startswith(trap.message)
    assert traps.trap_of(caught.value) is trap


@ALL
def test_the_right_program_does_the_same_in_both_modes(trap):
    program = programs_of((FOLDER / trap.file_name).read_text(encoding="utf-8"))[1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        names = run(program, f"<{trap.number} right>")
    found = mx.check_hybridization(names["net"], *inputs_of(names))
    assert len(found.runs) > 3 and not found.differences, str(found)
    assert not [f for f in found if f.page == trap.number and f.kind != "arguments"], str(found)


@pytest.mark.parametrize("mode", ["legacy", "np"])
def test_every_error_of_the_limits_has_a_page(mode):
    import limit_snippets

    if mode == "np":
        mx.util.set_np()
    for body in limit_snippets.MODES[mode]:
        net = limit_snippets.make(mx, body)
        net.hybridize()
        try:
            net(limit_snippets.array(mx, mode))
        except Exception as error:
            assert traps.trap_of(error) is not None, (body, error)


def test_other_errors_have_no_page():
    for error in (ZeroDivisionError("division by zero"), KeyError("x"), ValueError("bad"), AttributeError("no")):
        assert traps.trap_of(error) is None


def test_an_error_that_is_wrapped_keeps_its_page():
    """A layer that waits for its shapes is traced inside an eager call, and that error has another message."""

    class Net(mx.gluon.nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.out = mx.gluon.nn.Dense(2)

        def hybrid_forward(self, F, x):
            return self.out(x.reshape((x.shape[0], -1)))

    net = Net()
    net.initialize()
    net.hybridize()
    with pytest.raises((ValueError, AttributeError)) as caught:
        net(nd.ones((2, 3)))
    assert traps.trap_of(caught.value).number == "H03"


# --- in the terminal ---


def test_explain_prints_a_page(capsys):
    assert main(["explain", "h7"]) == 0
    assert capsys.readouterr().out.startswith("# H07 Elements of a Symbol are assigned")
    assert main(["explain"]) == 0
    assert "[H64](H64-other-values.md)" in capsys.readouterr().out


def test_explain_says_which_pages_there_are(capsys):
    assert main(["explain", "H99"]) == 1
    assert "There is no page 'H99'. The pages are H01, H02" in capsys.readouterr().err
