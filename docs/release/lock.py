"""Write down which versions Binder installs, ``binder/requirements.txt``: ``make lock``.

All that the notebooks need, and all that this needs, each at one version: the newest ones that fit together today, on
Linux, for the Python of ``binder/runtime.txt``. So a link to Binder opens in a year what it opened today.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "binder" / "requirements.txt"
#: What the notebooks need; the same extras as in ``environment.yml``.
EXTRAS = ("lab", "onnx")
HEAD = "# Which versions Binder installs, written by `make lock` from pyproject.toml. Not to be changed by hand.\n"


def python_version() -> str:
    """Return the Python that Binder has: ``3.12``."""
    return (ROOT / "binder" / "runtime.txt").read_text("utf-8").strip().removeprefix("python-")


def resolved() -> list[str]:
    """Return the lines of the lock, asking the package index.

    Raises
    ------
    subprocess.CalledProcessError
        If nothing fits together, or there is no connection.
    """
    command = [
        *(Path(sys.executable).with_name("uv"), "pip", "compile", ROOT / "pyproject.toml"),
        *(word for extra in EXTRAS for word in ("--extra", extra)),
        *("--python-version", python_version(), "--python-platform", "x86_64-manylinux_2_28"),
        *("--only-binary", ":all:", "--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"),
        "--quiet",
    ]
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True, check=True)
    return sorted(line for line in done.stdout.splitlines() if line and not line.startswith("#"))


def main() -> int:
    """Write the lock and say what has changed; the exit status."""
    try:
        lines = resolved()
    except subprocess.CalledProcessError as problem:
        return problem.returncode
    odd = [line for line in lines if not re.fullmatch(r"[a-z0-9][a-z0-9.-]*==[0-9][\w.+!]*", line)]
    if odd:
        print(f"These are no versions on an index: {odd}", file=sys.stderr)
        return 1
    before = set(LOCK.read_text("utf-8").splitlines()) if LOCK.exists() else set()
    LOCK.write_text(HEAD + "\n".join(lines) + "\n", "utf-8")
    print(f"{LOCK.relative_to(ROOT)}: {len(lines)} packages for Python {python_version()}")
    for line in lines:
        if line not in before:
            print(f"  {line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
