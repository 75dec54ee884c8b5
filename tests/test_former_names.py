"""Modules that moved are found under their former names, and are the same modules."""

import importlib
import pickle

import pytest

import d2lhybrid
from d2lhybrid.internals.support import former_names


@pytest.mark.parametrize("former", sorted(former_names._MOVED))
def test_a_former_name_gives_the_module_itself(former):
    present = importlib.import_module(f"d2lhybrid.{former_names._MOVED[former]}")
    assert importlib.import_module(f"d2lhybrid.{former}") is present


def test_a_module_below_a_former_package_is_not_loaded_twice():
    from d2lhybrid.core.pipeline import PASSES  # pyright: ignore

    from d2lhybrid.internals.core import pipeline

    assert PASSES is pipeline.PASSES


def test_a_pickle_from_before_loads():
    error = b"cd2lhybrid.errors\nMXNetError\n(S'x'\ntR."
    assert type(pickle.loads(error)) is d2lhybrid.MXNetError


def test_a_name_that_never_was_is_not_found():
    with pytest.raises(ModuleNotFoundError, match=r"d2lhybrid\.core\.never"):
        importlib.import_module("d2lhybrid.core.never")
