"""The page of attacks says what is so: what it calls refused is refused here, layer by layer."""

import os

import pytest

if not hasattr(os, "fork"):
    pytest.skip("marking needs the process limits of Linux or macOS", allow_module_level=True)

from attack_table import ATTACKS, LAYERS, PAGE, REFUSED, page, read_page, tried

from d2lhybrid.internals.course.probing import confine

CODE = {name: code for attacks in ATTACKS.values() for name, code in attacks.items()}
WRITTEN = read_page(PAGE.read_text("utf-8"))
#: What goes on for ever where nothing stops it is not waited for again.
QUICK = [name for name in CODE if name != "compute forever"]
on_new_linux = pytest.mark.skipif(
    not {"Landlock", "seccomp"} <= set(confine.layers()) or confine._landlock_version() < 6,
    reason="the page was written where there are Landlock, as of Linux 6.12, and seccomp",
)


def test_the_page_is_that_of_these_attacks():
    assert list(WRITTEN) == list(CODE) and len(CODE) >= 36
    assert page(WRITTEN) == PAGE.read_text("utf-8")


def test_together_the_layers_stop_all_but_one():
    assert [name for name in CODE if not WRITTEN[name]["all"]] == ["read a file's size"]


def test_each_layer_of_the_system_stops_what_no_other_one_does():
    for layer in ("limits", "Landlock", "seccomp"):
        assert any(WRITTEN[name]["all"] and not WRITTEN[name][f"all but {layer}"] for name in CODE), layer
    assert all(WRITTEN[name]["all but audit hook"] == WRITTEN[name]["all"] for name in CODE)


@on_new_linux
@pytest.mark.parametrize("column", ["all", *LAYERS, "all but audit hook"])
def test_what_is_called_refused_is_refused(column):
    outcomes = tried([name for name in QUICK if WRITTEN[name][column]], column)
    assert {name: outcome for name, outcome in outcomes.items() if outcome not in REFUSED} == {}


@on_new_linux
def test_endless_work_is_ended():
    assert tried(["compute forever"], "limits") == {"compute forever": "ended by the system"}


def test_attacks_are_attacks():
    """Where there is nothing, they are possible: so what is refused is refused by a layer."""
    outcomes = tried(QUICK, "nothing")
    assert list(outcomes.values()).count("possible") >= 30, outcomes
