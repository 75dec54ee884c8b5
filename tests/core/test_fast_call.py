"""The short way of the most common call: which call takes it, and which goes the general way."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.core import parallel
from d2lhybrid.internals.core.cached_op import FastCall
from d2lhybrid.internals.core.invoke import wrap
from d2lhybrid.internals.core.promotion import Promotion
from d2lhybrid.internals.support import clock
from d2lhybrid.internals.support.events import listening

GENERATION, LATER = object(), object()


def make_program(**changes: Any) -> Any:
    """Return a program that adds its arguments; its second result is no output."""
    forward = {"function": lambda *raws: (sum(raws), None), "workspaces": None, "threaded": False}
    forward |= {"uses_generator": False} | {name: changes.pop(name) for name in [*changes] if name in FORWARD}
    values = {"num_outputs": 1, "forward_states": (), "prepare": None, "promotion": None, "_recorded": False}
    return SimpleNamespace(**(values | changes), forward=SimpleNamespace(**forward))


FORWARD = {"function", "workspaces", "threaded", "uses_generator"}


def primed(program: Any, x: Any, *raws: Any, training: bool = False) -> FastCall:
    fast = FastCall()
    fast.prime(x, list(raws), program, training, GENERATION)
    return fast


def values(array: Any) -> Any:
    return None if array is None else array.asnumpy().tolist()


def test_a_call_like_the_last_one_returns_a_new_array() -> None:
    x, weight = nd.array([1, 2]), nd.array([3, 4])
    assert FastCall()(x, GENERATION) is None
    fast = primed(make_program(), x, weight._data)
    for given, expected in ((x, [4, 6]), (nd.array([5, 6]), [8, 10])):
        y = fast(given, GENERATION)
        assert type(y) is nd.NDArray and y.context == mx.cpu() and y._tape is None and values(y) == expected


@pytest.mark.parametrize(
    "changes",
    [{"num_outputs": 2}, {"num_outputs": 0}, {"forward_states": (1,)}, {"uses_generator": True}],
    ids=str,
)
def test_a_program_that_does_more_than_compute_one_output_goes_the_general_way(changes: Any) -> None:
    x = nd.array([1, 2])
    assert primed(make_program(**changes), x, x._data)(x, GENERATION) is None


@contextlib.contextmanager
def watched() -> Iterator[None]:
    with listening(program_called=lambda *told: None):
        yield


#: What is other than at the last call: the array, the object that stands for all parameters, and the mode.
OTHERS: dict[str, tuple[Callable[[], Any], object, Any]] = {
    "class": (lambda: mx.np.array([1, 2]), GENERATION, contextlib.nullcontext),
    "context": (lambda: nd.array([1, 2], ctx=mx.cpu(1)), GENERATION, contextlib.nullcontext),
    "shape": (lambda: nd.array([[1, 2]]), GENERATION, contextlib.nullcontext),
    "type": (lambda: nd.array([1, 2], dtype="float64"), GENERATION, contextlib.nullcontext),
    "parameters": (lambda: nd.array([1, 2]), LATER, contextlib.nullcontext),
    "training": (lambda: nd.array([1, 2]), GENERATION, autograd.train_mode),
    "recording": (lambda: nd.array([1, 2]), GENERATION, lambda: autograd.record(train_mode=False)),
    "a subscriber": (lambda: nd.array([1, 2]), GENERATION, watched),
}


@pytest.mark.parametrize("case", OTHERS.values(), ids=OTHERS)
def test_another_call_than_the_last_one_goes_the_general_way(case: Any) -> None:
    make, generation, scope = case
    x = nd.array([1, 2])
    fast = primed(make_program(), x, x._data)
    other = make()
    with scope():
        assert fast(other, generation) is None
    assert values(fast(x, GENERATION)) == [2, 4]


def test_a_call_in_training_mode_is_like_another_one() -> None:
    x = nd.array([1, 2])
    fast = primed(make_program(), x, x._data, training=True)
    assert fast(x, GENERATION) is None
    with autograd.train_mode():
        assert values(fast(x, GENERATION)) == [2, 4]


@pytest.mark.parametrize(("threaded", "crowded"), [(True, True), (True, False), (False, True)])
def test_a_program_with_threads_goes_the_general_way_where_other_programs_need_processors(
    threaded: bool, crowded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = parallel.Unlimited()
    monkeypatch.setattr(policy, "crowded", lambda: crowded)
    monkeypatch.setattr(parallel, "threads", policy)
    x = nd.array([1, 2])
    y = primed(make_program(threaded=threaded), x, x._data)(x, GENERATION)
    assert values(y) == (None if threaded and crowded else [2, 4])


def test_the_call_at_which_a_program_is_promoted_goes_the_general_way() -> None:
    x = nd.array([1, 2])
    fast = primed(make_program(promotion=Promotion(2)), x, x._data)
    assert [values(fast(x, GENERATION)) for _ in range(3)] == [[2, 4], [2, 4], None]


class Workspaces:
    """One workspace, which is taken for a call and given back."""

    def __init__(self) -> None:
        self.free = [lambda *raws: (sum(raws) * 10, None)]

    def take(self) -> Any:
        return self.free.pop()

    def give(self, run: Any) -> None:
        self.free.append(run)


def test_a_workspace_is_given_back() -> None:
    x, workspaces = nd.array([1, 2]), Workspaces()
    fast = primed(make_program(workspaces=workspaces), x, x._data)
    assert [values(fast(x, GENERATION)) for _ in range(2)] == [[20, 40]] * 2 and len(workspaces.free) == 1


def test_a_call_that_runs_out_of_memory_goes_the_general_way() -> None:
    def fail(*raws: Any) -> Any:
        raise MemoryError

    x = nd.array([1, 2])
    assert primed(make_program(function=fail), x, x._data)(x, GENERATION) is None


def with_prepared_values() -> Any:
    """Return a program with one prepared value: a hundred times its parameter."""
    prepare = SimpleNamespace(text="hundredfold", function=lambda x, w: (w * 100,), threaded=False)
    return make_program(prepare=prepare, prepared_values={}, graph=SimpleNamespace(num_data=1))


def test_prepared_values_are_used_until_a_parameter_is_written() -> None:
    x, weight = nd.array([1, 2]), nd.array([3, 4])
    fast = primed(with_prepared_values(), x, weight._data)
    assert values(fast(x, GENERATION)) == [304, 406]
    x[:] = 0
    assert values(fast(x, GENERATION)) == [303, 404]
    weight[:] = 5
    assert fast(x, GENERATION) is None


def test_a_call_with_values_from_shared_memory_goes_the_general_way() -> None:
    x, weight = nd.array([1, 2]), nd.array([3, 4])
    clock.note_sharing(weight._data)
    assert primed(with_prepared_values(), x, weight._data)(x, GENERATION) is None
    assert values(primed(make_program(), x, weight._data)(x, GENERATION)) == [4, 6]  # nothing is prepared


def test_a_cpu_takes_elements_in_any_order() -> None:
    turned = wrap(nd.NDArray, numpy.array([[1, 3], [2, 4]], "float32").T, mx.cpu())
    fast = primed(make_program(), turned, turned._data)
    assert values(fast(turned, GENERATION)) == [[2, 4], [6, 8]]


def test_the_second_call_of_a_net_takes_the_short_way() -> None:
    net: Any = nn.Dense(1, in_units=2)
    net.initialize(mx.init.One())
    net.hybridize()
    x = nd.array([[1, 2]])
    net(x)
    for weight in (1, 2):
        net.weight.data()[:] = weight
        assert values(net(x)) == values(net._cached_op.fast_call(x, clock.Arrays.generation)) == [[3 * weight]]
