# %%
import json


def operators_in(file):
    with open(file) as stream:
        graph = json.load(stream)
    variables = set(graph["arg_nodes"])
    return [node["op"] for i, node in enumerate(graph["nodes"]) if i not in variables]
