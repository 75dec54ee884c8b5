"""Texts of arrays, symbols, contexts, blocks and initializers, as real MXNet prints them."""

import json
from pathlib import Path

import pytest

import d2lhybrid as mx
from d2lhybrid import gluon
from d2lhybrid.gluon import nn, rnn

CASES = json.loads((Path(__file__).parents[1] / "golden_data/gluon/reprs.json").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["expr"])
def test_repr_and_str(case):
    value = eval(case["expr"], {"mx": mx, "gluon": gluon, "nn": nn, "rnn": rnn})
    assert (repr(value), str(value)) == (case["repr"], case["str"])
