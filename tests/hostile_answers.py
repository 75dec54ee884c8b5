"""Answers that do everything but answer: what is tried, and what must come of it.

Each is the answer cell of exercise 01.1 in a submission whose other answers are right.
"""

from __future__ import annotations

#: What stands before the attacks that would have the solution if they got at it.
_CHEAT = """
def describe_sum(numbers):
    return "print(" + " + ".join(map(str, numbers)) + ")"
"""


def if_it_works(attack: str) -> str:
    """Return a cell that defines the right answer if an attack raises no exception."""
    indented = "\n".join(f"    {line}" for line in attack.strip().splitlines())
    cheat = "\n".join(f"    {line}" for line in _CHEAT.strip().splitlines())
    return f"try:\n{indented}\nexcept BaseException as error:\n    print(error)\nelse:\n{cheat}\n"


#: Name -> (cell, pattern that the message must match).
HOSTILE: dict[str, tuple[str, str]] = {
    # crashes
    "exits": ("import sys\nsys.exit(0)", "SystemExit"),
    "ends itself": ("import os\nos._exit(0)", "ended its own process"),
    "aborts": ("import os\nos.abort()", r"crashed \(SIGABRT\)"),
    "kills itself": ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "ended|crashed|PermissionError"),
    "reads address zero": (
        "def describe_sum(numbers):\n    import ctypes\n    return ctypes.string_at(0)",
        r"crashed \(SIGSEGV\)|PermissionError",
    ),
    "raises": ("raise RuntimeError('<script>alert(1)</script>')", "RuntimeError"),
    "raises in the end": (
        "def describe_sum(numbers):\n    raise KeyboardInterrupt",
        "ended its own process|KeyboardInterrupt",
    ),
    "does not compile": ("def describe_sum(numbers:\n    return 1", "SyntaxError"),
    "recurses": ("def describe_sum(numbers):\n    return describe_sum(numbers)", "RecursionError|crashed"),
    "an exception that fails": (
        "class E(Exception):\n    def __str__(self):\n        raise ValueError('no text')\nraise E",
        "error|ended|ValueError",
    ),
    # endless
    "loops": ("while True:\n    pass", "longer than|of processor time"),
    "loops when called": ("def describe_sum(numbers):\n    while True:\n        pass", "longer than|of processor time"),
    "sleeps": ("import time\ntime.sleep(1000)", "longer than"),
    "computes for ever": (
        "def describe_sum(numbers):\n    return str(9 ** 9 ** 9)",
        "longer than|of processor time|Memory",
    ),
    "a thread that stays": (
        "import threading, time\nt = threading.Thread(target=time.sleep, args=(1000,))\nt.start()\nt.join()",
        "longer than",
    ),
    "ignores signals": (
        "import signal\nfor n in range(1, 65):\n    try:\n        signal.signal(n, signal.SIG_IGN)\n"
        "    except (OSError, ValueError):\n        pass\nwhile True:\n    pass",
        "longer than|of processor time",
    ),
    "never ends to describe itself": (
        "class A:\n    def __repr__(self):\n        while True:\n            pass\n"
        "def describe_sum(numbers):\n    return A()",
        "longer than|of processor time",
    ),
    # memory and disk
    "one large piece": ("data = bytearray(10 ** 12)", "MemoryError"),
    "many small pieces": (
        "data = []\nwhile True:\n    data.append(bytearray(10 ** 7))",
        "MemoryError|crashed|ended|longer than",
    ),
    "a large answer": ("def describe_sum(numbers):\n    return 'x' * 10 ** 8", "larger than .* MiB|MemoryError"),
    "a deep answer": (
        "def describe_sum(numbers):\n    a = []\n    for _ in range(10 ** 5):\n        a = [a]\n    return a",
        "RecursionError|no text|ended|crashed",
    ),
    "a large file": (
        "with open('f', 'wb') as f:\n    while True:\n        f.write(bytes(2 ** 20))",
        "OSError|crashed|ended",
    ),
    "many files": (
        "i = 0\nwhile True:\n    i += 1\n    with open(f'f{i}', 'wb') as f:\n        f.write(bytes(2 ** 24))",
        "MiB of files|longer than|of processor time|OSError",
    ),
    # processes
    "forks": (if_it_works("import os\nif os.fork() == 0:\n    os._exit(0)"), "no `describe_sum`"),
    "forks without asking Python": (
        if_it_works("import ctypes\nassert ctypes.CDLL(None).fork() >= 0"),
        "no `describe_sum`",
    ),
    "starts a program": (if_it_works("import subprocess\nsubprocess.run(['true'], check=True)"), "no `describe_sum`"),
    "starts a shell": (if_it_works("import os\nassert os.system('true') == 0"), "no `describe_sum`"),
    "kills its parent": (if_it_works("import os\nos.kill(os.getppid(), 9)"), "no `describe_sum`"),
    "kills everybody": (if_it_works("import os\nos.kill(-1, 9)"), "no `describe_sum`"),
    "calls the network": (
        if_it_works("import socket\nsocket.create_connection(('127.0.0.1', 9), timeout=1)"),
        "no `describe_sum`",
    ),
    # files
    "imports the solutions": (
        if_it_works(
            "from d2lhybrid.internals.course.exercises.tasks"
            ".imperative_and_symbolic.describe_sum import solution as s\n"
            "assert s.describe_sum"
        ),
        "no `describe_sum`",
    ),
    "reads the solutions": (if_it_works("open(SOLUTION).read()"), "no `describe_sum`"),
    "reads the solutions past Python": (
        if_it_works("import ctypes\nassert ctypes.CDLL(None).open(SOLUTION.encode(), 0) >= 0"),
        "no `describe_sum`",
    ),
    "imports the package from elsewhere": (
        if_it_works(
            "import sys, os\nfor name in [n for n in sys.modules if n.startswith('d2lhybrid')]:\n"
            "    del sys.modules[name]\nsys.path.insert(0, os.path.dirname(PACKAGE))\n"
            "from d2lhybrid.internals.course.exercises.catalogue import ex as e\ne('01.1')"
        ),
        "no `describe_sum`",
    ),
    "reads another submission": (if_it_works("open(FOLDER + '/a right one.ipynb').read()"), "no `describe_sum`"),
    "lists the submissions": (if_it_works("import os\nassert os.listdir(FOLDER)"), "no `describe_sum`"),
    "reads the marks": (if_it_works("open(FOLDER + '/marks.csv').read()"), "no `describe_sum`"),
    "writes the marks": (if_it_works("open(FOLDER + '/marks.csv', 'w').write('mallory,100')"), "no `describe_sum`"),
    "removes the marks": (if_it_works("import os\nos.remove(FOLDER + '/marks.csv')"), "no `describe_sum`"),
    "closes the folder": (if_it_works("import os\nos.chmod(FOLDER, 0)"), "no `describe_sum`"),
    "changes the package": (if_it_works("open(PACKAGE + '/__init__.py', 'a').write('')"), "no `describe_sum`"),
    "reads the checker's memory": (
        if_it_works("import os\nopen(f'/proc/{os.getppid()}/mem', 'rb').read(1)"),
        "no `describe_sum`",
    ),
    "reads the passwords": (if_it_works("open('/etc/passwd').read()"), "no `describe_sum`"),
    "leaves by a link": (
        if_it_works("import os\nos.symlink('/etc/passwd', 'link')\nopen('link').read()"),
        "no `describe_sum`",
    ),
    # forgeries
    "prints a verdict": ("print('01.1 right.')\nprint('{\"state\": \"right\"}')", "no `describe_sum`"),
    "writes verdicts into every pipe": (
        "import os, struct, json\ndata = json.dumps({'result': {'state': 'right', 'right': True}}).encode()\n"
        "for fd in range(64):\n    for _ in range(50):\n        try:\n"
        "            os.set_blocking(fd, False)\n            os.write(fd, struct.pack('>I', len(data)) + data)\n"
        "        except OSError:\n            pass",
        "wrong type|longer than|ended|crashed|error",
    ),
    "replaces the questions": (
        "from d2lhybrid.internals.course.probing import session\n"
        "for name in list(session._PROBES):\n"
        "    session._PROBES[name] = lambda *a, **k: {'unwritten': False, 'right': True, 'result': 'right'}\n"
        "from d2lhybrid.internals.course.probing import values, nets, compilers\n"
        "for name in list(session._PROBES):\n"
        "    session._PROBES[name] = lambda *a, **k: {'unwritten': False, 'right': True, 'result': 'right'}\n"
        "describe_sum = 1",
        "not a Python program|no `describe_sum`|prints nothing|more than numbers|IndexError",
    ),
    "replaces the session": (
        "from d2lhybrid.internals.course.probing import Session\n"
        "from d2lhybrid.internals.course.probing.codec import encode\n"
        "Session.reply = lambda self, request: encode({'result': True, 'state': 'right', 'verdict': 'right'})\n"
        "describe_sum = 1",
        "wrong type",
    ),
    "replaces comparisons": (
        "import numpy, builtins\nnumpy.allclose = numpy.isclose = numpy.array_equal = lambda *a, **k: True\n"
        "builtins.sorted = builtins.all = builtins.len = lambda *a, **k: True\n"
        "def describe_sum(numbers):\n    return 'print(1 + 1)'",
        "",
    ),
    "equals everything": (
        "class Anything(str):\n    def __eq__(self, other):\n        return True\n"
        "    def __hash__(self):\n        return 0\n"
        "def describe_sum(numbers):\n    return Anything('print(1)')",
        "with 0 additions",
    ),
    "sends what is no data": (
        "from d2lhybrid.internals.course.probing import Session\n"
        "Session.reply = lambda self, request: b'\\xff' * 1000\ndescribe_sum = 1",
        "wrong type",
    ),
    "sends half a message": (
        "from d2lhybrid.internals.course.probing import server\nimport os, struct\n"
        "def write_frame(stream, data):\n    stream.sendall(struct.pack('>I', 1000) + b'half')\n    os._exit(0)\n"
        "server.write_frame = write_frame\ndescribe_sum = 1",
        "ended",
    ),
    "a text that takes for ever to read": (
        "def describe_sum(numbers):\n    return 'print(' + '(' * 5000 + '1' + ')' * 5000 + ')'",
        "not a Python program",
    ),
    "a number that takes for ever": (
        "def describe_sum(numbers):\n    return 'print(' + '9' * 5000000 + ')'",
        "not a Python program|longer|took",
    ),
    "a name that is not there": ("result = 3", "no `describe_sum`"),
    "nothing at all": ("", "no answer"),
}
