"""No test writes into the home of whoever runs it: tests, and the programs that they start, get one for the session."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent
#: Variables that name a place for what a program keeps; without them, it is in the home.
PLACES = (
    "D2LHYBRID_DATA", "IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR",
    "MPLCONFIGDIR", "MXNET_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
)  # fmt: skip
#: What is still read from the real home: who commits, which addresses packages come from.
READ = {"GIT_CONFIG_GLOBAL": ".gitconfig", "NPM_CONFIG_USERCONFIG": ".npmrc", "PIP_CONFIG_FILE": ".config/pip/pip.conf"}


#: ONNX Runtime comes months after a new Python; until then, files that import it at their top are left out.
NO_ONNX = [name for name in ("onnx", "onnxruntime") if importlib.util.find_spec(name) is None]
collect_ignore_glob = ["d2lhybrid/onnx/*", "tests/onnx_runtime.py", "tests/test_onnx_*.py"] if NO_ONNX else []


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Say which tests are left out."""
    return [f"not installed: {', '.join(NO_ONNX)}; the tests of ONNX files are left out"] if NO_ONNX else []


def _move_home(home: Path) -> None:
    for variable, name in READ.items():
        if (file := Path.home() / name).is_file():
            os.environ.setdefault(variable, str(file))
    for variable in PLACES:
        os.environ.pop(variable, None)
    # Compiled programs are kept from one run to the next: making all of them takes a minute.
    os.environ["XDG_CACHE_HOME"] = str((ROOT if os.access(ROOT, os.W_OK) else home) / ".pytest_cache" / "compiled")
    os.environ["HOME"] = str(home)
    if os.name == "nt":
        os.environ["USERPROFILE"] = str(home)
        os.environ["APPDATA"] = os.environ["LOCALAPPDATA"] = str(home / "AppData")


# A shell starts what runs in its background with Ctrl-C ignored, and so would every program that a test interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A process of pytest-xdist has the variables of the one that started it. All others do it here, before anything imports
# the package, which looks for the home while it is imported.
_home = None if "PYTEST_XDIST_WORKER" in os.environ else Path(tempfile.mkdtemp(prefix="d2lhybrid-tests-"))
_owner = os.getpid()
if _home is not None:
    _move_home(_home)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the home of the session."""
    if _home is not None and os.getpid() == _owner:
        shutil.rmtree(_home, ignore_errors=True)
