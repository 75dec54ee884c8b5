"""Run a program in a home of its own, and see what it writes and whom it speaks to.

Two watchers: an audit hook of Python's, and, where there are a C compiler and Linux's loader, a library that stands
before ``connect`` and ``getaddrinfo`` of every library and of every program that is started.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

__all__ = ["Seen", "library", "watch"]

ROOT = Path(__file__).resolve().parent.parent

_HOOK = """
import os, sys
_log = os.open(os.environ["WATCH_LOG"], os.O_WRONLY | os.O_APPEND)

def _hook(event, arguments):
    if event == "open" and isinstance(arguments[0], str) and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        os.write(_log, f"write {os.path.abspath(arguments[0])}\\n".encode())
    elif event == "socket.connect" and isinstance(arguments[1], tuple):
        os.write(_log, f"connect {arguments[1][0]}\\n".encode())
    elif event == "socket.getaddrinfo":
        os.write(_log, f"look up {arguments[0]}\\n".encode())

sys.addaudithook(_hook)
"""

_LIBRARY = r"""
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static void note(const char *what, const char *whom) {
    char line[512];
    const char *path = getenv("WATCH_LOG");
    int file = path ? open(path, O_WRONLY | O_APPEND) : -1;
    int length = snprintf(line, sizeof line, "%s %s\n", what, whom ? whom : "");
    if (file >= 0) {
        if (write(file, line, length) < 0) abort();
        close(file);
    }
}

int connect(int socket, const struct sockaddr *address, socklen_t length) {
    char name[INET6_ADDRSTRLEN];
    if (address->sa_family == AF_INET)
        note("connect", inet_ntop(AF_INET, &((struct sockaddr_in *)address)->sin_addr, name, sizeof name));
    else if (address->sa_family == AF_INET6)
        note("connect", inet_ntop(AF_INET6, &((struct sockaddr_in6 *)address)->sin6_addr, name, sizeof name));
    int (*real)(int, const struct sockaddr *, socklen_t) = dlsym(RTLD_NEXT, "connect");
    return real(socket, address, length);
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    note("look up", node);
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
        dlsym(RTLD_NEXT, "getaddrinfo");
    return real(node, service, hints, result);
}
"""


@dataclass
class Seen:
    """What a program did.

    Attributes
    ----------
    files : list of str
        What it left in its home, relative to that.
    written : set of str
        What Python opened for writing outside its home, its temporary and its working folder.
    contacts : set of str
        Whom it connected to or looked up; sockets of the machine itself that have no address are none.
    output : str
        What it printed.
    """

    files: list[str] = field(default_factory=list)
    written: set[str] = field(default_factory=set)
    contacts: set[str] = field(default_factory=set)
    output: str = ""


@cache
def library() -> Path | None:
    """Return the library that stands before those of the system, None where it cannot be made."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None or not sys.platform.startswith("linux"):
        return None
    folder = Path(tempfile.mkdtemp(prefix="d2lhybrid-watch-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    source, result = folder / "watch.c", folder / "watch.so"
    source.write_text(_LIBRARY, "utf-8")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", str(result), str(source), "-ldl"], check=True)
    return result


def watch(program: str, folder: Path) -> Seen:
    """Run a program of Python and return what was seen of it.

    Parameters
    ----------
    program : str
        Its text; it runs in an empty folder.
    folder : Path
        An empty folder for its home and everything else.
    """
    places = {name: folder / name for name in ("home", "temporary", "course")}
    for place in places.values():
        place.mkdir()
    log = folder / "log"
    log.touch()
    keep = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "LD_LIBRARY_PATH")
    environment = {name: os.environ[name] for name in keep if name in os.environ}
    environment |= {
        "HOME": str(places["home"]),
        "USERPROFILE": str(places["home"]),
        "TMPDIR": str(places["temporary"]),
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "WATCH_LOG": str(log),
    }
    if (before := library()) is not None:
        environment["LD_PRELOAD"] = str(before)
    done = subprocess.run(
        [sys.executable, "-c", _HOOK + textwrap.dedent(program)],
        cwd=places["course"], env=environment, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return _seen(log, places["home"], folder, done.stdout)


def _seen(log: Path, home: Path, folder: Path, output: str) -> Seen:
    seen = Seen(output=output)
    seen.files = sorted(str(path.relative_to(home)) for path in home.rglob("*") if path.is_file())
    for line in log.read_text("utf-8").splitlines():
        what, _, whom = line.rpartition(" ") if line.startswith("look up") else line.partition(" ")
        if what != "write":
            seen.contacts.add(line)
        elif not Path(whom).resolve().is_relative_to(folder.resolve()) and not whom.startswith(os.devnull):
            seen.written.add(whom)
    return seen
