"""The verifier of programs finds what is wrong with a program: each test breaks the compiler in one place."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from d2lhybrid import autograd, nd, random
from d2lhybrid.internals.compiler import arena, memory, numpy_writer
from d2lhybrid.internals.compiler.backends import c_program
from d2lhybrid.internals.compiler.emitter import Emitter
from d2lhybrid.internals.compiler.passes.fuse_elementwise import FusedBody
from d2lhybrid.internals.compiler.passes.regions import RegionBody
from d2lhybrid.internals.compiler.verify import WrongProgram, _as_exact, _is_rounding
from d2lhybrid.internals.core.node import Node
from d2lhybrid.internals.core.operator import get_operator

from .test_memory import SHARING, Of, flattened_after_a_transpose, gated, written_over_a_broadcast


def compile_on(function: Any, *shapes: tuple[int, ...], record: bool = False, **flags: Any) -> None:
    """Have a function compiled, and so verified: see ``conftest.py``."""
    net = Of(function)
    net.hybridize(**flags)
    inputs = [nd.random.normal(shape=shape) for shape in shapes]
    for x in inputs:
        x.attach_grad()
    if record:
        with autograd.record():
            net(*inputs)
    else:
        net(*inputs)


def chain(F: Any, x: Any) -> Any:
    a = F.exp(x)
    b = F.tanh(a)
    return a * b + F.sqrt(a)


def test_a_sound_program_passes() -> None:
    for flags in ({}, {"static_alloc": True}, {"static_alloc": True, "static_shape": True}, {"backend": "c"}):
        for record in (False, True):
            compile_on(chain, (3, 4), record=record, **flags)
            compile_on(gated, (512, 512), record=record, **flags)


@pytest.mark.parametrize("flags", [{}, {"static_alloc": True}], ids=["plain", "static_alloc"])
def test_a_value_that_is_written_over_too_early_is_found(
    monkeypatch: pytest.MonkeyPatch, flags: dict[str, Any]
) -> None:
    def overwrite(self: Any, node: Any, position: int, candidates: Any) -> int | None:
        return candidates[0] if node.inputs[candidates[0]][0].op is not None else None

    monkeypatch.setattr(memory._Planner, "overwrite", overwrite)
    with pytest.raises(WrongProgram, match="is read after another value was written to its memory"):
        compile_on(chain, (3, 4), **flags)


def test_a_write_into_an_argument_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory._Planner, "overwrite", lambda self, node, position, candidates: candidates[0])
    with pytest.raises(WrongProgram, match="read-only"):
        compile_on(chain, (3, 4))


def test_a_write_into_a_view_that_shows_elements_many_times_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numpy_writer.NumPyWriter, "placement", lambda self, node: memory.Placement.FRESH)
    with pytest.raises(WrongProgram, match="read-only"):
        compile_on(written_over_a_broadcast, (3, 4))


def test_places_that_meet_in_the_arena_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def at_the_beginning(places: Any) -> Any:
        return [0] * len(places), max(place.type.nbytes for place in places)

    monkeypatch.setattr(arena, "assign_offsets", at_the_beginning)
    with pytest.raises(WrongProgram, match="is read after another value was written to its memory"):
        compile_on(lambda F, x: F.sum(chain(F, x)), (3, 4), static_alloc=True)


def test_a_copy_that_is_made_once_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def always_a_view(self: Emitter, wish: str, number: int, shape: tuple[int, ...]) -> str:
        name = self.arguments[number]
        return self.view(wish, f"{name}.reshape({', '.join(map(str, shape))})", name)

    monkeypatch.setattr(Emitter, "reshaped", always_a_view)
    with pytest.raises(WrongProgram, match="is created once but is not a view of the arena"):
        compile_on(flattened_after_a_transpose, (2, 3, 5), (4, 15), static_alloc=True, static_shape=True)


@pytest.mark.parametrize("name", ["the same expression", "a slice", "a reshape"])
def test_outputs_that_share_memory_are_found(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def as_it_is(writer: Any, entry: Any, label: str, *_: Any) -> str:
        return label

    monkeypatch.setattr(numpy_writer, "_output", as_it_is)
    with pytest.raises(WrongProgram, match="shares memory with an earlier output"):
        compile_on(SHARING[name], (4, 3))


def test_a_line_that_computes_something_else_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(get_operator("tanh"), "ufunc_name", "sin")
    with pytest.raises(WrongProgram, match="but its kernel returns"):
        compile_on(chain, (3, 4))


def test_a_region_that_takes_one_input_for_another_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    write = FusedBody._write

    def mixed_up(self: Any) -> str:
        return write(self).replace("in1 = in1_flat", "in1 = in0_flat")

    monkeypatch.setattr(FusedBody, "_write", mixed_up)
    with pytest.raises(WrongProgram, match="but its kernel returns"):
        compile_on(gated, (512, 512))


def test_a_value_that_is_given_back_too_early_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numpy_writer, "_MIN_BYTES_TO_FREE", 0)

    def too_early(self: Any, plan: Any, position: int) -> list[str]:
        node = self.nodes[position]
        return [self.of[node, 0]] if node.op is not None and node.op.name == "exp" else []

    monkeypatch.setattr(numpy_writer.NumPyWriter, "_freed", too_early)
    with pytest.raises(WrongProgram, match="NameError"):
        compile_on(chain, (3, 4))


def test_what_the_verifier_runs_changes_neither_arrays_nor_random_numbers() -> None:
    x = nd.ones((3, 4))
    results = []
    for hybridize in (False, True):
        net = Of(lambda F, x: F.exp(x) + F.random.normal(shape=(3, 4)))
        if hybridize:
            net.hybridize()
        random.seed(3)
        results.append(net(x).asnumpy())
    numpy.testing.assert_array_equal(results[1], results[0])
    assert (x.asnumpy() == 1).all()


def test_a_region_that_cancels_to_rounding_is_not_a_wrong_one() -> None:
    """Where the gradient is 0, two ways to compute it leave different crumbs."""

    def pooled_softmin(F: Any, x: Any) -> Any:
        return F.Pooling(F.softmin(x, axis=-1), global_pool=True, pool_type="avg", kernel=(1, 1))

    compile_on(pooled_softmin, (512, 4, 8, 8), record=True, backend="c")


def test_a_region_may_leave_crumbs_where_its_kernels_cancel_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """C adds a product without rounding it first: ``a * b - c * d`` of equal products is not zero then."""
    monkeypatch.setattr(c_program, "MIN_SIZE", 8)

    net = Of(lambda F, a, b, c, d: a * b - c * d)
    net.hybridize(backend="c")
    x, y = nd.random.uniform(shape=(512, 4)), nd.random.uniform(shape=(512, 4))
    assert abs(net(x, y, x.copy(), y.copy()).asnumpy()).max() < 1e-7


def test_what_is_wrong_beside_large_values_is_found_nevertheless() -> None:
    values = numpy.array([1e8, 1.0], "float32")
    with numpy.errstate(all="ignore"):
        x = (Node(None, "x"), 0)
        body = RegionBody()
        body.inputs, body.nodes, body.outputs = (x,), (), (x,)
        assert _as_exact(values, values, body, [values], 0)
        assert not _as_exact(values + numpy.array([0, 0.5], "float32"), values, body, [values], 0)


def test_a_sum_that_cancels_may_be_added_in_another_order() -> None:
    thirds = (numpy.arange(1, 31) / 3).astype("float32")
    inputs = [numpy.concatenate([thirds, -thirds])]
    nothing = inputs[0].sum(keepdims=True)

    def total(inputs: Any) -> Any:
        return [inputs[0].sum(keepdims=True)]

    assert _is_rounding(nothing + numpy.float32(1e-6), nothing, total, inputs, 0)
    assert not _is_rounding(nothing + numpy.float32(1e-4), nothing, total, inputs, 0)


def test_products_that_cancel_may_be_rounded_or_not() -> None:
    """Only their common factor rounds: moving it by one unit moves all products alike."""
    inputs = [numpy.array([[2.0, 1.0, -3.0]], "float32"), numpy.array([0.1, 1 / 3], "float32")]

    def total(inputs: Any) -> Any:
        return [numpy.einsum("ij,k->k", *inputs)]

    right = numpy.zeros(2, "float32")
    assert _is_rounding(right + numpy.float32(3e-8), right, total, inputs, 0)
    assert not _is_rounding(right + numpy.float32(3e-6), right, total, inputs, 0)
    products = [numpy.array([0.1, 3], "float32"), numpy.array([2, 5], "float32")]

    def product(inputs: Any) -> Any:
        return [inputs[0] * inputs[1]]

    [right] = product(products)
    assert not _is_rounding(right * numpy.float32(1 + 1e-6), right, product, products, 0)


def test_numbers_that_round_nothing_must_be_met() -> None:
    indices = [numpy.arange(8, dtype="float32")]

    def twice(inputs: Any) -> Any:
        return [inputs[0] * 2]

    [right] = twice(indices)
    assert _is_rounding(right, right, twice, indices, 0)
    assert not _is_rounding(right * numpy.float32(1 + 1e-6), right, twice, indices, 0)
