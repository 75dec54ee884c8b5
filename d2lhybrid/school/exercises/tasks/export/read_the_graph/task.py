"""05.2: the graph file, read by hand."""

from __future__ import annotations

import json

import numpy

from ....exercise import Exercise
from ....results import Wrong, expect
from ....subject import Subject
from ..made import saved_net


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    for _ in range(4):
        files = saved_net(rng).files
        graph = {name: data for name, data in files.items() if name.endswith(".json")}
        nodes = json.loads(graph["net-symbol.json"])["nodes"]
        right = [node["op"] for node in nodes if node["op"] != "null"]
        got = subject.ask("call_on_files", "called with a graph file", contents=graph, args=[])["result"]
        where = f"For a net with {len(right)} operators"
        expect(isinstance(got, list), f"{where} the function returns no list.")
        if got == right:
            continue
        expect("null" not in got, f"{where} there is `null` in the list: what are these nodes?")
        if got == [node["name"] for node in nodes if node["op"] != "null"]:
            raise Wrong(f"{where} the list has the names of the nodes, such as `{got[0]}`.")
        if sorted(map(str, got)) == sorted(right):
            raise Wrong(f"{where} the list has the right operators in another order.")
        if set(map(str, got)) == set(right):
            raise Wrong(f"{where} the list has {len(got)} entries: operators that are used again are missing.")
        raise Wrong(f"{where} the list is another one: {len(got)} entries.")


EXERCISE = Exercise(__name__, number="05.2", answer="operators_in", checker=_check)
