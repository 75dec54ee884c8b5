"""ErrorLens: the user's line, the values, and a remedy that works."""

import atexit
import json
import linecache
import os
import re
import subprocess
import sys
import textwrap

import limit_snippets
import pytest

import d2lhybrid as mx
from d2lhybrid import error_lens, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.pictures import extension
from d2lhybrid.internals.pictures.rewriting import Spot, corrected_line
from d2lhybrid.internals.support import remedies

CASES = [(mode, body) for mode, bodies in limit_snippets.MODES.items() for body in bodies]


@pytest.fixture(autouse=True)
def semantics():
    yield
    mx.util.reset_np()


def failure(net, *inputs):
    net.hybridize()
    with pytest.raises(Exception) as caught:
        net(*inputs)
    return caught.value


def lens_of(body, mode="legacy"):
    (mx.util.set_np if mode == "np" else mx.util.reset_np)()
    return error_lens(failure(limit_snippets.make(mx, body), limit_snippets.array(mx, mode)))


def raising(mode, body):
    (mx.util.set_np if mode == "np" else mx.util.reset_np)()
    net = limit_snippets.make(mx, body)
    net.hybridize()
    seen = limit_snippets.attempt(net, limit_snippets.array(mx, mode))
    mx.util.reset_np()
    return "raises" in seen


RAISING = pytest.mark.parametrize(
    ("mode", "body"), [c for c in CASES if raising(*c)], ids=lambda v: v.replace("\n", "; ")
)


@RAISING
def test_every_error_shows_the_line_and_what_f_was(mode, body):
    lens = lens_of(body, mode)
    shown = lens.listing.line(lens.line)
    assert shown.mark == "error" and shown.text.strip() in body
    assert dict(lens.values)["F"].startswith("d2lhybrid.symbol: ")
    if lens.span is not None:
        start, end = lens.span
        assert dict(lens.values)["x"].startswith("Symbol") and shown.text[start:end].strip()
    json.dumps(lens.to_dict())
    assert lens.trap.number in lens.to_text() and lens.trap.number in lens.to_html()


@RAISING
def test_the_line_put_right_does_hybridized_what_it_was_meant_to_do(mode, body):
    lens = lens_of(body, mode)
    if not lens.corrected:
        return
    lines = body.split("\n")
    wrong = lines[lens.line - 3]  # after class and def
    lines[lens.line - 3] = wrong[: len(wrong) - len(wrong.lstrip())] + lens.corrected
    results = []
    for active, text in ((False, body), (False, "\n".join(lines)), (True, "\n".join(lines))):
        net = limit_snippets.make(mx, text)
        net.hybridize(active)
        results.append(limit_snippets.attempt(net, limit_snippets.array(mx, mode)))
    before, eager, hybridized = results
    if "@" in body and "raises" in eager:  # (2, 3) @ (2, 3): put right, the shapes still do not fit
        assert "raises" in hybridized
        return
    assert "result" in hybridized and eager == hybridized
    if "result" in before and lens.trap.number != "H18":  # a dictionary becomes a list, which is meant
        assert before == eager


@pytest.mark.parametrize(
    ("body", "corrected"),
    [
        ("return x.reshape((x.shape[0], -1)) + 1", "return x.reshape((0, -1)) + 1"),
        ("return F.reshape(x, (x.shape[0], -1))", "return F.reshape(x, (0, -1))"),
        ("return x.reshape((-1, x.shape[0]))", ""),  # another size than the one at its place
        ("return x + F.ones((2, 3), ctx=x.context)", "return x + F.ones((2, 3))"),
        ("return x[:, 1:2] * 2", "return F.slice(x, begin=(None, 1), end=(None, 2)) * 2"),
        ("return x[0, 0]", ""),  # depends on the number of axes
        ("return (x + 1) // (x * 2)", "return F.floor((x + 1) / (x * 2))"),
        ("x[:] = 0\nreturn x", ""),
        ("return x + F.ones((1, 3)) + F.ones((1, 3))", ""),  # which of the two?
        ("return F.concatenate([x, x + 1], axis=1)", "return F.concat(x, x + 1, dim=1)"),
        ("return F.foo(x)", ""),  # no name is near
    ],
)
def test_only_what_is_sure_is_put_right(body, corrected):
    assert lens_of(body).corrected == corrected


#: Ways in which programs fail under tracing, beside those of the limits -> number of the page, repaired line.
OTHER_WAYS = {
    "return np.tanh(x)": ("H35", "return F.tanh(x)"),
    "return np.maximum(x, 0) + 1": ("H35", "return F.maximum(x, 0) + 1"),
    "return np.exp(x) * 2": ("H35", "return F.exp(x) * 2"),
    "return np.mean(x, axis=1)": ("H35", "return F.mean(x, axis=1)"),
    "return np.array(x)": ("H35", ""),
    "return np.concatenate([x, x])": ("H35", ""),
    "return np.tanh(x) + np.exp(x)": ("H35", ""),  # two, and one of them is wrong
    "return math.sqrt(F.sum(x * x)) + 1": ("H35", "return F.sqrt(F.sum(x * x)) + 1"),
    "return x if F.sum(x) > 0 and True else -x": ("H02", ""),
    "return F.softmax(x, dim=1)": ("H36", "return F.softmax(x, axis=1)"),
    "return F.mean(x, axis=1, keepdim=True)": ("H36", "return F.mean(x, axis=1, keepdims=True)"),
    "return F.softmax(x, whatever=1)": ("H36", ""),
    "return x if F.sum(x) > 0 else -x": ("H02", "return F.contrib.cond(F.sum(x) > 0, lambda: x, lambda: -x)"),
    "return max(x, x * 2)": ("H02", "return F.maximum(x, x * 2)"),
    "if F.sum(x) > 0:\n    x = -x\nreturn x": ("H02", ""),  # takes more than the line
    "return x[:, 0]": ("H06", "return F.squeeze(F.slice_axis(x, axis=1, begin=0, end=1), axis=1)"),
    "return x[:, -1] * 2": ("H06", "return F.squeeze(F.slice_axis(x, axis=1, begin=-1, end=None), axis=1) * 2"),
    "y = 0\nfor t in range(3):\n    y = y + x[:, t]\nreturn y": (
        "H06",
        "y = y + F.squeeze(F.slice_axis(x, axis=1, begin=t, end=t + 1), axis=1)",
    ),
    "t = -1\nreturn x[:, t]": ("H06", ""),
    "return float(F.sum(x)) * x": ("H01", ""),
    "return nd.relu(x)": ("H14", "return F.relu(x)"),
}


def a_net(body, active=True):
    """Return a net whose ``hybrid_forward`` is a text, in a program that imports what students import."""
    imports = "import math\nimport numpy as np\nfrom d2lhybrid import nd\nfrom d2lhybrid.gluon import nn\n"
    text = (
        f"{imports}class Net(nn.HybridBlock):\n    def hybrid_forward(self, F, x):\n{textwrap.indent(body, ' ' * 8)}\n"
    )
    filename = f"<student {len(linecache.cache)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    names = {"__name__": "student"}
    exec(compile(text, filename, "exec"), names)
    net = names["Net"]()
    net.hybridize(active)
    return net


@pytest.mark.parametrize("body", OTHER_WAYS, ids=lambda body: body.replace("\n", "; "))
def test_every_way_in_which_a_trace_fails_has_a_card_and_what_is_put_right_works(body):
    number, corrected = OTHER_WAYS[body]
    x = nd.array([[1, -2, 3], [0.5, 4, -6]])
    lens = error_lens(failure(a_net(body), x))
    assert (lens.trap.number, lens.corrected) == (number, corrected)
    assert lens.text in body and dict(lens.values)["x"].startswith("Symbol")
    assert lens.remedies or lens.trap.number == "H06", "a sentence that says what to do instead"
    if corrected:
        net = a_net(body.replace(lens.text, corrected), active=False)
        eager = net(x)
        net.hybridize()
        assert eager.shape == net(x).shape and (eager == net(x)).asnumpy().all()


def test_a_parameter_that_is_not_taken_is_shown_at_the_line_that_should_take_it():
    class Scaled(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.weight = self.params.get("weight", shape=(3,), init="ones")

        def hybrid_forward(self, F, x):
            return F.broadcast_mul(x, self.weight)

    net = Scaled()
    net.initialize()
    lens = error_lens(failure(net, nd.ones((2, 3))))
    assert lens.trap.number == "H37" and lens.text == "def hybrid_forward(self, F, x):"
    assert lens.corrected == "def hybrid_forward(self, F, x, weight):"


def test_the_part_that_failed_is_underlined():
    lens = lens_of("s = '单位'; return x * x.shape[0]")  # columns count letters, not bytes
    start, end = lens.span
    assert lens.listing.line(lens.line).text[start:end] == "x.shape"


def test_in_a_child_the_inner_line_is_shown_with_its_layer():
    outer = nn.HybridSequential(prefix="outer_")
    outer.add(limit_snippets.make(mx, "return x // 2", prefix="inner_"))
    lens = error_lens(failure(outer, nd.ones((2, 3))))
    assert lens.layer == "HybridSequential 'outer' > Snippet 'inner'"
    assert lens.corrected == "return F.floor(x / 2)"


def test_in_a_helper_its_line_is_shown_with_f_and_x_of_the_block():
    def width(values):
        return values.shape[1]

    class Net(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            return x * width(x)

    lens = error_lens(failure(Net(), nd.ones((2, 3))))
    assert "return values.shape[1]" in lens.listing.line(lens.line).text
    assert {"F", "x", "values"} <= dict(lens.values).keys()


def test_an_error_of_the_finished_graph_shows_the_operator_and_its_inputs():
    lens = lens_of("return x + F.ones((1, 3))")
    values = dict(lens.values)
    assert "hybrid_forward had ended" in values["F"]
    assert values["operator"].startswith("elemwise_add") and "data (2, 3)" in values["its inputs"]


def test_an_error_outside_of_hybrid_forward_shows_the_call():
    net = nn.Dense(2)
    lens = error_lens(failure(net, nd.ones((2, 3))))
    assert lens.trap.number == "H23" and lens.listing.line(lens.line).text.strip() == "net(*inputs)"


#: Cells, run as IPython runs them. In a process of its own: here, a test's own line watches each compilation.
LATER_CALL = """
import linecache
from IPython.core.interactiveshell import InteractiveShell
from d2lhybrid.internals.support.remedies import place_of

shell = InteractiveShell()
shell.run_cell("from d2lhybrid import nd\\nfrom d2lhybrid.gluon import nn\\nnet = nn.HybridSequential()")
shell.run_cell("net.add(nn.Dense(4, in_units=5), nn.Dense(2))\\nnet.initialize()\\nnet.hybridize()")
shell.run_cell("y = net(nd.ones((2, 5)))")
shell.showtraceback = lambda *ignored, **more: None
error = shell.run_cell("a = 1\\nz = net(nd.ones((2, 7)))").error_in_exec
print(*error.__notes__, sep="\\n")
print("the lens shows", linecache.getline(*place_of(error)))
"""


def test_a_later_call_of_a_traced_net_is_what_failed_and_the_layer_is_where_it_was_made(tmp_path):
    """The cell that traced the net is neither: there it worked."""
    pytest.importorskip("IPython", reason="IPython is not installed")
    environment = os.environ | {"IPYTHONDIR": str(tmp_path)}
    command = [sys.executable, "-c", LATER_CALL]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(r"made by .*, line 1: net\.add\(nn\.Dense\(4, in_units=5\), nn\.Dense\(2\)\)", done.stdout)
    assert "the lens shows z = net(nd.ones((2, 7)))" in done.stdout and "nd.ones((2, 5))" not in done.stdout


def test_without_an_error_it_says_what_it_needs(monkeypatch):
    import sys

    monkeypatch.delattr(sys, "last_exc", raising=False)
    monkeypatch.delattr(sys, "last_value", raising=False)
    with pytest.raises(ValueError, match="no error to explain"):
        error_lens()
    with pytest.raises(ValueError, match="No page explains this ZeroDivisionError"):
        error_lens(ZeroDivisionError("division by zero"))
    monkeypatch.setattr(sys, "last_value", remedies.mark(AttributeError("no"), "shape"), raising=False)
    assert error_lens().trap.number == "H03"


def test_a_program_whose_text_is_not_known_is_no_trouble():
    names = {"nn": nn}
    exec(
        textwrap.dedent("""
            class Net(nn.HybridBlock):
                def hybrid_forward(self, F, x):
                    return x.T
        """),
        names,
    )
    lens = error_lens(failure(names["Net"](), nd.ones((2, 3))))
    assert lens.listing is None and lens.corrected == "" and lens.line == 4
    assert "H10" in lens.to_text() and "H10" in lens.to_html()


def test_a_cell_with_a_magic_is_shown_though_it_cannot_be_parsed():
    spot = Spot(["%time\n", "y = x // 2\n"], 2, (4, 10), True, [])
    assert corrected_line("H09", spot) is None


def test_in_chinese():
    with mx.config(lang="zh"):
        lens = lens_of("return x.T")
        assert lens.title.startswith("H10 只有数组")
        assert "应改为" in lens.to_text() and lens.to_dict()["words"]["copy"] == "复制"


# --- in IPython ---

IPython = pytest.importorskip("IPython")

CELL = """
from d2lhybrid import nd
from d2lhybrid.gluon import nn
class Net(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x // 2
net = Net()
net.hybridize()
net(nd.ones((2, 3)))
"""


@pytest.fixture
def shell(monkeypatch):
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    monkeypatch.setattr(InteractiveShell, "_instance", None)
    settings = Config()
    settings.HistoryManager.enabled = False
    made = InteractiveShell(config=settings)
    made.colors = "nocolor"
    yield made
    atexit.unregister(made.atexit_operations)
    made.atexit_operations()
    InteractiveShell.clear_instance()


def test_after_load_ext_the_traceback_comes_first_and_the_lens_below(shell, capsys):
    mx.load_ipython_extension(shell)
    mx.load_ipython_extension(shell)  # twice is once
    shell.run_cell(CELL)
    out = capsys.readouterr().out
    trace, lens = out.index("TypeError"), out.index("── H09")
    assert trace < lens and out.count("── H09") == 1
    assert "return F.floor(x / 2)" in out
    shell.run_cell("1 / 0")
    assert "──" not in capsys.readouterr().out.replace("-", "")
    mx.unload_ipython_extension(shell)
    assert extension._explain not in shell.events.callbacks["post_run_cell"]
    shell.run_cell(CELL)
    assert "── H09" not in capsys.readouterr().out


def test_a_notebook_that_imports_the_package_explains_errors_unless_the_setting_is_off(shell, monkeypatch):
    outputs = []
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    extension.load_in_notebook()
    assert extension._explain not in shell.events.callbacks["post_run_cell"], "a terminal is left alone"
    shell.kernel = object()
    monkeypatch.setattr(shell, "_showtraceback", lambda kind, error, frames: outputs.append("\n".join(frames)), False)
    monkeypatch.setattr("IPython.display.display", outputs.append)
    extension.load_in_notebook()
    with mx.config(explain=False):
        shell.run_cell(CELL)
    (frames,) = outputs
    assert "hybrid_block.py" in frames
    shell.run_cell("net(nd.ones((2, 3)))")
    assert outputs[1].corrected == "return F.floor(x / 2)" and "hybrid_block.py" not in outputs[2]


def test_in_a_notebook_the_lens_comes_first_and_holds_the_frames_of_the_package(shell, monkeypatch):
    outputs = []
    shell.kernel = object()
    monkeypatch.setattr(shell, "_showtraceback", lambda kind, error, frames: outputs.append("\n".join(frames)), False)
    monkeypatch.setattr("IPython.display.display", outputs.append)
    mx.load_ipython_extension(shell)
    mx.load_ipython_extension(shell)  # twice is once
    shell.run_cell(CELL)
    lens, frames = outputs
    assert lens.corrected == "return F.floor(x / 2)" and lens.text == "return x // 2"
    assert "hybrid_block.py" in lens.traceback and "hybrid_block.py" not in frames
    assert "return x // 2" in frames and "frames inside d2lhybrid" in frames and "TypeError" in frames
    assert "The whole traceback" in lens.to_html() and len(lens.to_dict()["traceback"]) < 13_000
    outputs.clear()
    shell.run_cell("1 / 0")
    assert len(outputs) == 1 and "ZeroDivisionError" in outputs[0]
    mx.unload_ipython_extension(shell)
    outputs.clear()
    shell.run_cell(CELL)
    assert not any(hasattr(found, "corrected") for found in outputs)


def test_arrays_of_np_are_described_too():
    from d2lhybrid.internals.pictures.error_lens import describe

    assert describe(mx.np.ones((2, 3))) == "np.ndarray (2, 3) float32"
