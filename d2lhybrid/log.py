"""``mx.log``: loggers that write colored lines, which begin with level, time, process, and source location."""

from __future__ import annotations

import logging
import warnings

__all__ = ["CRITICAL", "DEBUG", "ERROR", "INFO", "NOTSET", "WARNING", "getLogger", "get_logger"]

CRITICAL, ERROR, WARNING = logging.CRITICAL, logging.ERROR, logging.WARNING
INFO, DEBUG, NOTSET = logging.INFO, logging.DEBUG, logging.NOTSET

_LETTERS = {CRITICAL: "C", ERROR: "E", WARNING: "W", INFO: "I", DEBUG: "D"}
_RED, _GREEN, _BLUE, _PLAIN = (f"\x1b[{code}m" for code in ("31", "32", "34", "0"))
_PREPARED = "_init_done"


class _Formatter(logging.Formatter):
    """A formatter that writes a log record as a line for a terminal."""

    def __init__(self) -> None:
        super().__init__("%(message)s", "%m%d %H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802, logging's name
        """Return the beginning of the line and the message. The logging module appends tracebacks."""
        colour = _RED if record.levelno >= WARNING else _GREEN if record.levelno >= INFO else _BLUE
        letter = _LETTERS.get(record.levelno, "U")
        time = self.formatTime(record, self.datefmt)
        location = f"{record.pathname}:{record.funcName}:{record.lineno}"
        return f"{colour}{letter}{time} {record.process} {location}]{_PLAIN} {record.message}"


def get_logger(
    name: str | None = None, filename: str | None = None, filemode: str | None = None, level: int = WARNING
) -> logging.Logger:
    """Return a logger that writes colored lines to the terminal or plain lines to a file.

    Parameters
    ----------
    name : str, optional
        Name of the logger. The root logger, and a logger that this function has already set up, are returned
        unchanged.
    filename : str, optional
        File to write to instead of the terminal.
    filemode : str, optional
        Mode in which the file is opened; ``"a"`` (append) by default.
    level : int
        Lowest level to log, such as ``mx.log.INFO``.

    Returns
    -------
    logging.Logger
        The logger.

    Examples
    --------
    >>> logger = get_logger("example", level=INFO)
    >>> logger.isEnabledFor(INFO), logger.isEnabledFor(DEBUG)
    (True, False)
    >>> get_logger("example", level=DEBUG).isEnabledFor(DEBUG)
    False
    """
    logger = logging.getLogger(name)
    if name is None or getattr(logger, _PREPARED, False):
        return logger
    if filename:
        handler: logging.Handler = logging.FileHandler(filename, filemode or "a")
    else:
        handler = logging.StreamHandler()
        handler.setFormatter(_Formatter())
    logger.addHandler(handler)
    logger.setLevel(level)
    setattr(logger, _PREPARED, True)  # last, so that a new call is possible if the file cannot be opened
    return logger


def getLogger(  # noqa: N802, MXNet's name
    name: str | None = None, filename: str | None = None, filemode: str | None = None, level: int = WARNING
) -> logging.Logger:
    """Return a logger like ``get_logger``, and warn that this name is deprecated.

    Parameters
    ----------
    name, filename, filemode, level
        Arguments of ``get_logger``.

    Returns
    -------
    logging.Logger
        The logger.
    """
    warnings.warn("getLogger is deprecated, Use get_logger instead.", DeprecationWarning, stacklevel=2)
    return get_logger(name, filename, filemode, level)
