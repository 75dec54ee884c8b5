"""Networks written against the API that MXNet and d2lhybrid share, and how to export them.

Each function below takes the package, ``mxnet`` or ``d2lhybrid``, and returns a network. Runs on
Python 3.8, which MXNet's environment may have.
"""

from __future__ import annotations

import json
import os

import numpy


def mlp(mx):
    """The multilayer perceptron of the lessons."""
    nn = mx.gluon.nn
    net = nn.HybridSequential(prefix="mlp_")
    with net.name_scope():
        net.add(nn.Dense(256, activation="relu"), nn.Dense(128, activation="relu"), nn.Dense(2))
    return net


def lenet(mx):
    """The convolutional network of the deployment lesson, with a parameter of its own."""
    nn = mx.gluon.nn

    class Net(mx.gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.conv1 = nn.Conv2D(6, kernel_size=5)
                self.pool1 = nn.MaxPool2D(pool_size=2)
                self.conv2 = nn.Conv2D(16, kernel_size=5)
                self.pool2 = nn.MaxPool2D(pool_size=2)
                self.fc1 = nn.Dense(120)
                self.fc2 = nn.Dense(84)
                self.fc3_weight = self.params.get("fc3_weight", shape=(10, 84))

        def hybrid_forward(self, F, x, fc3_weight):
            x = self.pool1(F.relu(self.conv1(x)))
            x = self.pool2(F.relu(self.conv2(x)))
            x = x.reshape((0, -1))
            x = F.relu(self.fc1(x))
            x = F.relu(self.fc2(x))
            return F.dot(x, fc3_weight, transpose_b=True)

    return Net(prefix="lenet_")


def hybridnet(mx):
    """The block that the lessons print from."""
    nn = mx.gluon.nn

    class HybridNet(mx.gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.hidden = nn.Dense(10)
                self.output = nn.Dense(2)

        def hybrid_forward(self, F, x):
            return self.output(F.relu(self.hidden(x)))

    return HybridNet(prefix="hybridnet_")


def residual(mx):
    """Convolutions with batch normalization and a sum around them."""
    nn = mx.gluon.nn

    class Residual(mx.gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.conv = nn.Conv2D(4, kernel_size=3, padding=1, in_channels=3)
                self.norm = nn.BatchNorm()
                self.conv2 = nn.Conv2D(4, kernel_size=3, padding=1, use_bias=False)
                self.norm2 = nn.BatchNorm(scale=False)
                self.dropout = nn.Dropout(0.5)
                self.pool = nn.GlobalAvgPool2D()
                self.output = nn.Dense(3)

        def hybrid_forward(self, F, x):
            x = F.relu(self.norm(self.conv(x)))
            x = F.Activation(x + self.norm2(self.conv2(x)), act_type="softrelu")
            return self.output(self.pool(self.dropout(x)))

    return Residual(prefix="residual_")


def embedding(mx):
    """Indices to vectors, normalized, averaged."""
    nn = mx.gluon.nn

    class Words(mx.gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.embed = nn.Embedding(10, 4)
                self.norm = nn.LayerNorm(in_channels=4)
                self.output = nn.Dense(2, flatten=False)

        def hybrid_forward(self, F, x):
            x = self.output(self.norm(self.embed(x)))
            return F.mean(F.softmax(x, axis=-1), axis=1)

    return Words(prefix="words_")


def concurrent(mx):
    """Branches side by side."""
    nn = mx.gluon.nn
    net = mx.gluon.contrib.nn.HybridConcurrent(axis=1, prefix="concurrent_")
    with net.name_scope():
        net.add(nn.Dense(3, activation="tanh"), nn.Dense(4), mx.gluon.contrib.nn.Identity())
    return net


def several(mx):
    """Several inputs and several outputs."""
    nn = mx.gluon.nn

    class Several(mx.gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.dense = nn.Dense(3)

        def hybrid_forward(self, F, x, y):
            left, right = F.split(self.dense(x) * 2.5 + 1, num_outputs=2, axis=0)
            return F.concat(left, y, dim=1), F.softmax(right), 1 - F.clip(y, -0.5, 0.5)

    return Several(prefix="several_")


def transforms(mx):
    """Operators on shapes, with attributes of all kinds."""

    class Transforms(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            y = F.transpose(x, axes=(0, 2, 1)).reshape((0, -3))
            y = F.broadcast_add(y, F.expand_dims(F.sum(y, axis=1), axis=1))
            y = F.where(y > 0, F.sqrt(F.abs(y)), y * 1e-3) ** 2
            return F.slice_axis(y, axis=1, begin=1, end=None)

    return Transforms(prefix="transforms_")


def np_mlp(mx):
    """The multilayer perceptron under NumPy semantics."""
    nn = mx.gluon.nn
    net = nn.HybridSequential(prefix="np_mlp_")
    with net.name_scope():
        net.add(nn.Dense(16, activation="relu"), nn.Dense(8, activation="sigmoid"), nn.Dense(2))
    return net


def np_conv(mx):
    """A convolutional network under NumPy semantics, with operators of np and npx."""
    nn = mx.gluon.nn

    class Conv(mx.gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.conv = nn.Conv2D(3, kernel_size=3)
                self.norm = nn.BatchNorm()
                self.pool = nn.MaxPool2D(2)
                self.output = nn.Dense(4)

        def hybrid_forward(self, F, x):
            x = self.pool(F.npx.relu(self.norm(self.conv(x))))
            x = self.output(x)
            return F.np.exp(x - x.max(axis=1, keepdims=True)) * 0.5 + 1

    return Conv(prefix="np_conv_")


def _normal(*shape):
    return numpy.random.RandomState(7).normal(size=shape).astype("float32")


#: Name: the network and its inputs. Those whose names begin with "np_" need NumPy semantics.
NETS = {
    "mlp": (mlp, [_normal(4, 512)]),
    "lenet": (lenet, [_normal(2, 1, 28, 28)]),
    "hybridnet": (hybridnet, [_normal(3, 4)]),
    "residual": (residual, [_normal(2, 3, 8, 8)]),
    "embedding": (embedding, [numpy.array([[1, 2, 3], [9, 0, 1]], "float32")]),
    "concurrent": (concurrent, [_normal(2, 5)]),
    "several": (several, [_normal(4, 3), _normal(2, 2)]),
    "transforms": (transforms, [_normal(2, 3, 4)]),
    "np_mlp": (np_mlp, [_normal(2, 20)]),
    "np_conv": (np_conv, [_normal(2, 3, 8, 8)]),
}


class semantics:
    """Switch to NumPy semantics for the nets that need them."""

    def __init__(self, mx, name):
        self.mx, self.wanted = mx, name.startswith("np_")

    def __enter__(self):
        if self.wanted:
            self.mx.npx.set_np()
        return self.mx.np.array if self.wanted else self.mx.nd.array

    def __exit__(self, *exception):
        if self.wanted:
            self.mx.npx.reset_np()


def outputs_of(net, arrays):
    """Return the outputs of a network as a list of NumPy arrays."""
    outputs = net(*arrays)
    return [output.asnumpy() for output in (outputs if isinstance(outputs, (list, tuple)) else [outputs])]


def export(mx, name, folder):
    """Export a network with its inputs and outputs into a folder.

    The parameters get values that do not depend on the package's random numbers.
    """
    build, inputs = NETS[name]
    with semantics(mx, name) as array:
        net = build(mx)
        net.initialize()
        net.hybridize()
        arrays = [array(data, dtype=data.dtype) for data in inputs]
        net(*arrays)
        random = numpy.random.RandomState(3)
        for key, parameter in sorted(net.collect_params().items()):
            values = random.normal(scale=0.3, size=parameter.shape).astype("float32")
            if key.endswith(("gamma", "running_var")):
                values = numpy.abs(values) + 0.5
            if key.endswith("gamma") and parameter.grad_req == "null":
                values[:] = 1  # A fixed scale, which MXNet overwrites with ones when it runs.
            parameter.set_data(array(values, dtype="float32"))
        outputs = outputs_of(net, arrays)
        net.export(os.path.join(folder, name))
    for i, data in enumerate(inputs):
        numpy.save(os.path.join(folder, f"{name}-input{i}.npy"), data)
    for i, data in enumerate(outputs):
        numpy.save(os.path.join(folder, f"{name}-output{i}.npy"), data)
    names = ["data"] if len(inputs) == 1 else [f"data{i}" for i in range(len(inputs))]
    _add_to_manifest(folder, {"name": name, "inputs": names, "outputs": len(outputs)})


def _add_to_manifest(folder, entry):
    path = os.path.join(folder, "manifest.json")
    entries = []
    if os.path.exists(path):
        with open(path) as file:
            entries = json.load(file)
    with open(path, "w") as file:
        json.dump([*entries, entry], file, indent=1)


def load(mx, entry, folder):
    """Import an exported network and return (what it computes, what was computed at export)."""
    name = entry["name"]
    path = os.path.join(folder, name)
    with semantics(mx, name) as array:
        net = mx.gluon.SymbolBlock.imports(path + "-symbol.json", entry["inputs"], path + "-0000.params")
        inputs = [numpy.load(f"{path}-input{i}.npy") for i in range(len(entry["inputs"]))]
        outputs = outputs_of(net, [array(data, dtype=data.dtype) for data in inputs])
    return outputs, [numpy.load(f"{path}-output{i}.npy") for i in range(entry["outputs"])]
