"""What each layer of protection stops, alone and missing: ``python -m tests.attack_table`` writes docs/attacks.md.

Every attack runs in a process of its own, with some of the layers, against a folder and a process that are made for it.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from d2lhybrid.internals.course.probing import confine

__all__ = ["ATTACKS", "COLUMNS", "LAYERS", "PAGE", "REFUSED", "page", "read_page", "tried"]

PAGE = Path(__file__).resolve().parent.parent / "docs" / "attacks.md"
LAYERS = ("limits", "audit hook", "Landlock", "seccomp")
COLUMNS: dict[str, tuple[str, ...]] = {
    "nothing": (),
    **{layer: (layer,) for layer in LAYERS},
    "all": LAYERS,
    **{f"all but {layer}": tuple(other for other in LAYERS if other != layer) for layer in LAYERS},
}

_X86 = os.uname().machine == "x86_64"
#: What stands before an attack that takes the audit hook away: the lines of Python are those that anybody would write.
_DISARM = """
import gc, types
for f in gc.get_objects():
    if isinstance(f, types.FunctionType) and f.__name__ == "refuse" and "confine" in f.__module__:
        f.__code__ = (lambda what: None).__code__
"""

#: Group -> attack -> the program; it is refused if it raises an exception, or is ended by the system.
ATTACKS: dict[str, dict[str, str]] = {
    "files": {
        "read a file": "open(folder + '/secret').read()",
        "read it with the C library": "assert libc.open((folder + '/secret').encode(), 0) >= 0",
        "read it through a link": "os.symlink(folder + '/secret', 'link'); open('link').read()",
        "read it through a hard link": "os.link(folder + '/secret', 'hard'); open('hard').read()",
        "read it with the audit hook removed": _DISARM + "open(folder + '/secret').read()",
        "list a folder": "os.listdir(folder)",
        "write a file": "open(folder + '/secret', 'w').write('mine')",
        "write it with the audit hook removed": _DISARM + "open(folder + '/secret', 'w').write('mine')",
        "create a folder": "os.mkdir(folder + '/new')",
        "remove a file": "os.remove(folder + '/secret')",
        "move a file out": "open('a', 'w').close(); os.rename('a', folder + '/a')",
        "change a file's permissions": "os.chmod(folder + '/secret', 0)",
        "change a file's permissions with the C library": "assert libc.chmod((folder + '/secret').encode(), 0) == 0",
        "change a file's times": "os.utime(folder + '/secret', (1, 1))",
        "read a file's size": "os.stat(folder + '/secret')",
        "watch a folder": "assert libc.inotify_init1(0) >= 0",
        "read another process's environment": "open(f'/proc/{victim}/environ').read()",
        "read another process's memory": "open(f'/proc/{victim}/mem', 'rb')",
    },
    "processes": {
        "fork": "pid = os.fork()\nif not pid: os._exit(0)",
        "fork with the C library": "pid = libc.fork()\nif not pid: os._exit(0)\nassert pid > 0",
        "run a program": "os.execv('/bin/true', ['true'])",
        "run a shell": "assert os.system('true') == 0",
        "run a program with the audit hook removed": _DISARM + "assert os.system('true') == 0",
        "send a signal": "os.kill(victim, signal.SIGCONT)",
        "send a signal with the C library": "assert libc.kill(victim, int(signal.SIGCONT)) == 0",
        "send a signal to all processes": "os.kill(-1, 0)",
        "trace a process": "assert libc.ptrace(16, victim, 0, 0) == 0",
        "change another process's limits": "import resource; resource.prlimit(victim, resource.RLIMIT_CPU, (9, 9))",
    },
    "network": {
        "open a socket": "socket.socket()",
        "open a socket with the C library": "assert libc.socket(2, 1, 0) >= 0",
        "open a local socket": "socket.socket(socket.AF_UNIX)",
    },
    "time, memory, disk": {
        "compute forever": "while True: pass",
        "allocate 4 GB of memory": "bytes(4 * 2**30)",
        "write a file of 200 MB": "f = open('f', 'wb')\nfor _ in range(200): f.write(bytes(2**20))",
        "keep 1000 files open": "kept = [open('/dev/null') for _ in range(1000)]",
        "create an in-memory file": "os.memfd_create('x')",
        "raise its own limits": "import resource; resource.setrlimit(resource.RLIMIT_CPU, (1000, 1000))",
    },
}  # fmt: skip

#: Seconds of the processor that an attack may take, and after which one that goes on for ever is ended here.
_SECONDS, _PATIENCE = 1, 25
#: What becomes of an attack that a layer stops; others were possible, go on, or could not be tried at all.
REFUSED = ("refused", "ended by the system")


def _nothing(*arguments: object) -> None:
    return None


def _run(
    code: str, layers: Sequence[str], folder: str, scratch: str, victim: int, say: Callable[[str], object]
) -> None:
    """Put the layers on this process, and try; never returns."""
    libc = ctypes.CDLL(None, use_errno=True)
    os.chdir(scratch)
    tell: Any = confine
    tell.give_up_privileges = _nothing  # what is looked at are the other layers
    if "limits" not in layers:
        tell._limit_resources = _nothing
    if "Landlock" not in layers:
        tell._landlock = _nothing
    if "seccomp" not in layers:
        tell.forbid_system_calls = _nothing
    add_hook = sys.addaudithook
    sys.addaudithook = add_hook if "audit hook" in layers else _nothing
    names = {"os": os, "signal": signal, "libc": libc, "folder": folder, "victim": victim}
    import socket  # everything that is imported is there before

    names["socket"] = socket
    program = compile(code, "<attack>", "exec")
    readable = confine.readable_folders(scratch)
    try:
        confine.confine(readable, scratch, _SECONDS, 2**31)
    except BaseException as error:
        say(f"no confinement: {error}")
        os._exit(0)
    try:
        exec(program, names)
    except BaseException:
        say("refused")
    else:
        say("possible")
    os._exit(0)


def _outcome(code: str, layers: Sequence[str]) -> str:
    """Return what became of an attack where these layers are: ``REFUSED`` has the words for one that was stopped."""
    folder, scratch = tempfile.mkdtemp(), tempfile.mkdtemp()
    Path(folder, "secret").write_text("secret")
    victim = subprocess.Popen(["sleep", "60"])
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:
        os.setsid()
        for number in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), number)
        _run(code, layers, folder, scratch, victim.pid, lambda text: os.write(writer, text.encode()))
    os.close(writer)
    try:
        ready, _, _ = select.select([reader], [], [], _PATIENCE)
        if not ready:
            return "goes on"
        said = os.read(reader, 1000).decode()
        if said.startswith("no confinement"):
            raise RuntimeError(said)
        if said:
            return said
        status = _status(pid)
        if status is None or os.WIFSIGNALED(status):
            return "ended by the system"
        return f"exit code {os.waitstatus_to_exitcode(status)}"
    finally:
        os.close(reader)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, 0)
        victim.kill()
        victim.wait()
        for path in (folder, scratch):
            shutil.rmtree(path, ignore_errors=True)


def _status(pid: int) -> int | None:
    for _ in range(100):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.02)
    return None


def tried(names: Iterable[str], column: str) -> dict[str, str]:
    """Return attack -> what became of it, one of the words of ``REFUSED`` or another one.

    A fresh interpreter makes the processes of the attacks. Forked from one in which other things have run, they would
    inherit its garbage and the locks of threads that are not there any more, and might wait for these for ever.

    Parameters
    ----------
    names : iterable of str
        Some of the attacks.
    column : str
        Which layers there are, a key of ``COLUMNS``.
    """
    command = [sys.executable, "-m", "tests.attack_table", column, *names]
    done = subprocess.run(command, cwd=PAGE.parent.parent, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


_HEAD = """\
# What each layer stops

`python -m tests.attack_table` writes this page. It tries each attack in a separate process, with only the layers that
the column names. A test repeats the attacks. **x** means that the system refused the attack or killed the process. An
empty cell means that the attack succeeded. The attacks ran as root, on Linux 6.12, whose Landlock also blocks signals
to other processes.

Each layer except the audit hook stops some attacks that no other layer stops. The purpose of the audit hook is clear
error messages; a few lines of Python remove it. No layer prevents an answer from reading the size of a file whose name
it knows, or from waiting; the checker ends an answer that waits too long. The table omits attacks on the mark itself
(replacing comparisons, printing or sending verdicts). They fail because another process computes the marks, and
`tests/hostile_answers.py` contains them.
"""


def page(found: dict[str, dict[str, bool]]) -> str:
    """Return the page, in Markdown."""
    lines = _HEAD.splitlines()
    for group, attacks in ATTACKS.items():
        lines += ["", f"## {group[0].upper()}{group[1:]}", ""]
        lines += [f"| | {' | '.join(COLUMNS)} |", f"|---|{':-:|' * len(COLUMNS)}"]
        for name in attacks:
            fields = " | ".join("x" if found[name][column] else " " for column in COLUMNS)
            lines.append(f"| {name} | {fields} |")
    return "\n".join(lines) + "\n"


def read_page(text: str) -> dict[str, dict[str, bool]]:
    """Return what a page says."""
    found = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and cells[0]:
            found[cells[0]] = dict(zip(COLUMNS, (cell == "x" for cell in cells[1:]), strict=True))
    return found


def _main(column: str | None = None, *names: str) -> None:
    code = {name: code for attacks in ATTACKS.values() for name, code in attacks.items()}
    if column is not None:
        print(json.dumps({name: _outcome(code[name], COLUMNS[column]) for name in names}))
        return
    found: dict[str, dict[str, bool]] = {name: {} for name in code}
    for column in COLUMNS:
        for name, outcome in tried(code, column).items():
            found[name][column] = outcome in REFUSED
    PAGE.write_text(page(found), "utf-8")
    print(json.dumps({"attacks": len(code), "columns": len(COLUMNS), "written": str(PAGE)}))


if __name__ == "__main__":
    _main(*sys.argv[1:])
