"""What cannot be hybridized: bodies of ``hybrid_forward``, and what a block made of each does.

    python limit_snippets.py RECORD.json

writes down what happens under real MXNet 1.9.1 (in an interpreter that has it); ``test_limits.py``
compares that with this package.
"""

from __future__ import annotations

import itertools
import json
import linecache
import re
import sys
import warnings

#: Body -> what the note on the error must name as a remedy (None: no error when hybridized).
LEGACY: dict[str, str | None] = {
    "return x[0, 0]": "F.slice",
    "return x[None]": "F.expand_dims",
    "return x[mx.nd.array([0])]": "F.take",
    "return x[1.5]": "F.slice",
    "return x[0]": None,
    "return x[1]": "F.slice_axis",
    "return x[-1]": "F.slice_axis",
    "return x[0:1]": None,
    "y = 0\nfor v in x:\n    y = y + v\nreturn y": None,
    "z = len(x)\nreturn x * z": None,
    "return x['foo']": "list_outputs",
    "if x.dtype == 'float16':\n    return x\nreturn x * 2": "constructor",
    "if x.context == mx.cpu():\n    return x\nreturn x * 2": "constructor",
    "return x if x.ctx == mx.cpu() else x * 2": "constructor",
    "return x * x.shape[0]": "F.reshape",
    "return x / x.size": "F.mean",
    "return x * x.ndim": "axis=-1",
    "return x.T": "F.transpose",
    "x.stype\nreturn x": "dense",
    "x.grad\nreturn x": "outside",
    "x.copyto(mx.cpu())\nreturn x": "F.identity",
    "x.attach_grad()\nreturn x": "outside",
    "x[0] = 2\nreturn x": "F.where",
    "x[:] = x + x\nreturn x": "x = ",
    "x.asnumpy()\nreturn x": "operators of F",
    "x.asscalar()\nreturn x": "operators of F",
    "x.wait_to_read()\nreturn x": "output",
    "return x.copy()": "F.identity",
    "return x.detach()": "F.BlockGrad",
    "x.backward()\nreturn x": "loss",
    "x.as_in_context()\nreturn x": "before the call",
    "x.as_in_context(mx.cpu())\nreturn x": "before the call",
    "x.asnumpy\nreturn x": None,
    "x.item()\nreturn x": "operators of F",
    "x.tolist()\nreturn x": "operators of F",
    "x += 1\nreturn x": "x = x +",
    "x -= 1\nreturn x": "x = x -",
    "x *= 2\nreturn x": r"x = x \*",
    "x /= 2\nreturn x": "x = x /",
    "x += x\nreturn x": "x = x +",
    "x -= x\nreturn x": "x = x -",
    "x *= x\nreturn x": r"x = x \*",
    "x /= x\nreturn x": "x = x /",
    "x %= 2\nreturn x": None,
    "x **= 2\nreturn x": None,
    "x //= 2\nreturn x": "F.floor",
    "x @= x\nreturn x": "F.dot",
    "return x // 2": "F.floor",
    "return x @ x": "F.dot",
    "if x:\n    return x\nreturn x * 2": "F.where",
    "if x.sum() > 0:\n    return x\nreturn x * 2": "F.where",
    "while x.sum() < 3:\n    x = x * 2\nreturn x": "F.contrib.while_loop",
    "return x * 2 if not x.sum() else x": "F.where",
    "return x.sum() and x": "F.where",
    "return x * bool(x.sum())": "F.where",
    "return x * float(x)": "operators of F",
    "return x * int(x)": "operators of F",
    "return F.array([1, 2, 3])": "F.ones",
    "return x + mx.nd.array([[1, 2, 3]])": "Constant",
    "return F.broadcast_add(x, mx.nd.array([[1, 2, 3]]))": "Constant",
    "return mx.nd.relu(x)": "F.relu",
    "return F.relu(5)": "F.full",
    "return F.foo(x)": "Did you mean",
    "return F.rellu(x)": "relu",
    "return F.add(x, x)": "F.broadcast_add",
    "return x.foo()": "Did you mean|operators",
    "return x.rellu()": "relu",
    "return x + F.ones((1, 1))": "F.broadcast_add",
    "return x - F.ones((1, 3))": "F.broadcast_sub",
    "return x * F.ones((1, 3))": "F.broadcast_mul",
    "return x / F.ones((2, 1))": "F.broadcast_div",
    "return x % F.ones((2, 1))": "F.broadcast_mod",
    "return x ** F.ones((2, 1))": "F.broadcast_power",
    "return x > F.ones((1, 3))": "F.broadcast_greater",
    "return x >= F.ones((1, 3))": "F.broadcast_greater_equal",
    "return x < F.ones((1, 3))": "F.broadcast_lesser",
    "return x <= F.ones((1, 3))": "F.broadcast_lesser_equal",
    "return x == F.ones((1, 3))": "F.broadcast_equal",
    "return x != F.ones((1, 3))": "F.broadcast_not_equal",
    "return F.maximum(x, F.ones((1, 3)))": "F.broadcast_maximum",
    "return x + F.ones((4, 5))": r"\(2, 3\).*\(4, 5\)",
    "return x + 'a'": "number",
    "return x + None": "number",
    "return 5": "F.full",
    "return None": "return",
    "return {'a': x}": "list",
    "return (x, [x + 1, x * 2])": None,
}

NP: dict[str, str | None] = {
    "return x[0, 0]": None,
    "return x[0]": None,
    "return x[1]": None,
    "return x[:, 1:]": None,
    "return x[-1]": "F.np.split",
    "return x[None]": "F.np.expand_dims",
    "return x[mx.np.array([0])]": "F.np.take",
    "return x[x > 2]": "F.np.where",
    "return x['foo']": "F.np",
    "return x * x.shape[0]": "F.npx",
    "if x.dtype == 'float16':\n    return x\nreturn x * 2": "constructor",
    "return x * x.ndim": "axis=-1",
    "return x / x.size": "F.np.mean",
    "return x.T": None,
    "return x if x.ctx == mx.cpu() else x * 2": "constructor",
    "return x if x.context == mx.cpu() else x * 2": "constructor",
    "x.stype\nreturn x": "dense",
    "x.grad\nreturn x": "outside",
    "x.copyto(mx.cpu())\nreturn x": "copy",
    "x.attach_grad()\nreturn x": "outside",
    "return x * len(x)": "constructor",
    "x[0] = 2\nreturn x": "F.np.where",
    "x[:] = x + x\nreturn x": "F.np.where",
    "x.asnumpy()\nreturn x": "operators of F",
    "x.asscalar()\nreturn x": "operators of F",
    "x.wait_to_read()\nreturn x": "output",
    "x.item()\nreturn x": "operators of F",
    "x.tolist()\nreturn x": "operators of F",
    "return x.copy()": "F.np",
    "return x.detach()": "F.BlockGrad",
    "x.backward()\nreturn x": "loss",
    "x.as_in_context(mx.cpu())\nreturn x": "before the call",
    "x.as_in_ctx(mx.cpu())\nreturn x": "before the call",
    "x += 1\nreturn x": "x = x +",
    "x -= x\nreturn x": "x = x -",
    "x *= 2\nreturn x": r"x = x \*",
    "x /= 2\nreturn x": "x = x /",
    "x %= 2\nreturn x": None,
    "x **= 2\nreturn x": None,
    "x //= 2\nreturn x": "F.np.floor",
    "x @= x.T\nreturn x": "F.np.dot",
    "return x @ F.np.ones((3, 2))": "F.np.dot",
    "return x // 2": "F.np.floor",
    "if x.sum() > 0:\n    return x\nreturn x * 2": "F.np.where",
    "while x.sum() < 3:\n    x = x * 2\nreturn x": "while_loop",
    "return x * 2 if not x.sum() else x": "F.np.where",
    "s = 0\nfor row in x:\n    s = s + row\nreturn s": "F.np.split",
    "return float(x.sum()) + x": "operators of F",
    "return int(x.sum()) + x": "operators of F",
    "return F.np.array([1, 2, 3])": "F.np.ones",
    "return x + mx.np.array([1, 2, 3])": "Constant",
    "return F.np.add(x, mx.np.array([1, 2, 3]))": "Constant",
    "return mx.npx.relu(x)": "F.npx",
    "return F.np.foo(x)": "Did you mean|F.np",
    "return F.np.addd(x, x)": "add",
    "return F.npx.rellu(x)": "relu",
    "return x.foo()": "Did you mean|operators",
    "return F.relu(x)": "F.npx.relu",
    "return F.dot(x, x.T)": "F.np.dot",
    "return F.np.dot(x, x.T)": None,
    "return x + F.np.ones((1, 1))": None,
    "return x + F.np.ones((4, 5))": r"\(2, 3\).*\(4, 5\)",
    "return x == F.np.ones((1, 3))": None,
    "return x.reshape(0, -1)": "F.npx.reshape",
    "return x + 'a'": "number",
    "return 5": "F.np.full",
    "return None": "return",
    "return {'a': x}": "list",
    "return (x, [x + 1, x * 2])": None,
}

MODES = {"legacy": LEGACY, "np": NP}

_number = itertools.count(1)


def make(mx, body: str, prefix: str = "t_"):
    """Return a block with this body; a traceback shows its lines, as it does in a notebook."""
    lines = "\n".join("        " + line for line in body.split("\n"))
    source = f"class Snippet(mx.gluon.nn.HybridBlock):\n    def hybrid_forward(self, F, x):\n{lines}\n"
    file = f"<snippet {next(_number)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names = {"mx": mx}
    exec(compile(source, file, "exec"), names)
    return names["Snippet"](prefix=prefix)


def array(mx, mode: str):
    """Return the input."""
    return (mx.np if mode == "np" else mx.nd).array([[1, 2, 3], [4, 5, 6]])


def attempt(net, x) -> dict[str, str]:
    """Return what a call gives: its result, or its error."""
    try:
        return {"result": repr(net(x))}
    except Exception as error:
        kind = type(error)
        return {"raises": kind.__name__, "message": without_places(str(error))}


def without_places(message: str) -> str:
    """Return MXNet's message without the places in its C++ sources, which we have none of."""
    message = re.sub(r'^Traceback \(most recent call last\):\n  File "[^"]*", line \d+\n', "", message)
    message = re.sub(r"\[\d\d:\d\d:\d\d\] [^ ]*:\d+: ", "", message)
    return re.sub(r"^(?:MXNetError: )+", "", message).strip()


def record(mx) -> dict[str, dict[str, dict]]:
    """Return what all blocks do, imperative and hybridized."""
    found: dict[str, dict[str, dict]] = {}
    for mode, bodies in MODES.items():
        (mx.util.set_np if mode == "np" else mx.util.reset_np)()
        found[mode] = {}
        for body in bodies:
            case = {}
            for active in (False, True):
                net = make(mx, body)
                net.hybridize(active)
                case["hybridized" if active else "imperative"] = attempt(net, array(mx, mode))
            found[mode][body] = case
    mx.util.reset_np()
    return found


if __name__ == "__main__":
    import mxnet

    warnings.simplefilter("ignore")
    with open(sys.argv[1], "w") as file:
        json.dump(record(mxnet), file, indent=1)
