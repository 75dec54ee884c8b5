"""What CuPy has, as it was recorded: names, arguments, types."""

from __future__ import annotations

import functools
import inspect
import json
from pathlib import Path
from typing import Any

API: dict[str, Any] = json.loads(Path(__file__).with_name("cupy_api.json").read_text("utf-8"))

VERSION: str = API["cupy"]


@functools.cache
def signature(arguments: str) -> inspect.Signature:
    """Return recorded arguments as a signature."""
    space: dict[str, Any] = {}
    exec(f"def f({arguments}): pass", space)
    return inspect.signature(space["f"])


def checked_arguments(owner: str, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raise ``TypeError`` if CuPy's function does not take these arguments."""
    entry = API["modules"][owner][name] if owner in API["modules"] else API["classes"][owner][name]
    text = entry.get("arguments")
    if text is None:
        return
    try:
        signature(text).bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{owner}.{name}() {error}") from None
