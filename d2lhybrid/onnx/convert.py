"""The conversion of a graph and its parameters to an ONNX model."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy

from ..error import MXNetError
from ..internals.core.infer import Inference, infer_shapes, infer_types
from ..internals.core.node import Entry, Node, entry_name, topological_order
from ..internals.support.install_commands import extra_command
from ..internals.support.remedies import source_line
from .builder import FIXED_SHAPES, Builder
from .serialize import to_model
from .translations import Untranslatable, find_translation
from .values import Value

__all__ = ["UnsupportedOperatorsError", "require_onnx", "to_onnx"]

#: Maximum number of elements that constant folding may add to the model.
_GROWTH = 1 << 16


class UnsupportedOperatorsError(MXNetError):
    """The error for a graph with operators that ONNX cannot express. The message lists these operators."""


def require_onnx() -> Any:
    """Import the package ``onnx`` and return it.

    Raises
    ------
    ImportError
        If the package is not installed.
    """
    try:
        return importlib.import_module("onnx")
    except ImportError as error:
        missing = ImportError("Onnx and protobuf need to be installed.", name="onnx")
        missing.add_note(f"Install them with: {extra_command('onnx')}")
        raise missing from error


def to_onnx(
    symbol: Any,
    params: Mapping[str, Any],
    input_shapes: Mapping[str, Sequence[int]],
    input_types: Mapping[str, Any] | None = None,
    dynamic_shapes: Mapping[str, Sequence[Any]] | None = None,
    name: str = "d2lhybrid",
) -> Any:
    """Convert a graph to an ONNX model for prediction.

    Parameters
    ----------
    symbol : Symbol
        The graph, which may contain ``nd`` or ``np`` operators.
    params : mapping of str to array
        Parameters and auxiliary states by name, as NumPy arrays.
    input_shapes : mapping of str to tuple of int
        Shapes of the inputs by name, in the order of the model's inputs.
    input_types : mapping of str to dtype, optional
        Element types of the inputs by name; float32 by default.
    dynamic_shapes : mapping of str to tuple, optional
        Shapes of inputs with sizes that are known only when the model runs. None or a name replaces each of these
        sizes, and ``input_shapes`` contains example sizes.
    name : str
        Name of the graph in the file.

    Returns
    -------
    onnx.ModelProto
        The model.

    Raises
    ------
    ImportError
        If the package ``onnx`` is not installed.
    UnsupportedOperatorsError
        If the graph has operators that ONNX cannot express. The message lists these operators.
    MXNetError
        If a variable is neither a parameter nor an input, or if the shapes contradict each other.

    Examples
    --------
    >>> import numpy
    >>> from d2lhybrid import sym
    >>> model = to_onnx(sym.relu(sym.var("x"), name="y"), {}, {"x": (2, 3)})
    >>> [node.op_type for node in model.graph.node], model.graph.output[0].name
    (['Relu'], 'y_output')
    """
    require_onnx()
    converter = _Converter(symbol, params, input_shapes, input_types or {}, dynamic_shapes)
    outputs = converter.run()
    inputs = [converter.inputs[n] for n in input_shapes if n in converter.inputs]
    return to_model(converter.builder.nodes, inputs, outputs, name, dynamic_shapes or {})


class _Converter:
    """A converter that translates a graph node by node."""

    def __init__(
        self,
        symbol: Any,
        params: Mapping[str, Any],
        input_shapes: Mapping[str, Sequence[int]],
        input_types: Mapping[str, Any],
        dynamic_shapes: Mapping[str, Sequence[Any]] | None,
    ) -> None:
        self.entries: list[Entry] = list(symbol._entries)
        self.order = topological_order(self.entries)
        self.params = {k: numpy.asarray(v) for k, v in params.items()}
        self.given_shapes = {k: tuple(int(n) for n in v) for k, v in input_shapes.items()}
        self.given_types = {k: numpy.dtype(input_types.get(k, numpy.float32)) for k in input_shapes}
        self.dynamic = {k: tuple(v) for k, v in (dynamic_shapes or {}).items()}
        self.builder = Builder(dynamic=bool(self.dynamic))
        self.inputs: dict[str, Value] = {}
        self.failures: list[str] = []
        self._values: dict[Entry, Value] = {}
        self._check_variables()
        self._infer()

    def _check_variables(self) -> None:
        names = {n.name for n in self.order if n.op is None}
        for name in self.given_shapes:
            if name not in names:
                raise MXNetError(f"The graph has no variable {name!r}. Its variables are {sorted(names)}")
        for name, shape in self.dynamic.items():
            given = self.given_shapes.get(name)
            if given is None:
                raise MXNetError(
                    f"{name!r} has a dynamic shape, but no input shape. The input shapes are those of "
                    f"{sorted(self.given_shapes)}"
                )
            if len(given) != len(shape):
                raise MXNetError(
                    f"The dynamic shape {shape} of {name!r} must have as many axes as the input shape {given}"
                )

    def _infer(self) -> None:
        known: dict[Any, Any] = {k: v.shape for k, v in self.params.items()} | self.given_shapes
        types: dict[Any, Any] = {k: v.dtype for k, v in self.params.items()} | self.given_types
        shapes = infer_shapes(self.entries, known, order=self.order)
        self.types = infer_types(self.entries, types, shapes, order=self.order)
        self.shapes = infer_shapes(self.entries, known, self.types, order=self.order)
        self.partial: Inference | None = None
        if self.dynamic:
            open_shapes = {
                k: tuple(n if isinstance(n, int) and n > 0 else None for n in v) for k, v in self.dynamic.items()
            }
            self.partial = infer_shapes(self.entries, known | open_shapes, self.types, order=self.order)

    def _shape(self, entry: Entry) -> Any:
        """Return the known sizes of a shape. Even with dynamic inputs, the number of axes is usually known."""
        example = self.shapes[entry]
        if self.partial is None:
            return example
        partial = self.partial[entry]
        return partial if partial is not None or example is None else (None,) * len(example)

    # --- nodes ------------------------------------------------------------------------------------

    def run(self) -> list[tuple[str, Value]]:
        """Return the outputs of the model with their names."""
        for node in self.order:
            if node.op is None:
                self._variable(node)
            else:
                self._operator(node)
        for node, i in self.entries:
            if self._values[node, i].open_zeros:
                self._fail(node, f"the size of this output is unknown: {FIXED_SHAPES}")
        if self.failures:
            raise self._report()
        names = _unique([entry_name(e) for e in self.entries])
        return [(name, self._values[n, i]) for name, (n, i) in zip(names, self.entries, strict=True)]

    def _variable(self, node: Node) -> None:
        if node.name in self.params:
            value = self.builder.array(self.params[node.name], node.name)
            value.is_parameter = True
        elif node.name in self.given_shapes:
            value = Value(self.given_types[node.name], self._shape((node, 0)), name=node.name, is_input=True)
            self.inputs[node.name] = value
        elif self._is_label(node):
            value = Value(numpy.dtype("float32"), self._shape((node, 0)), name=node.name)
        else:
            error = MXNetError(f"The variable {node.name!r} has neither a value in params nor an input shape")
            error.add_note(
                f"Pass the shape of {node.name!r} if it is an input, or its value if it is a parameter. Inputs with "
                f"shapes: {list(self.given_shapes)}. The first parameters: {sorted(self.params)[:20]}."
            )
            raise error
        self._values[node, 0] = value

    def _is_label(self, variable: Node) -> bool:
        """Return whether a variable is only the label of loss layers. Prediction does not need such a variable."""
        users = [
            [i.name for i in node.op.inputs][place] if place < len(node.op.inputs) else ""
            for node in self.order
            if node.op is not None
            for place, (child, _) in enumerate(node.inputs)
            if child is variable
        ]
        return bool(users) and set(users) == {"label"}

    def _operator(self, node: Node) -> None:
        results = [Value(self._type((node, i)), self._shape((node, i))) for i in range(node.num_outputs)]
        inputs = [self._values[n, i] for n, i in node.inputs]
        if not self._fold(node, inputs):
            builder = self.builder
            builder.node, builder.results = node, results
            made = len(builder.nodes)
            try:
                outputs = self._translate(node, inputs)
            except Untranslatable as reason:
                self._fail(node, str(reason))
                outputs = [Value(r.dtype, r.shape, name="?") for r in results]
            inner = {id(o) for n in builder.nodes[made:] for o in n.outputs}
            for i, (output, result) in enumerate(zip(outputs, results, strict=False)):
                self._values[node, i] = self._finish(node, i, output, result, inner)

    def _finish(self, node: Node, i: int, output: Value, result: Value, inner: set[int]) -> Value:
        """Set the element type, the shape, and the public name of an output."""
        cast = self.builder.cast(output, result.dtype)
        if cast is not output:
            inner.add(id(cast))
        if id(cast) in inner and not cast.name:
            cast.name = entry_name((node, i))
        cast.shape = result.shape if result.shape is not None else cast.shape
        return cast

    def _type(self, entry: Entry) -> numpy.dtype:
        found = self.types[entry]
        return numpy.dtype("float32") if found is None else numpy.dtype(found)

    def _translate(self, node: Node, inputs: list[Value]) -> list[Value]:
        op = node.op
        assert op is not None
        translation = find_translation(op.name)
        if translation is None:
            raise Untranslatable(_remedy(node))
        params = op.complete(node.params)
        params.pop("num_args", None)
        outputs = translation(self.builder, *op.arrange(node.params, inputs), **params)
        return list(outputs) if isinstance(outputs, list | tuple) else [outputs]

    def _fold(self, node: Node, inputs: list[Value]) -> bool:
        """Compute a node if all its inputs are constants, and return whether the node was computed."""
        op = node.op
        assert op is not None
        if op.uses_generator or op.uses_training or any(v.constant is None for v in inputs) or node.subgraphs:
            return False
        shape = self._shape((node, 0))
        if shape is None or None in shape:
            return False
        params = dict(node.params)
        if not inputs and "shape" in params and 0 in (params["shape"] or (0,)):
            params["shape"] = shape  # shape inference has completed the shape of zeros
        limit = sum(v.constant.size for v in inputs) + _GROWTH
        if numpy.prod(shape) > limit:
            return False
        arrays = op.arrange(node.params, [v.constant for v in inputs])
        with numpy.errstate(all="ignore"):
            made = op.kernel(numpy, *arrays, **params)
        for i, array in enumerate(made if isinstance(made, list | tuple) else [made]):
            self._values[node, i] = self.builder.array(numpy.asarray(array), entry_name((node, i)))
        return True

    def _fail(self, node: Node, reason: str) -> None:
        assert node.op is not None
        place = "" if node.source is None else f"\n    made by {source_line(*node.source)}"
        self.failures.append(f"{node.op.name} {node.name!r}: {reason}{place}")

    def _report(self) -> UnsupportedOperatorsError:
        count = len(self.failures)
        lines = [f"{count} node{'s' * (count > 1)} of the graph cannot be written as ONNX:"]
        error = UnsupportedOperatorsError("\n".join([*lines, *(f"  {failure}" for failure in self.failures)]))
        if any(FIXED_SHAPES in failure for failure in self.failures):
            error.add_note(
                "For fixed input shapes, call export_model with dynamic=False, or net.export with dynamic_batch=False."
            )
        error.add_note("No file was written. docs/onnx.md lists the operators that have a translation.")
        return error


def _remedy(node: Node) -> str:
    op = node.op
    assert op is not None
    if node.subgraphs:
        return "loops and branches have no translation: replace them with operators, or export their bodies separately"
    if op.uses_generator:
        return "a model for prediction cannot draw random numbers: pass the numbers as an input"
    if op.name.startswith("_backward"):
        return "a model for prediction cannot contain gradients: export the graph of the forward pass"
    return "there is no translation: use other operators, or register a translation (see CONTRIBUTING.md)"


def _unique(names: Sequence[str]) -> list[str]:
    """Return the names, with a number appended to repeated names."""
    seen: dict[str, int] = {}
    result = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        result.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
    return result
