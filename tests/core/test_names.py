"""Names in the text of a program: legal, unique, and like those of the net."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from d2lhybrid.internals.core.backends import common_prefix
from d2lhybrid.internals.core.codegen import Names, own_memory


@pytest.mark.parametrize(
    ("wish", "name"),
    [
        ("dense0_weight", "dense0_weight"),
        ("net0_dense0_weight", "dense0_weight"),  # all names of the net begin with it
        ("a.b-c d", "a_b_c_d"),
        ("_hidden", "hidden"),
        ("2x", "v2x"),
        ("net0_0", "v0"),
        ("", "value"),
        ("__", "value"),
        ("数", "value"),
        ("class", "class_1"),
        ("match", "match_1"),
        ("taken", "taken_1"),
        ("x" * 60, "x" * 60),
        ("x" * 61, "x" * 60),
        ("long name" * 9, ("long_name" * 9)[:60]),
    ],
)
def test_a_wish_becomes_a_name(wish: str, name: str) -> None:
    assert Names(["taken"], "net0_").get(wish) == name


def test_a_name_is_given_out_once() -> None:
    names = Names()
    assert [names.get("x") for _ in range(3)] + [names.get("x_1")] == ["x", "x_1", "x_2", "x_1_1"]


@pytest.mark.parametrize(
    ("names", "prefix"),
    [
        ([], ""),
        (["net0_weight"], ""),  # of one name, all would go
        (["net0_a", "net0_b"], "net0_"),
        (["net0_a", "net0_b", "net1_a"], ""),
        (["net0_dense0_w", "net0_dense0_b"], "net0_dense0_"),
        (["net0_weight", "net0_weights"], "net0_"),
        (["net0_w", "net0_w"], "net0_"),
        (["abc", "abd"], ""),
    ],
)
def test_what_all_names_begin_with_ends_with_an_underscore(names: list[str], prefix: str) -> None:
    assert common_prefix(names) == prefix


def read_only(array: Any) -> Any:
    array.flags.writeable = False
    return array


BASE = numpy.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize(
    ("outputs", "is_copied"),
    [
        ([BASE], [True]),
        ([BASE[0]], [True]),
        ([BASE + 1], [False]),
        ([read_only(BASE + 1)], [True]),
        ([(BASE + 1).T], [True]),  # not in the order of its axes
        ([BASE + 1, BASE + 2], [False, False]),
    ],
)
def test_a_result_is_memory_of_its_own(outputs: list[Any], is_copied: list[bool]) -> None:
    made = own_memory(outputs, [BASE])
    for output, array, copied in zip(outputs, made, is_copied, strict=True):
        assert array.tolist() == output.tolist() and array.flags.c_contiguous and array.flags.writeable
        assert (array is not output) == copied and not numpy.may_share_memory(array, BASE)


def test_two_results_share_no_memory() -> None:
    result = BASE + 1
    first, second = own_memory([result, result[:1]], [BASE])
    second[:] = 0
    assert first is result and first.tolist() == (BASE + 1).tolist()
    (number,) = own_memory([numpy.float32(3)], [])
    assert type(number) is numpy.ndarray and number.shape == ()
