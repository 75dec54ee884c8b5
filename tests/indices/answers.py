"""What a call of :mod:`cases` gives: its values and gradients, or its error.

Nothing of this package is imported here: ``mx`` is real MXNet, or the package.
"""

from __future__ import annotations

from typing import Any

import numpy

__all__ = ["answer", "make_block"]

LETTERS = "abc"


def make_block(mx, code):
    """Return a block that computes an expression."""

    class Call(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, a, b=None, c=None):
            return eval(code, {"F": F, "a": a, "b": b, "c": c, "numpy": numpy})

    return Call()


def _eager(mx, instance, code, arrays):
    names = {"F": mx.nd, "numpy": numpy}
    names.update(zip(LETTERS, arrays, strict=False))
    if instance.hybrid or not code.startswith("y = "):
        return eval(code, names)
    exec(code, names)
    return names["y"]


def _numbers(array):
    """Return an array as JSON: its shape and its elements; what JSON has not as words."""
    array = array.asnumpy() if hasattr(array, "asnumpy") else numpy.asarray(array)
    kind = array.dtype.kind
    if kind == "f":
        flat = [float(f"{x:.7g}") for x in array.reshape(-1)]
        flat = [x if numpy.isfinite(x) else repr(x) for x in flat]
        flat = [int(x) if isinstance(x, float) and x == int(x) and abs(x) < 1e15 else x for x in flat]
    else:
        flat = [int(x) for x in array.reshape(-1)]
    return [str(array.dtype), list(array.shape), flat]


def _failure(error):
    first = (str(error).strip() or type(error).__name__).splitlines()
    told = [line for line in first if "Check failed" in line or "Error" in line] or first
    return {"error": type(error).__name__, "says": told[0][:160]}


def answer(mx, instance, a_try, block=None):
    """Return what a call gives with a value: ``{"values": ..., "gradients": ...}`` or ``{"error": ..., "says": ...}``.

    Parameters
    ----------
    mx : module
        MXNet, or this package.
    instance : Instance
        The call.
    a_try : Try
        The value.
    block : HybridBlock, optional
        What is called; else the expression is evaluated on arrays.
    """
    names = {"numpy": numpy, "T": a_try.dtype}
    code = instance.code.replace("V", a_try.value) if instance.kinds == "number" else instance.code
    if instance.np:
        mx.npx.set_np()
    try:
        with numpy.errstate(all="ignore"):
            inputs = [eval(text.replace("V", a_try.value), names) for text in instance.inputs]
        make = mx.np.array if instance.np else mx.nd.array
        arrays = [make(x, dtype=x.dtype) for x in inputs]
        # An index has no derivative; a coordinate may have one.
        differentiated = [
            x
            for x, y, text in zip(arrays, inputs, instance.inputs, strict=True)
            if y.dtype.kind == "f" and (instance.kinds == "real" or "V" not in text)
        ]
        writes = "= 9" in code or "onehot_encode" in code  # in place, which is refused while gradients are recorded
        try:
            for x in differentiated:
                x.attach_grad()
            with mx.autograd.pause() if writes else mx.autograd.record():
                y = block(*arrays) if block is not None else _eager(mx, instance, code, arrays)
            outputs = list(y) if isinstance(y, (list, tuple)) else [y]
            values = [_numbers(x) for x in outputs]
        except Exception as error:  # any: it is what is asked for
            return _failure(error)
        found: Any = {"values": values}
        heads = [x for x in outputs if numpy.dtype(x.dtype).kind == "f"]
        if not heads or not differentiated or writes:
            return found
        try:
            ones = [make(numpy.arange(1, x.size + 1).reshape(x.shape), dtype=x.dtype) for x in heads]
            mx.autograd.backward(heads, ones)
            found["gradients"] = [_numbers(x.grad) for x in differentiated]
        except Exception as error:  # any
            found["gradients"] = _failure(error)
        return found
    finally:
        if instance.np:
            mx.npx.reset_np()
