"""Values of an ONNX graph under construction, and the nodes that compute them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

__all__ = ["OnnxNode", "PartialShape", "Value"]

#: The type of shapes. None is a shape of unknown rank. An unknown size is None or a name.
PartialShape = tuple[Any, ...] | None


@dataclasses.dataclass(eq=False)
class Value:
    """A tensor in an ONNX graph.

    Attributes
    ----------
    dtype : numpy.dtype
        Element type.
    shape : tuple or None
        Shape, with None for each size that is known only when the model runs. The whole shape is None if the number of
        axes is unknown.
    constant : array or None
        The elements of a constant, or None for a value that depends on the inputs of the model.
    name : str
        Name in the file, which is set when the file is written, so that a result can be named after its node.
    is_input : bool
        Whether the value is an input of the model.
    is_parameter : bool
        Whether the value is a parameter of the network. Files always contain parameters under their own names.
    open_zeros : bool
        Whether the value consists of zeros, in a size that is known only when the model runs. No node can read such a
        value. If the value is the initial state of a recurrent layer, the layer omits it, and ONNX uses zeros.
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
    """A node of an ONNX graph, which applies an operator."""

    op_type: str
    inputs: Sequence[Value | None]
    outputs: list[Value]
    attributes: dict[str, Any]
    name: str
