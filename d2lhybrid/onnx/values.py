"""Values of an ONNX graph under construction, and the nodes that compute them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

__all__ = ["OnnxNode", "PartialShape", "Value"]

#: None where the rank is unknown; a size that is unknown is None, or a name.
PartialShape = tuple[Any, ...] | None


@dataclasses.dataclass(eq=False)
class Value:
    """One tensor.

    Attributes
    ----------
    dtype : numpy.dtype
        Its element type.
    shape : tuple or None
        Its shape as far as it is known: an int for each axis, or None for one that is known only
        when the model runs. None where not even the number of axes is known.
    constant : array or None
        Its value, if it does not depend on the inputs of the model.
    name : str
        Its name in the file; given late, so that a node's result can be called after the node.
    is_input : bool
        Whether it is an input of the model.
    is_parameter : bool
        Whether it is a parameter of the network: always written as it is, under its name.
    open_zeros : bool
        Whether it stands for zeros of a size that is known only when the model runs. No node can
        read it; a recurrent layer leaves such an initial state out, which means the same.
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
    """The use of an ONNX operator."""

    op_type: str
    inputs: Sequence[Value | None]
    outputs: list[Value]
    attributes: dict[str, Any]
    name: str
