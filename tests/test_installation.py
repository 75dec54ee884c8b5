"""What `make` does before everything: the environment, whatever the machine, the connection and pip's settings are."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import ClassVar

import pytest

from d2lhybrid.internals.commands import installation
from d2lhybrid.internals.support import requirements

ROOT = Path(__file__).resolve().parent.parent
SITE = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"

pytestmark = pytest.mark.skipif(
    os.name != "posix" or not (ROOT / "Makefile").is_file(), reason="the Makefile and its environments are for POSIX"
)


@pytest.fixture
def no_index():
    """The address of a package index that does not answer."""
    with socket.socket() as taken:  # bound and not listening: nobody else gets the port, and nobody answers
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}/simple"


class Copy:
    """A copy of the repository with an environment that sees pip, and of the packages here those that are named."""

    def __init__(self, folder: Path, *packages: str) -> None:
        self.folder = folder
        (folder / "d2lhybrid").mkdir(parents=True)
        for path in [
            *(ROOT / "d2lhybrid").glob("*.py"),
            *(ROOT / "d2lhybrid" / "internals").glob("*.py"),
            *(ROOT / "d2lhybrid" / "internals" / "support").glob("*.py"),
            *(ROOT / "d2lhybrid" / "internals" / "commands").glob("*.py"),
            ROOT / "Makefile",
            ROOT / "pyproject.toml",
            ROOT / "README.md",
        ]:
            (folder / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, folder / path.relative_to(ROOT))
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / ".venv"], check=True)
        self.site = folder / ".venv" / SITE
        outer = Path(installation.importlib.util.find_spec("pip").origin).parent
        (self.site / "pip").symlink_to(outer)
        for name in packages:
            self.pretend(name, "999")

    def pretend(self, name: str, version: str, url: str = "") -> None:
        """Write down that a distribution is installed."""
        entry = self.site / f"{name.replace('-', '_')}-{version}.dist-info"
        entry.mkdir()
        (entry / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        (entry / "RECORD").touch()
        if url:
            (entry / "direct_url.json").write_text(json.dumps({"url": url, "dir_info": {"editable": True}}))

    def install(self, *extras: str, **environment: str) -> subprocess.CompletedProcess:
        """Run the installation as the Makefile does."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PIP_", "PYTHON"))}
        command = [str(self.folder / ".venv/bin/python"), "-m", "d2lhybrid.internals.commands.installation", *extras]
        environment = {**kept, "PIP_CONFIG_FILE": os.devnull, **environment}
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False, timeout=300
        )


NEEDED = [one.name for one in [*requirements.requirements(), *requirements.requirements("lab")]]


def test_without_a_connection_at_the_first_run(tmp_path, no_index):
    """One sentence that says what is the matter; nothing of numpy that does not exist."""
    done = Copy(tmp_path / "copy").install("lab", PIP_INDEX_URL=no_index)
    assert done.returncode == 1
    assert done.stderr.startswith(f"There is no connection to the package index ({no_index}), and some required")
    assert "numpy>=2" in done.stderr and "HTTPS_PROXY" in done.stderr and "Traceback" not in done.stderr
    assert "No matching distribution" not in done.stdout + done.stderr
    assert done.stdout.startswith("Installing numpy>=2, anywidget>=0.9, ")


def test_without_a_connection_where_all_is_there(tmp_path, no_index):
    """After a change of pyproject.toml that asks for nothing new, in a folder with a strange name."""
    copy = Copy(tmp_path / "my 课程 (2)", *NEEDED)
    copy.pretend("d2lhybrid", "0.0.9", copy.folder.as_uri())
    done = copy.install("lab", PIP_INDEX_URL=no_index)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("pyproject.toml has changed, and all its requirements are installed.")
    again = copy.install("lab", PIP_INDEX_URL=no_index)
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")


def test_without_a_connection_and_one_thing_missing(tmp_path, no_index):
    copy = Copy(tmp_path / "copy", *(name for name in NEEDED if name != "nbclient"))
    copy.pretend("d2lhybrid", "0.0.9", copy.folder.as_uri())
    done = copy.install("lab", PIP_INDEX_URL=no_index)
    assert done.returncode == 1 and "some required packages are missing: nbclient>=0.10.\n" in done.stderr


def test_what_is_not_needed_may_be_missing(tmp_path, no_index):
    copy = Copy(tmp_path / "copy", *NEEDED)
    copy.pretend("d2lhybrid", "0.0.9", copy.folder.as_uri())
    done = copy.install("lab", "--if-possible", "onnx", PIP_INDEX_URL=no_index)
    assert done.returncode == 0
    assert "Not installed, and optional (there is no connection): onnx>=1.17, onnxruntime>=1.20.\n" in done.stdout


def test_an_optional_package_without_a_wheel_does_not_keep_out_the_others(monkeypatch, capsys):
    """ONNX Runtime comes months after a new Python, oneDNN's wheel fits every one."""

    class Pip:
        no_connection = False
        installed: ClassVar = set()

        def install(self, *names, hasty, quiet):
            if "onnxruntime>=1.20" in names:
                return False
            self.installed.update(names)
            return True

    wanted = {"onnx": ["onnx>=1.17", "onnxruntime>=1.20"], "fast": ["onednn-cpu-gomp>=2023.2"]}
    monkeypatch.setattr(installation, "missing", lambda extras: [name for extra in extras for name in wanted[extra]])
    assert installation._bring_up_optional(Pip(), ["onnx", "fast"])
    assert Pip.installed == {"onnx>=1.17", "onednn-cpu-gomp>=2023.2"}
    assert (
        capsys.readouterr().out == "Not installed, and optional (not available for this machine): onnxruntime>=1.20.\n"
    )


def test_an_environment_of_another_folder_is_left_alone(tmp_path, no_index):
    """Two working trees may share one environment by a link; neither installs itself into that of the other."""
    owner, other = Copy(tmp_path / "owner", *NEEDED), Copy(tmp_path / "other")
    owner.pretend("d2lhybrid", "0.0.9", owner.folder.as_uri())
    shutil.rmtree(other.folder / ".venv")
    (other.folder / ".venv").symlink_to(owner.folder / ".venv")
    done = other.install("lab", PIP_INDEX_URL=no_index)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not (owner.folder / ".venv" / ".d2lhybrid.json").exists()


class Recorder(installation._Pip):
    """A pip that only writes down what it was asked for."""

    def __init__(self, folder, answers):
        self.folder, self.environment, self.said = folder, {}, ""
        self.answers, self.calls = iter(answers), []

    def install(self, *arguments, hasty=False, quiet=False):
        self.calls.append((hasty, *arguments))
        done, self.said = next(self.answers)
        return done


BROKEN = "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(...)': /simple/numpy/"


@pytest.mark.parametrize("has_build_tool", [True, False])
def test_it_is_known_within_seconds_whether_there_is_a_connection(tmp_path, monkeypatch, has_build_tool):
    monkeypatch.setattr(installation, "_has_build_tool", lambda: has_build_tool)
    pip = Recorder(tmp_path, [(False, BROKEN), (False, BROKEN)])
    assert installation._fetch(pip, ["lab"], ["onnx"]).startswith("There is no connection to the package index (pypi")
    assert len(pip.calls) == 1 + has_build_tool and all(hasty for hasty, *_ in pip.calls)


def test_a_slow_connection_has_all_the_time_that_pip_gives_it(tmp_path):
    pip = Recorder(tmp_path, [(True, ""), (True, "")])
    assert installation._fetch(pip, ["lab"], []) == ""
    assert [hasty for hasty, *_ in pip.calls] == [True, False]


def test_without_what_no_wheel_is_made_for(tmp_path):
    pip = Recorder(tmp_path, [(True, ""), (False, "ERROR: No matching distribution found for onnxruntime"), (True, "")])
    assert installation._fetch(pip, ["lab"], ["onnx"]) == ""
    assert [call[-1] for call in pip.calls[1:]] == [".[lab,onnx]", ".[lab]"]


def test_what_pip_says_is_passed_on(tmp_path):
    said = "Collecting x\nERROR: No space left on device\n"
    pip = Recorder(tmp_path, [(True, ""), (False, said)])
    assert installation._fetch(pip, ["lab"], []) == (
        "pip could not install the required packages. Its message:\nERROR: No space left on device"
    )


def test_settings_that_would_lead_pip_elsewhere(tmp_path, monkeypatch):
    """In variables and in configuration files; the rest of a file still counts."""
    file = tmp_path / "pip.conf"
    file.write_text(
        "[global]\nindex-url = https://mirror.example/simple\n[install]\nuser = true\ntarget = /elsewhere\n"
    )
    for key in [key for key in os.environ if key.startswith("PIP_")]:
        monkeypatch.delenv(key)
    for key, value in {"CONFIG_FILE": file, "USER": 1, "PREFIX": "/elsewhere", "TARGET": "/elsewhere"}.items():
        monkeypatch.setenv(f"PIP_{key}", str(value))
    monkeypatch.setenv("PYTHONHOME", sys.base_prefix)
    environment = installation._pip_environment()
    assert environment["PIP_USER"] == "0" and environment["PIP_INDEX_URL"] == "https://mirror.example/simple"
    assert not {"PIP_PREFIX", "PIP_TARGET", "PYTHONHOME"} & set(environment)
    assert environment["PIP_CONFIG_FILE"] == os.devnull
    monkeypatch.setattr(installation.os, "environ", environment)
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert "elsewhere" not in listed and "mirror.example" in listed


# --- signals ---

needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")

#: Stands in for JupyterLab: tidies up upon the signals upon which Jupyter does.
LAB = """
import os, signal, sys, time
def stop(number, frame):
    print("tidied up", flush=True)
    sys.exit(0)
signal.signal(signal.SIGTERM, stop)
try:
    print("running", os.getpid(), flush=True)
    time.sleep(300)
except KeyboardInterrupt:
    print("tidied up", flush=True)
"""


@pytest.fixture
def nothing_ignored():
    """Start programs that do not ignore the end of a terminal, even if these tests run under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@needs_make
@pytest.mark.usefixtures("nothing_ignored")
@pytest.mark.parametrize(
    ("number", "to_all"),
    [(signal.SIGTERM, False), (signal.SIGTERM, True), (signal.SIGINT, True), (signal.SIGHUP, True)],
    ids=["terminated", "logged out", "Ctrl-C", "terminal closed"],
)
def test_what_ends_make_lab_ends_jupyterlab(tmp_path, number, to_all):
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "d2lhybrid").symlink_to(ROOT / "d2lhybrid")
    (tmp_path / "notebooks").mkdir()
    stand_in = tmp_path / "elsewhere" / "jupyterlab"  # the command imports nothing from the current folder
    stand_in.mkdir(parents=True)
    (stand_in / "__init__.py").touch()
    (stand_in / "__main__.py").write_text(LAB)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").symlink_to(sys.executable)
    command = ["make", "-o", "lab-environment", f"PYTHONPATH={stand_in.parent}", "lab"]
    with subprocess.Popen(
        command, cwd=tmp_path, start_new_session=True, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as process:  # fmt: skip
        line = next(line for line in process.stdout if line.startswith("running "))
        (os.killpg if to_all else os.kill)(process.pid, number)
        said = process.stdout.read()  # until nobody is left who could say anything
    assert "tidied up" in said
    for _ in range(200):
        if not _alive(int(line.split()[1])):
            return
        time.sleep(0.1)
    pytest.fail("JupyterLab is still running")


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
