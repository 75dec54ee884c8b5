"""Each layer of confinement on its own: what the kernel refuses when Python's audit hook is not there."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

if os.name != "posix":
    pytest.skip("limits of processes are those of Linux and macOS", allow_module_level=True)

from d2lhybrid.internals.course.probing.confine import layers, readable_folders

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = """
import ctypes, json, os, socket, sys
sys.path.insert(0, {root!r})
import numpy
from d2lhybrid.internals.course.probing import confine
libc = ctypes.CDLL(None, use_errno=True)
if not {hook}:
    sys.addaudithook = lambda hook: None
parent = os.getppid()
confine.confine({read!r}, {scratch!r}, 20, 2**31)
said = {{}}
for name, attempt in {attempts!r}.items():
    try:
        exec(attempt)
    except BaseException as error:
        said[name] = f"refused {{type(error).__name__}} {{error}}"
    else:
        said[name] = "possible"
print(json.dumps(said))
"""


def attempt_all(folder, attempts, hook):
    """Try programs one after the other in one confined process; what came of each."""
    scratch = folder / "scratch"
    scratch.mkdir()
    (folder / "secret").write_text("secret")
    known = {"{folder}": str(folder), "{scratch}": str(scratch), "{tkill}": TKILL}
    filled = {}
    for name, attempt in attempts.items():
        for key, value in known.items():
            attempt = attempt.replace(key, value)
        filled[name] = attempt
    numpy_folders = [str(p) for p in Path(numpy.__file__).parent.parent.glob("numpy*")]
    program = PROGRAM.format(
        root=str(ROOT),
        read=[*readable_folders(str(scratch)), *numpy_folders, str(ROOT / "d2lhybrid")],
        scratch=str(scratch),
        hook=hook,
        attempts=filled,
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=scratch)
    assert done.stdout, done.stderr
    assert (folder / "secret").read_text() == "secret"
    return json.loads(done.stdout.splitlines()[-1])


TKILL = "200" if os.uname().machine == "x86_64" else "130"
needs_kernel = pytest.mark.skipif(
    not {"Landlock", "seccomp"} <= set(layers()), reason="this kernel has no Landlock or no known seccomp"
)
ATTACKS = {
    "read": "open('{folder}/secret').read()",
    "read by the C library": "assert libc.open(b'{folder}/secret', 0) >= 0",
    "write": "open('{folder}/secret', 'w')",
    "make": "os.mkdir('{folder}/new')",
    "list": "os.listdir('{folder}')",
    "remove": "os.remove('{folder}/secret')",
    "move out": "open('a', 'w').close(); os.rename('a', '{folder}/a')",
    "hard link": "os.link('{folder}/secret', 'hard'); open('hard').read()",
    "change rights": "os.chmod('{folder}/secret', 0)",
    "change times": "os.utime('{folder}/secret', (1, 1))",
    "fork": "if os.fork() == 0: os._exit(0)",
    "vfork by number": "assert libc.syscall(58) >= 0" if os.uname().machine == "x86_64" else "assert False",
    "run a program": "os.execv('/bin/true', ['true'])",
    "signal": "os.kill(parent, 0)",
    "signal to all": "os.kill(-1, 0)",
    "signal to a thread": "assert libc.syscall({tkill}, parent, 0) == 0",
    "trace": "assert libc.ptrace(16, parent, 0, 0) == 0",
    "memory of others": "open(f'/proc/{parent}/mem', 'rb')",
    "environment of others": "open(f'/proc/{parent}/environ').read()",
    "socket": "socket.socket()",
    "local socket": "socket.socket(socket.AF_UNIX)",
    "limits of others": "import resource; resource.prlimit(parent, resource.RLIMIT_CPU)",
    "a higher limit": "import resource; resource.setrlimit(resource.RLIMIT_CPU, (9, 9))",
}


HONEST = {
    "files": "open('{scratch}/a', 'w').write('a'); assert open('a').read() == 'a'; os.rename('a', 'b'); os.remove('b')",
    "folders": "os.mkdir('d'); os.listdir('d'); os.rmdir('d')",
    "arithmetic": "import numpy.fft, numpy.linalg, json, decimal; numpy.linalg.svd(numpy.eye(3))",
    "threads": "import threading; t = threading.Thread(target=abs, args=(1,)); t.start(); t.join()",
    "random numbers": "open('/dev/urandom', 'rb').read(4); numpy.random.default_rng()",
    "temporary folders": "import tempfile; tempfile.tempdir = '{scratch}'; tempfile.TemporaryDirectory().cleanup()",
}


@pytest.fixture(scope="module")
def by_the_kernel(tmp_path_factory):
    return attempt_all(tmp_path_factory.mktemp("kernel"), {**ATTACKS, **HONEST}, hook=False)


@pytest.fixture(scope="module")
def by_all_layers(tmp_path_factory):
    return attempt_all(tmp_path_factory.mktemp("all"), {**ATTACKS, **HONEST}, hook=True)


@needs_kernel
@pytest.mark.parametrize("name", ATTACKS)
def test_the_kernel_refuses(by_the_kernel, name):
    assert re.match(r"refused (PermissionError|AssertionError|ValueError|OSError)", by_the_kernel[name]), by_the_kernel


@pytest.mark.parametrize(
    "name", ["read", "write", "make", "list", "remove", "change rights", "fork", "run a program", "signal", "socket"]
)
def test_the_hook_refuses_before_the_kernel_does(by_all_layers, name):
    assert by_all_layers[name].startswith("refused PermissionError an answer is not permitted to do this")


@pytest.mark.parametrize("name", HONEST)
def test_honest_work_is_possible(by_all_layers, name):
    assert by_all_layers[name] == "possible"
