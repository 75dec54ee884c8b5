# %%
import json


def operators_in(file):
    nodes = json.load(open(file))["nodes"]
    return [node["op"] for node in nodes if node["inputs"]]
