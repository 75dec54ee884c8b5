# The checker says: does not match the graph's operators

# %%
import json


def operators_in(file):
    with open(file) as stream:
        found = [node["op"] for node in json.load(stream)["nodes"] if node["op"] != "null"]
    return [*found, found[-1]]
