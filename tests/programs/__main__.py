"""Run MXNet's example programs after ``as_mxnet()``, and print which of them run.

python -m tests.programs GIT_DIR                      # all of them, and the table of docs/example_programs.md
python -m tests.programs GIT_DIR gluon nce-loss       # those whose paths begin so, with what they wrote
python -m tests.programs GIT_DIR --real PYTHON        # with the interpreter of real MXNet
"""

from __future__ import annotations

import argparse
import contextlib
import re
import sys
import tempfile
import time
from pathlib import Path

from tests.peer.scope import TAG

from ..clones import files_of, unpack
from .programs import PROGRAMS
from .run import run


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.programs", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("git_directory", type=Path, help="a clone of apache/mxnet that has tag 1.9.1")
    parser.add_argument("names", nargs="*", help="how the paths of programs begin; all of them if none is named")
    parser.add_argument("--real", type=Path, metavar="PYTHON", help="run real MXNet with its interpreter instead")
    parser.add_argument("--seconds", type=int, default=60, help="after how long a program is stopped (default: 60)")
    return parser.parse_intermixed_args()


def _reasons() -> list[str]:
    """Return how the calls begin of which the page says why they do not run."""
    page = Path(__file__).resolve().parents[2] / "docs" / "example_programs.md"
    return re.findall(r"^\| `([^`]+)` \|", page.read_text("utf-8").partition("## What does not run")[2], re.MULTILINE)


def _extract(git_directory: Path, folder: Path) -> Path:
    kinds = (".py", ".ipynb", ".cfg", ".csv", ".json", ".txt", ".sh", "/resources")
    wanted = [path for path in files_of(git_directory, TAG, "example") if path.endswith(kinds)]
    unpack(git_directory, TAG, wanted, folder)
    return folder / "example"


def main() -> int:
    """Run what is asked for, and return the status."""
    asked = _arguments()
    failed, told = 0, _reasons()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        examples = _extract(asked.git_directory, Path(folder))
        for number, program in enumerate(PROGRAMS):
            line = f"{program.path} {program.arguments}".strip()
            if asked.names and not any(line.startswith(name) for name in asked.names):
                continue
            place = Path(folder) / str(number)
            place.mkdir()
            began = time.monotonic()
            result = run(examples, place, program, asked.real or Path(sys.executable), bool(asked.real), asked.seconds)
            failed += result.outcome == "failed" and not any(line.startswith(known) for known in told)
            if asked.names and result.outcome == "failed":
                print(result.log[-3000:])
            print(f"{result.outcome:10} {time.monotonic() - began:5.1f} s  {line}", flush=True)
            if result.outcome == "failed":
                print(f"    {result.message}", flush=True)
    return bool(failed)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
    sys.exit(130)
