"""Look at the files in a folder: ``python tests/old_files/look.py mxnet|d2lhybrid FOLDER`` prints what was found.

The last line is an object: for each file what it says (``loads``), what it computes, and a hash of what is written.
"""

import hashlib
import importlib
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from plain import numbers, plain_graph  # type: ignore[import-not-found]

#: Shapes of pictures, and of rows; the first is taken that fits the parameters.
SHAPES = [(1, 3, n, n) for n in (12, 24, 48, 112, 128, 224, 299, 300)]
SHAPES += [(1, 15, 24, 24), (1, 1, 128, 128), (1, 1, 28, 28), (4, 784), (4, 100), (2, 3)]


def look_at_graph(mx, path):
    """Return what there is to say of a graph."""
    found = {}
    try:
        symbol = mx.sym.load(path)
        found["loads"] = [symbol.list_arguments(), symbol.list_auxiliary_states(), symbol.list_outputs()]
        text = json.dumps(plain_graph(symbol.tojson()), sort_keys=True)
        found["written"] = hashlib.sha256(text.encode()).hexdigest()
        found["computes"] = computed(mx, symbol, parameters_of(mx, path))
    except Exception as error:
        last = [line for line in str(error).splitlines() if line.strip()] or [""]
        found.setdefault("loads" if "loads" not in found else "computes", f"not: {type(error).__name__}: {last[0]:.90}")
    return found


def parameters_of(mx, path):
    """Return the parameters that lie beside a graph; none if there is no such file, or it is too large to be here."""
    folder, name = os.path.split(path)
    prefix = name.replace("-symbol.json", "-")
    for other in sorted(os.listdir(folder)):
        if name.endswith("-symbol.json") and other.startswith(prefix) and other.endswith(".params"):
            return {key.partition(":")[2]: value for key, value in mx.nd.load(os.path.join(folder, other)).items()}
    return {}


def computed(mx, symbol, parameters):
    """Return the beginning of each output, and its mean; of parameters that are nowhere, numbers of our own."""
    names = symbol.list_arguments() + symbol.list_auxiliary_states()
    data = next((n for n in names if n == "data"), names[0])
    widths = sorted({value.shape[1] for value in parameters.values() if len(value.shape) == 2})
    for shape in SHAPES + [(2, width) for width in widths]:
        try:
            arguments, _, states = symbol.infer_shape(**{data: shape})
        except Exception:
            continue
        if arguments is None:
            continue
        shapes = dict(zip(names, arguments + states, strict=True))
        if all(n not in shapes or shapes[n] == value.shape for n, value in parameters.items()):
            break
    else:
        return None
    values = {n: parameters.get(n, mx.nd.array(numbers(n, s, 0.1) * 0.1)) for n, s in shapes.items()}
    values.update({n: abs(value) for n, value in values.items() if n.endswith("_var") and n not in parameters})
    args = {n: values[n] for n in symbol.list_arguments()}
    aux = {n: values[n] for n in symbol.list_auxiliary_states()}
    bound = symbol.bind(mx.cpu(), args, grad_req="null", aux_states=aux)
    return [[list(y.shape), [*map(float, y.asnumpy().ravel()[:8]), float(y.asnumpy().mean())]] for y in bound.forward()]


def look_at_arrays(mx, path):
    """Return what there is to say of a file of arrays."""
    found = {}
    try:
        loaded = mx.nd.load(path)
        arrays = loaded if isinstance(loaded, dict) else {str(i): a for i, a in enumerate(loaded)}
        found["loads"] = [[n, list(a.shape), str(a.dtype), a.stype] for n, a in arrays.items()]
        found["computes"] = [float(a.asnumpy().astype("float64").sum()) for a in arrays.values()]
        mx.nd.save(path + ".again", loaded)
        with open(path + ".again", "rb") as stream:
            found["written"] = hashlib.sha256(stream.read()).hexdigest()
    except Exception as error:
        found.setdefault("loads" if "loads" not in found else "computes", f"not: {type(error).__name__}: {error!s:.90}")
    return found


def main(package, folder):
    """Look at all files below a folder."""
    mx = importlib.import_module(package)
    found = {}
    for place, _, names in os.walk(folder):
        for name in sorted(names):
            path = os.path.join(place, name)
            if name.endswith(".json"):
                with open(path, "rb") as stream:
                    content = stream.read()
                if b'"arg_nodes"' not in content:
                    continue
                found[os.path.relpath(path, folder)] = look_at_graph(mx, path)
            elif not name.endswith(".again"):
                with open(path, "rb") as stream:
                    if stream.read(8) not in (b"", b"version "):  # what Git keeps elsewhere is a text here
                        found[os.path.relpath(path, folder)] = look_at_arrays(mx, path)
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
