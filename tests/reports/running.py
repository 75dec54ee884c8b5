"""Runs a small program, here or with real MXNet, and describes everything that it shows.

A program shows values with ``put(value, ...)``, and the value or the error of a call with ``tr(function)``. With
``both(function, *arrays)``, it shows the results and the gradients of a function of ``F`` and arrays that runs eagerly,
hybridized, and as a symbol.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import sys
import warnings

import numpy

#: Larger arrays are described by their first elements and their sum.
MOST = 400
#: A program that takes longer does not end.
SECONDS = 20


def described(mx, value):
    """Return a value as JSON can hold it: its kind, element type and shape, and its elements."""
    if isinstance(value, mx.sym.Symbol):
        return ["symbol", value.list_arguments(), value.list_outputs(), value.list_auxiliary_states()]
    if hasattr(value, "asnumpy"):
        kind = "np" if isinstance(value, mx.np.ndarray) else value.stype
        return [kind, *_elements(value.asnumpy())]
    if isinstance(value, (float, int, numpy.number)) and not isinstance(value, bool):
        return ["number", _plain(float(value))]  # a metric's is NumPy's in MXNet
    if isinstance(value, numpy.ndarray):
        return ["numpy", *_elements(value)]
    if isinstance(value, dict):
        return ["dict", sorted([str(key), described(mx, one)] for key, one in value.items())]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, [described(mx, one) for one in value]]
    return [type(value).__name__, _plain(value) if isinstance(value, (bool, str)) else None]


def _elements(array):
    flat = array.ravel()
    shown = [_plain(one) for one in flat[:MOST].tolist()]
    if flat.size > MOST:
        shown.append(_plain(float(flat.astype("float64").sum())))
    return [str(array.dtype), list(array.shape), shown]


def _plain(value):
    """Return a number with nine digits: single precision has fewer."""
    return float(f"{value:.9g}") if isinstance(value, float) else value


def run(mx, program):
    """Run a program.

    Parameters
    ----------
    mx : module
        MXNet, or this package.
    program : str
        Its lines.

    Returns
    -------
    list of lists
        What it showed, and at last, if it ended with an error, its class.
    """
    shown = []

    def put(*values):
        shown.extend(described(mx, value) for value in values)

    def tr(call):
        try:
            put(call())
        except Exception as error:
            shown.append(["raises", type(error).__name__])

    def both(function, *arrays, train=True, req="write"):
        for way in (_eagerly, _hybridized, _as_symbol):
            tr(lambda way=way: way(mx, function, arrays, train, req))

    names = {
        "mx": mx, "nd": mx.nd, "sym": mx.sym, "gluon": mx.gluon, "autograd": mx.autograd, "nn": mx.gluon.nn,
        "rnn": mx.gluon.rnn, "np": mx.np, "npx": mx.npx, "onp": numpy, "put": put, "tr": tr, "R": numbers, "both": both,
    }  # fmt: skip
    mx.random.seed(0)
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(), mx.name.NameManager():
            warnings.simplefilter("ignore")
            exec(compile(program, "program", "exec"), names)
            mx.nd.waitall()
    except Exception as error:
        shown.append(["ends with", type(error).__name__])
    finally:
        mx.npx.reset_np()
    return shown


def _eagerly(mx, function, arrays, train, req, hybridize=False):
    """Return the results of two calls in a block, and the gradients of its arrays after each."""

    class Block(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, *inputs):
            return function(F, *inputs)

    block = Block()
    if hybridize:
        block.hybridize()
    inputs = [(mx.np if mx.util.is_np_array() else mx.nd).array(a, dtype=a.dtype) for a in arrays]
    for one in inputs:
        one.attach_grad(req)
    shown = []
    for _ in range(2):
        with mx.autograd.record(train_mode=train):
            outputs = block(*inputs)
        outputs = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
        kind = mx.np if mx.util.is_np_array() else mx.nd
        mx.autograd.backward(outputs, [kind.array(numbers(*y.shape), dtype=y.dtype) for y in outputs])
        shown.extend(one.copy() for one in [*outputs, *(x.grad for x in inputs)])
    return shown


def _hybridized(mx, function, arrays, train, req):
    return _eagerly(mx, function, arrays, train, req, hybridize=True)


def _as_symbol(mx, function, arrays, train, req):
    """Return the results of an executor after two passes, and the gradients of its arrays."""
    if mx.util.is_np_array():
        return []
    names = [f"x{i}" for i in range(len(arrays))]
    symbol = function(mx.sym, *(mx.sym.var(name) for name in names))
    symbol = mx.sym.Group(list(symbol)) if isinstance(symbol, (list, tuple)) else symbol
    inputs = {name: mx.nd.array(a, dtype=a.dtype) for name, a in zip(names, arrays)}  # noqa: B905  MXNet's Python is older
    inputs = {name: inputs[name] for name in symbol.list_arguments()}
    grads = {name: mx.nd.zeros(a.shape, dtype=a.dtype) for name, a in inputs.items()}
    executor = symbol.bind(mx.cpu(), inputs, args_grad=grads, grad_req=req)
    for _ in range(2):
        outputs = executor.forward(is_train=train)
        if train:
            executor.backward([mx.nd.array(numbers(*y.shape), dtype=y.dtype) for y in outputs])
    return [*executor.outputs, *grads.values()]


def numbers(*shape):
    """Return numbers between -1 and 1 that follow from the shape."""
    return numpy.random.RandomState(sum(shape)).uniform(-1, 1, shape).astype("float32")


def same(mine, theirs, rtol=2e-4, atol=2e-5):
    """Return whether two described values agree."""
    if isinstance(mine, list) and isinstance(theirs, list):
        return len(mine) == len(theirs) and all(same(a, b, rtol, atol) for a, b in zip(mine, theirs))  # noqa: B905  MXNet's Python is older
    if isinstance(mine, float) and isinstance(theirs, float):
        if abs(theirs) == float("inf"):  # which has no neighbors, whatever the tolerance
            return mine == theirs
        return mine == theirs or abs(mine - theirs) <= atol + rtol * abs(theirs) or (mine != mine and theirs != theirs)
    return type(mine) is type(theirs) and mine == theirs


def serve(mx=None):
    """Run the programs that come as lines of JSON, and answer each with a line; with real MXNet if `mx` is None.

    A forked process runs them. A program that ends it is answered with ``null``, and the next program gets another
    process. A process that ended before it read a program, after its last answer, has not run this program: each
    program that got no answer runs once more, in a process that has run nothing else.
    """
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    if mx is None:
        import mxnet as mx  # pyright: ignore[reportMissingImports]

    worker = None
    for line in sys.stdin:
        answer = worker.answer(line) if worker else ""
        if not answer:
            worker = _Worker(mx)
            answer = worker.answer(line)
        if not answer:
            worker = None
        out.write(answer or "null\n")
        out.flush()
    if worker:
        worker.end()


class _Worker:
    """A forked process that runs programs.

    Parameters
    ----------
    mx : module
        MXNet, or this package.
    """

    def __init__(self, mx):
        asks, self._to = os.pipe()
        self._from, answers = os.pipe()
        self._process = os.fork()
        if not self._process:
            os.close(self._to)
            os.close(self._from)
            _work(mx, asks, answers)
        os.close(asks)
        os.close(answers)
        self._answers = os.fdopen(self._from, "r")

    def answer(self, line):
        """Return the answer to a program, as a line; empty if the process has ended."""
        try:
            os.write(self._to, line.encode())
            answer = self._answers.readline()
        except BrokenPipeError:
            answer = ""
        if answer.endswith("\n"):
            return answer
        self.end()
        return ""

    def end(self):
        """Let the process end, and wait for it."""
        os.close(self._to)
        self._answers.close()
        os.waitpid(self._process, 0)


def _work(mx, asks, answers):
    try:
        with os.fdopen(asks) as programs, os.fdopen(answers, "w") as out:
            for line in programs:
                signal.alarm(SECONDS)
                answer = json.dumps(run(mx, json.loads(line)))
                signal.alarm(0)
                out.write(answer + "\n")
                out.flush()
    finally:  # also after SystemExit, because the caller is the other process
        os._exit(0)


if __name__ == "__main__":
    serve()
