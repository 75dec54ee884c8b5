"""What tools understand: arrays, symbols and layers have types all the way, in programs as people write them."""

from __future__ import annotations

import json
import os
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
TRAPS = ROOT / "d2lhybrid" / "internals" / "pictures" / "traps" / "numbered"

#: Rooms that programs import from, and the share of their names whose types are complete, at least.
FLOORS = {
    "ndarray": 0.99, "symbol": 0.99, "numpy": 1, "numpy_extension": 1, "typing": 1, "gluon": 0.98, "autograd": 0.95,
    "metric": 0.87, "initializer": 1, "image": 0.98, "optimizer": 1, "lr_scheduler": 1, "kvstore": 1, "callback": 1,
    "random": 1, "io": 0.96, "module": 0.99, "rnn": 0.98,
    # of the engine: where one type is not complete, no function that takes it is
    "internals.ops": 0.98, "internals.frontends": 0.98, "internals.compiler": 0.87, "internals.core": 0.83,
}  # fmt: skip
#: Of all names together, without answers, programs of pages and the makings of a new course, which are no interface.
FLOOR = 0.96
NO_INTERFACE = (
    "d2lhybrid.internals.course.exercises.tasks.", "d2lhybrid.internals.pictures.traps.numbered.",
    "d2lhybrid.data.new_course.",
)  # fmt: skip
#: And without the engine, which programs do not import.
FLOOR_OUTSIDE = 0.97
ENGINE = tuple(f"d2lhybrid.internals.{room}." for room in ("compiler", "core", "device", "frontends", "ops"))
#: Traps whose wrong program an editor marks before it runs, and the line that it marks.
SEEN_TRAPS = {
    "H09-operators-without-a-symbol": "// 2", "H14-a-function-of-arrays": "nd.relu",
    "H15-functions-only-of-arrays": "F.concatenate", "H16-unknown-names": "F.rellu",
}  # fmt: skip

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("pyright") is None, reason="pyright is not installed"),
    pytest.mark.xdist_group("types"),  # in one process, which has all programs checked once
]


def pyright(arguments: Sequence[str], folder: Path) -> dict:
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, *arguments]
    here = {**os.environ, "PYTHONPATH": str(ROOT)}  # not a package that is installed from somewhere else
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=here)
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[int, str]]:
    """Return file -> line -> message for the programs, in the mode that pyright has by default."""
    folder = tmp_path_factory.mktemp("typed")
    settings = {"extraPaths": [ROOT.as_posix()], "typeCheckingMode": "standard"}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    shutil.copytree(PROGRAMS, folder, dirs_exist_ok=True)
    for trap in SEEN_TRAPS:
        shutil.copy(TRAPS / trap / "wrong.py", folder / f"{trap}.py")
    found: dict[str, dict[int, str]] = {path.name: {} for path in folder.glob("*.py")}
    report = pyright([], folder)
    assert report["summary"]["filesAnalyzed"] == len(found)
    for one in report["generalDiagnostics"]:
        found[Path(one["file"]).name][one["range"]["start"]["line"] + 1] = one["message"]
    return found


@pytest.mark.parametrize("program", sorted(path.name for path in PROGRAMS.glob("*.py") if path.stem != "mistakes"))
def test_no_complaint_of_a_program_that_is_right(program: str, complaints: dict[str, dict[int, str]]) -> None:
    assert not complaints[program]


def test_mistakes_are_seen(complaints: dict[str, dict[int, str]]) -> None:
    lines = (PROGRAMS / "mistakes.py").read_text("utf-8").splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if re.search(r"# wrong$", line)}
    assert complaints["mistakes.py"].keys() == wrong, complaints["mistakes.py"]


@pytest.mark.parametrize(("trap", "words"), SEEN_TRAPS.items())
def test_an_editor_sees_traps(trap: str, words: str, complaints: dict[str, dict[int, str]]) -> None:
    lines = (TRAPS / trap / "wrong.py").read_text("utf-8").splitlines()
    assert [lines[number - 1] for number in complaints[f"{trap}.py"]] == [line for line in lines if words in line]


def test_types_are_complete() -> None:
    command = ["--verifytypes", "d2lhybrid", "--ignoreexternal"]
    report = pyright(command, ROOT)["typeCompleteness"]
    exported = [one for one in report["symbols"] if one["isExported"]]
    rooms = {name: [one for one in exported if one["name"].startswith(f"d2lhybrid.{name}.")] for name in FLOORS}
    shares = {name: _share_of_known(symbols) for name, symbols in rooms.items()}
    assert all(shares[name] >= floor for name, floor in FLOORS.items()), shares
    interface = [one for one in exported if not one["name"].startswith(NO_INTERFACE)]
    outside = [one for one in interface if not one["name"].startswith(ENGINE)]
    assert _share_of_known(interface) >= FLOOR, _share_of_known(interface)
    assert _share_of_known(outside) >= FLOOR_OUTSIDE, _share_of_known(outside)


def _share_of_known(symbols: list[dict]) -> float:
    return sum(one["isTypeKnown"] for one in symbols) / len(symbols)
