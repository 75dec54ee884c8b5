"""Constants: parameters that training does not change."""

from __future__ import annotations

import warnings
from typing import Any

from ..ndarray import NDArray, array
from ..util import is_np_array
from .parameter import Parameter

__all__ = ["Constant"]


class Constant(Parameter):
    """A parameter that training does not change.

    Parameters
    ----------
    name : str
        Full name of the parameter.
    value : array-like
        The value. A value that is not an NDArray is converted to a float32 array.

    Examples
    --------
    >>> Constant("c", [[1, 2], [3, 4]])
    Constant c (shape=(2, 2), dtype=<class 'numpy.float32'>)
    """

    def __init__(self, name: str, value: Any) -> None:
        if not isinstance(value, NDArray):
            if is_np_array():
                from ..numpy import array as np_array

                value = np_array(value)
            else:
                value = array(value)
        self.value = value
        super().__init__(
            name, grad_req="null", shape=value.shape, dtype=value.dtype, init=f"Constant_{name}_{id(self)}"
        )

    def _initial_value(self, init: Any, default_init: Any) -> Any:
        return self.value.astype(self.dtype, copy=False)  # cast() may have changed the element type

    @property
    def grad_req(self) -> str:
        """The gradient request, which is always ``"null"``."""
        return "null"

    @grad_req.setter
    def grad_req(self, req: str) -> None:
        if req != "null":
            warnings.warn(
                f'Constant parameter "{self.name}" does not support grad_req other than "null", and new '
                f'value "{req}" is ignored.',
                stacklevel=2,
            )
