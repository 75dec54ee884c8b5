"""The system's C compiler: the search for it, its runs, and the cache of compiled libraries.

A compiled library is kept in the user's cache folder (see :mod:`.library_cache`), and later processes load it from
there. The key of a library is a hash of the source code, the compiler and its options, and the CPU. Only source code
that this package has generated is ever compiled.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import errno
import functools
import hashlib
import os
import platform
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from d2lhybrid.error import MXNetError

from .library_cache import fetch, keep, load

__all__ = ["NoRoomError", "build", "find_compiler", "is_built", "start", "try_out"]

#: The options of the compiler. No option may change the results for NaN and infinity. Without errno and traps, the
#: compiler can vectorize loops.
FLAGS = (
    "-O3", "-fPIC", "-shared", "-std=c11", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=fast",
    "-fopenmp-simd",
)  # fmt: skip
#: The options for the best instructions of the CPU, followed by alternatives for compilers that don't support them.
TUNING = (("-march=native", "-mprefer-vector-width=512"), ("-march=native",), ("-mcpu=native",), ())
SECONDS = 120
#: The largest time, in seconds, that a call waits for a background compiler.
PATIENCE = 20
#: The largest number of concurrent background compilers.
MOST_AT_ONCE = 2
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)


def find_compiler() -> str | None:
    """Return the path of the first C compiler among ``$CC``, ``cc``, ``gcc``, and ``clang``.

    Returns
    -------
    str or None
        The path; None if there is no compiler.
    """
    wishes = [os.environ.get("CC", ""), "cc", "gcc", "clang"]
    return next((path for wish in wishes if wish and (path := shutil.which(wish))), None)


@functools.cache
def _machine(compiler: str) -> str:
    """Return text that identifies the CPU and the compiler. A library may not run on another CPU."""
    text = platform.machine() + platform.processor() + " ".join(platform.libc_ver())
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        text += next((line for line in lines if line.startswith(("flags", "Features"))), "")
    version = ""
    with contextlib.suppress(subprocess.TimeoutExpired):
        version = _run([compiler, "--version"], min(10, PATIENCE))[1]
    return f"{text} {version}"


class NoRoomError(MXNetError):
    """The error for a compiler that ran out of space, memory, or time, or a library that can't be written or loaded."""


#: The loaded libraries, by key; they remain loaded until the process ends.
_loaded: dict[str, ctypes.CDLL] = {}


def build(source: str) -> ctypes.CDLL:
    """Compile source code to a library, or load the library from the cache.

    Parameters
    ----------
    source : str
        The C source code.

    Returns
    -------
    ctypes.CDLL
        The library.

    Raises
    ------
    MXNetError
        If there is no compiler, or if the compiler rejects the source code.
    NoRoomError
        If the compiler runs out of space, memory, or time, or the library can't be written or loaded.
    """
    compiler = find_compiler()
    if compiler is None:
        error = MXNetError("The backend 'c' requires a C compiler, but none was found")
        error.add_note(
            "Install a C compiler (Debian: `apt install gcc`; macOS: `xcode-select --install`), or set CC to its path."
        )
        raise error
    key = _key(source, compiler)
    if key not in _loaded:
        try:
            library = _fetch(key)
            if library is None:
                library = _make(key, compiler, source)
            elif (running := _running.pop(key, None)) is not None and running.is_ours:
                running.end()  # another process finished first
            _loaded[key] = library
        except OSError as error:
            raise NoRoomError(f"a compiled program cannot be written or loaded: {error}") from error
    return _loaded[key]


def _key(source: str, compiler: str) -> str:
    return hashlib.sha256("\0".join([source, compiler, *FLAGS, _machine(compiler)]).encode()).hexdigest()[:32]


class _Running:
    """A compiler that runs in the background, in a temporary folder."""

    def __init__(self, compiler: str, source: str) -> None:
        self.owner = os.getpid()
        self.folder = tempfile.mkdtemp(prefix="d2lhybrid-c-")
        self.made = Path(self.folder) / "program.so"
        text = self.made.with_suffix(".c")
        text.write_text(source, "utf-8")
        # The compiler runs in a new session, so that Ctrl-C interrupts only the user's program.
        self.process = subprocess.Popen(
            _command(compiler, TUNING[0], text, self.made), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip

    @property
    def is_ours(self) -> bool:
        """Whether this process, and not its parent before a fork, started the compiler."""
        return self.owner == os.getpid()

    def library(self) -> bytes | None:
        """Wait for the compiler and return its library; None if it failed.

        Raises
        ------
        NoRoomError
            If the compiler doesn't finish in time.
        """
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.end()
            raise NoRoomError(f"the C compiler did not finish within {PATIENCE} seconds") from None
        library = self.made.read_bytes() if status == 0 else None
        shutil.rmtree(self.folder, ignore_errors=True)
        return library

    def end(self) -> None:
        """End the compiler and its child processes."""
        _kill(self.process)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)


#: The running background compilers, by the keys of their libraries.
_running: dict[str, _Running] = {}


@atexit.register
def _end_all() -> None:
    for one in _running.values():
        if one.is_ours:
            one.end()


def start(source: str) -> None:
    """Start to compile source code in the background, for a later call of :func:`build`.

    Do nothing if there is no compiler, if the library exists or is being compiled, or if this process is running
    :data:`MOST_AT_ONCE` compilers.

    Parameters
    ----------
    source : str
        The C source code.
    """
    compiler = find_compiler()
    if compiler is None:
        return
    key = _key(source, compiler)
    ours = [one for one in _running.values() if one.is_ours and one.process.poll() is None]
    if key in _loaded or key in _running or len(ours) >= MOST_AT_ONCE or fetch(key) is not None:
        return
    with contextlib.suppress(OSError):  # `build` reports the error
        _running[key] = _Running(compiler, source)


def is_built(source: str) -> bool:
    """Return whether the compilation of C source code succeeds.

    The function waits for the background compiler, or compiles now if there is none.

    Parameters
    ----------
    source : str
        The C source code.

    Returns
    -------
    bool
        Whether the library exists.
    """
    try:
        build(source)
    except MXNetError:
        return False
    return True


def _fetch(key: str) -> ctypes.CDLL | None:
    """Load and return the cached library of a key; None if it is missing or the linker rejects it."""
    library = fetch(key)
    if library is not None:
        with contextlib.suppress(OSError):
            return load(library)
    return None


def _make(key: str, compiler: str, source: str) -> ctypes.CDLL:
    """Compile source code, cache the library, and return the loaded library."""
    library = _finish(key)
    if library is None:
        with tempfile.TemporaryDirectory(prefix="d2lhybrid-c-") as folder:
            made = Path(folder) / "program.so"
            _compile(compiler, source, made)
            library = made.read_bytes()
    loaded = load(library)
    keep(key, library)
    return loaded


def _finish(key: str) -> bytes | None:
    """Wait for a background compiler and return its library; None if no compiler was started, or if it failed."""
    running = _running.get(key)
    if running is None or not running.is_ours:
        return None
    try:
        library = running.library()
    except NoRoomError:
        del _running[key]
        raise
    del _running[key]  # only now, so that the next call waits again if this wait is interrupted
    return library


def try_out(compiler: str) -> None:
    """Compile a small C function, load it, and call it, without the cache.

    Parameters
    ----------
    compiler : str
        Path of the compiler.

    Raises
    ------
    Exception
        If any step fails, for example because the headers are missing or libraries can't be loaded from the folder.
    """
    with tempfile.TemporaryDirectory(prefix="d2lhybrid-c-") as folder:
        path = Path(folder) / "tried.so"
        _compile(compiler, "#include <math.h>\nint answer(void) { return (int)floor(42.5); }\n", path)
        answer = ctypes.CDLL(str(path)).answer()
        if answer != 42:
            raise MXNetError(f"a test function that {compiler} compiled returned {answer} instead of 42")


def _run(command: Sequence[str], seconds: float, environment: dict[str, str] | None = None) -> tuple[int, str, str]:
    """Run a command for at most `seconds`, and return its exit status, output, and error output.

    Raises
    ------
    subprocess.TimeoutExpired
        If the command takes longer. In this case, the command and its child processes are ended. Otherwise, the child
        processes would keep the output open and block the reader.
    """
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
        env=environment, start_new_session=True,
    )  # fmt: skip
    try:
        printed, said = process.communicate(timeout=seconds)
    except BaseException:
        _kill(process)
        process.communicate()
        raise
    return process.returncode, printed, said


def _kill(process: subprocess.Popen[Any]) -> None:
    """End a process that has its own session, and its child processes."""
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()


def _command(compiler: str, tuning: Sequence[str], text: Path, path: Path) -> list[str]:
    return [compiler, *FLAGS, *tuning, str(text), "-o", str(path), "-lm"]


def _compile(compiler: str, source: str, path: Path) -> None:
    """Write source code into the folder of `path`, and compile it into the library `path`."""
    text, said = path.with_suffix(".c"), ""
    text.write_text(source, "utf-8")
    environment = {**os.environ, "LC_ALL": "C"}  # the compiler's messages are parsed below
    for tuning in TUNING:
        command = _command(compiler, tuning, text, path)
        try:
            status, _, said = _run(command, SECONDS, environment)
        except subprocess.TimeoutExpired:
            raise NoRoomError(f"the compiler {compiler} did not finish within {SECONDS} seconds") from None
        if status == 0:
            return
        said = said.strip()
        killed = status < 0 or "terminated program" in said  # a limit of file size or memory was exceeded
        if killed or any(os.strerror(number) in said for number in _NO_ROOM):
            how = said.splitlines()[-1] if said else "it was killed"
            raise NoRoomError(f"the compiler {compiler} stopped before it finished: {how}")
    error = MXNetError(f"The C compiler {compiler} rejected a generated program")
    error.add_note(said[:2000])
    raise error
