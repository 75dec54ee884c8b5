"""Write down which versions Binder installs, ``binder/requirements.txt``: ``make lock``.

All that the notebooks need, and all that this needs, each at one version: the newest ones that fit together today, on
Linux, for the Python of ``binder/runtime.txt``. So a link to Binder opens in a year what it opened today.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "binder" / "requirements.txt"
#: What the notebooks need; the same extras as in ``environment.yml``.
EXTRAS = ("lab", "onnx", "fast")
HEAD = "# Which versions Binder installs, written by `make lock` from pyproject.toml. Not to be changed by hand.\n"


def python_version() -> str:
    """Return the Python that Binder has: ``3.12``."""
    return (ROOT / "binder" / "runtime.txt").read_text("utf-8").strip().removeprefix("python-")


#: Settings of pip -> the variables by which uv, which does not read them, is told the same.
AS_UV_IS_TOLD = {
    "cert": "SSL_CERT_FILE",
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "trusted-host": "UV_INSECURE_HOST",
    "proxy": "ALL_PROXY",
}


def told_as_pip_is(environment: Mapping[str, str], listed: str) -> dict[str, str]:
    """Return an environment in which uv finds the index, and trusts its certificate, as pip does.

    Parameters
    ----------
    environment : mapping of str to str
        The environment as it is; what it tells uv counts.
    listed : str
        What ``pip config list`` prints.
    """
    of_files = re.findall(r"^(?:global|install|:env:)\.([\w-]+)=(.*)$", listed, flags=re.MULTILINE)
    found = {name: " ".join(str(ast.literal_eval(value)).split()) for name, value in of_files}
    for name in AS_UV_IS_TOLD:
        variable = environment.get(f"PIP_{name.upper().replace('-', '_')}")
        if variable:
            found[name] = variable
    told = {AS_UV_IS_TOLD[name]: value for name, value in found.items() if name in AS_UV_IS_TOLD and value}
    if "find-links" in found:
        told["UV_FIND_LINKS"] = ",".join(found["find-links"].split())
    if "extra-index-url" in found:  # pip takes the best of all indices, uv that of the first one
        told["UV_INDEX_STRATEGY"] = "unsafe-best-match"
    return told | dict(environment)


def _environment() -> dict[str, str]:
    command = [sys.executable, "-m", "pip", "config", "list"]
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return told_as_pip_is(os.environ, listed)


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
    words = [str(word) for word in command]
    done = subprocess.run(words, env=_environment(), stdout=subprocess.PIPE, text=True, check=True)
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
