"""What is compared with MXNet's ``mx.viz``: the same nets, drawn and printed by either of the two packages.

``python viz_cases.py FILE`` with MXNet's interpreter records ``golden_data/viz/network.json``.
"""

import contextlib
import io
import json
import sys
import warnings

import numpy


def nets(mx):
    """Return name -> (symbol, shapes, dtypes)."""
    sym = mx.sym
    data = sym.Variable("data")

    def mlp():
        n = sym.FullyConnected(data, num_hidden=128, name="fc1")
        n = sym.Activation(n, act_type="relu", name="relu1")
        n = sym.FullyConnected(n, num_hidden=10, no_bias=True, name="fc2")
        return sym.SoftmaxOutput(n, name="out")

    def lenet():
        n = sym.Convolution(data, kernel=(5, 5), num_filter=20, name="conv1")
        n = sym.Activation(n, act_type="tanh", name="tanh1")
        n = sym.Pooling(n, pool_type="max", kernel=(2, 2), stride=(2, 2), name="pool1")
        n = sym.Convolution(n, kernel=(5, 5), num_filter=50, stride=(1, 1), no_bias=True, num_group=2, name="conv2")
        n = sym.BatchNorm(n, name="bn")
        n = sym.LeakyReLU(n, act_type="leaky", name="leaky")
        n = sym.LeakyReLU(n, name="plain")
        n = sym.Pooling(n, global_pool=True, pool_type="avg", name="global")
        n = sym.Flatten(n, name="flat")
        n = sym.FullyConnected(n, num_hidden=500, name="fc1")
        n = sym.Reshape(n, shape=(-1, 5, 100), name="reshape")
        n = sym.Dropout(n, p=0.3, name="drop")
        return sym.softmax(n, name="soft")

    def branches():
        a = sym.Convolution(data, kernel=(1, 1), num_filter=8, name="a")
        b = sym.Convolution(data, kernel=(3, 3), pad=(1, 1), num_filter=8, name="b")
        c = sym.Concat(a, b, a + b, dim=1, name="cat")
        p = sym.SliceChannel(c, num_outputs=3, axis=1, name="split")
        return sym.Group([p[0] * 2, p[2] + 1])

    def embedding():
        n = sym.Embedding(data, input_dim=50, output_dim=16, name="embed")
        n = sym.FullyConnected(n, num_hidden=7, flatten=False, name="fc")
        return sym.sum(n, axis=1, name="total")

    return {
        "mlp": (mlp(), {"data": (32, 100)}, {"data": "float32"}),
        "lenet": (lenet(), {"data": (2, 1, 28, 28)}, {"data": "float32"}),
        "branches": (branches(), {"data": (2, 3, 8, 8)}, {"data": "float64"}),
        "embedding": (embedding(), {"data": (4, 6)}, {"data": "float32"}),
    }


def gluon_net(mx):
    """Return the symbol of a net made of blocks."""
    nn = mx.gluon.nn
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(6, 5, strides=2, activation="relu"), nn.BatchNorm(), nn.MaxPool2D(2, 2), nn.Dense(10))
    return net(mx.sym.Variable("data")), {"data": (2, 3, 16, 16)}, {"data": "float32"}


PLOTS = {
    "plain": {},
    "shape": {"shape"},
    "both": {"shape", "dtype", "hide_weights"},
    "attrs": {"title", "save_format", "node_attrs"},
}
SUMMARIES = {
    "plain": {},
    "shape": {"shape"},
    "narrow": {"shape", "line_length", "positions"},
}
SETTINGS = {
    "hide_weights": False,
    "title": "my net",
    "save_format": "svg",
    "node_attrs": {"shape": "oval", "fixedsize": "false"},
    "line_length": 80,
    "positions": [0.5, 0.7, 0.8, 1.0],
}


def observe(mx, symbol, shapes, dtypes):
    """Return the lines of the pictures and of the tables of a net."""
    settings = {**SETTINGS, "shape": shapes, "dtype": {k: getattr(numpy, v) for k, v in dtypes.items()}}
    plots, summaries = {}, {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, keys in PLOTS.items():
            picture = mx.viz.plot_network(symbol, **{key: settings[key] for key in keys})
            plots[name] = sorted(picture.source.split("\n\t"))
            plots[name] = [line.rstrip("\n}") for line in plots[name]]  # the end differs with the version of graphviz
        for name, keys in SUMMARIES.items():
            text = io.StringIO()
            with contextlib.redirect_stdout(text):
                mx.viz.print_summary(symbol, **{key: settings[key] for key in keys})
            summaries[name] = text.getvalue().split("\n")
    return {"plots": plots, "summaries": summaries}


def observe_all(mx):
    """Return what is seen of all nets."""
    return {name: observe(mx, *case) for name, case in {**nets(mx), "gluon": gluon_net(mx)}.items()}


if __name__ == "__main__":
    import mxnet

    with open(sys.argv[1], "w") as file:
        json.dump(observe_all(mxnet), file, indent=0, sort_keys=True)
