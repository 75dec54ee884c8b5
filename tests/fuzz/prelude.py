"""What every printed program begins with: the few functions that it uses, as text and as they run here."""

from __future__ import annotations

import contextlib
import shutil
import tempfile

import numpy

import d2lhybrid as mx
from d2lhybrid import autograd, gluon

__all__ = ["apart", "exported", "fill", "flat", "heads", "note", "note_gradients", "note_parameters", "seen"]

# --- printed from here ---

seen = []  # name, numbers and context of everything that can be observed


def array(value, ctx):
    """Return an array of the flavour that is switched on."""
    make = mx.np.array if mx.util.is_np_array() else mx.nd.array
    return make(value, dtype=value.dtype, ctx=ctx)


def flat(y):
    """Return all arrays in nested lists."""
    return [a for part in y for a in flat(part)] if isinstance(y, (list, tuple)) else [y]


def note(name, y):
    """Write down what there is to see of arrays."""
    for i, a in enumerate(flat(y)):
        seen.append((f"{name} {i}", numpy.array(a.asnumpy()), str(a.ctx)))


def floats(y):
    """Return the arrays that have gradients."""
    return [a for a in flat(y) if numpy.dtype(a.dtype).kind == "f"]


def heads(y, seed=0):
    """Return a gradient for each output."""
    rng = numpy.random.default_rng(seed)
    return [array(rng.normal(size=a.shape).astype(a.dtype), a.ctx) for a in y]


def parameters(net):
    """Return all parameters, ordered by their names."""
    return [p for _, p in sorted(net.collect_params().items())]


def note_parameters(name, net):
    """Write down the values of all parameters, running statistics among them."""
    for p in parameters(net):
        seen.append((f"{name} {p.name}", numpy.array(p.data().asnumpy()), str(p.data().ctx)))


def note_gradients(name, net, x):
    """Write down the gradients of inputs and parameters."""
    note(f"{name} gradient of input", [a.grad for a in x if a.grad is not None])
    for p in parameters(net):
        if p.grad_req != "null":
            seen.append((f"{name} gradient of {p.name}", numpy.array(p.grad().asnumpy()), str(p.grad().ctx)))


def fill(net):
    """Give every parameter numbers that follow from its name."""
    for i, p in enumerate(parameters(net)):
        rng = numpy.random.default_rng(100 + i)
        low = 0.3 if p.name.endswith(("var", "gamma")) else -1.0
        p.set_data(array(rng.uniform(low, 1.2, p.shape).astype(p.dtype), mx.cpu()))
    return net


def exported(net, count):
    """Return the net as it comes back from its files."""
    folder = tempfile.mkdtemp()
    net.export(f"{folder}/net")
    wanted = {p.name: p.grad_req for p in parameters(net)}
    names = ["data"] if count == 1 else [f"data{i}" for i in range(count)]
    ctx = parameters(net)[0].list_ctx() if parameters(net) else mx.cpu()
    net = gluon.SymbolBlock.imports(f"{folder}/net-symbol.json", names, f"{folder}/net-0000.params", ctx=ctx)
    shutil.rmtree(folder)
    for p in parameters(net):
        p.grad_req = wanted[p.name]
    return net


def half(layer):
    """Return a layer whose parameters are float16."""
    layer.cast("float16")
    return layer


class Bent(autograd.Function):
    """A function with a gradient of its own, which is not its derivative."""

    def forward(self, x):
        self.save_for_backward(x)
        return x * x + 0.5

    def backward(self, dy):
        (x,) = self.saved_tensors
        return dy * x * 1.5


class TwoSums(mx.operator.CustomOp):
    """Two results of two arrays, in Python."""

    def forward(self, is_train, req, in_data, out_data, aux):
        x, y = in_data
        self.assign(out_data[0], req[0], x + 2 * y)
        self.assign(out_data[1], req[1], x * y)

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        x, y = in_data
        self.assign(in_grad[0], req[0], out_grad[0] + out_grad[1] * y)
        self.assign(in_grad[1], req[1], out_grad[0] * 2 + out_grad[1] * x)


@mx.operator.register("two_sums")
class TwoSumsProp(mx.operator.CustomOpProp):
    """What is known of ``TwoSums`` before it runs."""

    def list_arguments(self):
        return ["x", "y"]

    def list_outputs(self):
        return ["sum", "product"]

    def infer_shape(self, in_shape):
        return [in_shape[0], in_shape[0]], [in_shape[0], in_shape[0]], []

    def create_operator(self, ctx, shapes, dtypes):
        return TwoSums()


def apart(outputs, others, passed):
    """Check that a write into an output can be seen nowhere else."""
    outputs = [a for i, a in enumerate(flat(outputs)) if i not in passed]
    raws = [getattr(a, "_data", None) for a in [*outputs, *others]]
    for i in range(len(outputs)):
        for j in range(i + 1, len(raws)):
            if isinstance(raws[i], numpy.ndarray) and numpy.may_share_memory(raws[i], raws[j]):
                with contextlib.suppress(numpy.exceptions.TooHardError):
                    other = f"output {j}" if j < len(outputs) else f"argument {j - len(outputs)}"
                    assert not numpy.shares_memory(raws[i], raws[j], max_work=1000), (
                        f"output {i} shares memory with {other}"
                    )


# --- to here ---


def text() -> str:
    """Return the functions, as they are printed."""
    with open(__file__, encoding="utf-8") as file:
        return (
            file.read().partition("# --- printed from here ---\n")[2].partition("\n# --- to here ---")[0].strip() + "\n"
        )


def namespace() -> dict:
    """Return the names that a program finds, ``seen`` being its own."""
    import d2lhybrid.contrib  # noqa: F401  so that every operator is registered
    from d2lhybrid import nd
    from d2lhybrid.gluon import nn, rnn

    names = {
        "numpy": numpy, "mx": mx, "autograd": autograd, "gluon": gluon, "nd": nd, "nn": nn, "rnn": rnn,
        "contextlib": contextlib, "shutil": shutil, "tempfile": tempfile, "__name__": "d2lhybrid_fuzz",
    }  # fmt: skip
    exec(_compiled(), names)
    return names


def _compiled():
    global _code
    if _code is None:
        _code = compile(text(), "<fuzz prelude>", "exec")
    return _code


_code = None
