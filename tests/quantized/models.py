"""Whole models, for this package and for MXNet: a symbol, its parameters, and examples."""

from __future__ import annotations

from typing import Any

import numpy

__all__ = ["EXAMPLES", "WAYS", "distributions", "network", "parameters"]

#: How the model is quantized: settings of ``quantize_model``.
WAYS: dict[str, dict[str, Any]] = {
    "none int8": {"calib_mode": "none", "quantized_dtype": "int8"},
    "naive int8": {"calib_mode": "naive", "quantized_dtype": "int8"},
    "naive int8 full": {"calib_mode": "naive", "quantized_dtype": "int8", "quantize_mode": "full"},
    "naive, one layer left out": {"calib_mode": "naive", "quantized_dtype": "int8", "excluded_sym_names": ["fc2"]},
    "naive, an operator left out": {
        "calib_mode": "naive",
        "quantized_dtype": "int8",
        "excluded_op_names": ["Activation"],
    },
}

_random = numpy.random.RandomState(5)
#: Sixteen examples, in two batches, with numbers of both signs.
EXAMPLES = (_random.rand(16, 5) * 3 - 1).astype("float32")


def distributions() -> dict[str, Any]:
    """Return numbers whose best range is asked for."""
    make = numpy.random.RandomState(3)
    normal = make.randn(20000)
    found = {
        "normal": normal, "positive": numpy.maximum(make.randn(20000), 0), "even": make.uniform(-1, 3, 5000),
        "few": make.randn(50) * 3, "far": numpy.append(normal, 50.0),
    }  # fmt: skip
    return {name: values.astype("float32") for name, values in found.items()}


def network(mx: Any) -> Any:
    """Return the graph: layers with and without a bias, an activation, a sum and a concatenation."""
    sym = mx.sym
    data = sym.var("data")
    first = sym.Activation(sym.FullyConnected(data, num_hidden=6, name="fc1"), act_type="relu", name="relu1")
    second = sym.FullyConnected(first, num_hidden=6, no_bias=True, name="fc2")
    both = sym.concat(second, sym.elemwise_add(first, second, name="sum1"), dim=1, name="both")
    last = sym.FullyConnected(sym.Flatten(both, name="flat"), num_hidden=3, name="fc3")
    return sym.tanh(last, name="end")


def parameters(mx: Any) -> dict[str, Any]:
    """Return the parameters."""
    make = numpy.random.RandomState(6)
    shapes = {"fc1_weight": (6, 5), "fc1_bias": (6,), "fc2_weight": (6, 6), "fc3_weight": (3, 12), "fc3_bias": (3,)}
    return {name: mx.nd.array(make.randn(*shape).astype("float32")) for name, shape in shapes.items()}
