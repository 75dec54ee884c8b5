"""Random operators: moments, dtypes, shapes, reproducibility, gradients through samples."""

from __future__ import annotations

import math

import numpy as np
import pytest

import d2lhybrid as mx
from d2lhybrid.error import MXNetError, ShapeError
from d2lhybrid.internals.core.kernel_space import kernel_space
from d2lhybrid.internals.core.operator import all_operators, get_operator

F = kernel_space(np)
COUNT = 20_000
EULER = 0.5772156649015329


def rng(seed=0):
    return np.random.default_rng(seed)


def check_moments(samples, mean, variance):
    """Compare mean and variance to within five standard errors."""
    samples = np.asarray(samples, dtype=np.float64)
    assert np.isfinite(samples).all()
    assert abs(samples.mean() - mean) < 5 * math.sqrt(variance / samples.size) + 1e-6
    fourth = ((samples - samples.mean()) ** 4).mean()
    error = math.sqrt(max(fourth - variance**2, variance**2) / samples.size)
    assert abs(samples.var() - variance) < 5 * error + 1e-6


# family, parameters, mean, variance
LEGACY = [
    ("uniform", {"low": -1.0, "high": 3.0}, 1.0, 16 / 12),
    ("normal", {"loc": 2.0, "scale": 3.0}, 2.0, 9.0),
    ("gamma", {"alpha": 3.0, "beta": 0.5}, 1.5, 0.75),
    ("exponential", {"lam": 4.0}, 0.25, 1 / 16),
    ("poisson", {"lam": 3.5}, 3.5, 3.5),
    ("negative_binomial", {"k": 3, "p": 0.4}, 4.5, 11.25),
    ("generalized_negative_binomial", {"mu": 2.0, "alpha": 0.3}, 2.0, 3.2),
    ("generalized_negative_binomial", {"mu": 2.0, "alpha": 0.0}, 2.0, 2.0),
]


@pytest.mark.parametrize(("family", "parameters", "mean", "variance"), LEGACY)
@pytest.mark.parametrize("dtype", [None, "float16", "float32", "float64"])
def test_legacy_moments(family, parameters, mean, variance, dtype):
    op = get_operator(f"_random_{family}")
    samples = op(np, **parameters, shape=(COUNT // 10, 10), dtype=dtype, rng=rng())
    assert samples.shape == (COUNT // 10, 10)
    assert samples.dtype == np.dtype(dtype or "float32")
    check_moments(samples, mean, variance)
    full = op.complete({**parameters, "shape": (3, 2), "dtype": dtype})
    assert op.shape_rule(**full) == ([], [(3, 2)])
    assert op.type_rule(**full) == ([], [samples.dtype])


@pytest.mark.parametrize(("family", "parameters", "mean", "variance"), LEGACY)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_like_another_array(family, parameters, mean, variance, dtype):
    data = np.zeros((COUNT,), dtype)
    samples = get_operator(f"_random_{family}_like")(np, data, **parameters, rng=rng())
    assert samples.dtype == data.dtype
    check_moments(samples, mean, variance)
    with pytest.raises(ShapeError, match="only support floating point types, not int32"):
        get_operator(f"_random_{family}_like")(np, data.astype("int32"), **parameters, rng=rng())


@pytest.mark.parametrize(("family", "parameters", "mean", "variance"), LEGACY)
def test_arrays_of_parameters(family, parameters, mean, variance):
    op = get_operator(f"_sample_{family}")
    arrays = [np.full((2, 1), value, dtype="float32") for value in parameters.values()]
    samples = op(np, *arrays, shape=(COUNT,), rng=rng())
    assert samples.shape == (2, 1, COUNT)
    assert samples.dtype == np.float32
    for row in samples:
        check_moments(row, mean, variance)
    assert op(np, *arrays, rng=rng()).shape == (2, 1)
    assert op(np, *arrays, dtype="float64", rng=rng()).dtype == np.float64
    assert op.shape_rule(*[(2, 1)] * len(arrays), shape=(3,), dtype=None)[1] == [(2, 1, 3)]
    assert op.shape_rule(*[None] * len(arrays), shape=(3,), dtype=None)[1] == [None]


def test_each_element_has_its_own_parameters():
    low, high = np.array([0.0, 10.0], "float32"), np.array([1.0, 20.0], "float32")
    samples = F._sample_uniform(low, high, shape=(COUNT,), rng=rng())
    check_moments(samples[0], 0.5, 1 / 12)
    check_moments(samples[1], 15.0, 100 / 12)
    with pytest.raises(ShapeError, match="Operator _sample_uniform inferring shapes failed"):
        F._sample_uniform(low, high[:1], rng=rng())


# operator, parameters, mean, variance
NUMPY = [
    ("_npi_uniform", {"low": -1.0, "high": 3.0}, 1.0, 16 / 12),
    ("_npi_uniform_n", {"low": -1.0, "high": 3.0}, 1.0, 16 / 12),
    ("_npi_normal", {"loc": 2.0, "scale": 3.0}, 2.0, 9.0),
    ("_npi_normal_n", {"loc": 2.0, "scale": 3.0}, 2.0, 9.0),
    ("_npi_gamma", {"shape": 3.0, "scale": 0.5}, 1.5, 0.75),
    ("_npi_exponential", {"scale": 2.0}, 2.0, 4.0),
    ("_npi_gumbel", {"loc": 1.0, "scale": 2.0}, 1 + 2 * EULER, 4 * math.pi**2 / 6),
    ("_npi_logistic", {"loc": 1.0, "scale": 2.0}, 1.0, 4 * math.pi**2 / 3),
    ("_npi_rayleigh", {"scale": 2.0}, 2 * math.sqrt(math.pi / 2), 4 * (2 - math.pi / 2)),
    ("_npi_pareto", {"a": 6.0}, 1 / 5, 6 / (25 * 4)),
    ("_npi_weibull", {"a": 2.0}, math.sqrt(math.pi) / 2, 1 - math.pi / 4),
    ("_npi_powerd", {"a": 3.0}, 3 / 4, 3 / (16 * 5)),
]
SHARP = [case for case in NUMPY if get_operator(case[0]).differentiable]


def first(result):
    return result[0] if isinstance(result, tuple) else result


@pytest.mark.parametrize(("name", "parameters", "mean", "variance"), NUMPY)
def test_numpy_moments(name, parameters, mean, variance):
    op = get_operator(name)
    samples = first(op(np, **parameters, size=(COUNT,), rng=rng()))
    assert samples.shape == (COUNT,)
    assert samples.dtype == np.float32
    check_moments(samples, mean, variance)
    scalar = first(op(np, **parameters, rng=rng()))
    assert scalar.shape == ()
    assert op.num_visible_outputs(parameters) == 1
    outputs = op.num_outputs(parameters)
    full = op.complete({**parameters, "size": (3, 0)})
    assert op.shape_rule(**full) == ([], [(3, 0)] * outputs)
    assert op.list_inputs(parameters) == []


@pytest.mark.parametrize(("name", "parameters", "mean", "variance"), NUMPY)
def test_numpy_parameters_as_arrays(name, parameters, mean, variance):
    op = get_operator(name)
    arrays = [np.full(shape, v) for shape, v in zip([(2, 1), (3,)], parameters.values(), strict=False)]
    nothing = dict.fromkeys(parameters)
    common = np.broadcast_shapes(*[a.shape for a in arrays])
    size = (COUNT,) if name.endswith("_n") else (COUNT, *common)
    samples = first(op(np, *arrays, **nothing, size=size, rng=rng()))
    assert samples.shape == (COUNT, *common)
    check_moments(samples, mean, variance)
    assert op.list_inputs(nothing) == [f"input{i + 1}" for i in range(len(arrays))]
    full = op.complete({**nothing, "size": size})
    assert op.shape_rule(*[a.shape for a in arrays], **full)[1][0] == samples.shape
    assert op.shape_rule(*[None] * len(arrays), **full)[0] == [None] * len(arrays)


@pytest.mark.parametrize(("name", "parameters", "mean", "variance"), SHARP)
def test_gradients_flow_through_samples(name, parameters, mean, variance):
    op = get_operator(name)
    arrays = [np.full((2, 1), v) for v in parameters.values()]
    attributes = {**dict.fromkeys(parameters), "size": (5, 2, 3)}
    if "dtype" in op.attributes:
        attributes["dtype"] = np.dtype("float64")
    if name.endswith("_n"):
        attributes["size"] = (5, 3)

    def draw(*values):
        return op(np, *values, **attributes, rng=rng(3))

    outputs = list(draw(*arrays))
    head = rng(1).standard_normal(outputs[0].shape)
    gradients = op.gradient_rule(F, [head, None], outputs, *arrays, **op.complete(attributes))
    tolerance, step = (1e-6, 1e-6) if "dtype" in attributes else (2e-2, 1e-2)
    for i, g in enumerate(gradients):
        assert g.shape == arrays[i].shape
        for row in range(2):
            moved = [[a.copy() for a in arrays] for _ in range(2)]
            moved[0][i][row] += step
            moved[1][i][row] -= step
            up, down = (draw(*values)[0].astype(np.float64) for values in moved)
            slope = float((head * (up - down)).sum()) / (2 * step)
            assert slope == pytest.approx(float(g[row, 0]), rel=tolerance, abs=tolerance)


def _attributes(op):
    values = {
        **{"low": 0, "high": 9, "size": (4, 3), "shape": (4, 3), "range_max": 50, "scale": 1.0, "loc": 0.0},
        **{
            "prob": 0.5,
            "logit": None,
            "is_logit": False,
            "a": 3.0,
            "n": 7,
            "pvals": (0.2, 0.8),
            "alpha": 2.0,
        },
        "p": 0.5,
    }
    chosen = {name: values[name] for name in op.attributes if name in values}
    if op.name == "_npi_gamma":
        chosen["shape"] = 2.0
    if op.name == "_npi_choice":
        chosen["a"] = 5
    return chosen


RANDOM = [
    op
    for op in all_operators()
    if op.uses_generator and op.kernel.__module__.rpartition(".")[2].startswith(("random", "numpy_"))
]


@pytest.mark.parametrize("op", RANDOM, ids=lambda op: op.name)
def test_same_seed_same_numbers(op):
    attributes = _attributes(op)
    needed = [i for i in op.inputs if not i.optional]
    arrays = [np.full((4, 3), 0.25 * (i + 1), "float32") for i in range(len(needed))]
    draws = []
    for seed in (1, 1, 2):
        result = op(np, *arrays, **attributes, rng=rng(seed))
        draws.append(np.concatenate([np.ravel(r) for r in (result if isinstance(result, tuple) else [result])]))
    np.testing.assert_array_equal(draws[0], draws[1])
    if op.name not in ("_shuffle",):  # its rows are equal here
        assert not np.array_equal(draws[0], draws[2])
    assert not op.pure


def test_integers():
    draws = F._random_randint(low=-2, high=3, shape=(COUNT,), rng=rng())
    assert draws.dtype == np.int32
    assert set(draws.tolist()) == {-2, -1, 0, 1, 2}
    check_moments(draws, 0.0, 2.0)
    assert F._random_randint(low=0, high=3, shape=(), dtype="int64", rng=rng()).dtype == np.int64


def test_multinomial_frequencies_and_probabilities():
    weights = np.array([[0.1, 0.0, 0.9, 0.0], [0.25, 0.25, 0.5, 0.0]], "float32")
    op = get_operator("_sample_multinomial")
    samples, chances = op(np, weights, shape=(COUNT,), get_prob=True, rng=rng())
    assert samples.dtype == np.int32
    for row, p, chance in zip(samples, weights, chances, strict=True):
        frequencies = np.bincount(row, minlength=4) / COUNT
        np.testing.assert_allclose(frequencies, p, atol=5 * math.sqrt(0.25 / COUNT))
        assert (frequencies[p == 0] == 0).all()
        np.testing.assert_allclose(chance, np.log(p[row]), rtol=1e-6)
    assert op(np, weights[0], rng=rng()).shape == (1,)
    assert op(np, weights, shape=(2, 3), dtype="uint8", rng=rng()).dtype == np.uint8
    assert op.shape_rule((2, 4), shape=(2, 3), get_prob=False, dtype="int32")[1] == [(2, 2, 3)]


def test_multinomial_gradient_is_that_of_the_log_probability():
    op = get_operator("_sample_multinomial")
    weights = np.array([[0.25, 0.25, 0.5], [0.1, 0.2, 0.7]])
    full = op.complete({"shape": (6,), "get_prob": True})
    samples, chances = op(np, weights, shape=(6,), get_prob=True, rng=rng())
    head = rng(1).standard_normal(chances.shape)
    (gradient,) = op.gradient_rule(F, [None, head], [samples, chances], weights, **full)
    expected = np.zeros_like(weights)
    for row in range(2):
        for sample, h in zip(samples[row], head[row], strict=True):
            expected[row, sample] += h / weights[row, sample]
    np.testing.assert_allclose(gradient, expected)


def test_shuffle_keeps_rows_together():
    data = np.arange(20).reshape(10, 2)
    mixed = F.shuffle(data, rng=rng())
    assert not np.array_equal(mixed, data)
    np.testing.assert_array_equal(mixed[np.argsort(mixed[:, 0])], data)
    with pytest.raises(MXNetError, match="non-differentiable"):
        get_operator("shuffle").gradient_rule(F, mixed, mixed, data)


def test_unique_zipfian():
    samples, tries = F._sample_unique_zipfian(range_max=30, shape=(3, 20), rng=rng())
    assert samples.dtype == tries.dtype == np.int64
    for row, n in zip(samples, tries, strict=True):
        assert len(set(row.tolist())) == 20
        assert row.min() >= 0
        assert row.max() < 30
        assert n >= 20
    small, _ = F._sample_unique_zipfian(range_max=10**6, shape=(1, 500), rng=rng())
    assert np.median(small) < 10**4  # small numbers come far more often


def test_unique_zipfian_of_nothing():
    none, tries = F._sample_unique_zipfian(range_max=30, shape=(0, 4), rng=rng())
    assert (none.shape, none.dtype, tries.shape) == ((0, 4), np.int64, (0,))
    empty, tries = F._sample_unique_zipfian(range_max=30, shape=(2, 0), rng=rng())
    assert empty.shape == (2, 0) and tries.tolist() == [0, 0]


def test_operators_that_draw_have_their_whole_names_in_internal():
    """Where MXNet has them, and libraries look for them."""
    samples, tries = mx.nd._internal._sample_unique_zipfian(50, shape=(2, 6))
    assert samples.shape == (2, 6) and tries.shape == (2,)
    assert mx.nd._internal._random_uniform(3, 4, shape=(2,), ctx="cpu(0)", dtype="float64").dtype == np.float64
    assert mx.nd._internal._sample_normal(mx.nd.ones(2), mx.nd.ones(2), shape=(4,)).shape == (2, 4)
    node = mx.sym._internal._random_randint(0, 5, shape=(2,))
    assert node.list_outputs()[0].startswith("_random_randint")
    assert {"_random_uniform", "_sample_gamma"} <= set(dir(mx.nd._internal))
    for name in ("_random_uniform_like", "random_uniform", "_linalg_gemm2"):
        assert not hasattr(mx.nd._internal, name)


def test_choice():
    np.testing.assert_array_equal(np.sort(F._npi_choice(a=5, size=(5,), replace=False, rng=rng())), np.arange(5))
    counts = np.bincount(F._npi_choice(a=4, size=(COUNT,), rng=rng()), minlength=4) / COUNT
    np.testing.assert_allclose(counts, 0.25, atol=0.02)
    p = np.array([0.2, 0.0, 0.8])
    drawn = F._npi_choice(p, a=3, size=(COUNT,), weighted=True, rng=rng())
    np.testing.assert_allclose(np.bincount(drawn, minlength=3) / COUNT, p, atol=0.02)
    firsts = [F._npi_choice(p, a=3, size=(2,), replace=False, weighted=True, rng=rng(s))[0] for s in range(300)]
    assert abs(np.mean(np.array(firsts) == 2) - 0.8) < 0.12
    assert F._npi_choice(np.array([7.0, 8.0]), a=None, size=None, rng=rng()).shape == ()
    with pytest.raises(ValueError, match="larger sample"):
        F._npi_choice(a=3, size=(4,), replace=False, rng=rng())


def test_numpy_multinomial():
    p = (0.2, 0.3, 0.5)
    counts = F._npi_multinomial(n=50, pvals=p, size=(COUNT // 10, 2), rng=rng())
    assert counts.dtype == np.int64
    assert (counts.sum(-1) == 50).all()
    np.testing.assert_allclose(counts.mean((0, 1)), 50 * np.array(p), atol=0.5)
    assert F._npi_multinomial(np.array(p), n=3, rng=rng()).shape == (3,)
    with pytest.raises(MXNetError, match="sum"):
        F._npi_multinomial(n=10, pvals=(0.5, 0.6), rng=rng())


def test_bernoulli():
    coins = F._npi_bernoulli(prob=0.3, logit=None, is_logit=False, size=(COUNT,), rng=rng())
    assert coins.dtype == np.float32
    check_moments(coins, 0.3, 0.21)
    logits = np.array([0.0, math.log(3.0)])
    coins = F._npi_bernoulli(logits, prob=None, logit=None, is_logit=True, size=(COUNT, 2), dtype="bool", rng=rng())
    assert coins.dtype == bool
    np.testing.assert_allclose(coins.mean(0), [0.5, 0.75], atol=0.02)


@pytest.mark.parametrize(
    ("name", "attributes", "message"),
    [
        (
            "_random_uniform",
            {"low": 1.0, "high": 0.0},
            "Check failed: param.high >= param.low (0 vs. 1) : "
            "low must be less or equal to high in uniform distribution",
        ),
        (
            "_random_normal",
            {"scale": -1.0},
            "Check failed: param.scale > 0 (-1 vs. 0) : scale parameter in gaussian has to be positive",
        ),
        (
            "_random_poisson",
            {"lam": -1.0},
            "Check failed: param.lam >= 0 (-1 vs. 0) : lambda parameter in poisson distribution has to be non-negative",
        ),
        ("_random_uniform", {"shape": (2, 0)}, "Operator _random_uniform inferring shapes failed."),
        (
            "_random_uniform",
            {"dtype": "int32"},
            "Invalid Input: 'int32', valid values are: {'None', 'float16', 'float32', 'float64'}, "
            'in operator _random_uniform(name="", dtype="int32")',
        ),
        (
            "_random_randint",
            {"low": 5, "high": 1},
            "Check failed: param.high >= param.low (1 vs. 5) : "
            "low must be less or equal to high in uniform distribution",
        ),
    ],
)
def test_messages(name, attributes, message):
    with pytest.raises(MXNetError) as caught:
        get_operator(name)(np, **{"shape": (2,), **attributes}, rng=rng())
    assert str(caught.value).split("\n")[0] == message


def test_numpy_messages_are_value_errors():
    with pytest.raises(ValueError, match=r"param.scale.value\(\) >= 0.0 \(-1 vs. 0\) : scale < 0"):
        F._npi_normal(loc=0.0, scale=-1.0, size=(2,), rng=rng())
    with pytest.raises(ValueError, match="expect a > 0"):
        F._npi_pareto(a=-1.0, rng=rng())
    with pytest.raises(ValueError, match="expect probs"):
        F._npi_bernoulli(prob=1.5, logit=None, is_logit=False, rng=rng())


# --- densities -----------------------------------------------------------------------------------------

GRID = np.linspace(0.01, 0.99, 7).reshape(1, 7).repeat(2, 0)
WHOLE = np.arange(8.0).reshape(1, 8).repeat(2, 0)
DENSITIES = [
    ("uniform", GRID, [(0.0, -1.0), (1.0, 3.0)]),
    ("normal", GRID, [(0.0, 1.0), (1.0, 0.5)]),
    ("gamma", GRID, [(1.5, 3.0), (2.0, 0.7)]),
    ("exponential", GRID, [(0.5, 3.0)]),
    ("poisson", WHOLE, [(0.5, 3.0)]),
    ("negative_binomial", WHOLE, [(2.0, 3.5), (0.4, 0.7)]),
    ("generalized_negative_binomial", WHOLE, [(2.0, 3.5), (0.4, 0.7)]),
]


@pytest.mark.parametrize("is_log", [False, True])
@pytest.mark.parametrize(("family", "x", "parameters"), DENSITIES)
def test_density_gradients(family, x, parameters, is_log):
    op = get_operator(f"_random_pdf_{family}")
    arrays = [x, *(np.array(p) for p in parameters)]
    with np.errstate(all="ignore"):
        y = op(np, *arrays, is_log=is_log)
        head = rng().standard_normal(y.shape)
        gradients = op.gradient_rule(F, head, y, *arrays, is_log=is_log)
        for i, g in enumerate(gradients):
            assert g.shape == arrays[i].shape
            if i == 0 and x is WHOLE:
                assert not g.any()
                continue
            direction = rng(i).standard_normal(g.shape)
            moved = [[a + (1e-6 * s * direction if j == i else 0) for j, a in enumerate(arrays)] for s in (1, -1)]
            up, down = (op(np, *values, is_log=is_log) for values in moved)
            slope = float((head * (up - down)).sum()) / 2e-6
            assert slope == pytest.approx(float((g * direction).sum()), rel=1e-5, abs=1e-7)


@pytest.mark.parametrize(("family", "x", "parameters"), DENSITIES)
def test_densities_add_up_to_one(family, x, parameters):
    op = get_operator(f"_random_pdf_{family}")
    arrays = [np.array([p[1]]) for p in parameters]
    grid = np.arange(400.0) if x is WHOLE else np.linspace(-20.0 if family == "normal" else 1e-6, 60, 600_001)
    if family == "uniform":
        grid = np.linspace(-1, 3, 1001)
    with np.errstate(all="ignore"):
        density = op(np, grid[None], *arrays)[0]
    total = density.sum() if x is WHOLE else np.trapezoid(density, grid)
    assert total == pytest.approx(1, abs=1e-3)


def test_dirichlet_density():
    op = get_operator("_random_pdf_dirichlet")
    x, alpha = np.array([[[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]]]), np.array([[1.0, 2.0, 3.0]])
    with np.errstate(all="ignore"):
        y = op(np, x, alpha)
        np.testing.assert_allclose(y, [[4.5, 3.84]], rtol=1e-6)
        assert op.shape_rule(x.shape, alpha.shape)[1] == [(1, 2)]
        by_x, by_alpha = op.gradient_rule(F, np.ones((1, 2)), y, x, alpha, is_log=True)
    np.testing.assert_allclose(by_x, (alpha[:, None] - 1) / x)
    np.testing.assert_allclose(by_alpha, [[0.6546441, -0.9398908, 0.6503764]], rtol=1e-5)


# --- symbols that nobody uses --------------------------------------------------------------------


def test_a_symbol_for_which_there_is_no_input_is_passed_over_and_named():
    with pytest.warns(UserWarning, match="`_random_normal` takes no Symbols, and ignores `data`") as warned:
        drawn = mx.sym.random.randn(loc=10.0, scale=0.5, data=mx.sym.ones((3, 2)))
    assert warned[0].filename == __file__
    assert drawn.list_arguments() == [] and (drawn + mx.sym.ones((3, 2))).infer_shape()[1] == [(3, 2)]


def test_a_symbol_that_has_no_place_beside_others_is_refused():
    with pytest.raises(MXNetError, match="Cannot find argument 'other'"):
        mx.sym.random.normal(mx.sym.var("loc"), mx.sym.var("scale"), other=mx.sym.var("x"))
    with pytest.raises(MXNetError, match="Cannot find argument 'other'"):
        mx.sym.random.normal(other=1)
