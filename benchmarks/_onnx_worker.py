"""A worker that runs the forward workloads with ONNX Runtime, with the protocol of _serving.py.

The lessons' models are handwritten. The zoo's models are exports of d2lhybrid, if this Python has the package.

Mode ``run`` is the ordinary call with dictionaries; mode ``bound`` binds inputs and outputs before the call.
"""

from __future__ import annotations

import importlib
import itertools
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import onnx  # pyright: ignore[reportMissingImports]

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # it reports from its import on

import onnxruntime  # pyright: ignore[reportMissingImports]
from _serving import serve
from onnx import TensorProto, helper, numpy_helper  # pyright: ignore[reportMissingImports]


class Model:
    """An ONNX graph under construction; each method adds a node and returns the name of the node's value."""

    def __init__(self, **inputs: tuple[int, ...]) -> None:
        self.inputs, self.nodes, self.constants = inputs, [], []
        self.rng = numpy.random.default_rng(0)

    def weight(self, *shape: int) -> str:
        return self.constant(self.rng.normal(0, 0.1, shape).astype("float32"))

    def constant(self, value: Any) -> str:
        name = f"constant{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(numpy.asarray(value), name))
        return name

    def add(self, op: str, *inputs: str, **attributes: Any) -> str:
        name = f"value{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], **attributes))
        return name

    def dense(self, x: str, a: int, b: int, relu: bool = True, bias: bool = True) -> str:
        inputs = [x, self.weight(b, a), *([self.weight(b)] if bias else [])]
        y = self.add("Gemm", *inputs, transB=1)
        return self.add("Relu", y) if relu else y

    def serialized(self, output: str) -> bytes:
        values = [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in self.inputs.items()]
        result = [helper.make_tensor_value_info(output, TensorProto.FLOAT, ["rows", "columns"])]
        graph = helper.make_graph(self.nodes, "workload", values, result, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.checker.check_model(model)
        return model.SerializeToString()


def mlp(*sizes: int, last_relu: bool = False) -> tuple[Model, str]:
    model, x = Model(x=(1, sizes[0])), "x"
    for a, b in itertools.pairwise(sizes):
        x = model.dense(x, a, b, relu=last_relu or b != sizes[-1])
    return model, x


def lenet() -> tuple[Model, str]:
    model, x = Model(x=(16, 1, 28, 28)), "x"
    for shape in ((6, 1, 5, 5), (16, 6, 5, 5)):
        x = model.add("Relu", model.add("Conv", x, model.weight(*shape), model.weight(shape[0])))
        x = model.add("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])
    x = model.dense(model.dense(model.add("Flatten", x), 256, 120), 120, 84)
    return model, model.dense(x, 84, 10, relu=False, bias=False)


def chain() -> tuple[Model, str]:
    model = Model(x=(1000, 1000), y=(1000, 1000))

    def number(value: float) -> str:
        return model.constant(numpy.float32(value))

    def scaled(value: str, factor: float) -> str:
        return model.add("Mul", value, number(factor))

    h = model.add("Relu", model.add("Add", scaled(model.add("Tanh", "x"), 1.5), number(0.1)))
    h = model.add("Tanh", model.add("Mul", h, "y"))
    h = model.add("Relu", scaled(model.add("Add", h, "x"), 0.5))
    return model, model.add("Mul", model.add("Tanh", model.add("Sub", h, number(0.2))), "y")


def cheap_chain() -> tuple[Model, str]:
    model = Model(x=(1000, 1000), y=(1000, 1000))

    def number(value: float) -> str:
        return model.constant(numpy.float32(value))

    h = model.add("Mul", model.add("Sub", "x", "y"), number(1.5))
    h = model.add("Mul", model.add("Relu", model.add("Add", h, number(0.1))), "y")
    h = model.add("Mul", model.add("Add", model.add("Sub", h, "y"), "x"), number(0.5))
    h = model.add("Sub", model.add("Relu", h), number(0.2))
    return model, model.add("Mul", model.add("Sub", h, "x"), "y")


MODELS: dict[str, Callable[[], tuple[Model, str]]] = {
    "A": lambda: mlp(512, 256, 128, 2),
    "B": lenet,
    "D": chain,
    "D2": cheap_chain,
    "F": lambda: mlp(*[64] * 51, last_relu=True),
}


#: Nets that d2lhybrid exports.
ZOO = ("convolution", "resnet-18", "mobilenet", "squeezenet", "vgg-11", "generator", "lstm", "transformer")


def export(workload: str, path: str) -> None:
    """Write a net of the zoo to the file ``path`` with the suffix ``.onnx``."""
    sys.argv = [sys.argv[0], "d2lhybrid"]
    run = importlib.import_module("_gluon_worker").WORKLOADS[workload]("hybridized")
    run()
    run.net.export(path, format="onnx")


def exported(workload: str) -> Any:
    """Return a model of the zoo, exported by another process, whose memory does not count here."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "export", workload, f"{folder}/net"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{workload} cannot be exported: {done.stderr.strip().splitlines()[-1]}")
        return Path(f"{folder}/net.onnx").read_bytes()


class Prepared:
    """A model and its inputs; the first call compiles the model."""

    def __init__(self, model: bytes, given: dict[str, Any], mode: str) -> None:
        self.model, self.given, self.mode = model, given, mode

    def begin(self) -> Callable[[], Any]:
        """Return the function to call."""
        session = onnxruntime.InferenceSession(self.model, providers=["CPUExecutionProvider"])
        self.model = b""
        given = self.given
        if self.mode == "run":
            return lambda: session.run(None, given)
        binding = session.io_binding()
        for name, value in given.items():
            binding.bind_cpu_input(name, value)
        binding.bind_output(session.get_outputs()[0].name, "cpu")
        return lambda: session.run_with_iobinding(binding)


def prepare(workload: str, mode: str) -> Prepared | None:
    rng = numpy.random.default_rng(0)
    if workload in MODELS:
        model, output = MODELS[workload]()
        given = {name: rng.normal(size=shape).astype("float32") for name, shape in model.inputs.items()}
        return Prepared(model.serialized(output), given, mode)
    if workload not in ZOO:
        return None
    model = exported(workload)
    (value,) = onnx.load_model_from_string(model).graph.input
    shape = [size.dim_value for size in value.type.tensor_type.shape.dim]
    data = rng.integers(0, 10, shape) if workload == "lstm" else rng.normal(size=shape)
    return Prepared(model, {value.name: data.astype("float32")}, mode)


if __name__ == "__main__":
    if sys.argv[1:2] == ["export"]:
        export(*sys.argv[2:])
    else:
        serve(onnxruntime.__version__, prepare, lambda result: None)
