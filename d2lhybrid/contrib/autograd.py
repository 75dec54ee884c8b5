"""``mx.contrib.autograd``: the interface for gradients in MXNet before version 0.12; see :mod:`d2lhybrid.autograd`.

In this interface, a single switch controls recording and training mode.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from .. import autograd
from ..autograd import mark_variables
from ..internals.support.display import Shown
from ..ndarray import NDArray, zeros_like

__all__ = [
    "TrainingStateScope", "backward", "compute_gradient", "grad", "grad_and_loss", "mark_variables", "set_is_training",
    "test_section", "train_section",
]  # fmt: skip


def set_is_training(is_train: bool) -> bool:
    """Switch recording and training mode on or off together, and return whether recording was on.

    Parameters
    ----------
    is_train : bool
        Whether to record operations and to run layers in training mode.

    Returns
    -------
    bool
        Whether recording was on before the call.
    """
    autograd.set_training(is_train)
    return autograd.set_recording(is_train)


class TrainingStateScope(Shown):
    """A scope in which recording and training mode are both on or both off.

    Parameters
    ----------
    enter_state : bool
        Whether to switch recording and training mode on (True) or off (False).
    """

    def __init__(self, enter_state: bool) -> None:
        self._enter_state = enter_state
        self._previous: list[tuple[bool, bool]] = []

    def __enter__(self) -> None:
        training = autograd.set_training(self._enter_state)
        self._previous.append((autograd.set_recording(self._enter_state), training))

    def __exit__(self, *error: object) -> None:
        recording, training = self._previous.pop()
        autograd.set_recording(recording)
        autograd.set_training(training)


def train_section() -> TrainingStateScope:
    """Return a scope in which recording and training mode are on.

    Returns
    -------
    TrainingStateScope
        The scope, for a ``with`` statement.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> x = nd.array([3])
    >>> mark_variables([x], [nd.zeros_like(x)])
    >>> with train_section():
    ...     y = x * x
    >>> backward([y])
    >>> x.grad.asscalar()
    np.float32(6.0)
    """
    return TrainingStateScope(True)


def test_section() -> TrainingStateScope:
    """Return a scope in which recording and training mode are off, for use inside :func:`train_section`.

    Returns
    -------
    TrainingStateScope
        The scope, for a ``with`` statement.
    """
    return TrainingStateScope(False)


test_section.__test__ = False  # type: ignore[attr-defined]  # pytest would collect this name


def backward(outputs: Sequence[Any], out_grads: Sequence[Any] | None = None, retain_graph: bool = False) -> None:
    """Compute the gradients of several outputs with respect to all marked variables.

    Parameters
    ----------
    outputs : list of NDArray
        Arrays to differentiate.
    out_grads : list of NDArray or None, optional
        Gradient of each output; ones by default.
    retain_graph : bool
        Whether to keep the recorded graph for another backward pass.

    Raises
    ------
    AssertionError
        If ``outputs`` is neither a list nor a tuple, or if ``out_grads`` has a different length.
    """
    assert isinstance(outputs, list | tuple), "outputs must be a list or tuple of NDArrays"
    if out_grads is not None:
        assert len(out_grads) == len(outputs), "outputs and out_grads must have the same length"
    autograd.backward(list(outputs), None if out_grads is None else list(out_grads), retain_graph)


def compute_gradient(outputs: Sequence[Any]) -> None:
    """Compute the gradients of several outputs with respect to all marked variables.

    This deprecated function calls :func:`backward` with default arguments.

    Parameters
    ----------
    outputs : list of NDArray
        Arrays to differentiate.
    """
    backward(outputs)


def grad_and_loss(func: Callable[..., Any], argnum: int | list[int] | None = None) -> Callable[..., Any]:
    """Return a function that computes the gradients with respect to ``func``'s arguments, and the outputs of ``func``.

    Parameters
    ----------
    func : callable
        Function of arrays.
    argnum : int or list of int, optional
        Indices of the arguments to differentiate with respect to; all arguments by default.

    Returns
    -------
    callable
        Function with the arguments of ``func`` that returns a tuple of the list of gradients and the outputs. The
        function raises an AssertionError if an argument that ``argnum`` selects is not an array.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> gradients, loss = grad_and_loss(lambda a, b: a * b, argnum=0)(nd.array([2]), nd.array([5]))
    >>> gradients[0].asscalar(), loss.asscalar()
    (np.float32(5.0), np.float32(10.0))
    """

    @functools.wraps(func)
    def wrapped(*args: Any) -> Any:
        chosen = range(len(args)) if argnum is None else argnum if isinstance(argnum, list) else [argnum]
        variables = [args[i] for i in chosen]
        for variable in variables:
            assert isinstance(variable, NDArray), "type of autograd input should NDArray."
        gradients = [zeros_like(x) for x in variables]
        mark_variables(variables, gradients)
        with train_section():
            outputs = func(*args)
        compute_gradient([outputs] if isinstance(outputs, NDArray) else outputs)
        return gradients, outputs

    return wrapped


def grad(func: Callable[..., Any], argnum: int | list[int] | None = None) -> Callable[..., Any]:
    """Return a function that computes the gradients with respect to ``func``'s arguments.

    Parameters
    ----------
    func : callable
        Function of arrays.
    argnum : int or list of int, optional
        Indices of the arguments to differentiate with respect to; all arguments by default.

    Returns
    -------
    callable
        Function with the arguments of ``func`` that returns the list of the gradients.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> grad(lambda x: x * x)(nd.array([1, 2]))[0].asnumpy()
    array([2., 4.], dtype=float32)
    """
    both = grad_and_loss(func, argnum)

    @functools.wraps(func)
    def wrapped(*args: Any) -> Any:
        return both(*args)[0]

    return wrapped
