"""Why a few operators talk with the host when they run on a GPU: reasons that several of them share.

What an operator brings to the host is its ``asks_device``, what it brings to the device its ``tells_device``.
"""

from __future__ import annotations

__all__ = ["ANSWER", "ATTRIBUTE", "MASK", "NOT_REAL", "SIZE", "TABLE"]

# To the host.
SIZE = "the size of the result depends on values"
MASK = "how many elements a mask chooses has to be known"
NOT_REAL = "raises an error if an eigenvalue is not real"

# To the device.
TABLE = "a small table that follows from shapes and attributes"
ATTRIBUTE = "numbers that the caller gave as attributes"
ANSWER = "a result that is known without the device"
