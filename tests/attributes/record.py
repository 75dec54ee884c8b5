"""Records which texts real MXNet 1.9.1 refuses as attributes: ``.venv-mxnet/bin/python tests/attributes/record.py``.

Each attribute of each operator is given texts, and the others what they need. The answer is the first line of the
error, empty if the text is taken; ``{}`` stands in it for the attribute's name. Python 3.8 reads this file, too.
"""

from __future__ import annotations

import ctypes
import json
import re
from pathlib import Path

RECORDED = Path(__file__).parent.parent / "golden_data" / "attributes.json"
#: What is asked, by the beginning of the type. Before 1e39, as MXNet's next answers depend on an error of that kind.
TEXTS = {
    "int": ["-1", "0", "1", "7", "-2147483649", "2147483648", "99999999999", "1.0", "1.5", "x", "True", ""],
    "boolean": ["True", "TRUE", "1", "maybe", "2", "-1", "1.0", ""],
    "float": ["-1", "-0.5", "0", "1", "2", "nan", "x", "True", "", "1e39", "1e-39", "1e400"],
    "Shape": ["(1, 2)", "x", "(1,", "(1.5, 2)", "(True, 2)"],
    "{": ["x", ""],
}
_BEGINNINGS = {"long": "int", "double": "float", "real": "float"}
#: What required attributes are given, by name or type. Counts of inputs are asked for few: MXNet makes them all.
_NAMED = {
    "kernel": "(2, 2)", "pad_width": "(0, 0, 0, 0, 1, 1, 1, 1)", "num_args": "3", "pooled_size": "(2, 2)", "a": "1",
    "num": "1",
}  # fmt: skip
_TYPED = {
    "int": "1", "long": "1", "float": "0.5", "double": "0.5", "real_t": "0.5", "boolean": "0", "string": "x",
    "Shape(tuple)": "(1,)", "tuple of <long>": "(1,)", "tuple of <float>": "(1,)",
    "tuple of <Shape(tuple)>": "((1, 1), (1, 1))",
}  # fmt: skip
_COUNTS = {"num_args", "num_outputs", "num_weights", "num_arrays", "num_tensors", "num_out_data"}
#: MXNet ends the process when it is asked for these.
_LEFT_OUT = {"_NDArray", "_Native", "_sg_mkldnn_fully_connected"}


def kind_of(type_name):
    """Return what is asked for a type; empty if nothing is."""
    word = re.findall(r"^\{|^\w*", type_name)[0]
    word = _BEGINNINGS.get(word, word)
    return word if word in TEXTS else ""


def required(name, arguments):
    """Return what an operator needs."""
    given = {}
    for argument, described in arguments:
        type_name = described.split(",optional")[0].split(", optional")[0].split(", required")[0]
        if "required" not in described or "ymbol" in type_name or "NDArray" in type_name:
            continue
        if type_name.startswith("{"):
            given[argument] = re.findall(r"'([^']*)'", type_name)[0]
        else:
            plain = type_name.split(" (non")[0]
            given[argument] = _NAMED.get(argument, _TYPED.get(plain, "1"))
    for argument, _ in arguments:
        if argument in ("kernel", "num_args"):
            given[argument] = _NAMED[argument]
    if "PSROIPooling" in name:
        given["pooled_size"] = "2"
    return given


def main():
    """Ask MXNet, and write what it answers."""
    from mxnet.base import _LIB, c_str, c_str_array, check_call, mx_uint, py_str  # pyright: ignore

    _LIB.MXGetLastError.restype = ctypes.c_char_p
    texts = ctypes.POINTER(ctypes.c_char_p)

    def names():
        count, found = mx_uint(), texts()
        check_call(_LIB.MXListAllOpNames(ctypes.byref(count), ctypes.byref(found)))
        return sorted(py_str(found[i]) for i in range(count.value))

    def handle_of(name):
        handle = ctypes.c_void_p()
        check_call(_LIB.NNGetOpHandle(c_str(name), ctypes.byref(handle)))
        return handle

    def arguments_of(handle):
        parts = [ctypes.c_char_p() for _ in range(4)]
        count, lists = mx_uint(), [texts(), texts(), texts()]
        given = [*parts[:2], count, *lists, *parts[2:]]
        check_call(_LIB.MXSymbolGetAtomicSymbolInfo(handle, *map(ctypes.byref, given)))
        return [(py_str(lists[0][i]), py_str(lists[1][i])) for i in range(count.value)]

    def ask(handle, given):
        out, keys = ctypes.c_void_p(), list(given)
        values = c_str_array([given[key] for key in keys])
        if not _LIB.MXSymbolCreateAtomicSymbol(
            handle, mx_uint(len(keys)), c_str_array(keys), values, ctypes.byref(out)
        ):
            _LIB.MXSymbolFree(out)
            return ""
        said = py_str(_LIB.MXGetLastError()).split("\n")[0].split(", in operator")[0]
        return said[len("MXNetError: ") :] if said.startswith("MXNetError: ") else said

    answers, recorded = [], {}
    for name in names():
        if name in _LEFT_OUT or name.startswith("_backward"):
            continue
        handle = handle_of(name)
        arguments = arguments_of(handle)
        given = required(name, arguments)
        if ask(handle, given):
            print(f"{name} cannot be asked: {ask(handle, given)}")
            continue
        found = {}
        for argument, described in arguments:
            kind = kind_of(described)
            if not kind or (kind == "Shape" and described.startswith("Shape or None")):
                continue
            tried = [t for t in TEXTS[kind] if argument not in _COUNTS or t in ("0", "1", "x", "True")]
            said = []
            for text in tried:
                line = re.sub(rf"\b{argument}\b", "{}", ask(handle, {**given, argument: text}))
                if line not in answers:
                    answers.append(line)
                said.append([text, answers.index(line)])
            found[argument] = said
        if found:
            recorded[name] = {"given": given, "attributes": found}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(recorded[name])}" for name in sorted(recorded))
    RECORDED.write_text(f'{{"answers": {json.dumps(answers)},\n"operators": {{\n{lines}\n}}}}\n')


if __name__ == "__main__":
    main()
