"""Checkpoints, which consist of a graph file and a parameter file."""

from __future__ import annotations

import logging
from typing import Any

from .. import ndarray as nd
from .. import symbol as sym
from ..internals.support.filesystem import files_together
from ..internals.support.number_arguments import epoch_file

__all__ = ["load_checkpoint", "load_params", "save_checkpoint"]


def save_checkpoint(
    prefix: str,
    epoch: int,
    symbol: Any,
    arg_params: dict[str, Any],
    aux_params: dict[str, Any],
    remove_amp_cast: bool = True,
) -> None:
    """Save the graph to ``prefix-symbol.json`` and the parameters to ``prefix-%04d.params``.

    Parameters
    ----------
    prefix : str
        Prefix of the file paths.
    epoch : int
        Epoch number in the name of the parameter file.
    symbol : Symbol or None
        The graph.
    arg_params, aux_params : dict of str to NDArray
        Parameters and auxiliary states.
    remove_amp_cast : bool
        Ignored; accepted because MXNet's function has this parameter.
    """
    save_symbol = None if symbol is None else symbol.save
    arrays = {f"arg:{k}": v for k, v in arg_params.items()}
    arrays.update({f"aux:{k}": v for k, v in aux_params.items()})
    with files_together():
        nd.save(epoch_file(prefix, epoch), arrays)
        if save_symbol is not None:
            save_symbol(f"{prefix}-symbol.json")
    logging.info('Saved checkpoint to "%s"', epoch_file(prefix, epoch))


def load_params(prefix: str, epoch: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the arguments and the auxiliary states of a checkpoint.

    Parameters
    ----------
    prefix : str
        Prefix of the file paths.
    epoch : int
        Epoch number in the name of the parameter file.

    Returns
    -------
    tuple of (dict of str to NDArray, dict of str to NDArray)
        The arguments and the auxiliary states, by name.

    Raises
    ------
    ValueError
        If a name in the file has no ``arg:`` or ``aux:`` prefix, as in a file of ``Block.save_parameters``.
    """
    path = epoch_file(prefix, epoch)
    loaded = nd.load(path)
    parts: dict[str, dict[str, Any]] = {"arg": {}, "aux": {}}
    for key, value in (loaded or {}).items():
        kind, colon, name = key.partition(":")
        if not colon:
            error = ValueError(
                f"the names in a checkpoint begin with arg: or aux:, but {path!r} contains the name {key!r}"
            )
            error.add_note("To read a file of Block.save_parameters, call net.load_parameters().")
            raise error
        parts.setdefault(kind, {})[name] = value
    return parts["arg"], parts["aux"]


def load_checkpoint(prefix: str, epoch: int) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """Return the graph, the arguments, and the auxiliary states of a checkpoint.

    Parameters
    ----------
    prefix : str
        Prefix of the file paths.
    epoch : int
        Epoch number in the name of the parameter file.

    Returns
    -------
    tuple of (Symbol, dict of str to NDArray, dict of str to NDArray)
        The graph, the arguments, and the auxiliary states.
    """
    return sym.load(f"{prefix}-symbol.json"), *load_params(prefix, epoch)
