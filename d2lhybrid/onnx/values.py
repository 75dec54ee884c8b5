"""Values of an ONNX graph under construction, and the nodes that compute them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

__all__ = ["OnnxNode", "PartialShape", "Value"]

#: A shape; None means an unknown rank. An unknown size is None or a name.
PartialShape = tuple[Any, ...] | None


@dataclasses.dataclass(eq=False)
class Value:
    """A tensor.

    Attributes
    ----------
    dtype : numpy.dtype
        Element type.
    shape : tuple or None
        Shape: an int for each axis, or None for a size that is only known
        when the model runs. The whole shape is None if the number of axes is unknown.
    constant : array or None
        Its value, if it does not depend on the inputs of the model.
    name : str
        Name in the file, which is set late, so that a result can be named after its node.
    is_input : bool
        Whether the value is an input of the model.
    is_parameter : bool
        Whether the value is a parameter of the network, which is always written under its own name.
    open_zeros : bool
        Whether the value is zeros of a size that is only known when the model runs. No node can
        read it; a recurrent layer omits such an initial state, which means zeros.
    """

    dtype: Any
    shape: PartialShape = None
    constant: Any = None
    name: str = ""
    is_input: bool = False
    is_parameter: bool = False
    open_zeros: bool = False

    @property
    def is_static(self) -> bool:
        """Whether the whole shape is known."""
        return self.shape is not None and None not in self.shape


@dataclasses.dataclass(eq=False)
class OnnxNode:
    """An application of an ONNX operator."""

    op_type: str
    inputs: Sequence[Value | None]
    outputs: list[Value]
    attributes: dict[str, Any]
    name: str
