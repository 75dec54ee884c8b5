"""Runs programs in real MXNet: started by its interpreter, asked through pipes, one answer a question.

A question is a length and JSON: the text of a program and its flavour. An answer is the same: what the program saw, or
the error that it met. This file imports nothing of the package, and is read by Python 3.8.
"""

import base64
import json
import os
import struct
import sys
import warnings


def answer(question):
    """Return what a program saw, or its error in words."""
    import mxnet
    import numpy
    from mxnet import autograd, gluon, nd
    from mxnet.gluon import nn, rnn

    names = {
        "numpy": numpy, "mx": mxnet, "autograd": autograd, "gluon": gluon, "nd": nd, "nn": nn, "rnn": rnn,
        "contextlib": __import__("contextlib"), "shutil": __import__("shutil"), "tempfile": __import__("tempfile"),
    }  # fmt: skip
    if question["flavour"] == "np":
        mxnet.npx.set_np()
    try:
        exec(compile(question["text"], "<fuzz>", "exec"), names)
        seen = names["use"](names["eager"], mxnet.cpu(), False)
        nd.waitall()
        return [[n, base64.b64encode(a.tobytes()).decode(), a.dtype.str, list(a.shape)] for n, a, _ in seen]
    except Exception as error:
        return type(error).__name__ + ": " + str(error)
    finally:
        if question["flavour"] == "np":
            mxnet.npx.reset_np()


def main():
    """Answer until there are no more questions."""
    warnings.simplefilter("ignore")
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what MXNet prints is no answer
    while True:
        head = sys.stdin.buffer.read(4)
        if len(head) < 4:
            return
        question = json.loads(sys.stdin.buffer.read(struct.unpack("<I", head)[0]).decode())
        data = json.dumps(answer(question)).encode()
        out.write(struct.pack("<I", len(data)) + data)
        out.flush()


if __name__ == "__main__":
    main()
