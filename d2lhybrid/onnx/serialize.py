"""The conversion of nodes to ONNX's file format, with names and constants, but without unused nodes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy

from ..error import MXNetError
from .builder import OPSET
from .values import OnnxNode, Value

__all__ = ["to_model"]

#: The version of the file format, which all runtimes with the required operators can read.
IR_VERSION = 9

#: Maximum number of elements of a constant that is written in full even if all its elements are equal.
_UNIFORM = 1 << 10

#: The maximum size of a file in protocol buffer format, in bytes.
_LARGEST = 2**31 - 1


class _Names:
    """A generator of unique names for values."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def __call__(self, wish: str) -> str:
        name, number = wish, 1
        while name in self._used:
            number += 1
            name = f"{wish}_{number}"
        self._used.add(name)
        return name


def to_model(
    nodes: Sequence[OnnxNode],
    inputs: Sequence[Value],
    outputs: Sequence[tuple[str, Value]],
    name: str,
    input_shapes: Mapping[str, Sequence[Any]] | None = None,
) -> Any:
    """Create the model with the nodes that the outputs depend on.

    Parameters
    ----------
    nodes : sequence of OnnxNode
        The nodes in execution order.
    inputs : sequence of Value
        Inputs of the model, with their names.
    outputs : sequence of (str, Value)
        Names and values of the model's outputs.
    name : str
        Name of the graph.
    input_shapes : mapping, optional
        Shapes to declare for inputs instead of the values' shapes, with names for dynamic sizes.

    Returns
    -------
    onnx.ModelProto
        The model.

    Raises
    ------
    MXNetError
        If the model is too large for a file.
    """
    return _Writer(nodes, inputs, outputs, name, input_shapes or {}).model()


class _Writer:
    def __init__(
        self,
        nodes: Sequence[OnnxNode],
        inputs: Sequence[Value],
        outputs: Sequence[tuple[str, Value]],
        name: str,
        input_shapes: Mapping[str, Sequence[Any]],
    ) -> None:
        import onnx
        import onnx.helper
        import onnx.numpy_helper

        self.input_shapes = input_shapes

        self.onnx, self.name = onnx, name
        self.inputs, self.outputs = inputs, outputs
        self.nodes = _needed(nodes, [v for _, v in outputs])
        self.names = _Names()
        self.initializers: list[Any] = []
        self.protos: list[Any] = []
        self._known: dict[int, str] = {}
        self._node_names = _Names()
        for value in inputs:
            self.names(value.name)
        for output, _ in outputs:
            self.names(output)

    def model(self) -> Any:
        """Return the whole model."""
        size = sum(v.constant.nbytes for v in self._constants())
        if size > _LARGEST:
            raise MXNetError(f"The parameters take {size:,} bytes, but an ONNX file can contain at most {_LARGEST:,}")
        self._name_outputs()
        for node in self.nodes:
            self.protos.append(self._node(node))
        for output, value in self.outputs:
            if self._name_of(value) != output:
                self.protos.append(self._proto("Identity", [self._name_of(value)], [output], {}, output))
        helper = self.onnx.helper
        graph = helper.make_graph(
            self.protos,
            self.name,
            [self._information(v.name, v, self.input_shapes.get(v.name, v.shape)) for v in self.inputs],
            [self._information(n, v, v.shape) for n, v in self.outputs],
            self.initializers,
        )
        return helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
            producer_name="d2lhybrid",
        )

    def _constants(self) -> list[Value]:
        found = {id(v): v for node in self.nodes for v in node.inputs if v is not None and v.constant is not None}
        return list(found.values())

    def _name_outputs(self) -> None:
        """Assign the names of the model's outputs to results of nodes."""
        made = {id(v) for node in self.nodes for v in node.outputs}
        for output, value in self.outputs:
            if id(value) in made and id(value) not in self._known:
                self._known[id(value)] = output

    def _name_of(self, value: Value) -> str:
        name = self._known.get(id(value))
        if name is None:
            if value.constant is not None:
                name = self._constant(value)
            elif value.is_input:
                name = value.name
            else:
                name = self.names(value.name or "value")
            self._known[id(value)] = name
        return name

    def _constant(self, value: Value) -> str:
        array = numpy.ascontiguousarray(value.constant).reshape(numpy.shape(value.constant))
        name = self.names(value.name or "constant")
        if array.size > _UNIFORM and not value.is_parameter and (array == array.flat[0]).all():
            shape = self.names("shape")
            self.initializers.append(self.onnx.numpy_helper.from_array(numpy.array(array.shape, numpy.int64), shape))
            one = array.reshape(-1)[:1]
            self.protos.append(self._proto("ConstantOfShape", [shape], [name], {"value": one}, name))
        else:
            self.initializers.append(self.onnx.numpy_helper.from_array(array, name))
        return name

    def _node(self, node: OnnxNode) -> Any:
        inputs = ["" if v is None else self._name_of(v) for v in node.inputs]
        while inputs and not inputs[-1]:
            inputs.pop()
        for value in node.outputs:
            value.name = value.name or f"{node.name}_{node.op_type}"
        outputs = [self._name_of(v) for v in node.outputs]
        return self._proto(node.op_type, inputs, outputs, node.attributes, node.name)

    def _proto(self, op_type: str, inputs: list[str], outputs: list[str], attributes: dict[str, Any], name: str) -> Any:
        plain = {k: self._attribute(v) for k, v in attributes.items()}
        return self.onnx.helper.make_node(op_type, inputs, outputs, name=self._node_names(name), **plain)

    def _attribute(self, value: Any) -> Any:
        if isinstance(value, numpy.dtype):
            return self.onnx.helper.np_dtype_to_tensor_dtype(value)
        if isinstance(value, numpy.ndarray):
            return self.onnx.numpy_helper.from_array(value)
        return value

    def _information(self, name: str, value: Value, shape: Sequence[Any] | None) -> Any:
        code = self.onnx.helper.np_dtype_to_tensor_dtype(value.dtype)
        if shape is not None:
            shape = [n if isinstance(n, int) and n >= 0 else _symbolic(n) for n in shape]
        return self.onnx.helper.make_tensor_value_info(name, code, shape)


def _symbolic(size: Any) -> str | None:
    """Return the name of a dynamic size, or None if it has no name."""
    return size if isinstance(size, str) and re.fullmatch(r"\w+", size) else None


def _needed(nodes: Sequence[OnnxNode], outputs: Sequence[Value]) -> list[OnnxNode]:
    """Return the nodes that the outputs depend on, in order."""
    wanted = {id(v) for v in outputs}
    kept = []
    for node in reversed(nodes):
        if any(id(v) in wanted for v in node.outputs):
            kept.append(node)
            wanted.update(id(v) for v in node.inputs if v is not None)
    return kept[::-1]
