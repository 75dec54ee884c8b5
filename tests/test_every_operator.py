"""Every registered operator, on sample calls: kernel, rules, gradient, the three ways to run it, files.

An operator without a sample fails. Where one cannot keep a promise, a table here says so, with the
reason.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

import numpy
import pytest
from operator_cases import Sample, run_kernel, samples_of

import d2lhybrid as mx
from d2lhybrid import autograd
from d2lhybrid.error import MXNetError
from d2lhybrid.internals.core.cached_op import CachedOp
from d2lhybrid.internals.core.interpret import interpret
from d2lhybrid.internals.core.invoke import invoke, wrap
from d2lhybrid.internals.core.kernel_space import kernel_space
from d2lhybrid.internals.core.no_program import NoProgramError
from d2lhybrid.internals.core.node import Node, topological_order
from d2lhybrid.internals.core.operator import REQUIRED, all_operators, get_operator, is_registered
from d2lhybrid.internals.core.typed_graph import follow, sweep
from d2lhybrid.internals.device import array_modules
from d2lhybrid.internals.frontends.frontend import namespace_of
from d2lhybrid.ndarray import NDArray
from d2lhybrid.symbol.compose import compose
from d2lhybrid.symbol.file import load_json
from d2lhybrid.symbol.symbol import Symbol, var

#: Operators that compiler passes make, out of nodes of a graph: tests/compiler runs them.
MADE_BY_PASSES = {"_fused"}

#: Operators whose nodes hold graphs of their own; they have tests of their own.
CONTROL_FLOW = {f"{prefix}{name}" for prefix in ("_", "_backward_") for name in ("foreach", "while_loop", "cond")}

OPERATORS = {op.name: op for op in all_operators() if op.name not in MADE_BY_PASSES | CONTROL_FLOW}
#: Operators whose types one walk does not settle: shapes follow from values, or the rule leaves them open.
NOT_SETTLED = {"_constant", "_contrib_boolean_mask", "_npi_bincount", "_npi_unique", "_npx_nonzero"}
TESTS = Path(__file__).parent
GOLDEN = TESTS / "golden_data" / "text" / "op_signatures.json"
CPU = mx.cpu()
SEED = 11


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with numpy.errstate(all="ignore"):
        yield


def each_operator(names: Sequence[str] | None = None) -> Any:
    return pytest.mark.parametrize("name", list(OPERATORS) if names is None else names)


# --- exceptions -----------------------------------------------------------------------------------

#: Operators whose number of result elements depends on the values: shape rules cannot know.
SHAPE_FROM_VALUES = {"_npi_unique", "_npx_nonzero", "_npi_bincount", "_npi_delete", "_contrib_boolean_mask"}

#: Operators that gradients and passes put into graphs; nobody calls them.
ONLY_IN_PROGRAMS = {"_along_axis"}

#: Operators without results: all they do is to write states.
NO_OUTPUTS = {"reset_arrays"}

_LOSS = "a loss: its gradient is that of the loss, whatever arrives at the output"
_STRAIGHT = "straight-through: passes the gradient on as if it were the identity"

#: Gradient rules that are not the derivative, on purpose.
NOT_THE_DERIVATIVE = {
    **dict.fromkeys(("SoftmaxOutput", "LinearRegressionOutput", "LogisticRegressionOutput"), _LOSS),
    **dict.fromkeys(("MAERegressionOutput", "SVMOutput", "MakeLoss", "make_loss"), _LOSS),
    **dict.fromkeys(("_contrib_round_ste", "_contrib_sign_ste"), _STRAIGHT),
    "_contrib_gradientmultiplier": "made to give another gradient",
    "BlockGrad": "made to give none",
    "_written": "gives the variable's gradient to the variable, not to what was written into it",
}

#: Inputs (by number) that have no gradient although the result depends on them.
WITHOUT_GRADIENT = {
    "_random_pdf_poisson": {0},  # counts
    "_random_pdf_negative_binomial": {0},
    "_random_pdf_generalized_negative_binomial": {0},
    "_contrib_ROIAlign": {1},  # as in MXNet: regions are given, not learnt
    "_contrib_PSROIPooling": {1},
    "_contrib_DeformablePSROIPooling": {1},
    "_contrib_RROIAlign": {1},
    "_contrib_count_sketch": {1, 2},  # tables that are drawn once
    "_backward_count_sketch": {1, 2},
    "_contrib_hawkesll": {6},  # how many events there are
    "_contrib_boolean_mask": {1},
    "gather_nd": {1},  # one beyond the last place is an error, by however little
    "_backward_contrib_boolean_mask": {2},
}

#: Gradients of normalisations. Their moments (inputs 3 and 4) follow from the data: a derivative goes through them.
MOMENTS_OF = {f"_backward_{name}": name for name in ("LayerNorm", "GroupNorm", "InstanceNorm", "BatchNorm")}
WITHOUT_GRADIENT |= {name: {3, 4} for name in MOMENTS_OF}

#: Operators whose further outputs are not differentiated: MXNet gives statistics out, nothing more.
FIRST_OUTPUT_ONLY = {"BatchNorm", "BatchNorm_v1", "LayerNorm"}

#: Operators whose recorded inputs lie on an edge (equal values, bounds): differentiated a little beside it.
ON_AN_EDGE = {"_mod", "_maximum", "_minimum", "clip", "Pooling", "SpatialTransformer"}

#: Functions of symmetric matrices: they may only be moved among these.
OF_SYMMETRIC_MATRICES = {"_linalg_potrf", "_npi_cholesky", "_linalg_syevd", "_npi_eigh", "_npi_eigvalsh"}

#: What the gradient rule of an operator says that can be differentiated once only.
ONCE = re.compile(
    "is non-differentiable because it didn't register FGradient attribute|^The second derivative of .* is not supported"
)


# --- kernels and rules ----------------------------------------------------------------------------


def read_only(array: Any) -> Any:
    if array is None:
        return None
    array = numpy.array(array)
    array.flags.writeable = False
    return array


@each_operator()
def test_it_has_samples(name: str) -> None:
    assert samples_of(OPERATORS[name]), f"{name}: add a call to tests/operator_samples.py"


@each_operator()
def test_kernel_and_rules_agree(name: str) -> None:
    """Kernels leave their inputs alone; shape and dtype rules say what kernels return."""
    op = OPERATORS[name]
    for sample in samples_of(op):
        arrays, params = [read_only(a) for a in sample.arrays], sample.params
        outputs = run_kernel(op, numpy, arrays, params, sample.training)
        assert len(outputs) == op.num_outputs(params, len(arrays)), sample
        visible = op.num_visible_outputs(params, len(arrays))
        assert (0 if name in NO_OUTPUTS else 1) <= visible <= len(outputs), sample
        full = op.complete(params)
        if op.shape_rule is not None:
            shapes = [None if a is None else a.shape for a in arrays]
            inputs, found = op.shape_rule(*shapes, **full)
            assert list(inputs) == shapes, sample
            expected = [o.shape for o in outputs]
            if name in SHAPE_FROM_VALUES:
                _check_consistent(found, expected, sample)
            else:
                assert list(found) == expected, sample
        if op.type_rule is not None:
            dtypes = [None if a is None else a.dtype for a in arrays]
            inputs, found = op.type_rule(*dtypes, **full)
            assert list(inputs) == dtypes, sample
            assert [numpy.dtype(d) for d in found] == [o.dtype for o in outputs], sample


def _other_shapes(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield shapes that differ from one in a size, or in an axis."""
    for axis, size in enumerate(shape):
        yield from ((*shape[:axis], other, *shape[axis + 1 :]) for other in {0, 1, size + 1} - {size})
    yield (1, *shape)
    if shape:
        yield shape[1:]
        yield shape[:-1]


@each_operator([n for n in OPERATORS if not n.startswith("_backward_") and n not in ONLY_IN_PROGRAMS])
def test_eager_calls_refuse_what_the_shape_rule_refuses(name: str) -> None:
    """Otherwise a net that works eagerly fails when it is hybridized, or worse: a mistake goes unnoticed."""
    op = OPERATORS[name]
    if op.shape_rule is None:
        return
    for sample in samples_of(op)[:2]:
        shapes = [None if a is None else a.shape for a in sample.arrays]
        for i, array in enumerate(sample.arrays):
            for shape in () if array is None else _other_shapes(array.shape):
                given = [*shapes[:i], shape, *shapes[i + 1 :]]
                try:
                    wanted, _ = op.shape_rule(*given, **op.complete(sample.params))
                    refused = list(wanted) != given
                except Exception:  # inference explains all of them
                    refused = True
                if not refused:
                    continue
                arrays = list(sample.arrays)
                arrays[i] = numpy.resize(array, shape) if array.size else numpy.zeros(shape, array.dtype)
                changed = sample._replace(arrays=tuple(arrays))
                with pytest.raises(mx.MXNetError):
                    run_eagerly(changed, make_arrays(changed))


@each_operator(
    [n for n in OPERATORS if not n.startswith("_") or n.startswith(("_contrib_", "_linalg_", "_np", "_random_"))]
)
def test_eager_calls_refuse_what_the_type_rule_refuses(name: str) -> None:
    op = OPERATORS[name]
    if op.type_rule is None:
        return
    for sample in samples_of(op)[:2]:
        dtypes = [None if a is None else a.dtype for a in sample.arrays]
        for i, array in enumerate(sample.arrays):
            for dtype in () if array is None else {"float16", "float64", "int32"} - {array.dtype.name}:
                given = [*dtypes[:i], numpy.dtype(dtype), *dtypes[i + 1 :]]
                try:
                    op.type_rule(*given, **op.complete(sample.params))
                except mx.MXNetError:
                    arrays = list(sample.arrays)
                    arrays[i] = array.astype(dtype)
                    changed = sample._replace(arrays=tuple(arrays))
                    with pytest.raises(mx.MXNetError):
                        run_eagerly(changed, make_arrays(changed))


def _check_consistent(found: Sequence[Any], known: Sequence[Any], context: Any) -> None:
    """Check that partial shapes or dtypes do not contradict the true ones."""
    assert len(found) == len(known), context
    for partial, true in zip(found, known, strict=True):
        if partial is None or true is None:
            continue
        if not isinstance(true, tuple):
            assert numpy.dtype(partial) == true, context
            continue
        assert len(partial) == len(true), (context, found)
        assert all(m is None or m == n for m, n in zip(partial, true, strict=True)), (context, found)


def _partial(values: list[Any]) -> Iterator[list[Any]]:
    """Yield the values with some of them unknown, and shapes with some of their sizes unknown."""
    yield [None] * len(values)
    for i, value in enumerate(values):
        if value is None:
            continue
        yield [None if j == i else v for j, v in enumerate(values)]
        yield [v if j == i else None for j, v in enumerate(values)]
        if isinstance(value, tuple):
            yield [(None,) * len(v) if j == i else v for j, v in enumerate(values)]
            for axis in range(len(value)):
                yield [(*v[:axis], None, *v[axis + 1 :]) if j == i else v for j, v in enumerate(values)]
    if any(isinstance(v, tuple) for v in values):
        yield [None if v is None else (None,) * len(v) for v in values]


@each_operator()
def test_rules_of_partly_unknown_inputs_are_consistent(name: str) -> None:
    op = OPERATORS[name]
    for sample in samples_of(op):
        full = op.complete(sample.params)
        outputs = run_kernel(op, numpy, sample.arrays, sample.params, sample.training)
        for rule, key in ((op.shape_rule, "shape"), (op.type_rule, "dtype")):
            if rule is None:
                continue
            known = [None if a is None else getattr(a, key) for a in sample.arrays]
            expected = [getattr(o, key) for o in outputs]
            for given in _partial(known):
                inputs, found = rule(*given, **full)
                context = (sample, key, given)
                _check_consistent(inputs, known, context)
                _check_consistent(found, expected, context)


def _types_of(way: Any, symbol: Symbol, shapes: dict[str, Any], dtypes: dict[str, Any]) -> Any:
    """Return the types of all entries; None where a way finds none."""
    order = topological_order(symbol._entries)
    try:
        types = way(order, shapes, dtypes)
    except (MXNetError, NoProgramError):
        return None
    return None if types is None else {entry: types[entry] for entry in _every_entry(order) if entry in types}


def _every_entry(order: Sequence[Node]) -> list[tuple[Node, int]]:
    return [(node, i) for node in order for i in range(node.num_outputs)]


@each_operator([name for name in OPERATORS if name not in NO_OUTPUTS])
def test_one_walk_finds_the_types_that_inference_finds(name: str) -> None:
    followed = 0
    for sample in samples_of(OPERATORS[name]):
        symbol, names = make_symbol(sample)
        given = dict(zip(names, (a for a in sample.arrays if a is not None), strict=True))
        shapes, dtypes = {n: a.shape for n, a in given.items()}, {n: a.dtype for n, a in given.items()}
        cases = [(shapes, dtypes)]
        cases += [({**shapes, n: other}, dtypes) for n in names for other in _other_shapes(shapes[n])]
        cases += [(shapes, {**dtypes, n: numpy.dtype(t)}) for n in names for t in ("float64", "float16", "int32")]
        for case in cases:
            for _ in range(2):  # the second answer is remembered
                quick = _types_of(follow, symbol, *case)
                if quick is not None:
                    thorough = _types_of(lambda *given, s=symbol: sweep(s._entries, *given), symbol, *case)
                    assert quick == thorough, (sample, case)
                    followed += 1
    assert bool(followed) is (name not in NOT_SETTLED), name


# --- three ways to run it -------------------------------------------------------------------------


def make_symbol(sample: Sample) -> tuple[Symbol, list[str]]:
    """Return the graph of one node for a sample, and its variables' names in order."""
    names = [f"in{i}" for i in range(len(sample.arrays))]
    inputs = [None if a is None else var(n) for n, a in zip(names, sample.arrays, strict=True)]
    symbol = compose(sample.op, "node", inputs, sample.attributes, Symbol, "node")
    names = [names[i] for i in sample.present]
    assert [n.name for n, _ in symbol._entries[0][0].inputs] == names, sample
    return symbol, names


def make_arrays(sample: Sample, context: Any = CPU) -> list[Any]:
    return [
        None if a is None else wrap(NDArray, array_modules.to_context(a.copy(), context), context)
        for a in sample.arrays
    ]


def run_eagerly(sample: Sample, arrays: list[Any]) -> list[Any]:
    mx.random.seed(SEED)
    result = invoke(sample.op, arrays, sample.params, NDArray, ctx=None if arrays and arrays[0] is not None else CPU)
    return result if isinstance(result, list) else [result]


def run_compiled(sample: Sample, arrays: list[Any]) -> list[Any]:
    symbol, names = make_symbol(sample)
    present = [a for a in arrays if a is not None]
    mx.random.seed(SEED)
    return CachedOp(symbol, names, len(names))(present, NDArray, present[0]._ctx if present else CPU)


def run_interpreted(sample: Sample) -> list[Any]:
    symbol, _ = make_symbol(sample)
    node = symbol._entries[0][0]
    values = {n: sample.arrays[i] for (n, _), i in zip(node.inputs, sample.present, strict=True)}
    mx.random.seed(SEED)
    return interpret(symbol._entries, values, sample.training, array_modules.generator(CPU))


def check_close(found: Any, expected: Any, context: Any, rtol: float = 1e-6) -> None:
    found, expected = numpy.asarray(found), numpy.asarray(expected)
    assert found.dtype == expected.dtype, context
    assert found.shape == expected.shape, context
    if found.dtype.kind != "f":
        numpy.testing.assert_array_equal(found, expected, err_msg=str(context))
        return
    finite = expected[numpy.isfinite(expected)]
    rtol = max(rtol, 4 * float(numpy.finfo(found.dtype).eps))
    atol = rtol * max(1.0, float(numpy.abs(finite).max())) if finite.size else 0.0
    numpy.testing.assert_allclose(found, expected, rtol=rtol, atol=atol, err_msg=str(context))


def shares_memory(array: Any, others: Sequence[Any]) -> bool:
    return any(o is not None and numpy.may_share_memory(array._data, o._data) for o in others)


@each_operator([n for n in OPERATORS if n not in NO_OUTPUTS])
def test_eager_interpreted_and_compiled_agree(name: str) -> None:
    op = OPERATORS[name]
    for sample in samples_of(op):
        eager_arrays, compiled_arrays = make_arrays(sample), make_arrays(sample)
        with autograd.train_mode() if sample.training else autograd.predict_mode():
            eager = run_eagerly(sample, eager_arrays)
            compiled = run_compiled(sample, compiled_arrays)
        interpreted = run_interpreted(sample)
        assert len(eager) == len(compiled) == len(interpreted), sample
        for e, c, i in zip(eager, compiled, interpreted, strict=True):
            assert type(e._data) is type(c._data) is numpy.ndarray, sample
            assert not shares_memory(e, eager_arrays), sample
            assert not shares_memory(c, compiled_arrays), sample
            check_close(c._data, e._data, sample)
            check_close(i, e._data, sample)
        for i in sample.present:  # states are written by the caller of a kernel, in both ways alike
            check_close(compiled_arrays[i]._data, eager_arrays[i]._data, (sample, "state", i))


# --- gradients ------------------------------------------------------------------------------------


def wanted_inputs(sample: Sample) -> list[int]:
    names = [i.name for i in sample.op.inputs]
    return [
        i for i in sample.present
        if sample.arrays[i].dtype.kind == "f" and not (i < len(names) and names[i] in sample.op.aux)
    ]  # fmt: skip


def heads_of(outputs: Sequence[Any]) -> list[Any]:
    rng = numpy.random.default_rng(5)
    return [wrap(NDArray, rng.normal(size=o.shape).astype(o.dtype), CPU) for o in outputs]


def run_and_differentiate(sample: Sample, wanted: list[int], run: Any) -> tuple[list[Any], list[Any]]:
    """Return the inputs, with their gradients, and the outputs."""
    arrays = make_arrays(sample)
    for i in wanted:
        arrays[i].attach_grad()
    with autograd.record(train_mode=sample.training):
        outputs = run(sample, arrays)
    autograd.backward(outputs, heads_of(outputs), train_mode=sample.training)
    return arrays, outputs


def differentiate_recorded(sample: Sample, wanted: list[int]) -> list[Any]:
    """Return the gradients when the backward pass is recorded itself, for second derivatives."""
    arrays = make_arrays(sample)
    for i in wanted:
        arrays[i].attach_grad()
    with autograd.record(train_mode=sample.training):
        outputs = run_eagerly(sample, arrays)
    variables = [arrays[i] for i in wanted]
    heads = heads_of(outputs)
    return autograd.grad(outputs, variables, heads, create_graph=True, train_mode=sample.training)


def differentiable(name: str) -> bool:
    return OPERATORS[name].differentiable


@each_operator([n for n in OPERATORS if differentiable(n)])
def test_gradients_of_tape_and_program_agree(name: str) -> None:
    for sample in samples_of(OPERATORS[name]):
        wanted = wanted_inputs(sample)
        if not wanted:
            continue
        try:
            eager, eager_outputs = run_and_differentiate(sample, wanted, run_eagerly)
        except MXNetError as error:
            if not ONCE.search(str(error)):
                raise
            with pytest.raises(MXNetError, match=ONCE):
                run_and_differentiate(sample, wanted, run_compiled)
            continue
        compiled, compiled_outputs = run_and_differentiate(sample, wanted, run_compiled)
        for e, c in zip(eager_outputs, compiled_outputs, strict=True):
            check_close(c._data, e._data, sample)
        for i in wanted:
            check_close(compiled[i].grad._data, eager[i].grad._data, (sample, "gradient", i), rtol=3e-6)
        for i in sample.present:
            check_close(compiled[i]._data, eager[i]._data, (sample, "state", i))
        recorded = differentiate_recorded(sample, wanted)
        for i, gradient in zip(wanted, recorded, strict=True):
            check_close(gradient._data, eager[i].grad._data, (sample, "recorded", i), rtol=3e-6)


def in_float64(sample: Sample) -> Sample:
    arrays = tuple(a.astype("float64") if a is not None and a.dtype.kind == "f" else a for a in sample.arrays)
    attributes = dict(sample.attributes)
    if str(attributes.get("dtype", "float")).startswith("float") and "dtype" in sample.op.attributes:
        attributes["dtype"] = "float64"
    if sample.op.name in ON_AN_EDGE:
        rng = numpy.random.default_rng(1)
        arrays = tuple(a + rng.uniform(0.01, 0.02, a.shape) if a.dtype.kind == "f" else a for a in arrays)
    return sample._replace(arrays=arrays, attributes=attributes)


@each_operator([n for n in OPERATORS if differentiable(n) and n not in NOT_THE_DERIVATIVE])
def test_gradient_is_the_derivative(name: str) -> None:
    """Compare gradient rules with the slope of the kernel, in float64, along random directions."""
    checked = [check_derivative(in_float64(sample)) for sample in samples_of(OPERATORS[name])]
    assert any(checked) or not any(wanted_inputs(s) for s in samples_of(OPERATORS[name]))


def with_their_moments(op: Any, arrays: Sequence[Any], params: dict[str, Any]) -> list[Any]:
    """Return what the gradient of a normalisation is given where the moments are those of the data."""
    dy, data, gamma, *_ = arrays
    settings = {name: value for name, value in params.items() if name in op.attributes}
    given = [data, *[gamma] * (len(op.inputs) - 1)]
    return [dy, data, gamma, *run_kernel(op, numpy, given, settings, True)[1:3]]


def check_derivative(sample: Sample) -> bool:
    """Compare one sample's gradients; return False where there is nothing to compare."""
    op, params, wanted = sample.op, sample.params, wanted_inputs(sample)
    rng = numpy.random.default_rng(3)
    outputs = run_kernel(op, numpy, sample.arrays, params, sample.training)
    visible = op.num_visible_outputs(params, len(sample.arrays))
    if not wanted or outputs[0].dtype.kind != "f":
        return False
    compared = 1 if op.name in FIRST_OUTPUT_ONLY else visible
    heads = [rng.normal(size=o.shape) * (i < compared) for i, o in enumerate(outputs[:visible])]
    dy = [h.astype(o.dtype) for h, o in zip(heads, outputs, strict=False)] + [None] * (len(outputs) - visible)
    needs = tuple(i in wanted for i in range(len(sample.arrays)))
    try:
        found = op.vjp(kernel_space(numpy), dy, outputs, sample.arrays, params, needs, sample.training)
    except MXNetError as error:
        if ONCE.search(str(error)):
            return True
        raise

    def value(arrays: Sequence[Any]) -> float:
        if op.name in MOMENTS_OF and params.get("batch_statistics", True):
            arrays = with_their_moments(OPERATORS[MOMENTS_OF[op.name]], arrays, params)
        results = run_kernel(op, numpy, arrays, params, sample.training)
        pairs = zip(heads, results, strict=False)
        return math.fsum(float((h * o).sum()) for h, o in pairs if o.dtype.kind == "f")

    assert len(found) == len(sample.arrays), sample
    compared_any = False
    for i in wanted:
        x, gradient = sample.arrays[i], found[i]
        if i in WITHOUT_GRADIENT.get(op.name, ()):
            assert gradient is None or not numpy.any(gradient), (sample, i)
            continue
        direction = rng.normal(size=x.shape)
        if op.name in OF_SYMMETRIC_MATRICES:
            direction = direction + direction.swapaxes(-1, -2)

        def slope(step: float, i: int = i, x: Any = x, direction: Any = direction) -> float:
            moved = [[*sample.arrays[:i], x + s * step * direction, *sample.arrays[i + 1 :]] for s in (1, -1)]
            return (value(moved[0]) - value(moved[1])) / (2 * step)

        exact = all(o.dtype == numpy.float64 for o in outputs[:visible])
        step, tolerance = (1e-6, 2e-5) if exact else (1e-2, 1e-2)
        expected = slope(step)
        if not math.isfinite(expected):
            continue
        compared_any = True
        if gradient is None:  # no slope, or none that two different steps agree on (an index)
            agree = math.isclose(slope(2 * step), expected, rel_tol=1e-3)
            assert not agree or abs(expected) < 1e-6, (sample, i, "has no gradient", expected)
            continue
        assert gradient.shape == x.shape, (sample, i)
        assert gradient.dtype == x.dtype, (sample, i, gradient.dtype)
        actual = float((gradient * direction).sum())
        scale = float(numpy.abs(gradient * direction).sum()) + 1e-3
        assert abs(actual - expected) < tolerance * scale, (sample, i, actual, expected)
    return compared_any


# --- what passes may rely on ----------------------------------------------------------------------


@each_operator([n for n, op in OPERATORS.items() if op.fresh])
def test_fresh_operators_return_memory_of_their_own(name: str) -> None:
    for sample in samples_of(OPERATORS[name]):
        outputs = run_kernel(sample.op, numpy, sample.arrays, sample.params, sample.training)
        present = [sample.arrays[i] for i in sample.present]
        assert not any(numpy.may_share_memory(o, a) for o in outputs for a in present), sample
        whole = [None if a is None else numpy.ascontiguousarray(a, "int32") for a in sample.arrays]
        try:
            outputs = run_kernel(sample.op, numpy, whole, sample.params, sample.training)
        except (MXNetError, TypeError, ValueError, IndexError):  # not for integers
            continue
        assert not any(numpy.may_share_memory(o, a) for o in outputs for a in whole if a is not None), sample


@each_operator([n for n, op in OPERATORS.items() if op.elementwise])
def test_elementwise_operators_work_element_by_element(name: str) -> None:
    """Shuffling the elements of the inputs shuffles those of the result."""
    rng = numpy.random.default_rng(2)
    for sample in samples_of(OPERATORS[name]):
        arrays, params = list(sample.arrays), sample.params
        (output,) = run_kernel(sample.op, numpy, arrays, params, sample.training)
        wide = [numpy.broadcast_to(a, output.shape) for a in arrays]
        assert wide, sample
        order = rng.permutation(output.size)
        shuffled = [w.reshape(-1)[order].reshape(output.shape) for w in wide]
        (result,) = run_kernel(sample.op, numpy, shuffled, params, sample.training)
        check_close(result.reshape(-1), output.reshape(-1)[order], sample)


# --- functions, files -----------------------------------------------------------------------------

#: Operators with names of our own, which MXNet's files do not have: helpers of gradient rules and passes.
OWN_NAMES = {
    "_adaptive_avg_pooling_like", "_add_picked", "_align_weights", "_along_axis", "_bias_batch_last", "_cast_like",
    "_constant", "_contract", "_convolution_batch_last", "_convolution_direct", "_dense_batch_last",
    "_dense_vector", "_digamma", "_gather_along",
    "_matrix_apply", "_matrix_outer", "_matrix_transpose", "_one_hot_like", "_polynomial_derivative",
    "_pooling_at_maxima", "_pooling_batch_last", "_power_sums", "_stretch_or_sum", "_reduce_like", "_sum_to_reduced",
    "_sum_to_weights", "_triangular_part", "_trigamma",
}  # fmt: skip
MXNET_NAMES = [n for n in OPERATORS if not n.startswith("_backward_") and n not in OWN_NAMES]


def test_own_names_are_registered() -> None:
    assert set(OPERATORS) >= OWN_NAMES


@each_operator([n for n in MXNET_NAMES if n not in NO_OUTPUTS])
def test_a_graph_of_one_node_survives_a_file(name: str) -> None:
    for sample in samples_of(OPERATORS[name]):
        symbol, _ = make_symbol(sample)
        text = symbol.tojson()
        again = load_json(text)
        assert again.tojson() == text, sample
        node, loaded = symbol._entries[0][0], again._entries[0][0]
        assert loaded.op is node.op and loaded.attrs == node.attrs, sample
        assert loaded.params.keys() == node.params.keys(), sample
        values = {n: sample.arrays[i] for (n, _), i in zip(loaded.inputs, sample.present, strict=True)}
        mx.random.seed(SEED)
        found = interpret(again._entries, values, sample.training, array_modules.generator(CPU))
        for a, b in zip(found, run_interpreted(sample), strict=True):
            numpy.testing.assert_array_equal(a, b, err_msg=str(sample))


@each_operator([n for n in MXNET_NAMES if n not in NO_OUTPUTS])
def test_functions_of_nd_and_sym_do_the_same(name: str) -> None:
    op = OPERATORS[name]
    place, public = namespace_of(name)
    if place in ("np", "npx", "npi", "random"):  # these have functions written by hand
        return
    for sample in samples_of(op)[:1]:
        arrays = make_arrays(sample)
        if name == "_sparse_retain":  # its function takes nothing else
            arrays[0] = arrays[0].tostype("row_sparse")
        module = getattr(mx.nd, place) if place else mx.nd.op
        mx.random.seed(SEED)
        shown, named = split_by_name(op, arrays)
        found = getattr(module, public)(*shown, **named, **sample.attributes)
        expected = run_eagerly(sample, make_arrays(sample))
        for a, b in zip(found if isinstance(found, list) else [found], expected, strict=True):
            check_close(a._data, b._data, sample)
        symbols = [None if a is None else var(f"in{i}") for i, a in enumerate(sample.arrays)]
        module = getattr(mx.sym, place) if place else mx.sym.op
        shown, named = split_by_name(op, symbols)
        symbol = getattr(module, public)(*shown, **named, **sample.attributes, name="node")
        assert symbol.tojson() == make_symbol(sample)[0].tojson(), sample


def split_by_name(op: Any, inputs: list[Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return the inputs that a function takes by position, and those that it takes by name alone."""
    if not op.by_name:
        return inputs, {}
    named = dict(zip((i.name for i in op.inputs), inputs, strict=False))
    return [v for n, v in named.items() if n not in op.by_name], {n: v for n, v in named.items() if n in op.by_name}


def names_in_np(op: Any) -> list[tuple[str, str]]:
    """Return where in the other dialect an operator is a function, ``F.np`` or ``F.npx``, and what that is called."""
    found = [namespace_of(name) for name in op.names]
    return [(place, public) for place, public in found if place in ("np", "npx")]


@each_operator([n for n, op in OPERATORS.items() if names_in_np(op)])
def test_functions_of_the_other_dialect_do_the_same(name: str) -> None:
    for (place, public), sample in itertools.product(names_in_np(OPERATORS[name]), samples_of(OPERATORS[name])[:1]):
        function = getattr(getattr(mx.nd, place), public)
        if not hasattr(function, "operator"):  # written by hand, with NumPy's signature
            continue
        assert function.operator is OPERATORS[name]
        with autograd.train_mode() if sample.training else autograd.predict_mode():
            mx.random.seed(SEED)
            expected = run_eagerly(sample, make_arrays(sample))
            mx.random.seed(SEED)
            arrays = [None if a is None else a.as_np_ndarray() for a in make_arrays(sample)]
            found = function(*arrays, **sample.attributes)
        for a, b in zip(found if isinstance(found, list) else [found], expected, strict=True):
            assert type(a) is mx.np.ndarray, sample
            check_close(a._data, b._data, sample)
        symbols = [None if a is None else var(f"in{i}").as_np_ndarray() for i, a in enumerate(sample.arrays)]
        made = getattr(getattr(mx.sym, place), public)(*symbols, **sample.attributes, name="node")
        symbol = made[0] if isinstance(made, list) else made
        assert symbol._entries[0][0].op is OPERATORS[name], sample
        assert symbol.list_arguments() + symbol.list_auxiliary_states() == [f"in{i}" for i in sample.present], sample


# --- signatures -----------------------------------------------------------------------------------

#: Rows of MXNet's own listing that are wrong: what real calls take is here.
WRONG_ROWS = {
    "_linspace": "lists the arguments of arange",
    "_npi_linspace": "lists the arguments of arange",
    "_npi_concatenate": "lists dim, takes axis",
    "_npi_norm": "lists no attributes",
    **dict.fromkeys(["_linalg_potrf", "linalg_potrf", "_linalg_potri", "linalg_potri"], "lists no lower, and takes it"),
}
ARRAY_TYPES = {"NDArray-or-Symbol", "NDArray-or-Symbol[]", "NDArray", "Symbol", "Symbol or Symbol[]"}
#: MXNet's word for a type -> ours.
KINDS = {
    "boolean": "bool", "int": "int", "int (non-negative)": "int", "long": "int",
    "long (non-negative)": "int", "float": "float", "double": "float", "real_t": "float", "string": "str",
    "Shape(tuple)": "Shape", "Shape": "Shape", "tuple of <float>": "Floats", "tuple of <long>": "Shape",
    "tuple of <Shape(tuple)>": "Pairs",
}  # fmt: skip
SIGNATURES = json.loads(GOLDEN.read_text("utf-8"))["signatures"]


@pytest.mark.parametrize("name", [n for n in SIGNATURES if is_registered(n) and n not in {*WRONG_ROWS, *CONTROL_FLOW}])
def test_signature_is_that_of_mxnet(name: str) -> None:
    op = get_operator(name)
    rows = [(argument, text) for argument, text in SIGNATURES[name] if argument != "num_args"]
    arrays = [argument for argument, text in rows if text.partition(",")[0] in ARRAY_TYPES]
    assert arrays == ([op.variadic] if op.variadic else [i.name for i in op.inputs])
    settings = [(argument, text) for argument, text in rows if text.partition(",")[0] not in ARRAY_TYPES]
    assert [argument for argument, _ in settings] == [a for a in op.attributes if a != "num_args"]
    for argument, text in settings:
        attribute = op.attributes[argument]
        kind, _, none = attribute.kind.partition(" | ")
        if text.startswith("{"):
            if kind.startswith("Literal"):
                choices = {str(c) for c in get_args(eval(kind, {"Literal": Literal}))}
                listed = set(re.findall(r"'([^']*)'|(None)", text.partition("}")[0]))
                assert {a or b for a, b in listed} == choices | ({none} if none else set()), argument
            else:
                assert kind == "DType", argument
        elif text.partition(",")[0]:
            theirs = text.partition(",")[0].removesuffix(" or None")
            assert KINDS[theirs] == kind, argument
        _, given, default = text.partition("default=")
        if given:
            assert attribute.default is not REQUIRED, argument
            default = {"None": "None", "[]": "()"}.get(default.strip("'"), default.strip("'"))
            value = None if default == "None" else attribute.parse(default)
            if isinstance(value, float):
                value = pytest.approx(value, rel=1e-6)
            assert attribute.default == value, argument
        elif "required" in text:
            assert attribute.default is REQUIRED, argument


def test_operators_that_are_not_here_are_listed() -> None:
    text = (TESTS.parent / "docs" / "operators.md").read_text("utf-8")
    table = text.partition("| --- | --- |")[2].partition("\n\n")[0]
    listed = {name for row in table.split("\n") for name in re.findall(r"`(\w+)`", row[1:].partition("|")[0])}
    missing = {name for name in SIGNATURES if not is_registered(name)} - CONTROL_FLOW
    assert listed == missing
    assert f"MXNet lists {len(SIGNATURES)} operators" in text
