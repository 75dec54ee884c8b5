"""Write down what real MXNet makes of the calls: ``.venv-mxnet/bin/python -m tests.quantized.record``."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from .cases import Case, cases

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


def main() -> None:
    """Record every call."""
    found = {case.name: _outputs(case) for case in cases()}
    RECORD.write_bytes(gzip.compress(json.dumps(found).encode(), mtime=0))
    print(f"{len(found)} calls in {RECORD}")


if __name__ == "__main__":
    main()
