"""The sessions: lists of cells, each with what real MXNet 1.9.1 showed, and how they are run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
RECORDS = REPOSITORY / "tests" / "golden_data" / "transcript"
OLD_FILE = REPOSITORY / "tests" / "golden_data" / "files" / "legacy_v0.nd"

NAMES = sorted(file.stem for file in RECORDS.glob("*.json"))


def recorded(name: str) -> list[dict]:
    """Return the cells of a session: ``title``, ``code`` and the parts of a record."""
    return json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))


def run(name: str, python: str, *options: str) -> list[dict]:
    """Run a session in a fresh interpreter and a fresh folder; return its records."""
    cells = ["\n".join(cell["code"]) for cell in recorded(name)]
    with tempfile.TemporaryDirectory(prefix="session-") as folder:
        shutil.copy(OLD_FILE, Path(folder, "legacy_ndarray.v0"))
        files = Path(folder, ".cells.json"), Path(folder, ".records.json")
        files[0].write_text(json.dumps(cells), encoding="utf-8")
        script = Path(__file__).parent / "run_session.py"
        done = subprocess.run(
            [python, str(script), files[0].name, files[1].name, *options],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONHASHSEED": "0"},
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(files[1].read_text(encoding="utf-8"))


@cache
def run_here(name: str) -> list[dict]:
    """Run a session with this package in MXNet's place."""
    return run(name, sys.executable, "--as-mxnet")
