"""Records what real MXNet 1.9.1 answers: ``.venv-mxnet/bin/python tests/indices/record.py``.

Each call runs three times, in processes whose memory is filled with different numbers. What is different then was read
from memory that is not the array's. A call that ends the process, or that does not end, is an answer, too.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

FOLDER = Path(__file__).parent
RECORDED = FOLDER.parent / "golden_data" / "indices.json"
FILLS = ("0", "85", "202")
SECONDS = 8


def key(instance, a_try):
    """Return the name of a call with a value."""
    return f"{instance.name} | {a_try.column} | {a_try.dtype}"


def _answer_all(mxnet, out):
    """Answer one call after the other, as long as the process lasts."""
    from answers import answer
    from cases import INSTANCES, tries

    while True:
        line = os.read(0, 64)
        if not line:
            os._exit(0)
        i, j = map(int, line.split())
        instance = INSTANCES[i]
        signal.alarm(SECONDS)
        text = json.dumps(answer(mxnet, instance, list(tries(instance))[j]))
        signal.alarm(0)
        out.write(text + "\n")
        out.flush()


def serve():
    """Answer calls in a forked process, and in another one whenever that has ended."""
    warnings.simplefilter("ignore")
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import mxnet  # pyright: ignore[reportMissingImports]

    while True:
        child = os.fork()
        if not child:
            _answer_all(mxnet, out)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status) and not os.WEXITSTATUS(status):
            return
        never = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM
        out.write(json.dumps({"ends": "never" if never else "the process"}) + "\n")
        out.flush()


class Server:
    """A process of real MXNet, which has its memory filled with a number."""

    def __init__(self, fill):
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--serve"], cwd=FOLDER, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=dict(os.environ, MALLOC_PERTURB_=fill, OMP_NUM_THREADS="1", MXNET_ENGINE_TYPE="NaiveEngine"),
        )  # fmt: skip

    def ask(self, i, j):
        """Send a call."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{i} {j}\n")
        self.process.stdin.flush()

    def told(self):
        """Return the answer to it."""
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())


def main():
    """Record all calls, or those whose name holds a word of the command line."""
    sys.path.insert(0, str(FOLDER))
    from cases import INSTANCES, tries

    words = sys.argv[1:]
    found = json.loads(RECORDED.read_text("utf-8")) if RECORDED.exists() else {}
    servers = [Server(fill) for fill in FILLS]
    names = set()
    start = time.time()
    for i, instance in enumerate(INSTANCES):
        for j, a_try in enumerate(tries(instance)):
            name = key(instance, a_try)
            names.add(name)
            if words and not any(word in name for word in words):
                continue
            for server in servers:
                server.ask(i, j)
            answers = [server.told() for server in servers]
            same = all(a == answers[0] for a in answers)
            found[name] = answers[0] if same else {"varies": True}
        print(f"{time.time() - start:4.0f} s  {instance.name}", flush=True)
    text = ",\n".join(f"{json.dumps(name)}: {json.dumps(found[name])}" for name in sorted(names))
    RECORDED.write_text("{\n" + text + "\n}\n", "utf-8")
    print(f"{len(names)} calls, {time.time() - start:.0f} s")


if __name__ == "__main__":
    serve() if "--serve" in sys.argv else main()
