"""Exercise 05.4: a net up to one of its inner layers."""

from __future__ import annotations

import numpy

from d2lhybrid import nd
from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import compare
from d2lhybrid.internals.course.exercises.results import expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate

from ..made import SavedNet, saved_net

_PARTS = ("the first layer", "all but the last layer", "some layer")


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    for called in (  # neither file's name may follow from the other's
        ("net-symbol.json", "net-0000.params"),
        ("graph-symbol.json", "numbers.params"),
    ):
        saved = saved_net(rng)
        saved = saved._replace(files=dict(zip(called, saved.files.values(), strict=True)))
        symbol = saved.net._cached_graph[1]  # type: ignore[index]
        names = [n for n in symbol.get_internals().list_outputs() if n.endswith("_output")][:-1]
        for part, name in zip(_PARTS, (names[0], names[-1], str(rng.choice(names))), strict=True):
            with subject.part(part):
                _check_cut(subject, saved, name)


def _check_cut(subject: Subject, saved: SavedNet, name: str) -> None:
    found = subject.ask(
        "call_on_files",
        translate("called for the output {name}", name=name),
        contents=saved.files,
        args=[name],
        call_with=saved.x,
    )
    expect(
        "output" in found,
        "For the output `{name}`, the function returns a {type}, not a block.",
        name=name,
        type=found["type"],
    )
    whole = saved.net(nd.array(saved.x)).asnumpy()
    what = translate("The output `{name}`, of an array of shape {shape},", name=name, shape=saved.x.shape)
    compare(found["output"], _value_of(saved, name), what, [(whole, "it is the output of the whole net.")])


def _value_of(saved: SavedNet, name: str) -> numpy.ndarray:
    """Return an inner value, which the net's layers compute one after the other."""
    from d2lhybrid.internals.core.interpret import interpret

    symbol = saved.net._cached_graph[1]  # type: ignore[index]
    inner = symbol.get_internals()[name]
    values = {p.name: p.data().asnumpy() for p in saved.net.collect_params().values()}
    values["data"] = saved.x
    given = {node: values[node.name] for node in inner._nodes() if node.op is None}
    return numpy.asarray(interpret(inner._entries, given)[0])


EXERCISE = Exercise(__name__, number="05.4", answer="cut", checker=_check, points=2, parts=_PARTS)
