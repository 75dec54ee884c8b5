"""Runs the forward workloads with ONNX Runtime; the protocol is that of _serving.py.

The models of the lessons are written by hand, those of the zoo are what d2lhybrid exports, where this Python has it.

Mode ``run`` is the ordinary call with dictionaries, ``bound`` the one with inputs and outputs bound beforehand.
"""

from __future__ import annotations

import importlib
import itertools
import os
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import numpy
import onnx  # pyright: ignore[reportMissingImports]

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # it reports from its import on

import onnxruntime  # pyright: ignore[reportMissingImports]
from _serving import serve
from onnx import TensorProto, helper, numpy_helper  # pyright: ignore[reportMissingImports]


class Model:
    """An ONNX graph under construction: every method adds a node and returns its value's name."""

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

    def session(self, output: str) -> Any:
        values = [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in self.inputs.items()]
        result = [helper.make_tensor_value_info(output, TensorProto.FLOAT, ["rows", "columns"])]
        graph = helper.make_graph(self.nodes, "workload", values, result, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.checker.check_model(model)
        return onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])


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


MODELS: dict[str, Callable[[], tuple[Model, str]]] = {
    "A": lambda: mlp(512, 256, 128, 2),
    "B": lenet,
    "D": chain,
    "F": lambda: mlp(*[64] * 51, last_relu=True),
}


#: Nets that are exported.
ZOO = ("convolution", "resnet-18", "mobilenet", "squeezenet", "vgg-11", "generator", "lstm", "transformer")


def exported(workload: str) -> Any:
    """Return a session with a net of the zoo."""
    sys.argv = [sys.argv[0], "d2lhybrid"]
    run = importlib.import_module("_gluon_worker").WORKLOADS[workload]("hybridized")
    run()
    with tempfile.TemporaryDirectory() as folder:
        run.net.export(f"{folder}/net", format="onnx")
        return onnxruntime.InferenceSession(f"{folder}/net.onnx", providers=["CPUExecutionProvider"])


def prepare(workload: str, mode: str) -> Callable[[], Any] | None:
    rng = numpy.random.default_rng(0)
    if workload in MODELS:
        model, output = MODELS[workload]()
        session = model.session(output)
        given = {name: rng.normal(size=shape).astype("float32") for name, shape in model.inputs.items()}
    elif workload in ZOO:
        session = exported(workload)
        (value,), output = session.get_inputs(), session.get_outputs()[0].name
        data = rng.integers(0, 10, value.shape) if workload == "lstm" else rng.normal(size=value.shape)
        given = {value.name: data.astype("float32")}
    else:
        return None
    if mode == "run":
        return lambda: session.run(None, given)
    binding = session.io_binding()
    for name, value in given.items():
        binding.bind_cpu_input(name, value)
    binding.bind_output(output, "cpu")
    return lambda: session.run_with_iobinding(binding)


if __name__ == "__main__":
    serve(onnxruntime.__version__, prepare, lambda result: None)
