"""``%load_ext d2lhybrid``: below the traceback of an error of hybridization, a notebook explains it."""

from __future__ import annotations

from typing import Any

__all__ = ["load", "unload"]


def _explain(result: Any) -> None:
    """Show the lens of the error that a cell ended with; the traceback has been shown by then."""
    from .error_lens import error_lens
    from .traps import trap_of

    error = result.error_in_exec
    if isinstance(error, Exception) and trap_of(error) is not None:
        from IPython.display import display

        display(error_lens(error))


def load(shell: Any) -> None:
    """Explain errors from now on."""
    if _explain not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", _explain)


def unload(shell: Any) -> None:
    """Explain no errors any more."""
    if _explain in shell.events.callbacks["post_run_cell"]:
        shell.events.unregister("post_run_cell", _explain)
