"""Examples of what is public and has none in its docstring: ``examples/*.txt``, each below the name that it is of.

Names whose docstring holds one have none here, nor have operators, whose examples are the calls of the tests, nor the
functions of ``np``, whose examples are in the package. All are run by ``tests/test_site_reference.py``.
"""

from __future__ import annotations

import functools
from pathlib import Path

__all__ = ["examples"]


@functools.cache
def examples() -> dict[str, str]:
    """Return how a name is written -> its example, as in a terminal."""
    found: dict[str, str] = {}
    for file in sorted(Path(__file__).with_name("examples").glob("*.txt")):
        for part in file.read_text("utf-8").strip().split("\n\n"):
            name, _, example = part.partition("\n")
            if name in found:
                raise ValueError(f"{file.name}: a second example of {name}")
            found[name] = example
    return found
