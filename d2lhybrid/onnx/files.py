"""MXNet's functions for ONNX, which convert MXNet's files to ONNX files."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Sequence
from typing import Any

import numpy

from ..error import MXNetError
from ..internals.support.filesystem import write_bytes
from ..internals.support.plural import counted
from ..symbol.symbol import Symbol
from .convert import require_onnx, to_onnx
from .translations import translated_operators

__all__ = ["export_model", "export_to_file", "get_model_metadata", "get_operator_support", "raw_parameters"]


def get_operator_support(opset_version: int | None = None) -> list[str]:
    """Return the names of the operators that have a translation to ONNX.

    Parameters
    ----------
    opset_version : int, optional
        Ignored, because all models use the same version of ONNX's operator set.

    Returns
    -------
    list of str
        The names of this package's operators.

    Examples
    --------
    >>> "Convolution" in get_operator_support()
    True
    """
    return list(translated_operators())


def raw_parameters(params: Any) -> dict[str, Any]:
    """Convert parameters from any form that MXNet accepts to NumPy arrays by name.

    Parameters
    ----------
    params : str, dict, or list of two dicts
        Path of a ``.params`` file; parameters by name, with or without the prefixes ``arg:`` and ``aux:``; or a list of
        the arguments and the auxiliary states.

    Returns
    -------
    dict of str to numpy.ndarray
        The parameters and the auxiliary states.

    Raises
    ------
    ValueError
        If ``params`` has another type.
    """
    if isinstance(params, str | os.PathLike):
        from .. import ndarray as nd

        params = nd.load(os.fspath(params))
    if isinstance(params, list | tuple):
        params = {name: array for part in params for name, array in part.items()}
    if not isinstance(params, dict):
        raise ValueError("Input sym and params should either be files or objects")
    return {
        re.sub(r"^(arg|aux):", "", name): array.asnumpy() if hasattr(array, "asnumpy") else numpy.asarray(array)
        for name, array in params.items()
    }


def export_to_file(
    sym: Symbol,
    params: Any,
    shapes: dict[str, Any],
    types: dict[str, Any],
    dynamic_shapes: dict[str, Any] | None,
    path: str,
) -> None:
    """Convert a graph to an ONNX model, and write the model to a file.

    Parameters
    ----------
    sym : Symbol
        The graph.
    params : object
        Argument of :func:`raw_parameters`.
    shapes, types, dynamic_shapes : dict
        The arguments ``input_shapes``, ``input_types``, and ``dynamic_shapes`` of
        :func:`~d2lhybrid.onnx.convert.to_onnx`.
    path : str
        Path of the file.
    """
    _write(to_onnx(sym, raw_parameters(params), shapes, types, dynamic_shapes), path)


def _write(model: Any, path: str) -> None:
    write_bytes(path, model.SerializeToString())


def export_model(
    sym: Any,
    params: Any,
    in_shapes: Any = None,
    in_types: Any = numpy.float32,
    onnx_file_path: str = "model.onnx",
    verbose: bool = False,
    dynamic: bool = False,
    dynamic_input_shapes: Any = None,
    run_shape_inference: bool = False,
    input_type: Any = None,
    input_shape: Any = None,
) -> str:
    """Write a network as an ONNX file for prediction.

    Parameters
    ----------
    sym : Symbol or str
        The graph, or the path of its ``-symbol.json`` file.
    params : dict, list of two dicts, or str
        Parameters and auxiliary states by name, in one dict or in two dicts, or the path of their file.
    in_shapes : list of tuple of int
        Shapes of the inputs, in the order of ``sym.list_inputs()`` without the parameters.
    in_types : dtype or list of dtype
        Element types of the inputs.
    onnx_file_path : str
        Path of the file to write.
    verbose : bool
        Whether to log the nodes of the model.
    dynamic : bool
        Whether the sizes of the inputs may differ when the model runs.
    dynamic_input_shapes : list of tuple, optional
        Shapes of the inputs, with None or a name for each size that may differ. By default, all sizes may differ. A
        model with fixed height and width is more efficient.
    run_shape_inference : bool
        Whether to add the shapes of intermediate values, which ONNX infers.
    input_type, input_shape
        The old names of ``in_types`` and ``in_shapes``.

    Returns
    -------
    str
        ``onnx_file_path``.

    Raises
    ------
    ImportError
        If the package ``onnx`` is not installed.
    UnsupportedOperatorsError
        If the graph has operators that ONNX cannot express. In this case, no file is written.
    ValueError
        If the inputs do not match their shapes or types.

    Examples
    --------
    >>> import tempfile
    >>> from d2lhybrid import nd, sym
    >>> y = sym.FullyConnected(sym.var("data"), num_hidden=2, name="fc")
    >>> params = {"fc_weight": nd.ones((2, 3)), "fc_bias": nd.zeros((2,))}
    >>> path = export_model(y, params, [(1, 3)], onnx_file_path=tempfile.mkdtemp() + "/fc.onnx")
    >>> get_model_metadata(path)["output_tensor_data"]
    [('fc_output', (1, 2))]
    """
    require_onnx()
    in_shapes = in_shapes if input_shape is None else input_shape
    in_types = in_types if input_type is None else input_type
    if isinstance(sym, str | os.PathLike):
        from .. import symbol

        sym = symbol.load(os.fspath(sym))
    if not isinstance(sym, Symbol):
        raise ValueError("Input sym and params should either be files or objects")
    raws = raw_parameters(params)
    names = _input_names(sym, raws, in_shapes)
    shapes = dict(zip(names, in_shapes, strict=True))
    types = list(in_types) if isinstance(in_types, list | tuple) else [in_types] * len(names)
    if len(types) != len(names):
        shapes_text = counted(len(names), "shape")
        raise ValueError(f"in_types has {counted(len(types), 'type')}, but in_shapes has {shapes_text}")
    model = to_onnx(
        sym, raws, shapes, dict(zip(names, types, strict=True)), _open(shapes, dynamic, dynamic_input_shapes)
    )
    if run_shape_inference:
        import onnx.shape_inference

        model = onnx.shape_inference.infer_shapes(model)
    if verbose:
        for node in model.graph.node:
            logging.info("%s(%s) -> %s", node.op_type, ", ".join(node.input), ", ".join(node.output))
    _write(model, onnx_file_path)
    return onnx_file_path


def _input_names(sym: Symbol, params: dict[str, Any], in_shapes: Any) -> list[str]:
    """Return the names of the inputs that have shapes. Labels of loss layers need no shape."""
    names = [n for n in dict.fromkeys(sym.list_inputs()) if n not in params]
    given = [] if in_shapes is None else list(in_shapes)
    labels = [n for n in names if n.endswith("label")]
    if len(names) != len(given) and len(names) - len(labels) == len(given):
        names = [n for n in names if n not in labels]
    if len(names) != len(given):
        error = ValueError(
            f"The graph has {counted(len(names), 'input')}, {names}, but in_shapes has {counted(len(given), 'shape')}"
        )
        error.add_note("Pass a shape for each variable of the graph that is not a parameter.")
        raise error
    return names


def _open(shapes: dict[str, Any], dynamic: bool, given: Any) -> dict[str, Any] | None:
    """Return the shapes with dynamic sizes, or None if all sizes are fixed."""
    if not dynamic:
        return None
    if given is None:
        return {name: (None,) * len(shape) for name, shape in shapes.items()}
    if len(given) != len(shapes):
        inputs, dynamic_shapes = counted(len(shapes), "input"), counted(len(given), "shape")
        raise ValueError(f"The graph has {inputs}, but dynamic_input_shapes has {dynamic_shapes}")
    return dict(zip(shapes, given, strict=True))


def get_model_metadata(model_file: str) -> dict[str, list[tuple[Any, ...]]]:
    """Return the names and shapes of the inputs and outputs of the model in an ONNX file.

    Parameters
    ----------
    model_file : str
        Path of the file.

    Returns
    -------
    dict
        ``"input_tensor_data"`` contains the name, the shape, and ONNX's element type code of each input, and
        ``"output_tensor_data"`` contains the name and the shape of each output. Dynamic sizes are 0.

    Raises
    ------
    ImportError
        If the package ``onnx`` is not installed.
    MXNetError
        If the file cannot be read, or is not an ONNX model.
    """
    onnx = require_onnx()
    from ..internals.support.filesystem import read_bytes

    try:
        graph = onnx.load_model_from_string(read_bytes(model_file)).graph
    except MXNetError:
        raise
    except Exception as error:
        raise MXNetError(f'"{model_file}" is not an ONNX model: {error}') from error
    constants = {tensor.name for tensor in graph.initializer}
    inputs = [
        (value.name, _sizes(value), value.type.tensor_type.elem_type)
        for value in graph.input
        if value.name not in constants
    ]
    return {"input_tensor_data": inputs, "output_tensor_data": [(v.name, _sizes(v)) for v in graph.output]}


def _sizes(value: Any) -> tuple[int, ...]:
    sizes: Sequence[Any] = value.type.tensor_type.shape.dim
    return tuple(n.dim_value for n in sizes)
