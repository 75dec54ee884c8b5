"""Write down oneDNN's fused layers and their numbers: ``.venv-mxnet/bin/python -m tests.quantized.record_fused``."""

from __future__ import annotations

import gzip
import json
import tempfile
from pathlib import Path
from typing import Any

RECORD = Path(__file__).parents[1] / "golden_data" / "fused_layers.json.gz"


def _net(mx: Any) -> Any:
    """Return a net with every kind of fused convolution: normalized, activated, added to, in groups, dilated, plain."""
    nn = mx.gluon.nn

    class Residual(mx.gluon.HybridBlock):
        def __init__(self, ends_positive: bool, dilation: int) -> None:
            super().__init__()
            self.positive = ends_positive
            self.first = nn.Conv2D(8, 3, padding=dilation, dilation=dilation, use_bias=False, in_channels=8)
            self.first_norm = nn.BatchNorm(in_channels=8, scale=ends_positive)
            self.second = nn.Conv2D(8, 3, padding=1, in_channels=8)
            self.second_norm = nn.BatchNorm(in_channels=8, epsilon=0.01)

        def hybrid_forward(self, F: Any, x: Any) -> Any:
            y = F.Activation(self.first_norm(self.first(x)), act_type="relu")
            y = self.second_norm(self.second(y)) + x
            return F.Activation(y, act_type="relu") if self.positive else y

    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(8, 3, strides=2, padding=1, in_channels=3, use_bias=False), nn.BatchNorm(in_channels=8),
        nn.Activation("relu"), Residual(True, 1), Residual(False, 2), Residual(True, 1),
        nn.Conv2D(8, 3, groups=8, in_channels=8),
        nn.BatchNorm(in_channels=8), nn.Activation("relu"), nn.Conv2D(16, (1, 3), in_channels=8),
        nn.Conv2D(16, 1, in_channels=16, activation="relu"), nn.GlobalAvgPool2D(), nn.Flatten(),
        nn.Dense(4, in_units=16),
    )  # fmt: skip
    net.initialize(mx.init.Xavier(rnd_type="gaussian", magnitude=3))
    random = mx.nd.random
    halves = (mx.nd.floor(random.uniform(-127, 127, shape=(16, 8, 1, 3))) + 0.5) / 127.5  # between two steps
    halves[:, 0, 0, 0] = 1
    for name, parameter in net.collect_params().items():
        if parameter.shape == halves.shape:
            parameter.set_data(halves)
        if name.endswith(("running_mean", "beta", "bias")):
            parameter.set_data(random.normal(0, 0.3, shape=parameter.shape))
        elif name.endswith(("running_var", "gamma")):
            parameter.set_data(random.uniform(0.5, 2, shape=parameter.shape))
    return net


def _described(mx: Any, symbol: Any, arrays: dict[str, Any], x: Any) -> dict[str, Any]:
    """Return a graph, and the numbers of its fused layers and of its end."""
    inner = symbol.get_internals()
    nodes = [node["name"] for node in json.loads(symbol.tojson())["nodes"] if node["op"].startswith("_sg_mkldnn")]
    outputs = {name: inner[f"{name}_output"] for name in nodes if f"{name}_output" in inner.list_outputs()}
    found = {}
    for name, part in {**outputs, "end": symbol}.items():
        bound = {key: arrays[key] for key in part.list_arguments() if key != "data"}
        states = {key: arrays[key] for key in part.list_auxiliary_states()}
        result = part.bind(mx.cpu(), {"data": x, **bound}, aux_states=states).forward()[0]
        found[name] = {"dtype": result.dtype.__name__, "values": result.asnumpy().tolist()}
    return {"symbol": symbol.tojson(), "numbers": found}


def main() -> None:
    """Record a net on 8-bit numbers, and the same on real numbers."""
    import mxnet as mx
    from mxnet.contrib.quantization import quantize_net

    mx.random.seed(3)
    net = _net(mx)
    x = mx.nd.random.uniform(-1, 1, shape=(2, 3, 16, 16))
    net.hybridize()
    net(x)
    batches = mx.gluon.data.DataLoader(mx.gluon.data.ArrayDataset(x, mx.nd.zeros(2)), batch_size=2)
    small = quantize_net(net, quantized_dtype="auto", exclude_layers_match=["dense"], calib_data=batches,
                         calib_mode="naive", num_calib_examples=2, ctx=mx.cpu())  # fmt: skip
    small(x)
    with tempfile.TemporaryDirectory() as place:
        small.export(f"{place}/small")
        net.export(f"{place}/net")
        read = {name: [mx.sym.load(f"{place}/{name}-symbol.json"), mx.nd.load(f"{place}/{name}-0000.params")]
                for name in ("small", "net")}  # fmt: skip
    arrays = {key.partition(":")[2]: array for _, saved in read.values() for key, array in saved.items()}
    record = {
        "data": x.asnumpy().tolist(),
        "arrays": {key: array.asnumpy().tolist() for key, array in arrays.items()},
        "8 bits": _described(mx, read["small"][0], arrays, x),
        "real numbers": _described(mx, read["net"][0].get_backend_symbol("MKLDNN"), arrays, x),
    }
    RECORD.write_bytes(gzip.compress(json.dumps(record).encode(), mtime=0))
    print(f"{sum(len(record[kind]['numbers']) for kind in ('8 bits', 'real numbers'))} results in {RECORD}")


if __name__ == "__main__":
    main()
