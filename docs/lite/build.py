"""Build the course for a browser alone, without a server, into ``build/lite``: ``make lite``.

JupyterLite is JupyterLab as files; its kernel is Python as WebAssembly. All that the notebooks import is loaded before
the first cell runs: nothing has to be installed by hand.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from contents import write_contents
from distribution import COURSE, KERNEL, Distribution
from jupyterlite_pyodide_kernel.constants import PYODIDE_KERNEL_PLUGIN_ID, PYODIDE_VERSION

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "build" / "lite"
WORK = ROOT / "build" / "lite-work"

#: Where the browser keeps what has been reached in the exercises: beside the notebooks, in its own storage.
PROGRESS = "/drive/progress"


def settings() -> dict[str, object]:
    """Return what JupyterLite is told: the kernel's Python, and what it loads."""
    options = {"packages": [*KERNEL, *COURSE], "env": {"D2LHYBRID_DATA": PROGRESS}}
    kernel = {"pyodideUrl": "./static/pyodide/pyodide.js", "disablePyPIFallback": True, "loadPyodideOptions": options}
    return {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "d2lhybrid",
            "exposeAppInBrowser": True,
            "disabledExtensions": ["@jupyterlab/apputils-extension:announcements"],
            "litePluginSettings": {PYODIDE_KERNEL_PLUGIN_ID: kernel},
        },
    }


def _run(*command: str | Path) -> None:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, cwd=WORK)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")


def _kernel_wheels() -> list[Path]:
    """Return the wheels of the kernel's own Python half, which lie in its extension of JupyterLab."""
    files = importlib.metadata.files("jupyterlite-pyodide-kernel") or []
    wheels = [Path(str(file.locate())).resolve() for file in files if file.name.endswith("-none-any.whl")]
    return [wheel for wheel in wheels if wheel.name.startswith(("ipykernel-", "piplite-", "pyodide_kernel-"))]


def main() -> int:
    """Run from the command line; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--pyodide", default="", metavar="PLACE",
        help=f"Pyodide {PYODIDE_VERSION}'s distribution: a folder, an archive, or an address (default: its own)",
    )  # fmt: skip
    place = parser.parse_args().pyodide
    start = time.monotonic()
    lite = WORK / "lite"
    wheels = WORK / "wheels"
    for folder in (lite, wheels, OUT):
        shutil.rmtree(folder, ignore_errors=True)
    wheels.mkdir(parents=True)
    print("Making our wheel ...", flush=True)
    _run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", wheels, ROOT)
    print("Bringing Python for the browser together ...", flush=True)
    distribution = Distribution(PYODIDE_VERSION, lite / "static" / "pyodide", place)
    distribution.make(sorted(wheels.glob("*.whl")), _kernel_wheels())
    write_contents(ROOT / "notebooks", WORK / "contents")
    (lite / "jupyter-lite.json").write_text(json.dumps(settings(), indent=1), "utf-8")
    print("Building JupyterLite ...", flush=True)
    _run(
        sys.executable, "-m", "jupyterlite_core.app", "build", "--lite-dir", lite, "--contents", WORK / "contents",
        "--output-dir", OUT, "--no-sourcemaps", "--no-unused-shared-packages",
    )  # fmt: skip
    size = sum(path.stat().st_size for path in OUT.rglob("*") if path.is_file()) / 1e6
    print(f"{size:.0f} MB in {time.monotonic() - start:.0f} s, in {os.path.relpath(OUT)}")
    for name in distribution.elsewhere:
        print(f"The browser fetches {name} itself: Pyodide's distribution could not be reached.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
