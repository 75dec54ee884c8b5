"""A Python as it is in a browser: no threads, no processes, no sockets, none of the modules that are not there.

``python tests/bare_python.py program.py`` runs a program in it. Sockets can be imported and fail when they are used, as
they do in Pyodide: IPython imports them. With ``--strict`` they cannot be imported either.
"""

from __future__ import annotations

import errno
import sys
from importlib.abc import MetaPathFinder
from types import ModuleType
from typing import Any, NoReturn

__all__ = ["take_away"]

#: What Pyodide leaves out of the standard library, and what stands on C that WebAssembly has not.
ABSENT = {
    "_ctypes", "_multiprocessing", "_posixshmem", "_posixsubprocess", "_sqlite3", "_ssl", "_tkinter", "curses", "dbm",
    "ensurepip", "fcntl", "grp", "mmap", "multiprocessing", "pwd", "resource", "ssl", "syslog", "termios", "tkinter",
    "tty", "pty", "venv",
}  # fmt: skip
#: Their Python halves are imported anew, so that they find the other half missing.
HALVES = {
    "_threading_local",
    "asyncio",
    "concurrent",
    "ctypes",
    "selectors",
    "socket",
    "sqlite3",
    "subprocess",
    "threading",
}

#: Calls of the system that there are none of.
_CALLS = ("fork", "forkpty", "memfd_create", "posix_spawn", "posix_spawnp", "register_at_fork", "sched_getaffinity")


class _Absent(MetaPathFinder):
    """Finds nothing of what is not there."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def find_spec(self, fullname: str, path: Any = None, target: ModuleType | None = None) -> None:
        """Raise what Python raises for a module that is not there."""
        if fullname.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def _no_thread(*args: Any, **kwargs: Any) -> NoReturn:
    raise RuntimeError("can't start new thread")


def _no_call(*args: Any, **kwargs: Any) -> NoReturn:
    raise OSError(errno.ENOSYS, "Function not implemented")


def take_away(strict: bool = False) -> None:
    """Take from this process what a browser has not."""
    import _thread
    import os
    import sysconfig

    sysconfig.get_config_vars()  # which it reads from a file that is named after the platform
    gone = ABSENT | {"_socket"} if strict else ABSENT
    sys.platform = "emscripten"
    for name in [name for name in sys.modules if name.partition(".")[0] in gone | HALVES]:
        del sys.modules[name]
    sys.meta_path.insert(0, _Absent(gone))
    _thread.start_new_thread = _no_thread
    if hasattr(_thread, "start_joinable_thread"):
        _thread.start_joinable_thread = _no_thread
    del _thread.get_native_id
    for name in _CALLS:
        if hasattr(os, name):
            delattr(os, name)
    if hasattr(os, "process_cpu_count"):  # since Python 3.13, which defines it so where there is no affinity
        os.process_cpu_count = os.cpu_count
    os.system = os.popen = _no_call
    if not strict:
        import _socket

        class Socket(_socket.socket):  # a browser gives none
            __slots__ = ()

            def __init__(self, *args: Any, **kwargs: Any) -> None:
                _no_call()

        for name in ("fcntl", "resource", "termios"):  # JupyterLite's kernel has empty ones
            sys.modules[name] = ModuleType(name)
        _socket.socket = Socket
        _socket.socketpair = _no_call


if __name__ == "__main__":
    import runpy

    arguments = sys.argv[1:]
    take_away(strict=arguments[0] == "--strict")
    sys.argv = [argument for argument in arguments if argument != "--strict"]
    runpy.run_path(sys.argv[0], run_name="__main__")
