"""Every layer and loss against outputs, gradients, names and texts of real MXNet."""

import json
import re
from pathlib import Path

import numpy
import pytest

from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import nn, rnn  # noqa: F401  used by the cases' expressions

GOLDEN = Path(__file__).parent / "golden_data" / "gluon"
CASES = json.loads((GOLDEN / "layers.json").read_text(encoding="utf-8"))["cases"]
ARRAYS = numpy.load(GOLDEN / "layers.npz")
#: Where real MXNet's gradient is wrong: SELU's lacks a factor for negative elements.
WRONG_GRADIENT = {"layer_40"}


def build(case):
    return eval(case["build"], globals())


def load_inputs(keys):
    if isinstance(keys, list):
        return [load_inputs(key) for key in keys]
    return None if keys is None else nd.array(ARRAYS[keys], dtype=ARRAYS[keys].dtype)


def flatten(value):
    if isinstance(value, list | tuple):
        return [leaf for part in value for leaf in flatten(part)]
    return [value]


def set_parameters(net, case):
    parameters = net._collect_params_with_prefix()
    assert set(parameters) == set(case["params"])
    for name, key in case["params"].items():
        parameters[name].set_data(nd.array(ARRAYS[key], dtype=ARRAYS[key].dtype))
    return parameters


def assert_equal(case, got, keys, what):
    assert len(got) == len(keys), what
    for i, (array, key) in enumerate(zip(got, keys, strict=True)):
        if key is None:
            continue
        expected = ARRAYS[key]
        assert array.shape == expected.shape, f"{what} {i}"
        assert array.dtype == expected.dtype.type, f"{what} {i}"
        numpy.testing.assert_allclose(
            array.asnumpy(), expected, rtol=case["rtol"], atol=case["atol"], err_msg=f"{what} {i}"
        )


def check_values(net, case):
    parameters = set_parameters(net, case)
    inputs = load_inputs(case["inputs"])
    assert_equal(case, flatten(net(*inputs)), case["infer_outputs"], "output")
    if "train_outputs" not in case:
        return
    variables = [x for x in flatten(inputs) if x is not None]
    for variable in variables:
        variable.attach_grad()
    with autograd.record():
        outputs = flatten(net(*inputs))
    assert_equal(case, outputs, case["train_outputs"], "output in training")
    heads = [None if key is None else nd.array(ARRAYS[key]) for key in case["heads"]]
    used = [(o, h) for o, h in zip(outputs, heads, strict=True) if h is not None]
    autograd.backward([o for o, _ in used], [h for _, h in used])
    if case["id"] not in WRONG_GRADIENT:
        # The recorded ones come first: numbers of classes have no gradient.
        grads = [v.grad for v in variables][: len(case["input_grads"])]
        assert_equal(case, grads, case["input_grads"], "gradient of input")
    names = list(case["param_grads"])
    assert_equal(
        case,
        [parameters[n].grad() for n in names],
        list(case["param_grads"].values()),
        f"gradient of {names}",
    )
    names = list(case["params_after"])
    assert_equal(case, [parameters[n].data() for n in names], list(case["params_after"].values()), f"{names} after")


@pytest.mark.filterwarnings("ignore:.*not used by any computation")
@pytest.mark.filterwarnings("ignore:All children of this Sequential")
@pytest.mark.parametrize("hybrid", [False, True], ids=["imperative", "hybridized"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']}: {case['build']}")
def test_values_and_gradients(case, hybrid):
    net = build(case)
    net.initialize()
    if hybrid:
        net.hybridize()
    check_values(net, case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']}: {case['build']}")
def test_repr(case):
    net = build(case)
    assert repr(net) == str(net) == case["repr_before"]
    net.initialize()
    net(*load_inputs(case["inputs"]))
    assert repr(net) == case["repr_after"]


def without_block_numbers(name):
    """Return a name without the global number of its block and the step number of a cell."""
    return re.sub(r"(?<=[_a-z])t\d+_", "t#_", re.sub(r"^([a-z0-9]*?[a-z])\d+_", r"\1#_", name))


@pytest.mark.filterwarnings("ignore:.*not used by any computation")
@pytest.mark.parametrize("case", [c for c in CASES if c.get("internals")], ids=lambda case: case["id"])
def test_names_in_the_graph(case):
    net = build(case)
    net.initialize()
    net.hybridize()
    if not isinstance(net, gluon.HybridBlock):
        pytest.skip("not one graph")
    net(*load_inputs(case["inputs"]))
    out = net._cached_graph[1]

    def simplify(names):
        return [without_block_numbers(n) for n in names]

    assert simplify(out.get_internals().list_outputs()) == simplify(case["internals"])
    assert simplify(out.list_outputs()) == simplify(case["list_outputs"])
    assert simplify(out.list_arguments()) == simplify(case["list_arguments"])
    full = {k: without_block_numbers(p.name) for k, p in net._collect_params_with_prefix().items()}
    assert full == {k: without_block_numbers(n) for k, n in case["param_names"].items()}


REPRS = json.loads((GOLDEN.parent / "gluon" / "reprs.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "case",
    [c for c in REPRS["cases"] if c["expr"].startswith(("nn.", "rnn.", "gluon."))],
    ids=lambda case: case["expr"],
)
def test_text_of_new_blocks(case):
    value = eval(case["expr"], globals())
    assert (repr(value), str(value)) == (case["repr"], case["str"])
