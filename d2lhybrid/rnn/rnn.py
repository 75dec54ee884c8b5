"""Checkpoints of nets with cells. The files contain parameters that are split by gates, and fit all types of cells."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from ..model.checkpoint import load_checkpoint, save_checkpoint
from .base_cell import BaseRNNCell

__all__ = ["do_rnn_checkpoint", "load_rnn_checkpoint", "rnn_unroll", "save_rnn_checkpoint"]


def rnn_unroll(
    cell: Any, length: int, inputs: Any = None, begin_state: Any = None, input_prefix: str = "", layout: str = "NTC"
) -> tuple[Any, Any]:
    """Unroll a cell, and warn that this function is deprecated in favor of ``cell.unroll``.

    Parameters
    ----------
    cell : BaseRNNCell
        The cell.
    length, inputs, begin_state, layout
        Arguments of :meth:`BaseRNNCell.unroll`.
    input_prefix : str
        Ignored; accepted because MXNet's function has this parameter.

    Returns
    -------
    tuple of (Symbol or list of Symbol, list of Symbol)
        The outputs, and the states after the last step.
    """
    warnings.warn("rnn_unroll is deprecated. Please call cell.unroll directly.", stacklevel=2)
    return cell.unroll(length=length, inputs=inputs, begin_state=begin_state, layout=layout)


def _as_cells(cells: Any) -> list[Any]:
    return [cells] if isinstance(cells, BaseRNNCell) else list(cells)


def save_rnn_checkpoint(
    cells: Any, prefix: str, epoch: int, symbol: Any, arg_params: dict[str, Any], aux_params: dict[str, Any]
) -> None:
    """Write a checkpoint in which the parameters of cells are split by gates.

    Parameters
    ----------
    cells : BaseRNNCell or list of BaseRNNCell
        The cells of the graph.
    prefix, epoch, symbol, arg_params, aux_params
        Arguments of :func:`~d2lhybrid.model.save_checkpoint`.
    """
    for cell in _as_cells(cells):
        arg_params = cell.unpack_weights(arg_params)
    save_checkpoint(prefix, epoch, symbol, arg_params, aux_params)


def load_rnn_checkpoint(cells: Any, prefix: str, epoch: int) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """Return the graph, the parameters, and the auxiliary states of a checkpoint. The parameters of cells are packed.

    Parameters
    ----------
    cells : BaseRNNCell or list of BaseRNNCell
        The cells of the graph.
    prefix, epoch : str, int
        Arguments of :func:`save_rnn_checkpoint`.

    Returns
    -------
    tuple of (Symbol, dict of str to NDArray, dict of str to NDArray)
        The graph, the parameters, and the auxiliary states.
    """
    symbol, arg_params, aux_params = load_checkpoint(prefix, epoch)
    for cell in _as_cells(cells):
        arg_params = cell.pack_weights(arg_params)
    return symbol, arg_params, aux_params


def do_rnn_checkpoint(cells: Any, prefix: str, period: int = 1) -> Callable[..., None]:
    """Return an epoch callback that calls :func:`save_rnn_checkpoint` every ``period`` epochs.

    Parameters
    ----------
    cells : BaseRNNCell or list of BaseRNNCell
        The cells of the graph.
    prefix : str
        Prefix of the file paths.
    period : int
        Number of epochs between two checkpoints.

    Returns
    -------
    callable
        The callback.
    """
    period = max(1, int(period))

    def callback(iter_no: int, sym: Any = None, arg: Any = None, aux: Any = None) -> None:
        if (iter_no + 1) % period == 0:
            save_rnn_checkpoint(cells, prefix, iter_no + 1, sym, arg, aux)

    return callback
