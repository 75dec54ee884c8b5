# %%
import json


def operators_in(file):
    with open(file) as stream:
        nodes = json.load(stream)["nodes"]
    return [node["op"] for node in nodes if node["op"] != "null"]
