"""Files of MXNet's in somebody's repository: what this package makes of them, beside real MXNet."""

from __future__ import annotations

import contextlib
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from ..foreign.clone import Clone

__all__ = ["rows"]


def rows(git_directory: Path, commit: str, real: Path | None) -> list[str]:
    """Return rows of a table, one for each file in a version of a clone.

    Parameters
    ----------
    git_directory : Path
        The clone.
    commit : str
        The version.
    real : Path, optional
        The interpreter of real MXNet; without it, nothing is compared.
    """
    with tempfile.TemporaryDirectory() as folder:
        clone, endings = Clone(git_directory), (".json", ".params", ".v0", ".nd")
        for path in clone.files(commit):
            if path.endswith(endings):
                with contextlib.suppress(subprocess.CalledProcessError):  # a clone may lack what is large
                    clone.unpack(commit, [path], Path(folder))
        ours = _look(Path(sys.executable), "d2lhybrid", folder)
        theirs = _look(real, "mxnet", folder) if real is not None else {}
    return [f"| `{name}` | {' | '.join(_cells(found, theirs.get(name)))} |" for name, found in sorted(ours.items())]


def _look(python: Path, package: str, folder: str) -> dict[str, Any]:
    """Return what an interpreter finds in the files."""
    script = Path(__file__).with_name("look.py")
    path = str(Path(__file__).resolve().parents[2]) if package == "d2lhybrid" else ""
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(
        [python, "-W", "ignore", script, package, folder], capture_output=True, env=environment, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace")[-2000:])
    return json.loads(done.stdout.splitlines()[-1])


def _cells(found: dict[str, Any], there: dict[str, Any] | None) -> list[str]:
    """Return what is said of one file: whether it goes well, and whether as in MXNet."""
    cells = []
    for step in ("loads", "computes", "written"):
        value, other = found.get(step), None if there is None else there.get(step)
        if isinstance(value, str) and value.startswith("not:"):
            cells.append(value.replace("|", "/") + (" (MXNet the same)" if str(other).startswith("not:") else ""))
        elif value is None:
            cells.append("")
        elif there is None:
            cells.append("yes")
        else:
            cells.append("as MXNet" if _alike(value, other) else f"otherwise: {value!s:.60}, MXNet {other!s:.60}")
    return cells


def _alike(value: Any, other: Any) -> bool:
    """Compare finite numbers up to rounding, and all else exactly; NaN equals NaN."""
    if isinstance(value, list) and isinstance(other, list) and len(value) == len(other):
        return all(map(_alike, value, other))
    if isinstance(value, float) and isinstance(other, float):
        if math.isfinite(value) and math.isfinite(other):
            return abs(value - other) <= 1e-5 + 1e-3 * abs(other)
        return value == other or (math.isnan(value) and math.isnan(other))
    return value == other
