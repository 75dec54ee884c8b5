"""A process that reads hostile files, with little memory and little time for each; one line of JSON for each file."""

from __future__ import annotations

import contextlib
import io
import json
import random
import resource
import signal
import sys
import tempfile
import time
from pathlib import Path

from .readers import KINDS

#: More than any of these files may take: bytes of address space, and seconds.
MEMORY, SECONDS = 3 * 2**30, 20


def _too_slow(*ignored: object) -> None:
    raise TimeoutError(f"more than {SECONDS} seconds")


def main(name: str, first: int, last: int) -> None:
    """Read the hostile files of one kind with these numbers."""
    kind = KINDS[name]
    honest = kind.honest()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, _too_slow)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, last):
            rng = random.Random(f"{name} {number}")
            content = kind.damage(rng, rng.choice(honest))
            print(json.dumps({"number": number, "began": True}), flush=True)
            start = time.process_time()
            signal.setitimer(signal.ITIMER_REAL, SECONDS * 5)  # the machine may be busy: what counts is measured below
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    kind.read(content, Path(folder))
                outcome, message = "read", ""
            except kind.refusals as error:
                outcome, message = "refused", str(error)[:200]
            except BaseException as error:
                outcome, message = "wrong", f"{type(error).__name__}: {error}"[:300]
            signal.setitimer(signal.ITIMER_REAL, 0)
            seconds = time.process_time() - start
            if seconds > SECONDS:
                outcome, message = "wrong", f"{seconds:.1f} seconds"
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            line = {"number": number, "outcome": outcome, "message": message, "seconds": seconds, "size": len(content)}
            print(json.dumps({**line, "peak": peak}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
