"""Functions that scale losses and gradients for mixed-precision training."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy

from ...error import MXNetError
from ...gluon import Trainer
from ...internals.support.absent import refusing
from ...optimizer import Optimizer
from .convert import convert_symbol
from .loss_scaler import LossScaler
from .models import convert_bucketing_module, convert_hybrid_block, convert_model
from .operators import (
    list_conditional_fp32_ops,
    list_fp32_ops,
    list_loss_output_functions,
    list_lp16_fp32_ops,
    list_lp16_ops,
    list_lp16_use_fp32_params,
    list_widest_type_cast,
)

__all__ = [
    "convert_bucketing_module", "convert_hybrid_block", "convert_model", "convert_symbol", "init", "init_trainer",
    "list_conditional_fp32_ops", "list_fp32_ops", "list_loss_output_functions", "list_lp16_fp32_ops", "list_lp16_ops",
    "list_lp16_use_fp32_params", "list_widest_type_cast", "scale_loss", "unscale",
]  # fmt: skip


class _State:
    """The global state: whether :func:`init` has been called."""

    initialized = False


def init(
    target_dtype: Any = "float16",
    target_precision_ops: Any = None,
    conditional_fp32_ops: Any = None,
    fp32_ops: Any = None,
) -> None:
    """Enable loss scaling, so that you can call :func:`init_trainer`. Unlike in MXNet, operators don't cast inputs.

    Parameters
    ----------
    target_dtype : str or dtype
        The half-precision type, ``"float16"``. NumPy has no ``"bfloat16"``.
    target_precision_ops, conditional_fp32_ops, fp32_ops : list, optional
        Operators whose inputs MXNet casts. Not supported, because this package does not cast inputs.

    Raises
    ------
    AssertionError
        If ``target_dtype`` is neither ``"float16"`` nor ``"bfloat16"``.
    MXNetError
        If ``target_dtype`` is ``"bfloat16"``, or if a list of operators is passed.
    """
    if str(target_dtype) == "bfloat16":
        error = MXNetError("bfloat16 is not a supported element type")
        error.add_note('Pass target_dtype="float16".')
        raise error
    assert numpy.dtype(target_dtype) == numpy.float16, (
        "AMP currently supports only float16 or bfloat16 as a target_dtype"
    )
    if target_precision_ops or conditional_fp32_ops or fp32_ops:
        error = MXNetError(
            "amp.init does not accept target_precision_ops, conditional_fp32_ops, or fp32_ops, because it casts no "
            "operators"
        )
        error.add_note('Set the precision with net.cast("float16"), or with F.cast in hybrid_forward.')
        raise error
    _State.initialized = True


def _check_trainer(optimizer_or_trainer: Any) -> None:
    if isinstance(optimizer_or_trainer, Optimizer):
        raise TypeError("AMP is currently only compatible with Gluon Trainer")
    if not isinstance(optimizer_or_trainer, Trainer):
        raise TypeError(
            f"optimizer_or_trainer should be a Gluon Trainer or an optimizer, instead is {type(optimizer_or_trainer)}"
        )


def init_trainer(optimizer_or_trainer: Any) -> None:
    """Make a trainer divide its gradients by the loss scale, and skip steps that overflow.

    Parameters
    ----------
    optimizer_or_trainer : Trainer
        The trainer. Each trainer has its own scale.

    Raises
    ------
    AssertionError
        If :func:`init` has not been called.
    TypeError
        If the argument is not a trainer. As in MXNet, an optimizer is not supported.
    """
    assert _State.initialized, "AMP not initialized, did you forget to call amp.init()?"
    _check_trainer(optimizer_or_trainer)
    optimizer_or_trainer._amp_loss_scaler = LossScaler()
    optimizer_or_trainer._amp_original_scale = optimizer_or_trainer._scale


@contextlib.contextmanager
def scale_loss(loss: Any, optimizer_or_trainer: Any) -> Iterator[Any]:
    """Return a scope whose value is the loss, or the list of losses, multiplied by a trainer's loss scale.

    Parameters
    ----------
    loss : NDArray or list of NDArray
        The loss, computed in ``autograd.record()``.
    optimizer_or_trainer : Trainer
        A trainer that was passed to :func:`init_trainer`.

    Yields
    ------
    NDArray or list of NDArray
        The scaled loss.

    Raises
    ------
    AssertionError
        If the trainer was not passed to :func:`init_trainer`.
    """
    scaler = optimizer_or_trainer._amp_loss_scaler
    assert scaler is not None, "Loss scaler is not initialized, did you forget to call amp.init_trainer()?"
    optimizer_or_trainer._scale = optimizer_or_trainer._amp_original_scale / scaler.loss_scale
    if isinstance(loss, list | tuple):
        yield [one * scaler.loss_scale for one in loss]
    else:
        yield scaler.loss_scale * loss


def unscale(optimizer_or_trainer: Any) -> None:
    """Divide the gradients by the loss scale, for inspection or clipping. The next step does not divide them again.

    Parameters
    ----------
    optimizer_or_trainer : Trainer
        The trainer.
    """
    _check_trainer(optimizer_or_trainer)
    for parameter in optimizer_or_trainer._params:
        for gradient in parameter._grad or ():
            gradient[:] *= optimizer_or_trainer._scale
    optimizer_or_trainer._scale = 1.0


def _attribute(name: str) -> Any:
    if name == "_amp_initialized":  # MXNet's name, which libraries read
        return _State.initialized
    return refusing(__name__)(name)


globals()["__getattr__"] = _attribute
