"""Nothing leaves the machine, and nothing is written but where a user would look for it."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from pathlib import Path

import pytest
from watching import library, watch

from d2lhybrid.internals.commands.lab import SETTINGS
from d2lhybrid.internals.support import telemetry

ROOT = Path(__file__).resolve().parent.parent
has_onnx_runtime = all(importlib.util.find_spec(name) for name in ("onnx", "onnxruntime"))

#: Files that stay (docs/install.md): compiled programs, the progress in the exercises, Matplotlib's list of fonts.
RECORD = re.compile(r"(\.local/share|Library/Application Support|AppData/Local)/d2lhybrid/exercises/01\.1\.json$")
EXPECTED = re.compile(rf"\.cache/(d2lhybrid/c|matplotlib)/|\.config/matplotlib/|Library/Caches/|{RECORD.pattern}")
#: The name of a thread, which the system keeps with the thread: no storage has it.
A_NAME = {"/proc/thread-self/comm"}

USE_EVERYTHING = """
import importlib.util
import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.exercises import ex
from d2lhybrid.internals.commands import cli
from d2lhybrid.gluon import nn

for backend in ("numpy", "c", "onnxruntime"):
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.Flatten(), nn.Dense(3, activation="relu"))
    net.initialize()
    try:
        net.hybridize(backend=backend)
        for _ in range(3):
            net(nd.ones((2, 1, 8, 8))).asnumpy()
        print("ran", backend)
    except mx.MXNetError as error:
        print(error, *error.__notes__)
trainer = gluon.Trainer(net.collect_params(), "sgd")
with autograd.record():
    net(nd.ones((2, 1, 8, 8))).sum().backward()
trainer.step(2)
picture = net.graph(nd.ones((2, 1, 8, 8)))
picture.save("net.svg")
str(mx.print_trace(net, nd.ones((2, 1, 8, 8)))), str(mx.check_hybridization(net, nd.ones((2, 1, 8, 8))))
net.export("net")
if importlib.util.find_spec("matplotlib"):
    import matplotlib
    matplotlib.use("Agg")
    mx.d2l.plot([1, 2, 3], [[1, 4, 9]])
print(ex("01.1").check(lambda numbers: "print(1)"))
for command in (["doctor"], ["version"], ["explain"]):
    cli.main(command)
"""


@pytest.mark.slow
def test_whatever_the_package_does_stays_here(tmp_path):
    seen = watch(USE_EVERYTHING, tmp_path)
    assert "ran numpy" in seen.output and "works    Python" in seen.output
    assert "ran onnxruntime" in seen.output or not has_onnx_runtime
    files = [Path(path).as_posix() for path in seen.files]
    assert not [path for path in files if not EXPECTED.match(path)]
    assert any(RECORD.match(path) for path in files)
    assert not seen.written - A_NAME
    assert not seen.contacts


def test_the_promise_names_all_that_stays_in_a_home():
    texts = [path.read_text("utf-8") for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))]
    promises = [text for text in texts if "`~/.cache/d2lhybrid`" in text]
    assert promises and all("`~/.local/share/d2lhybrid/" in text and "Matplotlib" in text for text in promises)


@pytest.mark.skipif(not has_onnx_runtime, reason="onnx or onnxruntime is not installed")
def test_onnx_runtime_does_not_report_even_where_a_notebook_imports_it(tmp_path):
    program = "import d2lhybrid\nimport onnxruntime\nprint(onnxruntime.get_available_providers())"
    seen = watch(program, tmp_path)
    assert "CPUExecutionProvider" in seen.output and not seen.files


def test_what_was_imported_first_is_told_to_stop(monkeypatch):
    told = []
    runtime = type(sys)("onnxruntime")
    runtime.disable_telemetry_events = lambda: told.append(True)
    monkeypatch.setitem(sys.modules, "onnxruntime", runtime)
    monkeypatch.setenv("ORT_DISABLE_TELEMETRY", "0")  # whoever wants to report does
    telemetry.switch_off()
    assert not told and os.environ["ORT_DISABLE_TELEMETRY"] == "0"
    monkeypatch.delenv("ORT_DISABLE_TELEMETRY")
    telemetry.switch_off()
    assert told == [True]


def test_whoever_imports_onnx_runtime_has_switched_it_off_before():
    switches = re.compile(r"\b(?:import|from) d2lhybrid\b|ORT_DISABLE_TELEMETRY|from \.")
    files = [p for folder in ("d2lhybrid", "notebooks", "benchmarks") for p in (ROOT / folder).rglob("*.[mp][dy]")]
    found = 0
    for path in files:
        text = path.read_text("utf-8")
        for match in re.finditer(r"^\s*(?:import|from) onnxruntime\b", text, re.MULTILINE):
            found += 1
            assert switches.search(text[: match.start()]), path
    assert found >= 3


def test_jupyterlab_is_told_not_to_ask_for_versions_and_news():
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed")
    from jupyterlab.handlers.announcements import NeverCheckForUpdate
    from jupyterlab.labapp import LabApp

    app = LabApp()
    app.parse_command_line(telemetry.LAB_OPTIONS)
    assert app.check_for_updates_class is NeverCheckForUpdate and app.news_url is None


def test_jupyterlab_does_not_ask_whether_it_may_fetch_news(monkeypatch):
    settings = pytest.importorskip("jupyterlab_server.settings_utils", reason="JupyterLab is not installed")
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(SETTINGS))
    overrides, error = settings._get_overrides(str(ROOT))
    assert not error
    assert overrides["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"


# The watchers --------------------------------------------------------------------------------------


def test_the_watchers_see_python(tmp_path):
    folder = tmp_path / "inside"
    folder.mkdir()
    seen = watch(
        """
        import pathlib, socket
        pathlib.Path.home().joinpath("left").touch()
        pathlib.Path("..", "..", "beside").resolve().touch()
        with socket.socket() as server, socket.socket() as client:
            server.bind(("127.0.0.1", 0))
            server.listen()
            client.connect(server.getsockname())
        socket.getaddrinfo("localhost", 80)
        """,
        folder,
    )
    assert seen.files == ["left"] and seen.written == {str(tmp_path.resolve() / "beside")}
    assert {"connect 127.0.0.1", "look up localhost"} <= seen.contacts


@pytest.mark.skipif(library() is None, reason="there is no C compiler, or this is not Linux")
def test_the_watchers_see_what_is_not_python(tmp_path):
    ask = "ctypes.CDLL(None).getaddrinfo(b'localhost', None, None, ctypes.byref(ctypes.c_void_p()))"
    assert watch(f"import ctypes\n{ask}", tmp_path).contacts == {"look up localhost"}
