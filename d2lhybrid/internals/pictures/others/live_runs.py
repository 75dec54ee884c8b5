"""Live runs of a program of the gallery in all installed frameworks, with the same observations as the recording."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .peers import installed, peer_of
from .watching import run

__all__ = ["runs_here"]


def runs_here(one: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Run a program in each installed framework, and yield the framework's name, its version, and the observations.

    Parameters
    ----------
    one : dict
        The program, from the recording.
    """
    for framework in installed():
        peer = peer_of(framework)
        here = Path.cwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                seen = run(peer, one["runs"][framework]["code"], Path(folder))
            finally:
                os.chdir(here)
        yield framework, peer.version().partition("+")[0], seen
