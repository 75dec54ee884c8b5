# %%
import json


def names(nodes):
    for node in nodes:
        if node["op"] != "null":
            yield node["op"]


def operators_in(file):
    with open(file) as stream:
        return list(names(json.load(stream)["nodes"]))
