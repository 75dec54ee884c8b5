"""Write down what real MXNet makes of the calls: ``.venv-mxnet/bin/python -m tests.quantized.record``."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy

from .cases import Case, cases
from .models import EXAMPLES, WAYS, distributions, network, parameters

RECORD = Path(__file__).parents[1] / "golden_data" / "quantization.json.gz"


def _outputs(case: Case) -> list[Any]:
    import mxnet as mx

    names = [f"x{i}" for i in range(len(case.inputs))]
    variables = list(map(mx.sym.var, names))
    by_name = dict(zip(case.names, variables, strict=False))
    symbol = getattr(mx.sym.contrib, case.op)(*([] if by_name else variables), **by_name, **case.settings)
    arrays = {n: mx.nd.array(a, dtype=a.dtype) for n, a in zip(names, case.inputs, strict=True)}
    states = {name: arrays.pop(name) for name in symbol.list_auxiliary_states()}
    outputs = symbol.bind(mx.cpu(), arrays, aux_states=states).forward()
    return [
        {"dtype": a.dtype.__name__, "shape": list(a.shape), "values": a.asnumpy().ravel().tolist()} for a in outputs
    ]


def _model(settings: dict[str, Any]) -> dict[str, Any]:
    import mxnet as mx
    from mxnet.contrib.quantization import quantize_model

    symbol, given = network(mx), parameters(mx)
    batches = mx.io.NDArrayIter(mx.nd.array(EXAMPLES), None, 8)
    examples = {} if settings["calib_mode"] == "none" else {"calib_data": batches, "num_calib_examples": 16}
    quantized, made, _ = quantize_model(symbol, given, {}, label_names=None, logger=None, **examples, **settings)
    arguments = {"data": mx.nd.array(EXAMPLES), **made}
    output = quantized.bind(mx.cpu(), arguments).forward()[0].asnumpy()
    nodes = [[n["op"], n["name"], n.get("attrs", {})] for n in json.loads(quantized.tojson())["nodes"]]
    arrays = {name: array.asnumpy().tolist() for name, array in made.items()}
    return {"nodes": nodes, "parameters": arrays, "output": output.tolist()}


def main() -> None:
    """Record every call."""
    import mxnet as mx

    found = {case.name: _outputs(case) for case in cases()}
    found["models"] = {way: _model(settings) for way, settings in WAYS.items()}
    thresholds = {}
    for name, values in distributions().items():
        largest = float(abs(values).max())
        counts, edges = numpy.histogram(values, bins=8001, range=(-largest, largest))
        arrays = mx.nd.array(counts), mx.nd.array(edges)
        threshold, divergence = mx.nd.contrib.calibrate_entropy(*arrays, num_quantized_bins=255)
        thresholds[name] = [threshold.asscalar().item(), divergence.asscalar().item()]
    found["thresholds"] = thresholds
    RECORD.write_bytes(gzip.compress(json.dumps(found).encode(), mtime=0))
    print(f"{len(found)} entries in {RECORD}")


if __name__ == "__main__":
    main()
