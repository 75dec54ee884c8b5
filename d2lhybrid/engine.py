"""``mx.engine``: functions that set MXNet's bulk size, which has no effect, because operators run immediately."""

from __future__ import annotations

from types import TracebackType

__all__ = ["bulk", "set_bulk_size"]

_size = [0]


def set_bulk_size(size: int) -> int:
    """Set the bulk size, which has no effect, and return the previous size.

    Parameters
    ----------
    size : int
        The bulk size.

    Returns
    -------
    int
        The previous bulk size.
    """
    before, _size[0] = _size[0], int(size)
    return before


class _BulkScope:
    def __init__(self, size: int) -> None:
        self._size, self._before = size, 0

    def __enter__(self) -> _BulkScope:
        self._before = set_bulk_size(self._size)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        set_bulk_size(self._before)


def bulk(size: int) -> _BulkScope:
    """Return a scope that sets the bulk size, without effect on operators.

    Parameters
    ----------
    size : int
        The bulk size within the scope.

    Returns
    -------
    context manager
        The scope.

    Examples
    --------
    >>> with bulk(10):
    ...     set_bulk_size(10)
    10
    """
    return _BulkScope(size)
