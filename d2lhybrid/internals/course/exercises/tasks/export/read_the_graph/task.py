"""Exercise 05.2: the operators in a graph file."""

from __future__ import annotations

import json

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.results import Wrong, expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate

from ..made import saved_net


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    for prefix in (None, "weight_", "data_", "null_"):  # names of nodes must not distinguish variables from operators
        files = saved_net(rng, prefix, functions=2).files
        graph = {name: data for name, data in files.items() if name.endswith(".json")}
        nodes = json.loads(graph["net-symbol.json"])["nodes"]
        right = [node["op"] for node in nodes if node["op"] != "null"]
        got = subject.ask("call_on_files", "called with a graph file", contents=graph, args=[])["result"]
        where = translate("For a net with {count} operators,", count=len(right))
        expect(isinstance(got, list), "{where} the function does not return a list.", where=where)
        if got == right:
            continue
        expect("null" not in got, "{where} the list contains `null`. Which nodes are these?", where=where)
        if got == [node["name"] for node in nodes if node["op"] != "null"]:
            raise Wrong(
                "{where} the list contains names of nodes, such as `{got}`, not operators.", where=where, got=got[0]
            )
        if sorted(map(str, got)) == sorted(right):
            raise Wrong("{where} the list has the right operators in the wrong order.", where=where)
        if set(map(str, got)) == set(right) and len(got) < len(right):
            raise Wrong(
                "{where} the length of the list is {count}, because repetitions of an operator are missing.",
                where=where,
                count=len(got),
            )
        raise Wrong(
            "{where} the list does not match the graph's operators. The length of the list is {count}.",
            where=where,
            count=len(got),
        )


EXERCISE = Exercise(__name__, number="05.2", answer="operators_in", checker=_check)
