"""What tools understand: arrays, symbols and layers have types all the way, in programs as people write them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

import d2lhybrid

ROOT = Path(d2lhybrid.__file__).resolve().parent.parent
PROGRAMS = Path(__file__).resolve().parent / "typed"

#: Rooms that programs import from, and the share of their names whose types are complete, at least.
FLOORS = {
    "ndarray": 0.98, "symbol": 0.99, "numpy": 0.99, "numpy_extension": 0.99, "gluon": 0.69, "autograd": 0.9,
    "metric": 0.88, "initializer": 0.75, "image": 0.72,
}  # fmt: skip
#: Of all names together, without answers of exercises and programs of pages, which are no interface.
FLOOR = 0.81
NO_INTERFACE = ("d2lhybrid.school.exercises.tasks.", "d2lhybrid.seeing.traps.numbered.")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("pyright") is None, reason="pyright is not installed"),
]


def pyright(arguments: Sequence[str], folder: Path) -> dict:
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[int, str]]:
    """Return file -> line -> message for the programs, in the mode that pyright has by default."""
    folder = tmp_path_factory.mktemp("typed")
    settings = {"extraPaths": [ROOT.as_posix()], "typeCheckingMode": "standard"}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    shutil.copytree(PROGRAMS, folder, dirs_exist_ok=True)
    found: dict[str, dict[int, str]] = {path.name: {} for path in PROGRAMS.glob("*.py")}
    report = pyright([], folder)
    assert report["summary"]["filesAnalyzed"] == len(found)
    for one in report["generalDiagnostics"]:
        found[Path(one["file"]).name][one["range"]["start"]["line"] + 1] = one["message"]
    return found


@pytest.mark.parametrize("program", ["lesson.py", "model_library.py", "numpy_dialect.py"])
def test_no_complaint_of_a_program_that_is_right(program: str, complaints: dict[str, dict[int, str]]) -> None:
    assert not complaints[program]


def test_mistakes_are_seen(complaints: dict[str, dict[int, str]]) -> None:
    lines = (PROGRAMS / "mistakes.py").read_text("utf-8").splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if re.search(r"# wrong$", line)}
    assert complaints["mistakes.py"].keys() == wrong, complaints["mistakes.py"]


def test_types_are_complete() -> None:
    command = ["--verifytypes", "d2lhybrid", "--ignoreexternal"]
    report = pyright(command, ROOT)["typeCompleteness"]
    exported = [one for one in report["symbols"] if one["isExported"]]
    rooms = {name: [one for one in exported if one["name"].startswith(f"d2lhybrid.{name}.")] for name in FLOORS}
    shares = {name: _share_of_known(symbols) for name, symbols in rooms.items()}
    assert all(shares[name] >= floor for name, floor in FLOORS.items()), shares
    share = _share_of_known([one for one in exported if not one["name"].startswith(NO_INTERFACE)])
    assert share >= FLOOR, share


def _share_of_known(symbols: list[dict]) -> float:
    return sum(one["isTypeKnown"] for one in symbols) / len(symbols)
