"""Shape inference over graphs of real MXNet, complete and partial."""

import json
import warnings
from pathlib import Path

import pytest

from d2lhybrid import sym

CASES = json.loads((Path(__file__).parents[1] / "golden_data/text/infer_shape.json").read_text(encoding="utf-8"))[
    "cases"
]

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])


def known(case):
    return {name: tuple(shape) for name, shape in case["known"].items()}


def as_lists(result):
    return [None if part is None else [list(shape) for shape in part] for part in result]


@each_case
def test_names(case):
    symbol = sym.load_json(case["json"])
    assert symbol.list_arguments() == case["arguments"]
    assert symbol.list_auxiliary_states() == case["aux"]
    assert symbol.list_outputs() == case["outputs"]
    assert symbol.get_internals().list_outputs() == case["internals"]


@each_case
def test_infer_shape(case):
    symbol = sym.load_json(case["json"])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert as_lists(symbol.infer_shape(**known(case))) == case["result"]
    assert bool(caught) == (case["result"] == [None, None, None])


@each_case
def test_infer_shape_partial(case):
    assert as_lists(sym.load_json(case["json"]).infer_shape_partial(**known(case))) == case["partial"]


@each_case
def test_the_graph_is_written_as_it_was_read(case):
    assert sym.load_json(case["json"]).tojson() == case["json"]
