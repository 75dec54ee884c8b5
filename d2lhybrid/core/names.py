"""Names in generated programs."""

from __future__ import annotations

import itertools
import keyword
import re
from collections.abc import Sequence

__all__ = ["Names"]


class Names:
    """Gives out legal and unique Python names, without the prefix that all of a net's names share."""

    def __init__(self, reserved: Sequence[str] = (), prefix: str = "") -> None:
        self._used = {*keyword.kwlist, *keyword.softkwlist, *reserved}
        self._prefix = prefix

    def get(self, wish: str) -> str:
        """Return a name like the one that is wished for."""
        wish = wish.removeprefix(self._prefix)
        base = re.sub(r"[^A-Za-z0-9_]", "_", wish)[:60].lstrip("_") or "value"
        if base[0].isdigit():
            base = f"v{base}"
        name = base
        for i in itertools.count(1):
            if name not in self._used:
                break
            name = f"{base}_{i}"
        self._used.add(name)
        return name
