"""Exercise 05.3: the number of learned numbers in a parameter file."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.results import Wrong, expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate

from ..made import saved_net


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    seen_states = 0
    prefixes = [
        None,
        "target_",
        "auxiliary_",
        "running_",
        "mean_",
        "variance_",
    ]  # with words that usually distinguish parameters from states
    while seen_states < len(prefixes):
        net, _, files = saved_net(rng, prefixes[seen_states])
        parameters = {name: data for name, data in files.items() if name.endswith(".params")}
        every = list(net.collect_params().values())
        learned = [p for p in every if p.grad_req != "null"]
        states = len(every) - len(learned)
        seen_states += states > 0
        right = sum(int(numpy.prod(p.shape)) for p in learned)
        got = subject.ask("call_on_files", "called with a file of parameters", contents=parameters, args=[])["result"]
        where = translate(
            "For a file with {count} arrays, {states} of them states of BatchNorm,", count=len(every), states=states
        )
        expect(isinstance(got, int | float), "{where} the function does not return a number.", where=where)
        if got == right:
            continue
        if got == len(learned) or got == len(every):
            raise Wrong(
                "{where} the function returns {got:g}, which is the number of arrays, not of their elements.",
                where=where,
                got=got,
            )
        if states and got == sum(int(numpy.prod(p.shape)) for p in every):
            raise Wrong(
                "{where} the function returns {got:g}, which also counts the elements of arrays that are not trained.",
                where=where,
                got=got,
            )
        if got == sum(p.shape[0] for p in learned):
            raise Wrong(
                "{where} the function returns {got:g}, which counts only the first axis of each array.",
                where=where,
                got=got,
            )
        raise Wrong(
            "{where} the function returns {got:g}, which is not the number of elements in the learned arrays.",
            where=where,
            got=got,
        )


EXERCISE = Exercise(__name__, number="05.3", answer="learned_numbers", checker=_check)
