"""What stands in MXNet's tests for a name that could not be made."""

from __future__ import annotations

from typing import Any


class Missing:
    """Says that a name is missing where a test uses it.

    Parameters
    ----------
    name : str
        The name.
    error : Exception
        Why it could not be made.
    """

    def __init__(self, name: str, error: Exception) -> None:
        self.__dict__["_told"] = (name, str(error))

    def _fail(self, *_: Any, **__: Any) -> Any:
        raise AttributeError("{} is missing: {}".format(*self._told))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._fail()

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Fail, but as a decorator only when the test runs."""
        if len(arguments) == 1 and callable(arguments[0]) and not named:
            failing = lambda *_, **__: self._fail()  # noqa: E731
            failing.__name__ = getattr(arguments[0], "__name__", "decorated")
            return failing
        return self._fail()
