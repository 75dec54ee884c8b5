"""Write files with an old version of MXNet: ``python tests/old_files/write.py FOLDER`` with its ``mxnet``.

Versions since 0.9.5 are on PyPI, as wheels for any Python 3. ``pip install --no-deps --target PLACE mxnet==0.11.0``
puts one into a folder; ``PYTHONPATH=PLACE`` in front of an interpreter with NumPy before 1.24 runs it. FOLDER then
holds files of each kind that the version can write, and ``expected.npz`` with what it computed from them.

``python tests/old_files/write.py --finish FOLDER OUT.zip`` with MXNet 1.9.1 packs them, with what that version writes
after it has read them. (Version 0.12.1 needs ``libgfortran.so.3``, which lies in the wheels of NumPy 1.12.)
"""

import hashlib
import json
import os
import re
import sys
import traceback
import zipfile

import numpy
from plain import numbers, plain_graph  # type: ignore[import-not-found]

#: What versions that are older than these names call them.
for _name in ("bool", "int", "float", "object"):
    if _name not in numpy.__dict__:
        setattr(numpy, _name, getattr(__import__("builtins"), _name))


def repair_syntax():
    """Rewrite the one line of version 1.2 that Python 3.8 no longer reads, and return the module."""
    try:
        import mxnet  # type: ignore[import-not-found]
    except SyntaxError as error:
        assert error.filename is not None
        with open(error.filename) as stream:
            text = stream.read()
        text = text.replace("[(yield self._batchify_fn(", "[(self._batchify_fn(")
        with open(error.filename, "w") as stream:
            stream.write(text)
        for name in [name for name in sys.modules if name.partition(".")[0] == "mxnet"]:
            del sys.modules[name]
        import mxnet  # type: ignore[import-not-found]
    return mxnet


mx = repair_syntax()
nd, sym = mx.nd, mx.sym
VERSION = tuple(int(part) for part in re.findall(r"\d+", mx.__version__)[:3])


def array(name, shape, dtype="float32"):
    """Return such an array of MXNet's."""
    return nd.array(numbers(name, shape, dtype=dtype), dtype=dtype)


def labels(count):
    """Return numbers of classes."""
    return nd.array(numpy.arange(count) % 3)


class Expected(dict):
    """Arrays by name, as NumPy's."""

    def add(self, name, value):
        """Keep an array of MXNet's."""
        self[name] = value.asnumpy()


# --- graphs ----------------------------------------------------------------------------------------------------------


def perceptron():
    """Return a graph with groups of devices and multipliers of the learning rate."""
    x = sym.Variable("data", lr_mult=0.2) if VERSION >= (0, 9, 5) else sym.Variable("data")
    with mx.AttrScope(ctx_group="stage1"):
        h = sym.FullyConnected(data=x, weight=sym.Variable("h_weight", lr_mult=1.5), num_hidden=8, name="h")
        h = sym.Activation(h, act_type="tanh", name="tanh")
    with mx.AttrScope(ctx_group="stage2"):
        h = sym.BatchNorm(h, fix_gamma=False, name="n")
        h = sym.FullyConnected(data=h, bias=sym.Variable("o_bias", wd_mult=0.0), num_hidden=3, name="o", lr_mult="0.5")
    return sym.SoftmaxOutput(h, name="softmax"), {"data": (6, 5)}


def convolutional():
    """Return a graph of layers for images."""
    x = sym.Variable("data")
    c = sym.Convolution(x, kernel=(3, 3), num_filter=4, pad=(1, 1), name="c")
    b = sym.BatchNorm(c, eps=1e-3, momentum=0.8, fix_gamma=False, name="b")
    p = sym.LeakyReLU(b, act_type="prelu", name="prelu")
    one = sym.Pooling(p, kernel=(2, 2), stride=(2, 2), pool_type="max", name="max")
    two = sym.Pooling(p, kernel=(3, 3), stride=(2, 2), pad=(1, 1), pool_type="avg", name="avg")
    both = sym.Concat(one, two, dim=1, name="both")
    up = sym.UpSampling(both, scale=2, num_filter=8, num_args=1, sample_type="bilinear", name="up")
    down = sym.Deconvolution(up, kernel=(2, 2), stride=(2, 2), num_filter=4, num_group=2, no_bias=True, name="down")
    l = sym.LRN(down, nsize=3, name="lrn")  # noqa: E741
    d = sym.Dropout(sym.Flatten(l, name="flat"), p=0.5, name="drop")
    return sym.SoftmaxOutput(sym.FullyConnected(d, num_hidden=3, name="o"), name="softmax"), {"data": (2, 2, 6, 6)}


def arithmetic():
    """Return a graph of operators of all kinds."""
    x, y = sym.Variable("x"), sym.Variable("y")
    s = sym.exp(-x) * 2 + (y - 0.5) / (1 + sym.square(x)) - sym.broadcast_maximum(x, y)
    s = sym.clip(s, a_min=-2, a_max=3) + sym.dot(sym.dot(x, sym.transpose(y)), y)
    parts = sym.SliceChannel(s, num_outputs=2, axis=1, name="parts")
    t = sym.Reshape(sym.swapaxes(parts[0] + parts[1], dim1=0, dim2=1), shape=(-1,), name="line")
    outputs = [
        t, sym.argmax(s, axis=1), sym.sum(s, axis=(0, 1)), sym.mean(s, axis=1, keepdims=True),
        sym.slice_axis(s, axis=1, begin=1, end=3), sym.tile(x, reps=(1, 2)), sym.expand_dims(y, axis=0),
        sym.Cast(x * 10, dtype="int32"), sym.topk(s, k=2), sym.one_hot(sym.argmax(s, axis=1), depth=4),
        sym.broadcast_to(sym.sum(x, axis=0, keepdims=True), shape=(3, 4)), sym.L2Normalization(x, mode="instance"),
        sym.where(x > y, x, y) if VERSION >= (0, 11) else x + y,
    ]  # fmt: skip
    return sym.Group(outputs), {"x": (3, 4), "y": (3, 4)}


def recurrent():
    """Return an unrolled LSTM, whose states are zeros that the graph makes."""
    cell = mx.rnn.SequentialRNNCell()
    cell.add(mx.rnn.LSTMCell(4, prefix="l_"))
    cell.add(mx.rnn.GRUCell(3, prefix="g_"))
    x = sym.Embedding(sym.Variable("data"), input_dim=5, output_dim=4, name="e")
    outputs, _ = cell.unroll(3, inputs=x, merge_outputs=True, layout="NTC")
    return outputs, {"data": (2, 3)}


def looped():
    """Return a graph with a loop, since version 1.3."""
    if VERSION < (1, 3):
        return None
    x, w = sym.Variable("x"), sym.Variable("w")
    outputs, states = sym.contrib.foreach(
        lambda row, state: (sym.broadcast_add(row * 2, state[0]), [state[0] + row * w]), x, [sym.Variable("s")], "loop"
    )
    return sym.Group([outputs, states[0]]), {"x": (3, 2), "s": (2,), "w": (2,)}


GRAPHS = (perceptron, convolutional, arithmetic, recurrent, looped)


def shapes_of(symbol, shapes):
    """Return the shapes of all arguments and states."""
    arguments, _, states = symbol.infer_shape(**shapes)
    return dict(zip(symbol.list_arguments() + symbol.list_auxiliary_states(), arguments + states, strict=True))


def write_graphs(folder, expected):
    """Write graphs and parameters as checkpoints, and what a prediction gives."""
    for make in GRAPHS:
        made = make()
        if made is None:
            continue
        symbol, shapes = made
        every = shapes_of(symbol, shapes)
        values = {n: array(n, s) for n, s in every.items()}
        if make is recurrent:
            values["data"] = nd.array(numpy.arange(6).reshape(2, 3) % 5)
        for n in values:
            if n.endswith("_var"):
                values[n] = nd.array(numpy.abs(numbers(n, every[n])) + 0.5)
        inputs = [n for n in every if n in shapes or n.endswith("label") or n in ("x", "y", "s")]
        states = symbol.list_auxiliary_states()
        args = {n: v for n, v in values.items() if n not in states}
        aux = {n: v for n, v in values.items() if n in states}
        parameters = {n: v for n, v in args.items() if n not in inputs}
        mx.model.save_checkpoint(os.path.join(folder, make.__name__), 1, symbol, parameters, aux)
        bound = symbol.bind(mx.cpu(), args, args_grad=None, grad_req="null", aux_states=aux)
        for n in inputs:
            expected.add(f"{make.__name__}/input/{n}", values[n])
        for i, y in enumerate(bound.forward(is_train=False)):
            expected.add(f"{make.__name__}/output/{i}", y)


def write_module(folder, expected):
    """Train a module, write its checkpoint with the states of its optimizer, and go on from the files."""
    symbol, shapes = perceptron()
    batch = mx.io.DataBatch([array("data", (6, 5))], [labels(6)])
    for optimizer, options in (("sgd", {"momentum": 0.9, "wd": 0.1}), ("adam", {})):

        def train(module, steps, optimizer=optimizer, options=options):
            module.init_optimizer(optimizer=optimizer, optimizer_params=dict(options, learning_rate=0.1))
            for _ in range(steps):
                module.forward(batch, is_train=True)
                module.backward()
                module.update()
                nd.waitall()

        module = mx.mod.Module(symbol, label_names=["softmax_label"])
        module.bind([("data", (6, 5))], [("softmax_label", (6,))])
        every = shapes_of(symbol, shapes)
        states = symbol.list_auxiliary_states()
        module.init_params(
            arg_params={n: array(n, s) for n, s in every.items() if n not in states},
            aux_params={n: nd.ones(every[n]) for n in states},
        )
        train(module, 3)
        prefix = os.path.join(folder, "module-" + optimizer)
        module.save_checkpoint(prefix, 3, save_optimizer_states=True)
        again = mx.mod.Module.load(prefix, 3, True, label_names=["softmax_label"])
        again.bind([("data", (6, 5))], [("softmax_label", (6,))])
        train(again, 2)
        args, aux = again.get_params()
        for n, value in list(args.items()) + list(aux.items()):
            expected.add(f"module-{optimizer}/parameter/{n}", value)


# --- arrays ----------------------------------------------------------------------------------------------------------


def write_arrays(folder, expected):
    """Write arrays of all element types and storages that the version has."""
    types = ["float32", "float64", "float16", "uint8", "int32"]
    if VERSION >= (1, 0):
        types += ["int8", "int64"]
    named = {t: array(t, (2, 3), t) for t in types}
    if VERSION >= (1, 6):
        named["bool"] = array("bool", (2, 3), "int32") > 0
        named["bool"] = named["bool"].astype("bool")
    nd.save(os.path.join(folder, "named.nd"), named)
    listed = [array("a", (4,)), array("b", (1, 2, 3, 4)), array("c", (1,))]
    nd.save(os.path.join(folder, "listed.nd"), listed)
    for n, value in named.items():
        expected.add("named/" + n, value)
    for i, value in enumerate(listed):
        expected.add(f"listed/{i}", value)
    if VERSION >= (0, 12):
        dense = nd.array([[0, 1, 0], [0, 0, 0], [2, 0, 3]])
        sparse = {"csr": dense.tostype("csr"), "row_sparse": dense.tostype("row_sparse")}
        nd.waitall()  # some versions write a sparse array that is not there yet, and none reads that
        nd.save(os.path.join(folder, "sparse.nd"), sparse)
        expected.add("sparse/csr", dense)
        expected.add("sparse/row_sparse", dense)
    if VERSION >= (1, 6):
        with mx.util.np_shape(True), mx.util.np_array(True):
            mx.npx.save(os.path.join(folder, "np.nd"), {"scalar": mx.np.array(2.5), "empty": mx.np.ones((0, 2))})
            expected["np/scalar"], expected["np/empty"] = numpy.float32(2.5), numpy.ones((0, 2), "float32")


# --- Gluon -----------------------------------------------------------------------------------------------------------


def gluon_net():
    """Return a net; its layers' names are the same in every process."""
    nn = mx.gluon.nn
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        for layer in (
            *(nn.Conv2D(3, 3), nn.BatchNorm(), nn.Activation("relu"), nn.Flatten()),
            *(nn.Dense(4, activation="tanh"), nn.Dense(2)),
        ):
            net.add(layer)
    return net


def write_gluon(folder, expected):
    """Write parameters of a net, the states of its trainer, and its graph, in the ways that the version has."""
    if VERSION < (0, 11):
        return
    net = gluon_net()
    net.initialize()
    x = array("images", (2, 2, 5, 5))
    net(x)
    for name, p in net.collect_params().items():
        value = array(name, p.shape)
        p.set_data(nd.abs(value) + 0.5 if name.endswith("var") else value)
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1, "momentum": 0.9})
    for _ in range(2):
        with mx.autograd.record():
            loss = nd.sum(net(x) ** 2)
        loss.backward()
        trainer.step(2)
        nd.waitall()
    if hasattr(trainer, "save_states"):
        trainer.save_states(os.path.join(folder, "gluon.states"))
    net.collect_params().save(os.path.join(folder, "gluon-collected.params"))
    if hasattr(net, "save_params"):
        net.save_params(os.path.join(folder, "gluon-save_params.params"))
    if hasattr(net, "save_parameters"):
        net.save_parameters(os.path.join(folder, "gluon-save_parameters.params"))
    expected.add("gluon/input", x)
    expected.add("gluon/output", net(x))
    net.hybridize()
    net(x)
    if hasattr(net, "export"):
        net.export(os.path.join(folder, "gluon-export"))
    else:
        net(sym.Variable("data")).save(os.path.join(folder, "gluon-export-symbol.json"))
    with mx.autograd.record():
        loss = nd.sum(net(x) ** 2)
    loss.backward()
    trainer.step(2)
    nd.waitall()
    for name, p in net.collect_params().items():
        expected.add("gluon/after/" + name, p.data())


def write_records(folder, expected):
    """Write a file of records with its index."""
    path = os.path.join(folder, "records")
    writer = mx.recordio.MXIndexedRecordIO(path + ".idx", path + ".rec", "w")
    for i in range(4):
        label = float(i) if i % 2 else [float(i), 0.5]
        writer.write_idx(i, mx.recordio.pack(mx.recordio.IRHeader(0, label, i, 0), b"text %d" % i))
    writer.close()


def main(folder):
    """Write all files; what a version cannot do is printed, and left out."""
    expected = Expected()
    done = []
    for write in (write_graphs, write_module, write_arrays, write_gluon, write_records):
        try:
            write(folder, expected)
            done.append(write.__name__)
        except Exception:
            traceback.print_exc()
    numpy.savez_compressed(os.path.join(folder, "expected.npz"), **expected)
    with open(os.path.join(folder, "version.json"), "w") as stream:
        json.dump({"version": mx.__version__, "done": done}, stream)


# --- written back ----------------------------------------------------------------------------------------------------


def written_back(folder):
    """Return for each file of arrays or of a graph a hash of what this version writes when it has read it."""
    found = {}
    again = os.path.join(folder, "again")
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name.endswith("-symbol.json"):
            content = json.dumps(plain_graph(sym.load(path).tojson()), sort_keys=True).encode()
        elif name.endswith((".params", ".nd")):
            with mx.util.np_shape(name == "np.nd"):
                nd.save(again, nd.load(path))
            with open(again, "rb") as stream:
                content = stream.read()
            os.remove(again)
        else:
            continue
        found[name] = hashlib.sha256(content).hexdigest()
    return found


def finish(folder, archive):
    """Pack the files of a folder."""
    with open(os.path.join(folder, "written_back.json"), "w") as stream:
        json.dump(written_back(folder), stream)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), "rb") as stream:
                packed.writestr(zipfile.ZipInfo(name), stream.read(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    if sys.argv[1] == "--finish":
        finish(*sys.argv[2:])
    else:
        main(sys.argv[1])
