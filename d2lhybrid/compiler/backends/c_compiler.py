"""The C compiler of the system: find it, run it, keep what it made.

A compiled library is kept in the user's cache folder under the hash of everything that it depends on, and is
taken from there the next time. Nothing but text that this package wrote is ever compiled.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
from pathlib import Path

from ...errors import MXNetError

__all__ = ["build", "cache_folder", "find_compiler"]

#: No option may change what NaN and infinity mean; without error numbers and traps, loops become vectors.
FLAGS = (
    "-O3", "-fPIC", "-shared", "-std=c11", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=fast",
    "-fopenmp-simd",
)  # fmt: skip
#: The best that the processor has, then what any compiler knows.
TUNING = (("-march=native", "-mprefer-vector-width=512"), ("-march=native",), ("-mcpu=native",), ())
SECONDS = 120


def find_compiler() -> str | None:
    """Return the path of a C compiler: ``$CC``, ``cc``, ``gcc`` or ``clang``; None if there is none."""
    wishes = [os.environ.get("CC", ""), "cc", "gcc", "clang"]
    return next((path for wish in wishes if wish and (path := shutil.which(wish))), None)


def cache_folder() -> Path:
    """Return where libraries are kept: below ``$XDG_CACHE_HOME``, by default ``~/.cache``."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "d2lhybrid" / "c"


@functools.cache
def _machine() -> str:
    """Return what identifies processor and compiler: a library for one does not run on another."""
    text = platform.machine() + platform.processor()
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        text += next((line for line in lines if line.startswith(("flags", "Features"))), "")
    compiler = find_compiler() or ""
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False).stdout
    return f"{text} {version}"


def build(source: str) -> ctypes.CDLL:
    """Compile a source text, or take what was made of it before.

    Raises
    ------
    MXNetError
        If there is no compiler, or it does not accept the text.
    """
    compiler = find_compiler()
    if compiler is None:
        error = MXNetError("The backend 'c' needs a C compiler, and there is none")
        error.add_note("Install one (Debian: `apt install gcc`; macOS: `xcode-select --install`), or name it in CC.")
        raise error
    key = hashlib.sha256("\0".join([source, compiler, *FLAGS, _machine()]).encode()).hexdigest()[:32]
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not os.access(folder, os.W_OK):
            raise PermissionError
    except OSError:
        folder = _own_folder()
    path = folder / f"{key}.so"
    if not path.exists():
        _compile(compiler, source, path)
    return ctypes.CDLL(str(path))


@functools.cache
def _own_folder() -> Path:
    """Return a folder of this process alone, for a home that cannot be written to."""
    return Path(tempfile.mkdtemp(prefix="d2lhybrid-c-"))


def _compile(compiler: str, source: str, path: Path) -> None:
    """Make a library under another name first: nobody ever loads half of one."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        text, made = Path(folder) / "program.c", Path(folder) / "program.so"
        text.write_text(source)
        said = ""
        for tuning in TUNING:
            command = [compiler, *FLAGS, *tuning, str(text), "-o", str(made), "-lm"]
            result = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
            if result.returncode == 0:
                os.replace(made, path)
                return
            said = result.stderr.strip()
    error = MXNetError(f"The C compiler {compiler} does not accept a generated program")
    error.add_note(said[:2000])
    raise error
