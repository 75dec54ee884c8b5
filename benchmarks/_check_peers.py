"""A manual check that the nets of the zoo are the same in PyTorch and JAX; it requires their environments.

    python benchmarks/_check_peers.py [workload ...]

The program writes the values of our nets and of one training step to files. The peers, which ``_workers.py`` finds,
load the parameters, and print the difference of their outputs, or of their parameters after the step, from ours.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy

HERE = Path(__file__).resolve().parent
NETS = (
    "convolution", "resnet-18", "mobilenet", "squeezenet", "vgg-11", "generator", "lstm", "transformer", "small-resnet",
    "generator-training", "lstm-training", "transformer-training",
)  # fmt: skip
PEERS = {"torch": "D2LHYBRID_TORCH_PYTHON", "jax": "D2LHYBRID_JAX_PYTHON"}


def trains(workload: str) -> bool:
    return workload == "small-resnet" or workload.endswith("-training")


# --- ours --------------------------------------------------------------------------------------


def write(workload: str, path: str) -> None:
    """Write a net's input, its parameters, and its output, or its parameters after a step."""
    sys.argv = [sys.argv[0], "d2lhybrid"]
    import _gluon_worker as worker

    run: Any = worker.WORKLOADS[workload]("hybridized")
    net, rng = run.net, numpy.random.default_rng(7)
    for parameter in net.collect_params().values():  # numbers that differ everywhere, and neither vanish nor explode
        shape = parameter.shape
        value = (
            rng.uniform(0.5, 1.5, shape) if len(shape) == 1 else rng.normal(size=shape) / numpy.prod(shape[1:]) ** 0.5
        )
        parameter.set_data(worker.nd.array(value.astype("float32")))
    if workload in ("generator-training", "transformer-training"):
        run.given[1][:] = worker.nd.array(rng.normal(size=run.given[1].shape))
    before = [p.data().asnumpy() for p in net.collect_params().values()]
    out = run()
    given = [array.asnumpy() for array in run.given]
    if trains(workload):
        after = [p.data().asnumpy() for p in net.collect_params().values()]
    else:
        after = [out.asnumpy()]
    named = {
        f"{kind}{i:03d}": a for kind, all_ in (("b", before), ("a", after), ("g", given)) for i, a in enumerate(all_)
    }
    numpy.savez(path, **named)


# --- peers -------------------------------------------------------------------------------------


def in_torch(workload: str, before: Sequence[Any], given: Sequence[Any]) -> list[Any]:
    import torch  # pyright: ignore[reportMissingImports]
    from _torch_zoo import ZOO

    make, _, words, label = ZOO[workload]
    net = make().train(trains(workload))
    state = {name: value for name, value in net.state_dict().items() if not name.endswith("num_batches_tracked")}
    assert [tuple(v.shape) for v in state.values()] == [b.shape for b in before], "other parameters"
    for value, b in zip(state.values(), before, strict=True):
        value.copy_(torch.from_numpy(b))
    x, *y = (torch.from_numpy(g) for g in given)
    x = x.long() if words else x
    if not trains(workload):
        with torch.inference_mode():
            return [net(x).numpy()]
    out = net(x)
    if label is None:
        loss = torch.nn.functional.mse_loss(out, y[0])
    else:
        loss = torch.nn.functional.cross_entropy(out.flatten(0, -2), y[0].long().flatten())
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    loss.backward()
    optimizer.step()
    # PyTorch divides running variances by n - 1, so they are not compared.
    return [None if name.endswith("running_var") else value.numpy() for name, value in state.items()]


def in_jax(workload: str, before: Sequence[Any], given: Sequence[Any]) -> list[Any]:
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax  # pyright: ignore[reportMissingImports]
    import jax.numpy as jnp  # pyright: ignore[reportMissingImports]
    from _jax_zoo import ZOO, training_step

    there = {"kernel": lambda a: a.transpose(2, 3, 1, 0), "columns": lambda a: a.T,
             "turned": lambda a: a[:, :, ::-1, ::-1].transpose(2, 3, 0, 1)}  # fmt: skip
    back = {"kernel": lambda a: a.transpose(3, 2, 0, 1), "columns": lambda a: a.T,
            "turned": lambda a: a.transpose(2, 3, 0, 1)[:, :, ::-1, ::-1]}  # fmt: skip

    def last(a: Any) -> Any:
        return a.transpose(0, 2, 3, 1) if a.ndim == 4 else a

    make, _, words, label = ZOO[workload]
    layer = make()
    kinds = [kind for kind, _ in layer.shapes]
    p = [jnp.asarray(there.get(kind, lambda a: a)(b)) for kind, b in zip(kinds, before, strict=True)]
    assert [a.shape for a in p] == [shape for _, shape in layer.shapes], "other parameters"
    x = jnp.asarray(last(given[0]).astype("int32") if words else last(given[0]))
    if not trains(workload):
        out = numpy.asarray(jax.jit(lambda p, x: layer.apply(p, x, False)[0])(p, x))
        return [out.transpose(0, 3, 1, 2) if out.ndim == 4 else out]
    y = jnp.asarray(last(given[1]) if label is None else given[1].astype("int32"))
    after = training_step(layer, p, x, y)
    return [back.get(kind, lambda a: a)(numpy.asarray(a)) for kind, a in zip(kinds, after, strict=True)]


def compare(peer: str, workload: str, path: str) -> None:
    """Print the difference between a peer's values and the written values."""
    with numpy.load(path) as stored:
        before, ours, given = ([stored[name] for name in sorted(stored.files) if name[0] == kind] for kind in "bag")
    theirs = (in_torch if peer == "torch" else in_jax)(workload, before, given)
    factor, worst, hidden = 1.0, 0.0, 0.0
    if trains(workload):  # Gluon's L2Loss is half the square: its steps are half as long, those of averages are not
        ours = [new - old for new, old in zip(ours, before, strict=True)]
        theirs = [None if new is None else new - old for new, old in zip(theirs, before, strict=True)]
        factor = 0.5 if given[1].ndim > 2 else 1.0
    for i, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        if b is None:
            continue
        assert a.shape == b.shape, (a.shape, b.shape)
        moved = trains(workload) and i >= 2 and before[i].ndim == 1 and _is_average(before, i)
        # The rounding error of adding a step to a float32 number.
        lost = 2**-23 * float(abs(before[i]).max()) if trains(workload) else 0.0
        difference = max(float(abs(a - b * (1 if moved else factor)).max()) - lost, 0.0)
        largest = float(abs(a).max())
        worst, hidden = max(worst, difference / largest), max(hidden, lost / largest)
    print(
        f"{workload:22s} {peer:6s} largest difference {worst:.1e} of the largest number (rounding hides {hidden:.0e}), "
        f"{sum(b.size for b in before):,} numbers in {len(before)} parameters", flush=True,
    )  # fmt: skip


def _is_average(before: Sequence[Any], i: int) -> bool:
    """Return whether a parameter is a running mean or variance of a BatchNorm, which has four successive vectors."""
    start = i
    while start > 0 and before[start - 1].shape == before[i].shape:
        start -= 1
    run = next((k for k in range(i, len(before)) if before[k].shape != before[i].shape), len(before)) - start
    return run == 4 and i - start >= 2


def main() -> None:
    for workload in sys.argv[1:] or NETS:
        with tempfile.TemporaryDirectory() as folder:
            for peer in ("", *PEERS):
                python = os.environ.get(PEERS[peer], "") if peer else sys.executable
                if python:
                    subprocess.run(
                        [python, __file__, f"--{peer or 'write'}", workload, f"{folder}/numbers.npz"], check=True,
                        env={**os.environ, "PYTHONPATH": str(HERE.parent)},
                    )  # fmt: skip


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        write(*sys.argv[2:])
    elif sys.argv[1:2] in (["--torch"], ["--jax"]):
        compare(sys.argv[1][2:], *sys.argv[2:])
    else:
        main()
