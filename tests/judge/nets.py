"""Nets, line by line: of vectors, images, sequences and words; with masks, shared layers and weights of their own."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from .plan import Line

__all__ = ["Maker", "make_net", "make_sequence_net"]


class Maker:
    """Makes the lines of a net.

    Attributes
    ----------
    rng : random.Random
        All choices.
    lines : list of Line
        What there is so far.
    inputs : list of (str, str)
        What the net is called with.
    shape : tuple of int
        The shape of ``x``, without the batch, which comes first.
    declared : list
        Layers that there are: the line, its name, and the shape that it takes and gives.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[Line] = []
        self.inputs: list[tuple[str, str]] = []
        self.shape: tuple[int, ...] = ()
        self.declared: list[tuple[str, str, tuple[int, ...], tuple[int, ...]]] = []
        self.masked = ""  # the name of a mask (n, length), if there is one

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def choose(self, *items: Any) -> Any:
        return self.rng.choice(items)

    def name(self) -> str:
        return f"l{len(self.declared)}"

    def layer(self, expression: str, shape: tuple[int, ...], call: str = "self.NAME(x)") -> None:
        """Add a layer and its call."""
        name = self.name()
        declare = f"self.{name} = {expression}"
        self.declared.append((declare, name, self.shape, shape))
        self.lines.append(Line("x = " + call.replace("NAME", name), (declare,)))
        self.shape = shape

    def call(self, expression: str, shape: tuple[int, ...] | None = None) -> None:
        """Add a call of an operator."""
        self.lines.append(Line(f"x = {expression}"))
        self.shape = self.shape if shape is None else shape

    def options(self, **choices: tuple[str, ...]) -> str:
        """Return some of the options, each with one of its values."""
        return "".join(f", {n}={self.rng.choice(v)}" for n, v in choices.items() if self.chance(0.4))


_ACTIVATIONS = ("'relu'", "'tanh'", "'sigmoid'", "'softrelu'", "'softsign'")


def _dense(m: Maker) -> None:
    units = m.choose(2, 3, 4, 5)
    flat = len(m.shape) == 1
    given = f"{units}{m.options(activation=_ACTIVATIONS, use_bias=('False',))}" + ("" if flat else ", flatten=False")
    m.layer(f"nn.Dense({given})", (units,) if flat else (*m.shape[:-1], units))


def _residual(m: Maker) -> None:
    if len(m.shape) == 1:
        m.layer(f"nn.Dense({m.shape[0]}{m.options(activation=_ACTIVATIONS)})", m.shape, "x + self.NAME(x)")


def _activation(m: Maker) -> None:
    kinds = [f"nn.Activation({a})" for a in _ACTIVATIONS]
    kinds += ["nn.LeakyReLU(0.2)", "nn.PReLU()", "nn.ELU(0.7)", "nn.SELU()", "nn.GELU()", "nn.Swish(1.2)"]
    m.layer(m.rng.choice(kinds), m.shape)


def _norm(m: Maker) -> None:
    options = m.options(epsilon=("1e-3", "1e-5"), center=("False",), scale=("False",))
    kinds = ["batch"] * 3 + ["layer"] + (["instance", "group"] if len(m.shape) > 1 else [])
    kind = m.rng.choice(kinds)
    if kind == "batch":
        moves = m.options(momentum=("0.5", "0.99"), use_global_stats=("True",))
        m.layer(f"nn.BatchNorm({(options + moves).lstrip(', ')})", m.shape)
    elif kind == "layer":
        m.layer(f"nn.LayerNorm({options.lstrip(', ')})", m.shape)
    elif kind == "instance":
        m.layer(f"nn.InstanceNorm({options.lstrip(', ')})", m.shape)
    else:
        m.layer(f"nn.GroupNorm({m.choose(1, *m.shape[:1])}{options})", m.shape)


def _again(m: Maker) -> None:
    """Call a layer a second time: its weights are shared."""
    fits = [d for d in m.declared if d[2] == m.shape and "Embedding" not in d[0] and "rnn" not in d[0]]
    if fits:
        declare, name, _, shape = m.rng.choice(fits)
        m.lines.append(Line(f"x = self.{name}(x)", (declare,)))
        m.shape = shape


def _tied(m: Maker) -> None:
    """Add a layer that has the weights of another one."""
    fits = [d for d in m.declared if d[2] == m.shape and "nn.Dense(" in d[0] and "params" not in d[0]]
    if fits:
        declare, name, _, shape = m.rng.choice(fits)
        new = f"self.{m.name()} = {declare.partition(' = ')[2][:-1]}, params=self.{name}.params)"
        m.declared.append((new, m.name(), m.shape, shape))
        m.lines.append(Line(f"x = self.{m.declared[-1][1]}(x)", (declare, new)))
        m.shape = shape


def _own(m: Maker) -> None:
    """Add a parameter of the net's own."""
    name = f"w{len(m.lines)}"
    given = m.options(lr_mult=("0.5", "0.0", "2.0"), wd_mult=("0.0", "2.0"), grad_req=("'null'", "'add'"))
    given += m.options(differentiable=("False",)) if m.chance(0.3) else ""
    declare = f"self.{name} = self.params.get('{name}', shape=({m.shape[-1]},){given})"
    sign = m.choose("broadcast_mul", "broadcast_add", "broadcast_maximum", "broadcast_sub")
    m.lines.append(Line(f"x = F.{sign}(x, {name})", (declare,)))


def _constant(m: Maker) -> None:
    name = f"w{len(m.lines)}"
    values = [round(m.rng.uniform(-2, 2), 2) for _ in range(m.shape[-1])]
    declare = f"self.{name} = self.params.get_constant('{name}', mx.nd.array({values}))"
    m.lines.append(Line(f"x = F.broadcast_mul(x, {name})", (declare,)))


def _plain(m: Maker) -> None:
    m.call(
        m.choose(
            "F.BlockGrad(x) * 0.5 + x", "F.L2Normalization(x)", "x * 0.3 - 1", "F.clip(x, -0.5, 0.8)", "F.tanh(x) * x",
            "F.softmax(x)", "F.log_softmax(x)", "F.square(x) + x", "F.abs(x)", "F.exp(x * 0.5)", "F.sqrt(F.abs(x) + 1)",
            "F.smooth_l1(x, scalar=1.0)", "F.where(x > 0, x, x * 0.1)", "F.maximum(x, 0.1)", "F.softsign(x)",
            "F.broadcast_sub(x, F.mean(x, axis=-1, keepdims=True))",
            "F.elemwise_mul(x, x)", "F.erf(x)", "F.arcsinh(x)", "F.log1p(F.abs(x))", "F.expm1(x * 0.2)",
        )
    )  # fmt: skip


def _dropout(m: Maker) -> None:
    m.layer("nn.Dropout(0)", m.shape)


def _window(size: int, kernel: int, stride: int, pad: int) -> int:
    return (size + 2 * pad - kernel) // stride + 1


def _convolution(m: Maker) -> None:
    channels, *sizes = m.shape
    kernel, stride, pad = m.choose(1, 2, 3), m.choose(1, 1, 2), m.choose(0, 1)
    after = [_window(s, kernel, stride, pad) for s in sizes]
    if min(after) < 1:
        return
    filters = m.choose(2, 3, 4)
    given = f"{filters}, {kernel}, {stride}, {pad}"
    given += m.options(activation=("'relu'", "'tanh'"), use_bias=("False",))
    if channels % 2 == 0 and filters % 2 == 0 and m.chance(0.3):
        given += ", groups=2"
    m.layer(f"nn.Conv{len(sizes)}D({given})", (filters, *after))


def _deconvolution(m: Maker) -> None:
    _, *sizes = m.shape
    kernel, stride, pad = m.choose(2, 3), m.choose(1, 2), m.choose(0, 1)
    extra = m.choose(0, 1) if stride > 1 else 0
    after = [(s - 1) * stride - 2 * pad + kernel + extra for s in sizes]
    if min(after) < 1 or max(after) > 12:
        return
    filters = m.choose(2, 3)
    given = f"{filters}, {kernel}, {stride}, {pad}, {extra}{m.options(use_bias=('False',))}"
    m.layer(f"nn.Conv{len(sizes)}DTranspose({given})", (filters, *after))


def _pooling(m: Maker) -> None:
    channels, *sizes = m.shape
    n = len(sizes)
    if m.chance(0.3):
        m.layer(f"nn.Global{m.choose('Avg', 'Max')}Pool{n}D()", (channels, *[1] * n))
        return
    if min(sizes) < 2:
        return
    kind = m.choose("Avg", "Max")
    given = f"2, {m.choose(1, 2)}"
    stride = int(given[-1])
    m.layer(f"nn.{kind}Pool{n}D({given})", (channels, *[_window(s, 2, stride, 0) for s in sizes]))


def _recurrent(m: Maker) -> None:
    length, _ = m.shape
    hidden, layers, both = m.choose(2, 3), m.choose(1, 1, 2), m.chance(0.3)
    kind = m.choose("LSTM", "GRU", "RNN")
    given = f"{hidden}, {layers}, layout='NTC'" + (", bidirectional=True" if both else "")
    given += m.options(activation=("'relu'", "'tanh'")) if kind == "RNN" else ""
    m.layer(f"rnn.{kind}({given})", (length, hidden * (1 + both)))


def _cell(m: Maker) -> None:
    length, _ = m.shape
    hidden = m.choose(2, 3)
    kind = m.choose("LSTMCell", "GRUCell", "RNNCell")
    m.layer(
        f"rnn.{kind}({hidden})", (length, hidden), f"self.NAME.unroll({length}, x, layout='NTC', merge_outputs=True)[0]"
    )


def _attention(m: Maker) -> None:
    width = m.shape[1]
    score = f"F.batch_dot(x, x, transpose_b=True) / {width}**0.5"
    if m.masked:
        score = f"F.broadcast_add({score}, (1 - F.expand_dims({m.masked}, axis=1)) * -1e4)"
    m.call(f"F.batch_dot(F.softmax({score}), x)")


def _mask(m: Maker) -> None:
    if m.masked:
        m.call(f"F.broadcast_mul(x, F.expand_dims({m.masked}, axis=2))")


def _mean_over_steps(m: Maker) -> None:
    _, width = m.shape
    if m.masked and m.chance(0.6):
        total = f"F.sum(F.broadcast_mul(x, F.expand_dims({m.masked}, axis=2)), axis=1)"
        m.call(f"F.broadcast_div({total}, F.sum({m.masked}, axis=1, keepdims=True) + 1e-3)", (width,))
    else:
        m.call(m.choose("F.mean(x, axis=1)", "F.max(x, axis=1)", "F.sum(x, axis=1)"), (width,))


Recipe = Callable[[Maker], None]
_ANY: list[Recipe] = [_activation, _norm, _own, _constant, _plain, _dropout, _again]
_VECTOR: list[Recipe] = [_dense, _dense, _dense, _residual, _tied, *_ANY]
_IMAGE: list[Recipe] = [_convolution, _convolution, _convolution, _deconvolution, _pooling, *_ANY]
_SEQUENCE: list[Recipe] = [_dense, _recurrent, _recurrent, _cell, _attention, _mask, *_ANY]


def _grow(m: Maker, recipes: list[Recipe], count: int) -> None:
    for _ in range(count):
        m.rng.choice(recipes)(m)


def _vectors(m: Maker) -> None:
    width = m.choose(3, 4, 5)
    m.inputs.append(("x", f"numbers(seed, (n, {width}))"))
    m.shape = (width,)


def _images(m: Maker) -> None:
    m.shape = m.choose((1, 5, 5), (2, 4, 6), (3, 6, 6), (2, 7), (1, 3, 4, 4))
    m.inputs.append(("x", f"numbers(seed, (n, {', '.join(map(str, m.shape))}))"))
    _grow(m, _IMAGE, m.choose(1, 2, 3, 4))
    m.layer("nn.Flatten()", (_product(m.shape),))


def _product(shape: tuple[int, ...]) -> int:
    total = 1
    for size in shape:
        total *= size
    return total


def _add_mask(m: Maker, length: int) -> None:
    if m.chance(0.5):
        m.masked = "xm"  # an NDArrayIter sorts names, and a Module takes arrays by their order
        m.inputs.append(("xm", f"mask(seed + 50, (n, {length}))"))


def _sequences(m: Maker) -> None:
    length, width = m.choose(2, 3, 4), m.choose(2, 3)
    m.inputs.append(("x", f"numbers(seed, (n, {length}, {width}))"))
    m.shape = (length, width)
    _add_mask(m, length)
    _grow(m, _SEQUENCE, m.choose(1, 2, 3))
    _mean_over_steps(m)


def _words(m: Maker) -> None:
    length, words, width = m.choose(1, 2, 3), m.choose(4, 6, 9), m.choose(2, 3)
    m.inputs.append(("x", f"whole(seed, (n, {length}), {words})"))
    m.shape = (length,)
    m.layer(f"nn.Embedding({words}, {width}{m.options(sparse_grad=('True',))})", (length, width))
    _add_mask(m, length)
    if m.chance(0.7):
        _mask(m)
    _grow(m, _SEQUENCE, m.choose(0, 1, 2))
    if m.shape == (length, width) and m.chance(0.2):  # the words' vectors once more, to tell words apart
        declare, name, _, _ = m.declared[0]
        new = f"self.tied = nn.Dense({words}, flatten=False, params=self.{name}.params)"
        m.lines.append(Line("x = self.tied(x)", (declare, new)))
        m.shape = (length, words)
    _mean_over_steps(m)


def _factors(m: Maker) -> None:
    """Two embeddings whose product is a rating."""
    width = m.choose(2, 3)
    for i, name in enumerate(("x", "xu")):
        m.inputs.append((name, f"whole(seed + {i}, (n,), {m.choose(3, 5)})"))
    sparse = m.options(sparse_grad=("True",))
    calls, declares = [], []
    for name in ("x", "xu"):
        below = dict(m.inputs)[name].rpartition(" ")[2][:-1]
        declares.append(f"self.of_{name} = nn.Embedding({below}, {width}{sparse})")
        calls.append(f"self.of_{name}({name})")
    m.lines.append(Line(f"x = {' * '.join(calls)}", tuple(declares)))
    m.shape = (width,)


def make_sequence_net(rng: random.Random, width: int) -> Maker:
    """Return the lines of a net whose result is a sequence of five vectors of so many numbers."""
    m = Maker(rng)
    size = m.choose(2, 3)
    m.inputs.append(("x", f"numbers(seed, (n, 5, {size}))"))
    m.shape = (5, size)
    _grow(m, _SEQUENCE, m.choose(0, 1, 2))
    m.layer(f"nn.Dense({width}, flatten=False)", (5, width))
    return m


def make_net(rng: random.Random, width: int) -> Maker:
    """Return the lines of a net whose result has this many columns."""
    m = Maker(rng)
    rng.choice([_vectors, _vectors, _images, _images, _sequences, _words, _words, _factors])(m)
    _grow(m, _VECTOR, m.choose(0, 1, 2, 3))
    m.layer(f"nn.Dense({width}{m.options(use_bias=('False',))})", (width,))
    return m
