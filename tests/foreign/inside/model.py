"""Make one model, and write its outputs down or compare them with those of the other side. Runs on Python 3.8."""

from __future__ import annotations

import filecmp
import functools
import importlib
import json
import os
import sys
import time
import types
import zlib

import numpy

# An element counts as equal within this part of itself, and of the largest of its array.
TOLERANCE = 1e-4, 2e-5


def flat(value, arrays=None):
    """Return the arrays in nested lists, tuples and dictionaries."""
    arrays = [] if arrays is None else arrays
    if isinstance(value, (list, tuple)):
        for item in value:
            flat(item, arrays)
    elif isinstance(value, dict):
        for key in sorted(value):
            flat(value[key], arrays)
    elif isinstance(value, numpy.ndarray):
        arrays.append(value)
    elif hasattr(value, "asnumpy"):
        arrays.append(value.asnumpy())
    return arrays


def values(name, shape, scale):
    """Return the values of a parameter, which hang on its name in the net and its shape alone."""
    numbers = numpy.random.RandomState(zlib.crc32(name.encode()) & 0x7FFFFFFF)
    kind = name.rsplit(".", 1)[-1]
    if kind.endswith(("gamma", "_var")):
        return numbers.uniform(0.7, 1.3, shape)
    if kind.endswith(("beta", "bias", "_mean")) or len(shape) < 2:
        return numbers.normal(0, 0.1, shape)
    # As wide as lets a layer with rectifiers hand on numbers of the size that came to it.
    return numbers.normal(0, scale * (1.6 / max(1, numpy.prod(shape[1:]))) ** 0.5, shape)


def fill(mx, net, scale):
    """Give every parameter its values, after a first pass has found the shapes; weights are scaled."""
    for name, parameter in net._collect_params_with_prefix().items():
        if type(parameter).__name__ != "Constant" and parameter._data:
            data = values(name, parameter.shape, scale).astype(parameter.dtype)
            parameter.set_data(mx.nd.array(data, dtype=parameter.dtype))


def calibrate(net, run):
    """Give every normalization statistics of the size of what comes to it, as a trained net has them.

    Else numbers grow from layer to layer, and rounding decides which of many saturated scores is the largest.
    """
    hooks = []

    def hook(block, arguments):
        # One size for all channels: each with its own would make those large that are nothing but rounding.
        size = float((arguments[0].asnumpy().astype("float64") ** 2).mean()) + 1e-6
        for parameter, unit in ((block.running_mean, size**0.5), (block.running_var, size)):
            parameter.set_data(parameter.data() * unit)

    def watch(block):
        if hasattr(block, "running_var"):
            hooks.append(block.register_forward_pre_hook(hook))

    net.apply(watch)
    run()
    for each in hooks:
        each.detach()


def inputs(mx, sorts, seed=7):
    """Return arrays for a model: each sort is a shape and, for whole numbers, one more than the largest of them."""
    numbers = numpy.random.RandomState(seed)
    arrays = []
    for sort in sorts:
        below = sort.get("below")
        drawn = numbers.randint(0, below, sort["shape"]) if below else numbers.uniform(-1, 1, sort["shape"])
        arrays.append(mx.nd.array(sort.get("values", drawn)))
    return arrays


def difference(ours, theirs):
    """Return in words how two lists of arrays differ, and nothing if they are equal."""
    if len(ours) != len(theirs):
        return f"{len(ours)} outputs and {len(theirs)}"
    for i, (one, other) in enumerate(zip(ours, theirs)):  # noqa: B905 - Python 3.8
        if one.shape != other.shape or one.dtype != other.dtype:
            return f"output {i} is {one.dtype} {one.shape} and {other.dtype} {other.shape}"
        if not one.size:
            continue
        one, other = one.astype("float64"), other.astype("float64")
        if not numpy.array_equal(numpy.isfinite(one), numpy.isfinite(other)):
            return f"output {i} is finite in other places"
        one, other = numpy.nan_to_num(one, posinf=0, neginf=0), numpy.nan_to_num(other, posinf=0, neginf=0)
        allowed = TOLERANCE[0] * numpy.abs(other) + TOLERANCE[1] * max(1e-30, numpy.abs(other).max())
        if (numpy.abs(one - other) > allowed).any():
            worst = numpy.abs(one - other).max() / max(1e-30, numpy.abs(other).max())
            wrong = float((numpy.abs(one - other) > allowed).mean())
            return f"output {i} {one.shape} differs by {worst:.2g} of the largest, in {wrong:.2%} of its elements"
    return ""


def refusal(error):
    """Return what an error says, in one line."""
    lines = [line for line in str(error).strip().split("\n") if line.strip()]
    # MXNet writes a trace of its C++ first.
    said = lines[-1 if lines and lines[0].startswith("Traceback") else 0].strip()[:200] if lines else ""
    return f"{type(error).__name__}: {said}"


def same_file(request):
    """Say whether the file that the second side writes of what it has loaded is that of the first, byte for byte."""
    if request["role"] == "first":
        return {}
    written = request["files"] + ".again"
    same = filecmp.cmp(request["files"] + ".params", written, shallow=False)
    os.remove(written)
    return {"same_file": same}


def first_that_fits(mx, make, call, net, candidates):
    """Return a net, which of its inputs it is the first to accept, these, and how many nets were made.

    A net that has refused an input may know wrong shapes from it, so each is tried on a net of its own. If there is
    none, the last refusal is raised.
    """
    error = None
    for i, sorts in enumerate(candidates):
        try:
            if i:
                net = make()
            net.initialize()
            arrays = inputs(mx, sorts)
            if any(array.size for array in flat(call(net, arrays))):
                return net, sorts, arrays, i + 1
        except Exception as refused:
            error = refused
    raise error or ValueError("no input gives an output")


def answer(request):
    """Do what a request says, and return the result as a dict with ``status`` and ``message``."""
    for path in reversed(request["paths"]):
        sys.path.insert(0, path)
    for name, members in request.get("stand_ins", {}).items():
        module = types.ModuleType(name)
        vars(module).update(dict.fromkeys(members))
        sys.modules[name] = module
    import mxnet as mx  # pyright: ignore[reportMissingImports]

    if request["role"] == "names":
        return {
            "status": "listed",
            "message": "",
            "names": importlib.import_module("inside." + request["recipe"]).names(),
        }
    mx.random.seed(1)
    numpy.random.seed(1)
    stage, made = "made", 1
    began = time.time()
    try:
        recipe = importlib.import_module("inside." + request["recipe"])
        net, candidates = recipe.make(mx, request["name"])
        call = functools.partial(recipe.call, request["name"])
        stage = "run"
        if request["role"] == "first":
            net, sorts, arrays, made = first_that_fits(
                mx, lambda: recipe.make(mx, request["name"])[0], call, net, candidates
            )
            fill(mx, net, request.get("scale", 1))
            calibrate(net, lambda: flat(call(net, arrays)))
            if request["double"]:
                net.cast("float64")
        else:
            with open(request["files"] + ".json") as stream:
                known = json.load(stream)
            sorts = known["sorts"]
            for _ in range(1, known["made"]):  # names that are counted are counted as far
                net = recipe.make(mx, request["name"])[0]
            arrays = inputs(mx, sorts)
            stage = "loaded"
            if request["double"]:
                net.cast("float64")
            net.load_parameters(request["files"] + ".params")
            stage = "run"
        if request["double"]:
            arrays = [array.astype("float64") for array in arrays]
        eager = flat(call(net, arrays))
        stage = "hybridized"
        if request.get("hybridize", True):
            net.hybridize()
        call(net, arrays)
        hybrid = flat(call(net, arrays))
        stage = "compared"
        message = difference(hybrid, eager)
        if message:
            return {"status": "differs", "message": "hybridized: " + message}
        finite = all(numpy.isfinite(array).all() for array in eager)
        if request["role"] == "first":
            net.save_parameters(request["files"] + ".params")
            numpy.savez(request["files"] + ".npz", *eager)
            with open(request["files"] + ".json", "w") as stream:
                json.dump({"sorts": sorts, "made": made}, stream)
        else:
            with numpy.load(request["files"] + ".npz") as archive:
                message = difference(eager, [archive[f"arr_{i}"] for i in range(len(archive.files))])
            if message:
                return {"status": "differs", "message": message}
            net.save_parameters(request["files"] + ".again")
        parameters = sum(int(numpy.prod(p.shape)) for p in net.collect_params().values() if p._data and p.shape)
        return {
            "status": "equal" if request["role"] == "second" else "runs", "message": "", "sorts": sorts,
            "parameters": parameters, "finite": bool(finite), "seconds": round(time.time() - began, 1),
            "outputs": [list(array.shape) for array in eager], **same_file(request),
        }  # fmt: skip
    except Exception as error:
        if os.environ.get("MODELS_TRACEBACK"):
            import traceback

            traceback.print_exc()
        return {"status": "not " + stage, "message": refusal(error)}


def main(request):
    """Do what a request says, and write down the result."""
    given = answer(request)
    with open(request["answer"], "w") as stream:
        json.dump(given, stream)
