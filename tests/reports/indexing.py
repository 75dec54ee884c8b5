"""Generates programs that read and write at all kinds of indices: of arrays, and of operators that take indices."""

from __future__ import annotations

import random

_SHAPES = [(4,), (3, 4), (2, 3, 4), (1, 3), (0, 3), (2, 0, 2)]
_PARTS = [
    "0", "-1", "1", "2", "-3", "5", "slice(None)", "slice(1,None)", "slice(None,-1)", "slice(None,None,-1)",
    "slice(3,1)", "slice(None,None,2)", "slice(-1,None,-2)", "slice(5,9)", "slice(-9,2)", "Ellipsis", "None", "[0,1]",
    "[1,1,0]", "[-1]", "[]", "[[0,1],[1,0]]", "onp.array([0,2])", "onp.int64(1)", "onp.int32(-1)", "onp.array([1.7])",
    "range(2)", "(0,1)", "1.0", "onp.float32(1)", "'a'", "slice(0,2.0)", "slice(None,None,0)", "onp.array(1)",
    "A([0,1])", "A([1.9,0.2])", "A([-1,-2])", "A([])", "A(1)", "A([[0],[1]])", "A([3,4])", "A([0,1],dtype='int64')",
    "A([0,1],dtype='uint8')", "A([1,0],dtype='bool')",
]  # fmt: skip
_VALUES = [
    "onp.array([1.5,2.5,3.5,4.5])", "[7]", "A([5.5])", "[[1],[2],[3]]", "onp.float64(3.7)", "A([[10.,20.,30.,40.]])",
    "True", "onp.arange(3)", "(1,2,3,4)", "None", "'x'", "A([])", "onp.ones((1,1,1,4))*6", "x[0]", "float('nan')",
]  # fmt: skip
_USES = {
    "get": "put(x[{key}])",
    "gradient": "x.attach_grad()\nwith autograd.record():\n    y = x[{key}] * 2\n    z = (y * y).sum()\n"
    "z.backward()\nput(y, x.grad)",
    "set": "x[{key}] = 9\nput(x)",
    "set to": "x[{key}] = {value}\nput(x)",
    "recorded set": "v = A([5.])\nv.attach_grad()\nwith autograd.record():\n    w = x * 1\n    x[{key}] = v * 2\n"
    "    z = (x * 3).sum()\nz.backward()\nput(x, v.grad)",
    "add": "x[{key}] += 10\nput(x)",
    "view": "y = x[{key}]\ny[:] = -5\nput(x, y)",
}
_TRUTH_VALUES = [
    "True", "False", "(True,)", "(False,)", "(0,True)", "(0,False)", "(True,0)", "(True,slice(0,1))",
    "(slice(0,1),True)", "(slice(None),True)", "(slice(None),False)", "(Ellipsis,False)", "(Ellipsis,True)",
    "(None,True)", "(True,[0,1])", "([0,1],True)", "(True,False)", "(True,True)", "(True,1,2)", "(True,None,1)",
    "(onp.bool_(True),)", "[True,False]", "[True]",
]  # fmt: skip
#: Operators on ``x`` of shape (3, 4) and indices ``i``.
_OPERATORS = [
    "nd.take(x, i)", "nd.take(x, i, axis=1, mode='wrap')", "nd.take(x, i, axis=-1)", "nd.take(x, i, mode='raise')",
    "nd.pick(x, i)", "nd.pick(x, i, axis=0, mode='wrap', keepdims=True)", "nd.pick(x, i, axis=None)",
    "nd.Embedding(i, x, 3, 4)", "nd.Embedding(i, x, 3, 4, sparse_grad=True)", "nd.gather_nd(x, i)",
    "nd.gather_nd(x, nd.stack(i, i))", "nd.scatter_nd(x, nd.reshape(i, shape=(1,-1)), shape=(3,4))",
    "nd.one_hot(i, 3) + nd.sum(x)", "nd.SequenceMask(x, i, use_sequence_length=True, value=-1)",
    "nd.SequenceLast(x, i, use_sequence_length=True)", "nd.SequenceReverse(x, i, use_sequence_length=True)",
    "nd.SequenceMask(x, i, use_sequence_length=True, axis=1)", "nd.contrib.index_copy(x, i, nd.ones((3,4))*8)",
    "nd.contrib.boolean_mask(x, i)", "nd.contrib.boolean_mask(x, i, axis=1)", "nd.where(i, x, -x)",
    "nd.batch_take(x, i)", "nd.unravel_index(i, shape=(3,4)).astype('float32') + x.sum()",
    "nd.ravel_multi_index(nd.stack(i,i), shape=(3,4)) + x.sum()", "nd.slice_like(x, i)", "x[i]", "x[:, i]", "x[i, i]",
]  # fmt: skip
_OF_NUMPY = [
    "np.take(x, i)", "np.take(x, i, axis=1)", "np.take(x, i, axis=0, mode='wrap')", "npx.pick(x, i)",
    "npx.one_hot(i, 3)", "npx.gather_nd(x, i)", "npx.index_update(x, i, np.ones((3,)))",
    "npx.index_add(x, i, np.ones((3,)))", "npx.sequence_mask(x, i, use_sequence_length=True)",
    "npx.embedding(i, x, 3, 4)", "np.delete(x, i)", "np.delete(x, i, axis=0)", "np.insert(x, i, 5., axis=1)",
    "np.bincount(i)", "np.unravel_index(i, (3,4))", "x[i]", "x[:, i]", "x[i, i]", "x[i, 1:]", "x[1:, i]", "x[None, i]",
    "x[..., i]", "x[i, None]", "np.split(x, i, axis=1)", "np.roll(x, 5)", "np.rot90(x, 5)", "np.tril(x, -2)",
    "np.triu(x, 9)", "np.diagonal(x, -1)", "np.trace(x, 2)", "np.nonzero(i)", "npx.nonzero(i)",
    "np.expand_dims(x, -3)", "np.swapaxes(x, 0, -1)", "np.argmax(x, axis=1)",
]  # fmt: skip
_INDICES = [
    "[0,1,2]", "[-1,0,5]", "[[0,2],[1,1]]", "[]", "[0.9,1.2,-0.4]", "[2.0**31]", "[float('nan')]", "[-7,9]", "[[[1]]]",
    "1", "[0]",
]  # fmt: skip
_TYPES = ["float32", "int32", "int64", "uint8", "float64", "float16", "int8"]
_TRIED = "x = {array}(R(3,4))\nx.attach_grad()\nwith autograd.record():\n    y = {call}\n    z = (y*2).sum() {when}\n"
_SHOWN = "put(y)\nif z is not None:\n    z.backward()\n    put(x.grad)"
_IF_NUMBERS = "if not isinstance(y, (list, tuple)) and y.dtype == onp.float32 else None"


def _keys(rng):
    for kind in ("nd", "np"):
        for number in range(150):
            shape = rng.choice(_SHAPES[:4] if rng.random() < 0.85 else _SHAPES)
            parts = [rng.choice(_PARTS) for _ in range(rng.choice([1, 1, 1, 2, 2, 2, 3, 4]))]
            key = parts[0] if len(parts) == 1 and rng.random() < 0.8 else f"({','.join(parts)},)"
            use = rng.choice(list(_USES))
            size = shape[0] if len(shape) == 1 else f"{'*'.join(map(str, shape))}"
            made = f"{kind}.zeros({shape})" if 0 in shape else f"{kind}.arange({size}).reshape({shape})"
            start = "npx.set_np()\n" if kind == "np" and rng.random() < 0.7 else ""
            lines = _USES[use].format(key=key, value=rng.choice(_VALUES))
            yield f"{kind} {use} {shape} [{key}] #{number}", f"{start}A = {kind}.array\nx = {made}\n{lines}"


def _truth_values():
    for made in ("nd.arange(6).reshape((2,3))", "np.arange(6).reshape((2,3))", "nd.arange(3)", "np.array(5.)"):
        for key in _TRUTH_VALUES:
            yield f"get {made}[{key}]", f"x = {made}\nput(x[{key}])"
            yield f"set {made}[{key}]", f"x = {made}\nx[{key}] = onp.array([8.])\nput(x)"


def _operators(rng):
    for call in _OPERATORS:
        for values in rng.sample(_INDICES, 5):
            for dtype in rng.sample(_TYPES, 1):
                if (dtype == "uint8" and "-" in values) or "nan" in values or "**" in values:
                    continue  # ``tests/indices`` has these
                start = f"i = nd.array(onp.array({values}), dtype='{dtype}')\n"
                lines = _TRIED.format(array="nd.array", call=call, when="") + _SHOWN
                yield f"{call} of {values} {dtype}", start + lines
    for call in _OF_NUMPY:
        for values in rng.sample([one for one in _INDICES if "**" not in one and "nan" not in one], 4):
            dtype = rng.choice(["float32", "int32", "int64", "bool", "int8" if "-" in values else "uint8"])
            start = f"npx.set_np()\ni = np.array({values}, dtype='{dtype}')\n"
            lines = _TRIED.format(array="np.array", call=call, when=_IF_NUMBERS) + _SHOWN
            yield f"{call} of {values} {dtype}", start + lines


def _slices(rng):
    bounds = ["None", "0", "1", "-1", "2", "5", "-9", "3"]
    for number in range(80):
        begin = [rng.choice(bounds) for _ in range(rng.choice([1, 2]))]
        end = [rng.choice(bounds) for _ in begin]
        step = [rng.choice(["None", "1", "2", "-1", "-2", "0", "7"]) for _ in begin]
        where = ", ".join(f"{name}=({','.join(v)},)" for name, v in (("begin", begin), ("end", end), ("step", step)))
        first = begin[0] if begin[0] != "None" else "0"
        call = rng.choice([
            f"nd.slice(x, {where})",
            f"nd.slice_axis(x, axis={rng.choice([0, 1, -1, -2, 2])}, begin={first}, end={end[0]})",
            f"nd._internal._slice_assign_scalar(x, scalar=5, {where})",
            f"nd._internal._slice_assign(x, nd.ones(nd.slice(x, {where}).shape), {where})",
            f"x[slice({begin[0]},{end[0]},{step[0]})]",
        ])  # fmt: skip
        yield f"{call} #{number}", _TRIED.format(array="nd.array", call=call, when="") + _SHOWN


def programs(seed: int = 5) -> dict[str, str]:
    """Return generated programs by their names."""
    rng = random.Random(seed)
    return dict([*_keys(rng), *_truth_values(), *_operators(rng), *_slices(rng)])
