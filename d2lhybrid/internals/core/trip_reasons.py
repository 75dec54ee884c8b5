"""Shared texts that explain why some operators exchange data with the host when they run on a GPU.

The fact ``asks_device`` of an operator explains copies to the host; ``tells_device`` explains copies to the device.
"""

from __future__ import annotations

__all__ = ["ANSWER", "ATTRIBUTE", "MASK", "NOT_REAL", "SIZE", "TABLE"]

# To the host.
SIZE = "the size of the result depends on values"
MASK = "the host needs the number of elements that the mask selects"
NOT_REAL = "the host checks whether all eigenvalues are real"

# To the device.
TABLE = "a small table that depends only on shapes and attributes"
ATTRIBUTE = "numbers that the caller passed as attributes"
ANSWER = "a result that is known without the device"
