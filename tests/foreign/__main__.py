"""Run foreign programs: ``python -m tests.foreign KIND GIT_DIR NAMES...``.

``python -m tests.foreign KIND --help`` lists the options of a kind.
"""

from __future__ import annotations

import contextlib
import importlib
import signal
import sys

from .runner import main

KINDS = ("chapters", "libraries", "models", "peer", "programs")


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in KINDS:
        sys.exit(f"usage: python -m tests.foreign {{{','.join(KINDS)}}} GIT_DIR [NAME ...]")
    signal.signal(signal.SIGTERM, _stop)  # the process of a program ends, too, and no folder stays
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main(importlib.import_module(f"tests.foreign.{sys.argv[1]}").DESCRIPTION, sys.argv[1:]))
    sys.exit(130)
