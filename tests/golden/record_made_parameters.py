"""Record what real MXNet makes of two models whose parameters are too many to be kept: run it with MXNet's Python.

The parameters are made by a formula, so that the record is the checksum of MXNet's file, and the outputs.
"""

import hashlib
import json
import tempfile
from pathlib import Path

import numpy

MODELS = Path(__file__).parents[1] / "golden_data" / "models"
MADE = ("mlp", "lenet")


def values(number, shape):
    """Return the values of the parameter that has a number in its file: the same on every machine."""
    count = int(numpy.prod(shape))
    return ((numpy.arange(count) * 7919 + 101 * number) % 1009 / 1009 * 0.4 - 0.2).astype("float32").reshape(shape)


def _record(mx, model):
    name = model["name"]
    net = mx.gluon.SymbolBlock.imports(str(MODELS / f"{name}-symbol.json"), model["input_names"])
    net.initialize()
    inputs = [mx.nd.array(numpy.load(MODELS / f"{name}-input{i}.npy")) for i in range(model["n_inputs"])]
    net(*inputs)
    parameters = net.collect_params()
    for number, parameter in enumerate(parameters.values()):
        parameter.set_data(mx.nd.array(values(number, parameter.shape)))
    model["made"] = {parameter.name: "x".join(map(str, parameter.shape)) for parameter in parameters.values()}
    numpy.save(MODELS / f"{name}-output0.npy", net(*inputs).asnumpy())
    net.hybridize()
    net(*inputs)
    with tempfile.TemporaryDirectory() as folder:
        net.export(str(Path(folder, name)))
        model["sha256"] = hashlib.sha256(Path(folder, f"{name}-0000.params").read_bytes()).hexdigest()


if __name__ == "__main__":
    import mxnet

    manifest = MODELS / "manifest.json"
    listed = json.loads(manifest.read_text("utf-8"))
    for entry in listed["models"]:
        if entry["name"] in MADE:
            _record(mxnet, entry)
    manifest.write_text(json.dumps(listed, indent=1), "utf-8")
