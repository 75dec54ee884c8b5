"""Record the gallery: every program of every framework runs, each framework in an environment of its own.

``make others`` makes the environments and calls this. With names of frameworks, only their part is recorded anew;
``--check`` writes nothing, and says what differs from the recording.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from d2lhybrid.internals.pictures.others.recording import PATH, differences, read

from .programs import FRAMEWORKS, entries

__all__ = ["interpreter_of", "main", "record"]

ROOT = Path(__file__).resolve().parents[2]
#: Where ``make others`` puts the frameworks.
ENVIRONMENTS = {name: ROOT / f".venv-others-{name}" / "bin" / "python" for name in ("torch", "jax", "tensorflow")}


def interpreter_of(framework: str) -> str:
    """Return an interpreter that has a framework: one that is named, say in ``D2LHYBRID_JAX_PYTHON``, or our own."""
    return os.environ.get(f"D2LHYBRID_{framework.upper()}_PYTHON") or str(ENVIRONMENTS[framework])


def record(framework: str, python: str, wanted: list[str] | None = None) -> dict[str, Any]:
    """Run the programs of one framework with an interpreter that has it, and return what was seen."""
    sources = {e.name: e.sources[framework] for e in entries() if not wanted or e.name in wanted}
    environment = os.environ | {
        "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0", "TORCHINDUCTOR_COMPILE_THREADS": "1",
        "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": "", "JAX_PLATFORMS": "cpu", "TF_CPP_MIN_LOG_LEVEL": "3",
    }  # fmt: skip
    done = subprocess.run(
        [python, "-W", "ignore", "-m", "tests.others.worker", framework], input=json.dumps(sources), text=True,
        stdout=subprocess.PIPE, env=environment, cwd=ROOT, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def main() -> int:
    """Run from the command line; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.others")
    parser.add_argument("frameworks", nargs="*", choices=[*FRAMEWORKS, []], help="all, if none is named")
    parser.add_argument("--check", action="store_true", help="write nothing; say what differs")
    for name in ENVIRONMENTS:
        default = interpreter_of(name)
        parser.add_argument(f"--{name}", default=default, metavar="PYTHON", help=f"an interpreter that has {name}")
    options = parser.parse_args()
    before = read() if PATH.exists() else {"versions": {}, "programs": []}
    old = {program["name"]: program["runs"] for program in before["programs"]}
    versions = dict(before["versions"])
    runs: dict[str, dict[str, Any]] = {e.name: dict(old.get(e.name, {})) for e in entries()}
    for framework in options.frameworks or FRAMEWORKS:
        python = getattr(options, framework, sys.executable)
        if not Path(python).exists():
            print(f"There is no {python}: make others makes it", file=sys.stderr)
            return 1
        answer = record(framework, python)
        versions[framework] = answer["version"] if framework != "python" else answer["python"]
        for name, one in answer["runs"].items():
            runs[name][framework] = one
    after = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "versions": {name: versions[name] for name in FRAMEWORKS},
        "programs": [{"name": e.name, **e.about, "runs": runs[e.name]} for e in entries()],
    }
    found = differences(before, after) if before["programs"] else []
    print("\n".join(found) or "The recording says the same.")
    if options.check:
        return bool(found)
    PATH.write_text(_written(after), "utf-8")
    print(f"{PATH.relative_to(ROOT)}: {PATH.stat().st_size:,} bytes")
    return 0


def _written(data: dict[str, Any]) -> str:
    """Return the recording as JSON, a line for every run of a program, so that a change can be read."""

    def compact(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    programs = []
    for program in data["programs"]:
        about = compact({k: v for k, v in program.items() if k != "runs"})[:-1]
        runs = ",\n".join(f'"{name}":{compact(one)}' for name, one in program["runs"].items())
        programs.append(f'{about},"runs":{{\n{runs}}}}}')
    head = compact({k: v for k, v in data.items() if k != "programs"})[:-1]
    return f'{head},"programs":[\n' + ",\n".join(programs) + "]}\n"


if __name__ == "__main__":
    sys.exit(main())
