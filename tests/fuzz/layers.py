"""Statements with state or structure: layers, children, loops, recurrent cells, random numbers that are not drawn."""

from __future__ import annotations

import dataclasses
from typing import Any

from .builder import Builder
from .program import Function, Statement
from .recipes import RECIPES, recipe

__all__: list[str] = []

_ACTIVATIONS = ["None", "'relu'", "'tanh'", "'sigmoid'"]


@recipe(4)
def dense(b: Builder) -> Any:
    settings = f"{b.choose([1, 2, 3])}, activation={b.choose(_ACTIVATIONS)}"
    settings += f", flatten={b.chance(0.6)}, use_bias={b.chance(0.8)}"
    return b.layer(f"nn.Dense({settings})", b.pick_float(least=2))


@recipe(4)
def convolution(b: Builder) -> Any:
    x = b.pick_float(rank=b.choose([3, 4, 4, 4, 5]))
    if x is None:
        return None
    channels, kernel = b.choose([1, 2, 4]), b.choose([1, 2, 3])
    settings = f"{channels}, {kernel}, strides={b.choose([1, 1, 2])}, padding={b.choose([0, 1])}"
    settings += f", activation={b.choose(_ACTIVATIONS)}, use_bias={b.chance(0.7)}"
    if b.chance(0.2):
        settings += f", groups={b.choose([1, 2])}"
    if b.chance(0.15):
        settings += ", dilation=2"
    return b.layer(f"nn.Conv{len(b.shape(x)) - 2}D({settings})", x)


@recipe(2)
def deconvolution(b: Builder) -> Any:
    x = b.pick_float(rank=b.choose([3, 4, 4, 5]))
    if x is None:
        return None
    stride = b.choose([1, 2, 3])
    settings = f"{b.choose([1, 2, 4])}, {b.choose([1, 2, 3])}, strides={stride}, padding={b.choose([0, 1])}"
    settings += f", output_padding={b.choose(range(stride))}, groups={b.choose([1, 1, 1, 2])}"
    settings += f", dilation={b.choose([1, 1, 1, 2])}, activation={b.choose(_ACTIVATIONS)}, use_bias={b.chance(0.6)}"
    return b.layer(f"nn.Conv{len(b.shape(x)) - 2}DTranspose({settings})", x)


@recipe(1.5, "nd")
def function_in_python(b: Builder) -> Any:
    """A function that says its gradient itself."""
    return b.call("Bent()({0})", b.pick_float(least=1))


@recipe(1.5, "nd")
def operator_in_python(b: Builder) -> Any:
    """An operator that is written in Python, with two results."""
    x = b.pick_float(least=1)
    if x is None or b.dtype(x) != "float32":
        return None
    y = b.pick(lambda a: a.shape == b.shape(x) and a.dtype == b.values[x].dtype)
    return b.call("F.Custom({0}, {1}, op_type='two_sums')", x, y, targets=2)


def _one_layer(b: Builder, table: str, x: str | None, **words: Any) -> Any:
    """Add one of the layers of a table, words in capitals replaced."""
    if x is None:
        return None
    expression = b.choose([line.strip() for line in table.splitlines() if line.strip()])
    for word, value in words.items():
        expression = expression.replace(word, str(value))
    return b.layer(expression, x)


POOLING = """
    nn.MaxPoolRANKD(SETTINGS)
    nn.AvgPoolRANKD(SETTINGS)
    nn.AvgPoolRANKD(SETTINGS, count_include_pad=False)
    nn.GlobalAvgPoolRANKD()
    nn.GlobalMaxPoolRANKD()
"""


@recipe(3)
def pooling(b: Builder) -> Any:
    x = b.pick_float(rank=b.choose([3, 4, 4, 5]))
    settings = f"{b.choose([2, 3])}, strides={b.choose([1, 2])}, padding={b.choose([0, 1])}, ceil_mode={b.chance(0.3)}"
    return _one_layer(b, POOLING, x, RANK=0 if x is None else len(b.shape(x)) - 2, SETTINGS=settings)


NORMS = """
    nn.BatchNorm(axis=AXIS, scale=SCALE, center=CENTER)
    nn.BatchNorm(axis=AXIS, scale=SCALE, center=CENTER)
    nn.BatchNorm(axis=AXIS, use_global_stats=True)
    nn.LayerNorm()
    nn.LayerNorm(axis=AXIS)
    nn.InstanceNorm()
    nn.GroupNorm(1)
"""


@recipe(0.5)
def stack(b: Builder) -> Any:
    """A few convolutions with what mostly follows them: what the compiler runs with the batch last."""
    x = b.pick_float(rank=4)
    if x is None or b.dtype(x) != "float32":
        return None
    made: Any = None
    for _ in range(b.choose([1, 2, 3])):
        if made is None or b.chance(0.3):
            settings = f"{b.choose([1, 2, 3])}, {b.choose([1, 3, (3, 2)])}, padding={b.choose([0, 1])}"
            made = b.layer(f"nn.Conv2D({settings}, activation={b.choose(_ACTIVATIONS)})", x)
        if made is None:
            return None
        x = made[0]
        made = _follow(b, x) or made
        x = made[0]
    return made


_FOLLOWERS = {
    "nd": """
        F.relu({0})
        F.tanh({0}) + {0}
        F.concat({0}, {0}, dim=1)
        F.concat({0}, F.relu({0}), dim=0)
        {0} * 2 + {0}
        F.flatten({0})
        F.reshape({0}, shape=(0, -1))
        F.mean({0}, axis=(2, 3))
    """,
    "np": """
        F.npx.relu({0})
        F.np.tanh({0}) + {0}
        F.np.concatenate([{0}, {0}], axis=1)
        {0} * 2 + {0}
        {0}.reshape((-2, -1))
        F.np.mean({0}, axis=(2, 3))
    """,
}
_LAYERS_AFTER = """
    nn.BatchNorm()
    nn.BatchNorm(scale=False)
    nn.MaxPool2D(2)
    nn.AvgPool2D(2, strides=1)
    nn.MaxPool2D(3, strides=2, padding=1)
    nn.GlobalAvgPool2D()
    nn.Dense(3)
    nn.Dense(2, activation='relu')
    nn.Conv2D(2, 3, padding=1)
    nn.Conv2D(2, 1)
    nn.Dropout(0)
    nn.Activation('tanh')
"""


def _follow(b: Builder, x: str) -> Any:
    """Add what may follow a convolution."""
    return b.line(_FOLLOWERS, x) if b.chance(0.4) else _one_layer(b, _LAYERS_AFTER, x)


@recipe(4)
def norm(b: Builder) -> Any:
    words = {"AXIS": b.choose([1, 1, -1]), "SCALE": b.chance(0.8), "CENTER": b.chance(0.8)}
    return _one_layer(b, NORMS, b.pick_float(least=2), **words)


SMALL = """
    nn.PReLU()
    nn.ELU()
    nn.SELU()
    nn.GELU()
    nn.Swish()
    nn.LeakyReLU(0.1)
    nn.Flatten()
    nn.Dropout(0)
    nn.Activation('relu')
    nn.Activation('softrelu')
"""


@recipe(1.5)
def dropout(b: Builder) -> Any:
    """What draws random numbers, in the order of the program."""
    return b.layer("nn.Dropout(0.5)", b.pick_float(least=1))


@recipe(3)
def small_layer(b: Builder) -> Any:
    return _one_layer(b, SMALL, b.pick_float(least=1))


@recipe(1.5)
def embedding(b: Builder) -> Any:
    x = b.pick(lambda a: a.dtype in ("int32", "int64") and a.ndim >= 1) or b.fresh((2, 3), "float32", "whole")
    layer, through = b.choose(["nn.Embedding(4, 3)", "nn.Embedding(4, 3, sparse_grad=True)"]), "{}"
    if "sparse" in layer:  # whether a row that doesn't exist is an error depends on the outputs that get gradients
        through = "F.clip({}, 0, 3)" if b.flavour == "nd" else "F.np.clip({}, 0, 3)"
    return b.layer(layer, x, through=through)


@recipe(2)
def own_parameter(b: Builder) -> Any:
    """A parameter of the block's own, used directly."""
    x = b.pick_float(least=1)
    if x is None or b.dtype(x) != "float32" or 0 in b.shape(x):
        return None
    name = f"weight{b.number()}"
    shape = b.choose([b.shape(x), b.shape(x)[-1:]])
    line = f"self.{name} = self.params.get('{name}', shape={shape})"
    operator = "F.broadcast_mul({0}, NAME)" if b.flavour == "nd" else "{0} * NAME"
    if shape == b.shape(x):
        operator = b.choose(["{0} * NAME", "NAME - {0}", "NAME + NAME * {0}"])
    if b.flavour == "nd" and len(shape) == 1 and len(b.shape(x)) > 1:
        operator = operator.replace("NAME", f"F.reshape(NAME, shape={(1,) * (len(b.shape(x)) - 1) + (-1,)})")
    return b.call(operator.replace("NAME", name), x, declares=[line])


@recipe(3)
def again(b: Builder) -> Any:
    """Call a layer or a child a second time."""
    if not b.layers:
        return None
    template, line, before = b.choose(b.layers)
    arguments = []
    for name in before:
        like = b.values[name]
        arguments.append(b.pick(lambda a, like=like: a.shape == like.shape and a.dtype == like.dtype) or name)
    return b.call(template, *arguments, declares=[line])


@recipe(3)
def child(b: Builder) -> Any:
    """A block inside the block."""
    count = b.choose([1, 1, 2])
    arguments = [b.pick_float(least=1) for _ in range(count)]
    if None in arguments or len(b.blocks) > 3:
        return None
    name = f"Child{b.number()}"
    inner = Builder(b.rng, b.flavour, name, b.number, b.blocks)
    inner.fixed, inner.weights = True, b.weights
    parameters = []
    for argument in arguments:
        parameter = f"x{b.number()}"
        parameters.append(parameter)
        inner.values[parameter] = b.values[argument]
    inner.names = b.names
    grow(inner, b.choose([1, 2, 4]))
    if not inner.statements:
        return None
    made = [t for s in inner.statements for t in s.targets]
    outputs = [made[-1], *b.rng.sample([*made, *parameters], b.choose([0, 0, 1, 2]) if len(made) > 1 else 0)]
    block = dataclasses.replace(inner.block(outputs), parameters=tuple(parameters)).needed()
    scope = dict(b.names)
    try:
        exec(compile("\n".join(block.lines()), "<fuzz>", "exec"), scope)
    except Exception:
        return None
    b.names[name] = scope[name]
    b.blocks.append(block)
    result = b.layer(f"{name}()", *arguments)
    if result is None:
        b.blocks.remove(block)
    return result


def grow(b: Builder, count: int) -> None:
    """Add so many statements, if they can be found."""
    recipes = [r for r in RECIPES if b.flavour in r.flavours]
    weights = [r.weight * b.weights.get(r.make.__name__, 1.0) for r in recipes]
    for _ in range(count * 4):
        if len(b.statements) >= count:
            return
        b.rng.choices(recipes, weights)[0].make(b)


# --- control flow ---------------------------------------------------------------------------------

#: What bodies are made of.
_SIMPLE = {
    "unary",
    "binary",
    "scalar",
    "reshape",
    "turn",
    "cut",
    "reduce",
    "normalize",
    "join",
    "units",
    "norm",
    "dense",
}


def _body(b: Builder, given: dict[str, Any], count: int, result: Any) -> tuple[tuple[Statement, ...], str] | None:
    """Return a few statements on some values, the last of which has the type of ``result``, and its name."""
    inner = Builder(b.rng, b.flavour, "body", b.number, list(b.blocks))
    inner.fixed, inner.names, inner.values, inner.self = True, b.names, dict(given), b.self
    recipes = [r for r in RECIPES if r.make.__name__ in _SIMPLE]
    for _ in range(count * 4):
        if len(inner.statements) >= count:
            break
        b.choose(recipes).make(inner)
    if result is None:
        return tuple(inner.statements), inner.statements[-1].targets[0] if inner.statements else next(iter(given))
    fitting = [n for n, a in inner.values.items() if a.shape == result.shape and a.dtype == result.dtype]
    return (tuple(inner.statements), fitting[-1]) if fitting else None


def _declared(*functions: Function) -> list[str]:
    """Return the layers that functions call."""
    return [line for f in functions for s in f.statements for line in s.declares]


@recipe(2)
def foreach(b: Builder) -> Any:
    x, s = b.pick_float(least=2), b.pick_float(least=1)
    if x is None or s is None or 0 in b.shape(x) or not 1 <= b.shape(x)[0] <= 5:
        return None
    given = {"p_x": b.values[x][0], "p_s": b.values[s]}
    if b.chance(0.5):
        free = b.pick_float()
        given[free] = b.values[free]  # a value from outside
    state = _body(b, given, 2, b.values[s])
    out = _body(b, {**given}, 1, None)
    if state is None or out is None:
        return None
    name = f"body{b.number()}"
    statements, new_state = state
    function = Function(name, "p_x, p_s", (*statements, *out[0]), "[{0}, p_x * 2], {1}", (out[1], new_state))
    return b.call(
        f"F.contrib.foreach({name}, {{0}}, {{1}})", x, s,
        declares=_declared(function), functions=[function], pattern="[{0}, {1}], {2}",
    )  # fmt: skip


@recipe(1)
def while_loop(b: Builder) -> Any:
    s = b.pick_float(least=1)
    if s is None:
        return None
    step = _body(b, {"p_s": b.values[s]}, 2, b.values[s])
    if step is None:
        return None
    name = b.number()
    count = b.fresh((1,), "float32", "ones")
    function = Function(f"body{name}", "p_i, p_s", step[0], "{1} * 2, [p_i + 1, {0}]", (step[1], step[1]))
    condition = Function(f"go{name}", "p_i, p_s", (), "p_i < 4", ())
    text = f"F.contrib.while_loop(go{name}, body{name}, [{{0}}, {{1}}], max_iterations={b.choose([3, 5])})"
    return b.call(
        text, count, s, declares=_declared(function), functions=[function, condition], pattern="{0}, [{1}, {2}]"
    )


@recipe(1)
def cond(b: Builder) -> Any:
    x = b.pick_float(least=1)
    if x is None:
        return None
    given = {x: b.values[x]}
    then, other = _body(b, given, 2, b.values[x]), _body(b, given, 1, b.values[x])
    if then is None or other is None:
        return None
    name = b.number()
    functions = [Function(f"then{name}", "", then[0], "{0} + 1", (then[1],))]
    functions += [Function(f"other{name}", "", other[0], "{0} * 2", (other[1],))]
    test = b.choose(["{0}.sum() > 0", "{0}.sum() < 100", "{0}.max() > 0.5"])
    text = f"F.contrib.cond({test}, then{name}, other{name})"
    return b.call(text, x, declares=_declared(*functions), functions=functions)


# --- recurrent nets -------------------------------------------------------------------------------


@recipe(1.5, "nd")
def unrolled(b: Builder) -> Any:
    """A recurrent cell, unrolled."""
    x = b.pick_float(rank=3)
    if x is None or 0 in b.shape(x) or b.dtype(x) != "float32":
        return None
    residual = f"rnn.ResidualCell(rnn.GRUCell({b.shape(x)[2]}))"
    cell = b.choose(["rnn.RNNCell(2)", "rnn.LSTMCell(2)", "rnn.GRUCell(2)", residual])
    layout = b.choose(["NTC", "TNC"])
    length = b.shape(x)[layout.index("T")]
    merge = b.choose([True, True, False])
    name = f"cell{b.number()}"
    text = f"self.{name}.unroll({length}, {{0}}, layout='{layout}', merge_outputs={merge})[0]"
    return b.call(text, x, declares=[f"self.{name} = {cell}"])


@recipe(1.5)
def recurrent(b: Builder) -> Any:
    """A recurrent layer."""
    x = b.pick_float(rank=3)
    if x is None or 0 in b.shape(x) or b.dtype(x) != "float32":
        return None
    kind = b.choose(["LSTM", "GRU", "RNN"])
    settings = f"2, num_layers={b.choose([1, 2])}, bidirectional={b.chance(0.3)}, layout='{b.choose(['TNC', 'NTC'])}'"
    return b.layer(f"rnn.{kind}({settings})", x)
