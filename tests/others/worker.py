"""Runs programs of one framework in the environment that has it: JSON comes in, and what was seen goes back."""

from __future__ import annotations

import json
import os
import platform
import sys
import tempfile
from pathlib import Path

from d2lhybrid.internals.pictures.others.peers import peer_of
from d2lhybrid.internals.pictures.others.watching import run


def main() -> None:
    """Read ``{name: program}``, and write what was seen of each."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library writes to the standard output is no answer
    sources = json.load(sys.stdin)
    peer = peer_of(sys.argv[1])
    seen = {}
    for name, source in sources.items():
        print(f"  {peer.title}: {name}", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            here = Path.cwd()
            os.chdir(folder)
            try:
                seen[name] = run(peer, source, Path(folder))
            finally:
                os.chdir(here)
    json.dump({"version": peer.version(), "python": platform.python_version(), "runs": seen}, answers)
    answers.flush()


if __name__ == "__main__":
    main()
